"""Modules of torch.nn with inputs for them, and what they give: names and sizes of the state, the text, the output, the gradients.

The same code runs with either library, from one seed: parity/test_modules.py compares the two, test_nn_modules.py compares Tenon
with what PyTorch gave (recorded/modules.json, written by `python tests/python/module_cases.py` where PyTorch is).
"""

import json
import pathlib

RECORDED = pathlib.Path(__file__).parent / "recorded" / "modules.json"

# A module, and its inputs: sizes of normal numbers, or an expression of the library `torch`.
CASES = {
    "nn.Linear(3, 4)": [(2, 3)], "nn.Linear(3, 4, bias=False)": [(5, 2, 3)], "nn.Bilinear(2, 3, 4)": [(5, 2), (5, 3)],
    "nn.Identity(1, unused=2)": [(2, 2)], "nn.Flatten()": [(2, 3, 4)], "nn.Unflatten(1, (2, 3))": [(4, 6)],
    "nn.Conv1d(4, 6, 3, padding=1)": [(2, 4, 8)], "nn.Conv2d(4, 6, (3, 2), stride=2, dilation=(1, 2), groups=2)": [(2, 4, 9, 9)],
    "nn.Conv2d(3, 2, 3, padding='same', padding_mode='reflect', bias=False)": [(1, 3, 6, 6)],
    "nn.Conv2d(3, 2, 4, padding='same')": [(1, 3, 6, 6)],
    "nn.Conv2d(3, 2, 3, padding=1, padding_mode='circular')": [(3, 6, 6)], "nn.Conv3d(2, 3, 2)": [(1, 2, 4, 4, 4)],
    "nn.ConvTranspose1d(3, 2, 3, stride=2, output_padding=1)": [(2, 3, 5)],
    "nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, groups=2)": [(1, 4, 5, 5)],
    "nn.ConvTranspose3d(2, 2, 2)": [(1, 2, 3, 3, 3)],
    "nn.MaxPool1d(2)": [(1, 2, 9)], "nn.MaxPool2d(3, stride=2, padding=1)": [(1, 2, 8, 8)], "nn.MaxPool3d(2, ceil_mode=True)": [(1, 1, 5, 5, 5)],
    "nn.AvgPool1d(3, stride=1, padding=1)": [(1, 2, 7)], "nn.AvgPool2d(2, count_include_pad=False, padding=1)": [(1, 2, 6, 6)],
    "nn.AvgPool3d(2)": [(1, 1, 4, 4, 4)], "nn.LPPool1d(2, 3)": [(1, 2, 9)], "nn.LPPool2d(2, 2, stride=1)": [(1, 2, 5, 5)],
    "nn.LPPool3d(3, 2)": [(1, 1, 4, 4, 4)], "nn.AdaptiveAvgPool1d(3)": [(1, 2, 7)], "nn.AdaptiveAvgPool2d((2, None))": [(1, 2, 6, 5)],
    "nn.AdaptiveAvgPool3d(2)": [(1, 1, 4, 5, 6)], "nn.AdaptiveMaxPool1d(3)": [(1, 2, 7)], "nn.AdaptiveMaxPool2d(2)": [(1, 2, 6, 5)],
    "nn.AdaptiveMaxPool3d(2)": [(1, 1, 4, 5, 6)], "nn.FractionalMaxPool2d(2, output_size=3)": [(1, 2, 7, 7)],
    "nn.FractionalMaxPool3d(2, output_ratio=(0.5, 0.5, 0.5))": [(1, 1, 6, 6, 6)],
    "nn.MaxUnpool1d(2)": ["*nn.MaxPool1d(2, return_indices=True)(torch.arange(8.).reshape(1, 1, 8))"],
    "nn.MaxUnpool2d(2)": ["*nn.MaxPool2d(2, return_indices=True)(torch.arange(16.).reshape(1, 1, 4, 4))"],
    "nn.ReflectionPad1d(2)": [(1, 2, 5)], "nn.ReflectionPad2d((1, 2, 0, 1))": [(1, 2, 5, 5)], "nn.ReflectionPad3d(1)": [(1, 1, 3, 3, 3)],
    "nn.ReplicationPad1d(2)": [(1, 2, 5)], "nn.ReplicationPad2d(1)": [(1, 2, 5, 5)], "nn.ReplicationPad3d(1)": [(1, 1, 3, 3, 3)],
    "nn.ZeroPad1d(1)": [(1, 2, 5)], "nn.ZeroPad2d((1, 0, 2, 0))": [(1, 2, 5, 5)], "nn.ZeroPad3d(1)": [(1, 1, 2, 2, 2)],
    "nn.ConstantPad1d(1, 3.5)": [(1, 2, 5)], "nn.ConstantPad2d(1, 2)": [(2, 5, 5)], "nn.ConstantPad3d(1, 2.0)": [(1, 1, 2, 2, 2)],
    "nn.CircularPad1d(1)": [(1, 2, 5)], "nn.CircularPad2d((1, 1, 2, 2))": [(1, 2, 5, 5)], "nn.CircularPad3d(1)": [(1, 1, 3, 3, 3)],
    **{f"nn.{name}()": [(3, 8)] for name in """ELU Hardshrink Hardsigmoid Hardtanh Hardswish LeakyReLU LogSigmoid PReLU ReLU ReLU6 RReLU
       SELU CELU GELU Sigmoid SiLU Mish Softplus Softshrink Softsign Tanh Tanhshrink GLU""".split()},
    "nn.ReLU(inplace=True)": ["torch.arange(-2., 3.)"], "nn.GELU('tanh')": [(3, 4)], "nn.Threshold(0.1, 20)": [(3, 4)], "nn.ELU(0.5, True)": ["torch.arange(-2., 3.)"],
    "nn.PReLU(4)": [(2, 4, 3)], "nn.Softmin(dim=1)": [(3, 4)], "nn.Softmax(dim=-1)": [(3, 4)], "nn.Softmax2d()": [(2, 3, 2, 2)],
    "nn.LogSoftmax(dim=0)": [(3, 4)], "nn.Hardtanh(-2, 0.5)": [(3, 4)], "nn.LeakyReLU(0.2, inplace=True)": ["torch.arange(-2., 3.)"],
    "nn.MultiheadAttention(8, 2)": [(5, 3, 8), (4, 3, 8), (4, 3, 8)],
    "nn.MultiheadAttention(8, 2, dropout=0.2, batch_first=True, add_bias_kv=True, add_zero_attn=True)": [(3, 5, 8), (3, 4, 8), (3, 4, 8)],
    "nn.MultiheadAttention(8, 4, bias=False, kdim=5, vdim=6)": [(5, 3, 8), (4, 3, 5), (4, 3, 6)],
    "nn.BatchNorm1d(4)": [(6, 4)], "nn.BatchNorm2d(3, momentum=None)": [(2, 3, 4, 4)], "nn.BatchNorm3d(2, affine=False)": [(2, 2, 2, 2, 2)],
    "nn.BatchNorm1d(4, track_running_stats=False)": [(6, 4, 2)],
    "nn.GroupNorm(2, 4)": [(2, 4, 3)], "nn.InstanceNorm1d(3)": [(2, 3, 5)], "nn.InstanceNorm2d(3, affine=True, track_running_stats=True)": [(2, 3, 4, 4)],
    "nn.InstanceNorm3d(2)": [(2, 2, 2, 2, 2)], "nn.LayerNorm(4)": [(2, 3, 4)], "nn.LayerNorm([3, 4], bias=False)": [(2, 3, 4)],
    "nn.LayerNorm(4, elementwise_affine=False)": [(2, 4)],
    "nn.LocalResponseNorm(2)": [(2, 4, 3, 3)], "nn.RMSNorm(4)": [(2, 4)],
    "nn.RNN(3, 4, 2, dropout=0.3)": [(5, 2, 3)], "nn.RNN(3, 4, nonlinearity='relu', bidirectional=True, batch_first=True)": [(2, 5, 3)],
    "nn.LSTM(3, 4, 2, batch_first=True, bidirectional=True, dropout=0.2)": [(2, 5, 3)], "nn.LSTM(3, 4, proj_size=2)": [(5, 2, 3)],
    "nn.LSTM(3, 4, bias=False)": [(5, 3)], "nn.GRU(3, 4, 2)": [(5, 2, 3), (2, 2, 4)],
    "nn.RNNCell(3, 4)": [(2, 3)], "nn.RNNCell(3, 4, bias=False, nonlinearity='relu')": [(2, 3), (2, 4)], "nn.LSTMCell(3, 4)": [(2, 3)],
    "nn.GRUCell(3, 4)": [(2, 3)],
    "nn.TransformerEncoderLayer(8, 2, 16)": [(5, 3, 8)],
    "nn.TransformerEncoderLayer(8, 2, 16, dropout=0.2, activation='gelu', batch_first=True, norm_first=True)": [(3, 5, 8)],
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2, norm=nn.LayerNorm(8), enable_nested_tensor=False)": [(3, 5, 8)],
    "nn.TransformerDecoderLayer(8, 2, 16)": [(5, 3, 8), (4, 3, 8)],
    "nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, norm_first=True), 2)": [(5, 3, 8), (4, 3, 8)],
    "nn.Transformer(8, 2, 1, 2, 16)": [(4, 3, 8), (5, 3, 8)],
    "nn.Dropout(0.3)": [(4, 5)], "nn.Dropout1d(0.3)": [(4, 5, 2)], "nn.Dropout2d()": [(2, 5, 2, 2)], "nn.Dropout3d()": [(2, 5, 2, 2, 2)],
    "nn.AlphaDropout(0.2)": [(4, 5)], "nn.FeatureAlphaDropout(0.4)": [(4, 5, 2)],
    "nn.Embedding(10, 3)": ["torch.tensor([[1, 2], [9, 1]])"], "nn.Embedding(10, 3, padding_idx=-1, max_norm=1.0)": ["torch.tensor([1, 9, 2])"],
    "nn.EmbeddingBag(10, 3, mode='sum')": ["torch.tensor([1, 2, 4, 5, 4, 3])", "torch.tensor([0, 2])"],
    "nn.EmbeddingBag(10, 3)": ["torch.tensor([[1, 2], [9, 1]])"],
    "nn.EmbeddingBag(10, 3, mode='max', padding_idx=2)": ["torch.tensor([[1, 2], [9, 1]])"],
    "nn.CosineSimilarity()": [(3, 4), (3, 4)], "nn.PairwiseDistance(keepdim=True)": [(3, 4), (3, 4)],
    "nn.PixelShuffle(2)": [(1, 8, 2, 2)], "nn.PixelUnshuffle(2)": [(1, 2, 4, 4)], "nn.ChannelShuffle(2)": [(1, 4, 2, 2)],
    "nn.Upsample(scale_factor=2)": [(1, 2, 3, 3)], "nn.Upsample((4, 5), mode='bilinear')": [(1, 2, 3, 3)],
    "nn.UpsamplingNearest2d(5)": [(1, 2, 3, 3)], "nn.UpsamplingBilinear2d(scale_factor=2)": [(1, 2, 3, 3)],
    "nn.Fold((4, 5), (2, 2))": [(1, 8, 12)], "nn.Unfold((2, 3), padding=1)": [(1, 2, 4, 4)],
    "nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Sequential(nn.Linear(8, 2)))": [(3, 4)],
    "nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2), nn.ReLU()])": None,
    "nn.ModuleDict({'a': nn.Linear(2, 2), 'b': nn.Tanh()})": None,
    "nn.ParameterList([torch.ones(2), torch.zeros(2, 3)])": None, "nn.ParameterDict({'x': torch.ones(2), 'a': nn.Parameter(torch.zeros(1))})": None,
    "nn.LazyLinear(4)": [(2, 3)], "nn.LazyConv1d(4, 3)": [(2, 3, 8)], "nn.LazyConv2d(4, 3)": [(2, 3, 8, 8)], "nn.LazyConv3d(2, 2, bias=False)": [(1, 2, 3, 3, 3)],
    "nn.LazyConvTranspose1d(4, 3)": [(2, 3, 8)], "nn.LazyConvTranspose2d(4, 3)": [(2, 3, 4, 4)], "nn.LazyBatchNorm1d()": [(4, 3)],
    "nn.LazyBatchNorm2d()": [(4, 3, 2, 2)], "nn.LazyBatchNorm3d()": [(4, 3, 2, 2, 2)], "nn.LazyInstanceNorm1d()": [(4, 3, 2)],
    "nn.LazyInstanceNorm2d(affine=True)": [(4, 3, 2, 2)],
    "nn.AdaptiveLogSoftmaxWithLoss(8, 20, [4, 10], div_value=2.0)": [(5, 8), "torch.tensor([1, 3, 5, 11, 19])"],
    "nn.L1Loss()": [(3, 4), (3, 4)], "nn.MSELoss(reduction='sum')": [(3, 4), (3, 4)], "nn.CrossEntropyLoss()": [(3, 4), "torch.tensor([1, 0, 3])"],
    "nn.CrossEntropyLoss(weight=torch.tensor([1., 2., 3.]), ignore_index=1, label_smoothing=0.1)": [(4, 3), "torch.tensor([1, 0, 2, 2])"],
    "nn.NLLLoss()": [(3, 4), "torch.tensor([1, 0, 3])"], "nn.PoissonNLLLoss()": [(3, 4), "torch.ones(3, 4)"],
    "nn.GaussianNLLLoss()": [(3, 4), (3, 4), "torch.ones(3, 4)"], "nn.KLDivLoss(reduction='batchmean')": [(3, 4), "torch.full((3, 4), 0.25)"],
    "nn.BCELoss()": ["torch.sigmoid(torch.randn(3, 4))", "torch.ones(3, 4)"], "nn.BCEWithLogitsLoss(pos_weight=torch.ones(4) * 2)": [(3, 4), "torch.ones(3, 4)"],
    "nn.MarginRankingLoss(0.1)": [(3,), (3,), "torch.tensor([1., -1., 1.])"], "nn.HingeEmbeddingLoss()": [(3,), "torch.tensor([1., -1., 1.])"],
    "nn.MultiLabelMarginLoss()": [(1, 4), "torch.tensor([[3, 0, -1, 1]])"], "nn.HuberLoss(delta=0.5)": [(3, 4), (3, 4)],
    "nn.SmoothL1Loss(beta=0.5)": [(3, 4), (3, 4)], "nn.SoftMarginLoss()": [(3,), "torch.tensor([1, -1, 1])"],
    "nn.MultiLabelSoftMarginLoss()": [(2, 3), "torch.ones(2, 3)"], "nn.CosineEmbeddingLoss()": [(3, 4), (3, 4), "torch.tensor([1, -1, 1])"],
    "nn.MultiMarginLoss(p=2)": [(3, 4), "torch.tensor([1, 0, 3])"], "nn.TripletMarginLoss()": [(3, 4), (3, 4), (3, 4)],
    "nn.TripletMarginWithDistanceLoss()": [(3, 4), (3, 4), (3, 4)],
}
# Without a derivative in one of the two libraries, or not yet.
NO_GRADIENT = {"nn.EmbeddingBag(10, 3, mode='max', padding_idx=2)"}


