"""The graph that was recorded."""

from tenon import _core

Node = _core._Node
