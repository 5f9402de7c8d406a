"""torch.utils.dlpack's names: capsules of DLPack, out and in."""

from tenon._core import from_dlpack as from_dlpack, to_dlpack as to_dlpack
