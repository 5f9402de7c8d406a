"""make parity: every operator of the table against PyTorch, on random calls that are the same in every run.

    PYTHONPATH=build/python python tests/python/parity/run.py [-n CASES] [-v] [GROUP or OPERATOR ...]

Prints, for each group, how many calls were made, agreed, were served by Tenon only (a dtype or a form that PyTorch has no
kernel for), were other on purpose (deliberate.py says why), and differed; then, for each operator that differs, the first
example. The exit status says whether one did.
"""

import pathlib
import sys
import zlib

import numpy as np
import torch

import tenon

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import deliberate  # noqa: E402
import draw  # noqa: E402
import judge  # noqa: E402
import report  # noqa: E402

# Without meaning in a comparison: uninitialised elements, handles of the library's own, the library's own names.
NO_CONTENTS = {"empty", "empty_like", "empty_strided", "resize_", "resize_as_"}
LEFT_OUT = {
    "_scaled_dot_product_flash_attention_for_cpu",  # test_attention.py: PyTorch divides by 0 where there are no heads, and its process dies
    "range",  # an integer range with a fraction as its step divides by 0 in PyTorch, and its process dies; arange is compared
    "_weight_int8pack_mm",  # with which PyTorch's process dies where sizes are not multiples of its blocks
    "index",
    "setitem_",
    "to",
    "set_",
    "alias",
    "scalar_tensor_",
    "slice",
    "sliding_window_view",
    "nonzero_numpy",
    "sparse_",
    # whose arguments are not drawn yet: test_nn.py and the golden cases compare them
    *"""_embedding_bag embedding_bag embedding_dense_backward embedding_renorm_ alpha_dropout alpha_dropout_ feature_dropout
    feature_dropout_ feature_alpha_dropout feature_alpha_dropout_ mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy
    binary_cross_entropy_with_logits kl_div poisson_nll_loss soft_margin_loss hinge_embedding_loss margin_ranking_loss
    cosine_embedding_loss triplet_margin_loss nll_loss_nd nll_loss nll_loss2d cross_entropy_loss multi_margin_loss
    multilabel_margin_loss""".split(),
    # test_fft.py: the numbers of these are PyTorch's own affair, and windows of complex numbers, which it makes, are none
    *"_fft_c2c _fft_r2c _fft_c2r hann_window hamming_window blackman_window bartlett_window kaiser_window stft istft".split(),
    "lstm",  # test_nn.py: PyTorch's process dies where sizes do not fit
    "gru",
    "rnn_tanh",
    "rnn_relu",
    "lstm_cell",
    "_thnn_fused_lstm_cell",  # which PyTorch has for other devices alone
    "_thnn_fused_lstm_cell_backward_impl",
    "_thnn_fused_gru_cell",
    "_thnn_fused_gru_cell_backward",
    "_softmax_backward_data",  # gradients.py: PyTorch's CPU ignores input_dtype
    "_log_softmax_backward_data",
    "_softmax",  # whose half_to_float PyTorch has for other devices alone; softmax is compared
    "_log_softmax",
    "einsum",  # test_einsum.py draws equations
    "sumproduct",
    "_linalg_det",  # PyTorch factors the transposed matrix where its rows are contiguous; linalg_det is compared
    "_linalg_slogdet",
}


def find(library, name, method):
    """The function or method of a name, wherever the library keeps it."""
    if method:
        return getattr(library.Tensor, name, None)
    places = [library, library.nn.functional, library.nn.init]
    if name == "unfold":  # of nn.functional is about images
        return None
    room, _, rest = name.partition("_")
    if room in ("fft", "linalg", "special") and rest:
        places, name = [getattr(library, room)], rest
    for place in places:
        theirs = place.__name__ == "tenon" and getattr(torch, name, None) is None and hasattr(torch.nn.functional, name)
        if not theirs and hasattr(place, name) and callable(getattr(place, name)):
            return getattr(place, name)
    return None


def call(library, name, method, positional, keywords, out):
    """Makes the arguments in one library and calls; out: recipes of the results to write to."""
    positional, keywords = draw.build(positional, library), draw.build(keywords_as_list(keywords), library)
    keywords = dict(zip(keywords[::2], keywords[1::2])) if keywords else {}
    inputs = judge.tensors([positional, list(keywords.values())])
    if out is not None:
        made = draw.build(out, library)
        keywords["out"] = made[0] if len(made) == 1 else tuple(made)
        inputs = inputs + judge.tensors(made)
    function = find(library, name, method)
    library.manual_seed(7)
    return judge.Outcome(lambda: function(*positional, **keywords), inputs)


def keywords_as_list(keywords):
    return [part for pair in keywords.items() for part in pair]


# With other strides PyTorch writes beyond the end of out, and the process dies, sooner or later.
PLAIN_OUTS = {"tril", "triu"} | draw.PLAIN


