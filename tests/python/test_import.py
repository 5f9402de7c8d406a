"""Who may import the package, and what is said to who may not."""

import importlib.util
import pathlib
import shutil
import subprocess
import sys

import pytest
import tenon

PACKAGE = pathlib.Path(tenon.__file__).parent


def run(text, path=PACKAGE.parent):
    return subprocess.run([sys.executable, "-B", "-c", text], capture_output=True, text=True, timeout=600,
                          env={"PYTHONPATH": str(path), "PATH": "/usr/bin:/bin"})


@pytest.fixture
def without_core(tmp_path):
    """The package as a Python sees it that does not find extensions for the stable ABI."""
    copy = shutil.copytree(PACKAGE, tmp_path / "tenon", ignore=shutil.ignore_patterns("*.so", "*.so.*", "__pycache__"))
    return copy.parent


@pytest.mark.parametrize("before, words", [
    ("sys.abiflags = 't'", "free-threaded builds of Python do not have"), ("sys.version_info = (3, 10, 1)", "3.11 or later"),
    ("pass", "the compiled part of tenon is not in"),
])
def test_a_python_that_cannot_is_told_why_in_one_sentence(without_core, before, words):
    result = run(f"import sys\n{before}\ntry:\n    import tenon\nexcept ImportError as error:\n    print(error)", without_core)
    assert result.returncode == 0, result.stderr
    assert words in result.stdout and result.stdout.count("\n") == 1


def test_the_library_is_the_one_beside_the_extension(tmp_path):
    other = shutil.copytree(PACKAGE, tmp_path / "tenon", ignore=shutil.ignore_patterns("__pycache__"))
    library = next(other.glob("libtenon.so.*"))
    data = library.read_bytes()
    library.unlink()
    result = run("import tenon", tmp_path)
    assert result.returncode == 1 and library.name in result.stderr
    library.write_bytes(data)
    assert run("import tenon; assert tenon.ones(2).sum() == 2", tmp_path).returncode == 0


SUBINTERPRETER = """
import sys
try:
    import _xxsubinterpreters as interpreters
except ModuleNotFoundError:
    import _interpreters as interpreters
{before}
def run(text):
    other = interpreters.create()
    try:
        answer = interpreters.run_string(other, text)
        if answer is not None:
            print("failed", answer)
    except Exception as error:
        print("failed", error)
    finally:
        interpreters.destroy(other)
for _ in range(3):
    run('''
try:
    import tenon
    print("imported")
except ImportError as error:
    print(error)
''')
import tenon
x = tenon.arange(5)
assert (x + 1).sum().item() == 15 and repr(x) == "tensor([0, 1, 2, 3, 4])"
print("main goes on", flush=True)
"""


@pytest.mark.skipif(not any(importlib.util.find_spec(name) for name in ("_xxsubinterpreters", "_interpreters")),
                    reason="this Python cannot make subinterpreters")
@pytest.mark.parametrize("before", ["", "import tenon"], ids=["first", "second"])
def test_a_subinterpreter_is_refused_and_the_main_one_goes_on(before):
    result = run(SUBINTERPRETER.format(before=before))
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert len(lines) == 4 and lines[-1] == "main goes on" and len(set(lines[:3])) == 1
    assert "subinterpreter" in lines[0] and "imported" not in lines[0]


def test_the_package_can_be_imported_again_after_it_was_forgotten():
    result = run("import sys, tenon\nx = tenon.ones(2)\n"
                 "for name in [n for n in sys.modules if n.startswith('tenon')]:\n    del sys.modules[name]\n"
                 "import tenon as again\nassert isinstance(x, again.Tensor) and again.float32 is x.dtype\nprint((again.ones(2) + x).tolist())")
    assert (result.stdout, result.stderr) == ("[2.0, 2.0]\n", "")


def test_a_child_of_fork_can_use_the_package():
    result = run("import os, tenon, warnings\nwarnings.simplefilter('ignore')\nx = tenon.rand(100000).sort().values\npid = os.fork()\n"
                 "if pid == 0:\n    y = tenon.rand(100000).sort().values\n    os._exit(0 if (y[1:] >= y[:-1]).all() else 3)\n"
                 "print(os.waitpid(pid, 0)[1])")
    assert (result.stdout, result.stderr) == ("0\n", "")
