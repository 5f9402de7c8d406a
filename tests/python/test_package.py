"""What is installed: the wheel, the archive of sources, and what the package says of itself."""

import email
import importlib.util
import pathlib
import re
import subprocess
import tarfile
import zipfile

import pytest

import tenon

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def backend(monkeypatch):
    spec = importlib.util.spec_from_file_location("build_backend", ROOT / "python" / "tools" / "build_backend.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def refuse(*args, **names):
        raise AssertionError("nothing is run for this")

    monkeypatch.setattr(subprocess, "run", refuse)
    return module


def check(text):
    fields = email.message_from_string(text)
    assert fields["Name"] == "tenon" and fields["Version"] == tenon.__version__ and fields["Author"] == "The Tenon authors"
    assert fields["License-Expression"] == "MIT" and fields["License-File"] == "LICENSE" and fields["Requires-Python"] == ">=3.11"
    assert fields["Summary"] and "Typing :: Typed" in fields.get_all("Classifier")
    assert not any(one.startswith("License ::") for one in fields.get_all("Classifier"))  # the expression says it
    assert fields.get_payload().strip() == (ROOT / "README.md").read_text().strip()


def test_metadata_needs_no_compiler(backend, tmp_path):
    name = backend.prepare_metadata_for_build_wheel(str(tmp_path))
    assert name == f"tenon-{tenon.__version__}.dist-info"
    check((tmp_path / name / "METADATA").read_text())
    assert (tmp_path / name / "licenses" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_wheel_has_the_package_and_a_record_of_it(backend, tmp_path):
    package = pathlib.Path(tenon.__file__).parent
    name = backend._pack(package, str(tmp_path))
    with zipfile.ZipFile(tmp_path / name) as wheel:
        files = {one: wheel.read(one) for one in wheel.namelist()}
    folder = f"tenon-{tenon.__version__}.dist-info"
    check(files[f"{folder}/METADATA"].decode())
    assert {"tenon/__init__.py", "tenon/_core.abi3.so", "tenon/py.typed", "tenon/utils/dlpack.py", f"{folder}/licenses/LICENSE"} <= set(files)
    assert f"Tag: {name.removesuffix('.whl').split('-', 2)[2]}\n".encode() in files[f"{folder}/WHEEL"]
    recorded = {line.split(",")[0]: line.split(",")[1] for line in files[f"{folder}/RECORD"].decode().splitlines()}
    assert set(recorded) == set(files)
    for one, data in files.items():
        assert recorded[one] == (f"sha256={backend._digest(data)}" if one != f"{folder}/RECORD" else ""), one


def test_the_tag_names_the_oldest_library_that_will_do(backend, tmp_path, monkeypatch):
    monkeypatch.setattr(backend.sysconfig, "get_platform", lambda: "linux-x86_64")
    assert backend._tag(tmp_path) == "cp311-abi3-linux_x86_64"  # not linked with the GNU C library
    (tmp_path / "a.so").write_bytes(b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0")
    (tmp_path / "b.so.0").write_bytes(b"GLIBC_2.99 in a text\0GLIBC_2.4\0")
    assert backend._tag(tmp_path) == "cp311-abi3-manylinux_2_34_x86_64"
    (tmp_path / "a.so").write_bytes(b"\0GLIBC_2.2.5\0")
    assert backend._tag(tmp_path) == "cp311-abi3-manylinux_2_17_x86_64"
    monkeypatch.setattr(backend.sysconfig, "get_platform", lambda: "macosx-14.0-arm64")
    assert backend._tag(tmp_path) == "cp311-abi3-macosx_14_0_arm64"


def test_the_archive_has_the_sources_and_the_tests(backend, tmp_path):
    name = backend.build_sdist(str(tmp_path))
    base = f"tenon-{tenon.__version__}"
    assert name == f"{base}.tar.gz"
    with tarfile.open(tmp_path / name) as archive:
        names = {one.name: one for one in archive.getmembers()}
        check(archive.extractfile(f"{base}/PKG-INFO").read().decode())
    for file in ("Makefile", "LICENSE", "pyproject.toml", "src/base/error.c", "include/tenon/tenon.h", "python/src/core.h",
                 "python/tools/build_backend.py", "tests/access.c", "tests/python/conftest.py", "tests/python/typed/program.py", "tools/layers"):
        assert f"{base}/{file}" in names, file
    assert f"{base}/tests/python/test_package.py" in names and not any("__pycache__" in one for one in names)
    assert all(re.fullmatch(rf"{re.escape(base)}(/[^/]+)*", one) for one in names) and all(one.uname == "" for one in names.values())