def draw_outs(random, results, name):
    """Tensors to write to: empty ones, right ones, strided ones, some of another dtype."""
    outs = []
    for one in results:
        maker = draw.Draw(random, "view", "out")
        dtype = judge.name_of(one.dtype) if random.random() < 0.85 else maker.any_dtype()
        shape = (0,) if random.random() < 0.3 else tuple(one.shape)
        outs.append(maker.tensor(dtype, shape, written=True, plain=name in PLAIN_OUTS))
    return outs


def unknown(outcome):
    """Whether a result is of a dtype that Tenon does not have: complex numbers of two halves."""
    return any(one.dtype is torch.complex32 for one in judge.tensors(outcome.result))


# Arguments that PyTorch's function of that name does not have.
OWN_ARGUMENTS = {
    "elu": {"scale", "input_scale"},
    "dropout": {"generator"},
    "native_dropout": {"generator"},
    "scaled_dot_product_attention": {"generator"},
    "linear": {"activation", "residual", "scale"},
    "convolution": {"activation"},
    "dropout_": {"generator"},
    "uniform_": {"from", "to"},  # its function is that of nn.init
}


class Case:
    """One call in both libraries, and the difference: None, or what judge.compare says."""

    def __init__(self, name, signature, method, positional, keywords, outs, plain):
        self.name, self.signature, self.method, self.positional, self.keywords = name, signature, method, positional, keywords
        self.outs, self.plain = outs, plain  # what is written to, and the results of the same call without out
        self.theirs = call(torch, name, method, positional, keywords, outs)
        self.ours = self.difference = None

    def compare(self):
        self.ours = call(tenon, self.name, self.method, self.positional, self.keywords, self.outs)
        computed = [one.dtype for one in judge.tensors(self.plain.result)] if self.plain else []
        self.difference = judge.compare(self.theirs, self.ours, self.name not in NO_CONTENTS, computed, self.is_foreign())
        return self

    def is_foreign(self):
        """Whether PyTorch need not know this form: a number where it wants a tensor, a result to write to, arguments of ours."""
        number = "scalar " in self.signature and any(isinstance(value, (int, float, complex)) for value in self.positional)
        positions = self.name == "where" and self.method and len(self.positional) == 1
        return self.outs is not None or number or positions or bool(OWN_ARGUMENTS.get(self.name, set()) & set(self.keywords))

    def again(self, change=lambda recipe: recipe, **keywords):
        """What PyTorch does with every tensor changed, and with more keywords."""
        positional = draw.changed(self.positional, change)
        given = {label: draw.changed(value, change) for label, value in self.keywords.items()} | keywords
        outs = draw.changed(self.outs, change)
        if change is draw.with_elements:
            outs = None
            if not judge.tensors(self.theirs.inputs[: len(self.theirs.inputs) - len(self.outs or [])]):
                positional = [draw.sizes_with_elements(value) for value in positional]
        return call(torch, self.name, self.method, positional, given, outs)

    def __str__(self):
        return (
            f"{'Tensor.' if self.method else ''}{self.name}({', '.join(map(repr, self.positional))}"
            + "".join(f", {label}={value!r}" for label, value in self.keywords.items())
            + (f", out={self.outs}" if self.outs is not None else "")
            + ")"
        )


def one_case(form, number):
    name, full, signature, group, self = form
    random = np.random.default_rng([zlib.crc32(full.encode()), number])
    out = "_out" in full.split(".")[0] and not name.endswith("_out")
    outs = sum(1 for kind, label, _ in draw.parameters(signature) if kind == "tensor!" and label != "self") if out else 0
    positional, keywords = draw.draw_call(random, name, group, signature, outs)
    method = find(torch, name, False) is None or (self >= 0 and not out and random.random() < 0.3)
    if method and (self != 0 or find(torch, name, True) is None):
        method = False
    if find(torch, name, method) is None:
        return None
    results = plain = None
    if out:
        plain = call(torch, name, method, positional, keywords, None)
        if plain.error is not None or unknown(plain) or any(size < 0 for one in judge.tensors(plain.result) for size in one.shape):
            return None  # sizes below 0: PyTorch's conv_transpose makes such results where there is no batch
        results = draw_outs(random, judge.tensors(plain.result), name)
    case = Case(name, signature, method, positional, keywords, results, plain)
    case.group = group
    return None if unknown(case.theirs) else case.compare()


def judge_case(form, number):
    case = one_case(form, number)
    if case is None:
        return None
    if case.difference is None:
        return "agree", ""
    kind = "more" if case.difference[0] == "more" else "deliberate" if deliberate.why(case) else "differ"
    return kind, f"{case.difference[0]}: {case}: {case.difference[1]}"


def takes(form):
    return form[0] not in LEFT_OUT


if __name__ == "__main__":
    sys.exit(report.compare_all("", ["calls", "agree", "more", "deliberate", "differ"], 30, takes, judge_case))