def tensors_of(value, torch):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in tensors_of(item, torch)]
    return []


def digest(tensor):
    """Three numbers that change when any element does."""
    flat = tensor.detach().double().reshape(-1)
    steps = flat * 0 + 1
    weights = (steps.cumsum(0) * 0.7).sin()
    return [float(flat.sum()), float((flat * weights).sum()), float((flat * flat * weights).sum())]


def run(torch, case, eval_mode=False, gradients=True):
    """What a case gives in a library."""
    nn = torch.nn
    scope = {"torch": torch, "nn": nn}
    torch.manual_seed(3)
    module = eval(case, scope)
    told = {"repr": repr(module)}
    inputs = CASES[case]
    lazy = "Lazy" in case
    if not lazy:
        told["state"] = {name: [list(value.shape), digest(value)] for name, value in module.state_dict().items()}
    if inputs is None:
        return told
    args = []
    for given in inputs:
        made = eval(f"({given},)", scope) if isinstance(given, str) else (torch.randn(*given),)
        args += made
    if eval_mode:
        module.eval()
    gradients = gradients and case not in NO_GRADIENT
    for arg in args:
        if gradients and arg.is_floating_point() and "inplace" not in case and "True)" not in case:
            arg.requires_grad_(True)
    torch.manual_seed(4)
    outputs = tensors_of(module(*args), torch)
    if lazy:
        told["after"] = repr(module)
        told["state"] = {name: [list(value.shape), digest(value)] for name, value in module.state_dict().items()}
    told["outputs"] = [[list(out.shape), digest(out)] for out in outputs]
    if gradients and any(out.requires_grad for out in outputs):
        loss = sum((out * out).sum() for out in outputs if out.is_floating_point() and out.requires_grad)
        loss.backward()
        told["grads"] = [[list(t.grad.shape), digest(t.grad)] if t.grad is not None else None for t in (*args, *module.parameters())]
    told["buffers"] = [digest(value) for value in module.buffers()]
    return told


