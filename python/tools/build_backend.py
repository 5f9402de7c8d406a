"""Builds the wheel for `pip install .`: make builds the package, this packs it. It needs make, a C compiler and Python's headers.

The metadata of the package is read from pyproject.toml and from the library's header, so a program that only asks for the
metadata does not wait for a compiler.
"""

import base64
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# What the source archive contains: everything that make builds, tests and measures with.
SOURCES = ("Makefile", "LICENSE", "README.md", "pyproject.toml", "tenon.map", "bench", "docs", "examples", "include", "python", "src",
           "tests", "tools")


def _version():
    return re.search(r'#define TN_VERSION "(.*)"', (ROOT / "include/tenon/base.h").read_text())[1]


def _information():
    return f"tenon-{_version()}.dist-info"


def _metadata():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    fields = [
        ("Metadata-Version", "2.4"), ("Name", project["name"]), ("Version", _version()), ("Summary", project["description"]),
        ("Author", ", ".join(author["name"] for author in project["authors"])), ("License-Expression", project["license"]),
        *(("License-File", name) for name in project["license-files"]), ("Keywords", ",".join(project["keywords"])),
        *(("Classifier", classifier) for classifier in project["classifiers"]), ("Requires-Python", project["requires-python"]),
        ("Description-Content-Type", "text/markdown")]
    description = (ROOT / project["readme"]).read_text()
    return "".join(f"{name}: {value}\n" for name, value in fields) + f"\n{description}"


def _tag(package):
    """The Pythons and systems that the compiled files run on: manylinux says from which version of the GNU C library on."""
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    needed = [(int(major), int(minor)) for file in package.glob("*.so*")
              for major, minor in re.findall(rb"\0GLIBC_(\d+)\.(\d+)[.\d]*(?=\0)", file.read_bytes())]
    if needed and platform.startswith("linux_"):
        major, minor = max(*needed, (2, 17))  # what every tool that knows these names has
        platform = f"manylinux_{major}_{minor}_{platform.removeprefix('linux_')}"
    return f"cp311-abi3-{platform}"


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _pack(package, wheel_directory):
    """The wheel of a package that was built. Returns its name."""
    information, tag = _information(), _tag(package)
    files = [(f"tenon/{path.relative_to(package).as_posix()}", path.read_bytes()) for path in sorted(package.rglob("*"))
             if path.is_file() and "__pycache__" not in path.parts]
    files += [(f"{information}/METADATA", _metadata().encode()),
              (f"{information}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tenon\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()),
              (f"{information}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes())]
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files)
    files.append((f"{information}/RECORD", f"{record}{information}/RECORD,,\n".encode()))
    name = f"tenon-{_version()}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files:
            wheel.writestr(path, data)
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory) / _information()
    (folder / "licenses").mkdir(parents=True)
    (folder / "METADATA").write_text(_metadata())
    (folder / "licenses" / "LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = ROOT / "build" / "wheel"
    subprocess.run(["make", "-C", str(ROOT), f"BUILD={build}", f"PYTHON={sys.executable}", f"-j{os.cpu_count() or 2}", "python"],
                   check=True)
    package = build / "python" / "tenon"
    if not (package / "_core.abi3.so").exists():
        raise SystemExit(f"the headers of {sys.executable} are missing (Debian: python3-dev): the package cannot be built")
    return _pack(package, wheel_directory)


def _keep(item):
    """Leaves out caches and the owners of the files."""
    if "__pycache__" in item.name:
        return None
    item.uid = item.gid = 0
    item.uname = item.gname = ""
    return item


def build_sdist(sdist_directory, config_settings=None):
    base = f"tenon-{_version()}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{base}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in SOURCES:
            archive.add(ROOT / name, f"{base}/{name}", filter=_keep)
        metadata = _metadata().encode()
        entry = tarfile.TarInfo(f"{base}/PKG-INFO")
        entry.size = len(metadata)
        archive.addfile(entry, io.BytesIO(metadata))
    return f"{base}.tar.gz"
