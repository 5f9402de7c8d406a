"""Finds the package that `make` built: PYTHONPATH, or build/python of this tree."""

import pathlib
import sys

import pytest
from hypothesis import settings

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

try:
    import tenon
except ModuleNotFoundError:
    sys.path.insert(0, str(ROOT / "build" / "python"))
    import tenon


# The same examples in every run, and no folder of them.
settings.register_profile("tenon", derandomize=True, deadline=None, database=None)
settings.load_profile("tenon")


def pytest_terminal_summary(terminalreporter):
    """The line that tools/test counts by, and a line for everything that was left out."""
    count = {kind: len(terminalreporter.stats.get(kind, [])) for kind in ("passed", "failed", "error", "skipped")}
    for report in terminalreporter.stats.get("skipped", []):
        terminalreporter.write_line(
            f"left out: {report.nodeid}: {report.longrepr[2] if isinstance(report.longrepr, tuple) else ''}"
        )
    terminalreporter.write_line(
        f"{count['passed']} passed, {count['failed'] + count['error']} failed"
        + (f", {count['skipped']} skipped" if count["skipped"] else "")
    )


@pytest.fixture(autouse=True)
def nothing_stays_set():
    """Every test starts and ends with the usual settings."""
    yield
    tenon.set_default_dtype(tenon.float32)
    tenon.set_printoptions(profile="default", sci_mode=None)
