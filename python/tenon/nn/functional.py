"""torch.nn.functional's names for operators of the table, as far as it has them."""

import importlib
import warnings

from tenon import _core
from tenon._lazy import table as _table
from tenon.nn._attention import multi_head_attention_forward

_NAMES = """adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d
    affine_grid alpha_dropout avg_pool1d avg_pool2d avg_pool3d batch_norm bilinear binary_cross_entropy
    binary_cross_entropy_with_logits celu_ conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d
    cosine_embedding_loss cosine_similarity cross_entropy ctc_loss elu_ embedding embedding_bag feature_alpha_dropout
    gaussian_nll_loss glu grid_sample group_norm gumbel_softmax hardshrink hardtanh_ hinge_embedding_loss huber_loss instance_norm
    interpolate kl_div l1_loss layer_norm leaky_relu_ linear local_response_norm log_softmax logsigmoid lp_pool1d lp_pool2d
    margin_ranking_loss max_pool1d max_pool2d max_pool3d mse_loss nll_loss normalize one_hot pad
    pairwise_distance pdist channel_shuffle native_channel_shuffle pixel_shuffle pixel_unshuffle poisson_nll_loss prelu relu_ rms_norm rrelu rrelu_
    scaled_dot_product_attention selu_ sigmoid smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign tanh
    tanhshrink threshold threshold_ triplet_margin_loss upsample""".split()

GRID_SAMPLE_INTERPOLATION_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
GRID_SAMPLE_PADDING_MODES = {"zeros": 0, "border": 1, "reflection": 2}
_find, _list = _table(__name__, "", _NAMES)

# Functions whose arguments torch has in another form than its operators: the module that they are in.
_FACES = dict.fromkeys("""adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
    adaptive_max_pool1d_with_indices adaptive_max_pool2d adaptive_max_pool2d_with_indices adaptive_max_pool3d
    adaptive_max_pool3d_with_indices avg_pool1d avg_pool2d avg_pool3d fractional_max_pool2d fractional_max_pool2d_with_indices
    fractional_max_pool3d fractional_max_pool3d_with_indices lp_pool1d lp_pool2d lp_pool3d max_pool1d max_pool1d_with_indices
    max_pool2d max_pool2d_with_indices max_pool3d max_pool3d_with_indices max_unpool1d max_unpool2d max_unpool3d""".split(), "_pooling")
_FACES.update(dict.fromkeys("batch_norm group_norm instance_norm local_response_norm".split(), "_norms"))
_FACES.update(dict.fromkeys("affine_grid grid_sample interpolate upsample upsample_bilinear upsample_nearest".split(), "_resampling"))

_FACES.update(dict.fromkeys("grouped_mm scaled_grouped_mm scaled_mm ScalingType SwizzleType".split(), "_grouped"))

# Functions that change their argument when asked to, with an argument that follows this many others.
_IN_PLACE = dict.fromkeys("hardsigmoid hardswish mish relu relu6 selu silu".split(), 0)
_IN_PLACE.update(celu=1, elu=1, leaky_relu=1, hardtanh=2, threshold=2)


def _either(name):
    function, in_place, before = getattr(_core, name), getattr(_core, name + "_"), _IN_PLACE[name]

    def either(input, *args, **kwargs):
        if len(args) == before + 1 and "inplace" not in kwargs:
            *args, kwargs["inplace"] = args
        if len(args) > before:
            raise TypeError(f"{name}() takes at most {before + 2} arguments, but {len(args) + 1} were given")
        return (in_place if kwargs.pop("inplace", False) else function)(input, *args, **kwargs)

    either.__name__ = either.__qualname__ = name
    either.__doc__ = f"{function.__doc__}\n\ninplace=True: input is changed."
    return either


def gelu(input, approximate="none", *, out=None):
    """The Gaussian error linear unit, exact or by tanh."""
    return _core.gelu(input, approximate=approximate, out=out)


