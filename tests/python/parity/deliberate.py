"""Differences from PyTorch that are meant, and why. docs/python.md says so too."""

RULES = [
    # (operators, kind of difference, reason)
    ({"flip", "fliplr", "flipud", "rot90"}, {"memory", "strides", "offset"}, "strides may be negative: a reversed tensor is a view"),
]


def why(name, difference, text, theirs, ours):
    """The reason of a difference, or None."""
    for names, kinds, reason in RULES:
        if name in names and difference[0] in kinds:
            return reason
    return None
