"""Softmax over many classes of which most are rare."""

from collections import namedtuple

from tenon import _core
from tenon.nn import functional as F
from tenon.nn.modules.container import ModuleList, Sequential
from tenon.nn.modules.linear import Linear
from tenon.nn.modules.module import Module

__all__ = ["AdaptiveLogSoftmaxWithLoss"]

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """The frequent classes have a softmax of their own, and rarer ones, in clusters, smaller projections."""

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("AdaptiveLogSoftmaxWithLoss: cutoffs are one or more numbers")
        if cutoffs != sorted(cutoffs) or min(cutoffs) <= 0 or max(cutoffs) > n_classes - 1 or len(set(cutoffs)) != len(cutoffs) or any(int(c) != c for c in cutoffs):
            raise ValueError(f"AdaptiveLogSoftmaxWithLoss: cutoffs are different whole numbers in order, from 1 to {n_classes - 1}, not {cutoffs}")
        where = {"device": device, "dtype": dtype}
        self.in_features, self.n_classes, self.div_value, self.head_bias = in_features, n_classes, div_value, head_bias
        self.cutoffs = cutoffs + [n_classes]
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, **where)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            size = int(in_features // div_value ** (i + 1))
            self.tail.append(Sequential(Linear(in_features, size, bias=False, **where),
                                        Linear(size, self.cutoffs[i + 1] - self.cutoffs[i], bias=False, **where)))

    def reset_parameters(self):
        """New random values."""
        self.head.reset_parameters()
        for first, second in self.tail:
            first.reset_parameters()
            second.reset_parameters()

    def forward(self, input_, target_):
        batched = target_.dim() > 0
        if target_.dim() > 1 or input_.dim() != target_.dim() + 1:
            raise RuntimeError("AdaptiveLogSoftmaxWithLoss: the input is (batch, features) with a target (batch), or both without the batch")
        input, target = (input_, target_) if batched else (input_.unsqueeze(0), target_.unsqueeze(0))
        if input.shape[0] != target.shape[0]:
            raise RuntimeError(f"AdaptiveLogSoftmaxWithLoss: input and target have {input.shape[0]} and {target.shape[0]} rows")
        used, output, gates = 0, input.new_zeros(target.shape[0]), target.new_empty(target.shape[0])
        for i, (low, high) in enumerate(zip([0] + self.cutoffs[:-1], self.cutoffs)):
            mask = (target >= low) & (target < high)
            rows = mask.nonzero().squeeze(1)
            if rows.numel() == 0:
                continue
            if i == 0:
                gates.index_copy_(0, rows, target[mask])
            else:
                logs = F.log_softmax(self.tail[i - 1](input.index_select(0, rows)), dim=1)
                relative = target[mask] - low
                output = output.index_copy(0, rows, logs.gather(1, relative.unsqueeze(1)).squeeze(1))
                gates.index_fill_(0, rows, self.cutoffs[0] + i - 1)
            used += rows.numel()
        if used != target.shape[0]:
            raise RuntimeError(f"AdaptiveLogSoftmaxWithLoss: targets are from 0 to {self.n_classes - 1}, but there are some from "
                               f"{target.min().item()} to {target.max().item()}")
        logs = F.log_softmax(self.head(input), dim=1)
        output = output + logs.gather(1, gates.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def _get_full_log_prob(self, input, head_output):
        out = input.new_empty((head_output.shape[0], self.n_classes))
        head = F.log_softmax(head_output, dim=1)
        parts = [head[:, :self.shortlist_size]]
        for i in range(self.n_clusters):
            parts.append(F.log_softmax(self.tail[i](input), dim=1) + head[:, self.shortlist_size + i].unsqueeze(1))
        return _core.cat(parts, 1) if out.numel() else out

    def log_prob(self, input):
        """The log-probabilities of all classes."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input):
        """The likeliest class of each row."""
        return _core.argmax(self.log_prob(input), 1)
