"""Neural networks with torch.nn's names: modules, functions (nn.functional), starting values (nn.init), helpers (nn.utils).

Each name is loaded on first use, with the file of nn/modules that defines it.
"""

_MODULES = ("attention", "common_types", "functional", "grad", "init", "modules", "parallel", "parameter", "utils")

_HOMES = {
    "parameter": "Buffer Parameter UninitializedBuffer UninitializedParameter",
    "parallel": "DataParallel",
    "modules.activation": """CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish
        MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softshrink Softsign Tanh
        Tanhshrink Threshold""",
    "modules.adaptive": "AdaptiveLogSoftmaxWithLoss",
    "modules.batchnorm": "BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d SyncBatchNorm",
    "modules.channelshuffle": "ChannelShuffle",
    "modules.container": "Container ModuleDict ModuleList ParameterDict ParameterList Sequential",
    "modules.conv": """Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d LazyConv3d
        LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d""",
    "modules.distance": "CosineSimilarity PairwiseDistance",
    "modules.dropout": "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
    "modules.flatten": "Flatten Unflatten",
    "modules.fold": "Fold Unfold",
    "modules.instancenorm": "InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d",
    "modules.linear": "Bilinear Identity LazyLinear Linear",
    "modules.loss": """BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss HingeEmbeddingLoss
        HuberLoss KLDivLoss L1Loss LinearCrossEntropyLoss LinearCrossEntropyOptions MSELoss MarginRankingLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss
        NLLLoss2d PoissonNLLLoss SmoothL1Loss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss""",
    "modules.module": "Module",
    "modules.normalization": "CrossMapLRN2d GroupNorm LayerNorm LocalResponseNorm RMSNorm",
    "modules.padding": """CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d
        ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d""",
    "modules.pixelshuffle": "PixelShuffle PixelUnshuffle",
    "modules.pooling": """AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
        AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d LPPool3d MaxPool1d
        MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d""",
    "modules.rnn": "GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase",
    "modules.sparse": "Embedding EmbeddingBag",
    "modules.transformer": "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer",
    "modules.upsampling": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
}
_PLACES = {name: home for home, names in _HOMES.items() for name in names.split()}


def factory_kwargs(kwargs):
    """dtype, device and memory_format out of the keyword arguments of a module, and out of its factory_kwargs."""
    if kwargs is None:
        return {}
    simple = {"device", "dtype", "memory_format"}
    unknown = set(kwargs) - simple - {"factory_kwargs"}
    if unknown:
        raise TypeError(f"unexpected arguments {', '.join(sorted(unknown))}")
    made = dict(kwargs.get("factory_kwargs", {}))
    for name in simple & set(kwargs):
        if name in made:
            raise TypeError(f"{name} is given twice, once in factory_kwargs")
        made[name] = kwargs[name]
    return made


def __getattr__(name):
    import importlib
    if name in _MODULES:
        return importlib.import_module(f"tenon.nn.{name}")
    if name in _PLACES:
        value = getattr(importlib.import_module(f"tenon.nn.{_PLACES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'tenon.nn' has no attribute {name!r}")


def __dir__():
    return sorted([*_MODULES, *_PLACES, "factory_kwargs"])


class _All:
    """For `from tenon.nn import *`, which is rare: the names are listed when asked for."""

    def __iter__(self):
        return iter(sorted(_PLACES))

    def __len__(self):
        return len(_PLACES)

    def __getitem__(self, place):
        return sorted(_PLACES)[place]


__all__ = _All()
