"""finfo and iinfo: the limits of the dtypes, with PyTorch's names."""

from tenon import _core


class finfo:
    """The limits of a floating dtype, or of the parts of a complex one; without a dtype, of the default one."""

    bits: int
    eps: float
    max: float
    min: float
    resolution: float
    smallest_normal: float
    tiny: float

    def __init__(self, dtype=None):
        dtype = _core.get_default_dtype() if dtype is None else getattr(dtype, "dtype", dtype)
        self.__dict__.update(_core._finfo(dtype))
        self._dtype = dtype.to_real() if hasattr(dtype, "to_real") else dtype
        self.tiny = self.smallest_normal

    @property
    def dtype(self):
        return self._dtype

    def __repr__(self):
        name = str(self._dtype).removeprefix("torch.")
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={name})")

    def __eq__(self, other):
        return isinstance(other, finfo) and self._dtype is other._dtype

    def __hash__(self):
        return hash(("finfo", self._dtype))


class iinfo:
    """The limits of an integer dtype."""

    bits: int
    max: int
    min: int

    def __init__(self, dtype):
        dtype = getattr(dtype, "dtype", dtype)
        self.__dict__.update(_core._iinfo(dtype))
        self._dtype = dtype

    @property
    def dtype(self):
        return self._dtype

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={str(self._dtype).removeprefix('torch.')})"

    def __eq__(self, other):
        return isinstance(other, iinfo) and self._dtype is other._dtype

    def __hash__(self):
        return hash(("iinfo", self._dtype))
