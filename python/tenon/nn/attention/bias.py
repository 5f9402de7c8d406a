"""torch.nn.attention.bias: masks of causal attention. Here they are tensors of bool, which scaled_dot_product_attention takes."""

import enum

from tenon import _core

__all__ = ["CausalVariant", "causal_lower_right", "causal_upper_left"]


class CausalVariant(enum.IntEnum):
    """Where the triangle lies if there are not as many queries as keys."""

    UPPER_LEFT, LOWER_RIGHT = 1, 2


def _triangle(name, size, lower):
    if len(size) == 1 and not isinstance(size[0], int):
        size = tuple(size[0])
    if len(size) != 2:
        raise RuntimeError(f"{name} takes the number of queries and the number of keys, not {size}")
    queries, keys = size
    return _core.ones(queries, keys, dtype=_core.bool).tril_(keys - queries if lower else 0)


def causal_upper_left(*size):
    """(L, S): query i sees the keys 0 to i."""
    return _triangle("causal_upper_left", size, False)


def causal_lower_right(*size):
    """(L, S): the last query sees all keys, each one before it one less."""
    return _triangle("causal_lower_right", size, True)
