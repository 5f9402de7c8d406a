"""torch.nn.functional's names of operators of the table, as far as it holds them."""

from tenon import _core
from tenon._lazy import table as _table

_NAMES = """adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d
    affine_grid alpha_dropout avg_pool1d avg_pool2d avg_pool3d batch_norm bilinear binary_cross_entropy
    binary_cross_entropy_with_logits celu_ conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d
    cosine_embedding_loss cosine_similarity cross_entropy ctc_loss elu_ embedding embedding_bag feature_alpha_dropout fold
    gaussian_nll_loss glu grid_sample group_norm gumbel_softmax hardshrink hardtanh_ hinge_embedding_loss huber_loss instance_norm
    interpolate kl_div l1_loss layer_norm leaky_relu_ linear local_response_norm log_softmax logsigmoid lp_pool1d lp_pool2d
    margin_ranking_loss max_pool1d max_pool2d max_pool3d mse_loss multi_head_attention_forward nll_loss normalize one_hot pad
    pairwise_distance pdist pixel_shuffle pixel_unshuffle poisson_nll_loss prelu relu_ rms_norm rrelu rrelu_
    scaled_dot_product_attention selu_ sigmoid smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign tanh
    tanhshrink threshold threshold_ triplet_margin_loss unfold upsample""".split()

_find, _list = _table(__name__, "", [name for name in _NAMES if name != "unfold"])

# Those that also change their argument when asked to, by an argument that stands behind so many others.
_IN_PLACE = dict.fromkeys("hardsigmoid hardswish mish relu relu6 selu silu".split(), 0)
_IN_PLACE.update(celu=1, elu=1, leaky_relu=1, hardtanh=2, threshold=2)


def _either(name):
    function, in_place, before = getattr(_core, name), getattr(_core, name + "_"), _IN_PLACE[name]

    def either(input, *args, **kwargs):
        if len(args) == before + 1 and "inplace" not in kwargs:
            *args, kwargs["inplace"] = args
        if len(args) > before:
            raise TypeError(f"{name}() takes at most {before + 2} arguments, and {len(args) + 1} were given")
        return (in_place if kwargs.pop("inplace", False) else function)(input, *args, **kwargs)

    either.__name__ = either.__qualname__ = name
    either.__doc__ = f"{function.__doc__}\n\ninplace=True: input is changed."
    return either


def gelu(input, approximate="none"):
    """The Gaussian error linear unit, as it is or by tanh."""
    return _core.gelu(input, approximate=approximate)


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """The rows of weight whose numbers are in input."""
    if max_norm is not None or scale_grad_by_freq or sparse:
        raise NotImplementedError("embedding(): max_norm, scale_grad_by_freq and sparse are not served")
    if padding_idx is not None and not -weight.shape[0] <= padding_idx < weight.shape[0]:
        raise IndexError(f"embedding(): padding_idx {padding_idx} is out of range for the {weight.shape[0]} rows of weight")
    return _core.embedding(weight, input)


def dropout(input, p=0.5, training=True, inplace=False):
    """Each element zero with probability p, the others larger by 1 / (1 - p)."""
    return (_core.dropout_ if inplace else _core.dropout)(input, p, training)


def __getattr__(name):
    if name in _IN_PLACE and hasattr(_core, name + "_"):
        globals()[name] = _either(name)
        return globals()[name]
    return _find(name)


def __dir__():
    return sorted({*_list(), *_IN_PLACE, "dropout", "embedding", "gelu"})
