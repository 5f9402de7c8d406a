"""TorchVersion: the version that programs compare, `torch.__version__ >= "2.0"`, by its numbers and not as text."""

import re

__all__ = ["TorchVersion"]


def _numbers(version):
    """The numbers, and what follows a "+": a build of a version comes after the version itself."""
    build = ""
    if isinstance(version, str):
        build = version.partition("+")[2]
        release = re.match(r"\s*v?(\d+(?:\.\d+)*)", version)
        if release is None:
            raise ValueError(f"{version!r} is not a version")
        version = release[1].split(".")
    numbers = [int(part) for part in version]
    while numbers and numbers[-1] == 0:  # 2 and 2.0.0 are one version
        numbers.pop()
    return numbers, build


def _compared(how):
    def compare(self, other):
        if not isinstance(other, (str, tuple, list)):
            return NotImplemented
        try:
            return how(_numbers(self), _numbers(other))
        except ValueError:  # a text that is no version
            return how(str(self), str(other))
    return compare


class TorchVersion(str):
    """A version: a text, which compares with versions given as texts and as tuples of numbers."""

    __lt__ = _compared(lambda a, b: a < b)
    __le__ = _compared(lambda a, b: a <= b)
    __gt__ = _compared(lambda a, b: a > b)
    __ge__ = _compared(lambda a, b: a >= b)
    __eq__ = _compared(lambda a, b: a == b)
    __ne__ = _compared(lambda a, b: a != b)
    __hash__ = str.__hash__
