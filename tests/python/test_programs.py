"""Programs written for PyTorch print the same text after `import tenon as torch`, or under
tenon.run. The expected text is PyTorch's own, which
`make parity` checks (parity/test_programs.py)."""

import pathlib
import subprocess
import sys

import pytest
import tenon

PROGRAMS = sorted((pathlib.Path(__file__).parent / "programs").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_prints_what_it_prints_with_pytorch(program, tmp_path):
    text = program.read_text()
    assert "\nimport torch\n" in text
    copy, how = tmp_path / program.name, []
    if "\nimport torch." in text:  # modules of torch: as it is
        how = ["-m", "tenon.run"]
        copy.write_text(text)
    else:
        copy.write_text(text.replace("\nimport torch\n", "\nimport tenon as torch\n"))
    result = subprocess.run([sys.executable, "-B", *how, str(copy)], capture_output=True, text=True, timeout=600,
                            env={"PYTHONPATH": str(pathlib.Path(tenon.__file__).parent.parent), "PATH": "/usr/bin:/bin"})
    assert result.stderr == "" and result.returncode == 0
    assert result.stdout == program.with_suffix(".expected").read_text()
