"""The channels of groups, mixed."""

from tenon import _core
from tenon.nn.modules.module import Module

__all__ = ["ChannelShuffle"]


class ChannelShuffle(Module):
    """The first channel of each group, then the second of each, and so on."""

    __constants__ = ["groups"]

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, input):
        return _core.channel_shuffle(input, self.groups)

    def extra_repr(self):
        return f"groups={self.groups}"