def differences(made, wanted, tolerance=2e-4, path=""):
    """Where two of these differ, as texts."""
    if isinstance(wanted, dict):
        if list(made) != list(wanted):
            return [f"{path}: {list(made)} and not {list(wanted)}"]
        return [text for key in wanted for text in differences(made[key], wanted[key], tolerance, f"{path}/{key}")]
    if isinstance(wanted, (list, tuple)):
        if not isinstance(made, (list, tuple)) or len(made) != len(wanted):
            return [f"{path}: {made} and not {wanted}"]
        return [text for i, (a, b) in enumerate(zip(made, wanted)) for text in differences(a, b, tolerance, f"{path}/{i}")]
    if isinstance(wanted, float):
        near = made == wanted or (made != made and wanted != wanted) or abs(made - wanted) <= tolerance * (1 + abs(wanted))
        return [] if near else [f"{path}: {made} and not {wanted}"]
    return [] if made == wanted else [f"{path}: {made!r} and not {wanted!r}"]


def rounded(value):
    """Seven digits are enough."""
    if isinstance(value, float):
        return float(f"{value:.7g}")
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    import torch

    torch.set_num_threads(1)
    RECORDED.write_text("{\n" + ",\n".join(f"{json.dumps(case)}: {json.dumps(rounded(run(torch, case)))}" for case in CASES) + "\n}\n")