def _padding(name, padding_idx, weight):
    """The number of a row that may be negative; -1 for none."""
    rows = weight.shape[0]
    if padding_idx is None:
        return -1
    if not -rows <= padding_idx < rows:
        raise IndexError(f"{name}(): padding_idx {padding_idx} is out of range for the {rows} rows of weight")
    return padding_idx % rows


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """The rows of weight whose numbers are in input. max_norm: those rows of weight are scaled down to it first, in place."""
    if max_norm is not None:
        _core.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    return _core.embedding(weight, input, _padding("embedding", padding_idx, weight), scale_grad_by_freq, sparse)


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean", sparse=False,
                  per_sample_weights=None, include_last_offset=False, padding_idx=None):
    """The sums, means or maxima of bags of rows of weight. Bags are the rows of input, or runs of it that begin at offsets."""
    if weight.dtype == _core.int64 and input.is_floating_point():
        warnings.warn("embedding_bag(): input and weight are in the wrong order", stacklevel=2)
        input, weight = weight, input
    if input.ndim == 2:
        if offsets is not None:
            raise ValueError("embedding_bag(): bags are the rows of input, which has 2 dimensions, so offsets must be None")
        if per_sample_weights is not None:
            if per_sample_weights.shape != input.shape:
                raise ValueError(f"embedding_bag(): per_sample_weights {tuple(per_sample_weights.shape)} must have the sizes of input {tuple(input.shape)}")
            per_sample_weights = per_sample_weights.reshape(-1)
        bags, size = input.shape
        offsets = _core.arange(0, bags + bool(include_last_offset), dtype=input.dtype) * size
        input = input.reshape(-1)
    elif input.ndim == 1:
        if offsets is None:
            raise ValueError("embedding_bag(): input has 1 dimension, so offsets must say where bags begin")
        if per_sample_weights is not None and per_sample_weights.shape != input.shape:
            raise ValueError(f"embedding_bag(): per_sample_weights {tuple(per_sample_weights.shape)} must have the sizes of input {tuple(input.shape)}")
    else:
        raise ValueError(f"embedding_bag(): input has 1 or 2 dimensions, not {input.ndim}")
    if mode not in ("sum", "mean", "max"):
        raise ValueError(f"embedding_bag(): mode {mode!r} must be 'sum', 'mean' or 'max'")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(f"embedding_bag(): per_sample_weights are for mode 'sum', not {mode!r}")
    if max_norm is not None:
        _core.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    return _core._embedding_bag(weight, input, offsets, scale_grad_by_freq, ("sum", "mean", "max").index(mode), sparse, per_sample_weights,
                                include_last_offset, _padding("embedding_bag", padding_idx, weight))[0]


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """The blocks that a window covers as it moves over an image, each as a column: (N, C, H, W) becomes (N, C * window, places)."""
    if input.ndim < 3:
        raise _core.OutOfRangeError(f"unfold: input has {input.ndim} dimensions; images have 3 with their channels, and 4 in a batch")
    for name, value in (("kernel_size", kernel_size), ("dilation", dilation), ("padding", padding), ("stride", stride)):
        if isinstance(value, (tuple, list)) and len(value) != 2:
            raise RuntimeError(f"unfold: {name} is a number, or one for rows and one for columns, not {value!r}")
    return _core.im2col(input, kernel_size, dilation, padding, stride)


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Images of output_size from columns as unfold makes them: elements that several columns have are added up."""
    return _core.col2im(input, output_size, kernel_size, dilation, padding, stride)


def dropout(input, p=0.5, training=True, inplace=False):
    """Each element zero with probability p, the others larger by 1 / (1 - p)."""
    return (_core.dropout_ if inplace else _core.dropout)(input, p, training)


def _dropout(name, function, input, p, training, inplace):
    if not 0 <= p <= 1:
        raise ValueError(f"{name}(): p is {p}; a probability is between 0 and 1")
    return getattr(_core, function + "_" if inplace else function)(input, p, training)


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout after selu: mean and variance stay."""
    return _dropout("alpha_dropout", "alpha_dropout", input, p, training, inplace)


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """alpha_dropout of whole channels."""
    return _dropout("feature_alpha_dropout", "feature_alpha_dropout", input, p, training, inplace)


def _channels(name, input, p, training, inplace, batched):
    """feature_dropout; what has no batch gets one for the call."""
    if batched:
        return _dropout(name, "feature_dropout", input, p, training, inplace)
    made = _dropout(name, "feature_dropout", input.unsqueeze(0), p, training, inplace)
    return input if inplace else made.squeeze(0)


def dropout1d(input, p=0.5, training=True, inplace=False):
    """Whole channels of (batch, channels, length), or (channels, length), become 0."""
    if input.ndim not in (2, 3):
        raise RuntimeError(f"dropout1d(): input has 2 or 3 dimensions, not {input.ndim}")
    return _channels("dropout1d", input, p, training, inplace, input.ndim == 3)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Whole channels of (batch, channels, height, width) become 0; of 3 dimensions the first is the batch."""
    return _channels("dropout2d", input, p, training, inplace, True)


def dropout3d(input, p=0.5, training=True, inplace=False):
    """Whole channels of (batch, channels, depth, height, width), or of one without a batch, become 0."""
    return _channels("dropout3d", input, p, training, inplace, input.ndim == 5)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """input where it is positive, else input times a number drawn from lower to upper."""
    return (_core.rrelu_ if inplace else _core.rrelu)(input, lower, upper, training)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """Samples of the Gumbel-Softmax distribution; hard: one-hot ones, with the gradients of soft ones."""
    gumbels = -_core.empty_like(logits, memory_format=_core.contiguous_format).exponential_().log()
    soft = _core.softmax((logits + gumbels) / tau, dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    return _core.zeros_like(logits, memory_format=_core.contiguous_format).scatter_(dim, index, 1.0) - soft.detach() + soft


def _along(name, doc):
    compute = getattr(_core, name)

    def call(input, dim=None, _stacklevel=3, dtype=None):
        if dim is None:  # what torch took before one had to say which
            import warnings
            warnings.warn(f"{name}: say which dim; it is guessed from the number of dimensions", stacklevel=_stacklevel - 1)
            dim = 0 if input.dim() in (0, 1, 3) else 1
        return compute(input, dim) if dtype is None else compute(input, dim, dtype)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    return call


softmax = _along("softmax", "exp(input), scaled to the sum 1 along dim.")
log_softmax = _along("log_softmax", "log(softmax(input)) along dim.")
softmin = _along("softmin", "softmax(-input) along dim.")

_OWN = """alpha_dropout dropout dropout1d dropout2d dropout3d embedding embedding_bag feature_alpha_dropout gelu gumbel_softmax log_softmax rrelu
    softmax softmin""".split()


def __getattr__(name):
    if name == "grad":
        return importlib.import_module("tenon.nn.grad")
    if name in _FACES:
        globals()[name] = getattr(importlib.import_module(f"tenon.nn.{_FACES[name]}"), name)
        return globals()[name]
    from tenon.nn import _losses

    if name in _losses.__all__:
        globals()[name] = getattr(_losses, name)
        return globals()[name]
    if name in _IN_PLACE and hasattr(_core, name + "_"):
        globals()[name] = _either(name)
        return globals()[name]
    globals()[name] = _find(name)
    return globals()[name]


def __dir__():
    from tenon.nn import _losses

    return sorted({*_list(), *_FACES, *_IN_PLACE, *_OWN, *_losses.__all__, "fold", "multi_head_attention_forward", "unfold"})
