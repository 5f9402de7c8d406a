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


@pytest.mark.skipif(not importlib.util.find_spec("mypy"), reason="mypy is not here")
def test_a_type_checker_takes_what_is_right_and_refuses_what_is_wrong(tmp_path):
    stubs()

    def check(program):
        return subprocess.run([sys.executable, "-m", "mypy", f"--cache-dir={tmp_path}", str(TYPED / program)], capture_output=True,
                              text=True, env={"MYPYPATH": str(PACKAGE.parent), "PATH": "/usr/bin:/bin"})

    result = check("program.py")
    assert result.returncode == 0, result.stdout
    result = check("wrong.py")
    assert [int(line.split(":")[1]) for line in result.stdout.splitlines() if "error:" in line] == [4, 5, 6, 7, 8, 9], result.stdout
