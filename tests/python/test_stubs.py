"""The type stubs: Python of their own, about what is there, and understood by a type checker where there is one."""

import ast
import importlib.util
import pathlib
import subprocess
import sys

import pytest
import tenon

PACKAGE = pathlib.Path(tenon.__file__).parent
TYPED = pathlib.Path(__file__).parent / "typed"


def stubs():
    text = (PACKAGE / "_core.pyi").read_text()
    if not text:
        pytest.skip("this build has no stubs")
    return text


def names(body):
    found = {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return found | {node.target.id for node in body if isinstance(node, ast.AnnAssign)}


def test_the_stubs_are_python_and_name_everything():
    compile(stubs(), "_core.pyi", "exec")  # refuses parameters of the same name
    tree = ast.parse(stubs())
    public = {name for name in vars(tenon._core) if not name.startswith("_")} - {"True", "False", "None"}
    assert public - names(tree.body) == set()
    tensor = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Tensor")
    methods = {name for name in vars(tenon.Tensor) if not name.startswith("_")}
    assert methods - names(tensor.body) == set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for note in [node.returns, *(a.annotation for a in node.args.args + node.args.kwonlyargs)]:
                used = {n.id for n in ast.walk(note) if isinstance(n, ast.Name)} if note else set()
                assert not used & {"int", "float", "bool", "dtype", "device", "type", "str", "complex"}, node.name


TOOL = pathlib.Path(__file__).parents[2] / "python" / "tools" / "module_stubs.py"


def test_the_stubs_of_packages_are_what_the_packages_are(tmp_path):
    """In a process of its own: programs, and other tests, may change classes."""
    spec = importlib.util.spec_from_file_location("module_stubs", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    for package in tool.PACKAGES:
        (tmp_path / tool.place(package)).parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, str(TOOL), str(tmp_path)], check=True)
    for package in tool.PACKAGES:
        written = (PACKAGE / tool.place(package)).read_text()
        compile(written, package, "exec")
        assert written == (tmp_path / tool.place(package)).read_text(), f"python/tools/module_stubs.py has not been run since {package} changed"


def works(module):
    """Whether a tool can be run: it may be installed without what it needs."""
    return importlib.util.find_spec(module) and subprocess.run([sys.executable, "-m", module, "-c", "1"], capture_output=True).returncode == 0


@pytest.mark.skipif(not works("mypy") or not importlib.util.find_spec("mypy"), reason="mypy is not here")
def test_a_type_checker_takes_what_is_right_and_refuses_what_is_wrong(tmp_path):
    stubs()

    def check(program):
        return subprocess.run([sys.executable, "-m", "mypy", "--follow-imports=silent", f"--cache-dir={tmp_path}", str(TYPED / program)], capture_output=True,
                              text=True, env={"MYPYPATH": str(PACKAGE.parent), "PATH": "/usr/bin:/bin"})

    result = check("program.py")
    assert result.returncode == 0, result.stdout
    result = check("wrong.py")
    assert [int(line.split(":")[1]) for line in result.stdout.splitlines() if "error:" in line] == list(range(4, 25)), result.stdout
