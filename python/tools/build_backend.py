"""Builds the wheel for `pip install .`: make builds the package, this packs it. It needs make, a C compiler and Python's headers."""

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def _version():
    return re.search(r'#define TN_VERSION "(.*)"', (ROOT / "include/tenon/base.h").read_text())[1]


def _metadata():
    description = (ROOT / "README.md").read_text() if (ROOT / "README.md").exists() else ""
    return (f"Metadata-Version: 2.1\nName: tenon\nVersion: {_version()}\n"
            "Summary: PyTorch's tensor core as one small C library\nRequires-Python: >=3.11\n"
            f"Description-Content-Type: text/markdown\n\n{description}")


def _tag():
    return "cp311-abi3-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def _wheel_text():
    return f"Wheel-Version: 1.0\nGenerator: tenon\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = ROOT / "build" / "wheel"
    subprocess.run(["make", "-C", str(ROOT), f"BUILD={build}", f"PYTHON={sys.executable}", f"-j{os.cpu_count() or 2}", "python"],
                   check=True)
    package = build / "python" / "tenon"
    if not (package / "_core.abi3.so").exists():
        raise SystemExit(f"the headers of {sys.executable} are not here (Debian: python3-dev): the package cannot be built")
    information = f"tenon-{_version()}.dist-info"
    files = [(f"tenon/{path.relative_to(package)}", path.read_bytes()) for path in sorted(package.rglob("*"))
             if path.is_file() and "__pycache__" not in path.parts]
    files += [(f"{information}/METADATA", _metadata().encode()), (f"{information}/WHEEL", _wheel_text().encode())]
    if (ROOT / "LICENSE").exists():
        files.append((f"{information}/LICENSE", (ROOT / "LICENSE").read_bytes()))
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files)
    files.append((f"{information}/RECORD", f"{record}{information}/RECORD,,\n".encode()))
    name = f"tenon-{_version()}-{_tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files:
            wheel.writestr(path, data)
    return name


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_sdist(sdist_directory, config_settings=None):
    base = f"tenon-{_version()}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for name in ("include", "src", "tools", "python", "docs", "Makefile", "tenon.map", "LICENSE", "README.md", "pyproject.toml"):
            if (ROOT / name).exists():
                archive.add(ROOT / name, f"{base}/{name}", filter=lambda item: None if "__pycache__" in item.name else item)
        metadata = _metadata().encode()
        entry = tarfile.TarInfo(f"{base}/PKG-INFO")
        entry.size = len(metadata)
        import io
        archive.addfile(entry, io.BytesIO(metadata))
    return f"{base}.tar.gz"
