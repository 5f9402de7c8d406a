"""Recurrent networks: RNN, LSTM, GRU and their cells, over sequences of one length or packed ones."""

import math
import numbers
import warnings

from tenon import _core
from tenon.nn import init
from tenon.nn.modules.module import Module
from tenon.nn.parameter import Parameter
from tenon.nn.utils.rnn import PackedSequence

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase"]

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}
_FUNCTIONS = {"LSTM": _core.lstm, "GRU": _core.gru, "RNN_TANH": _core.rnn_tanh, "RNN_RELU": _core.rnn_relu}


def apply_permutation(tensor, permutation, dim=1):
    """The old name of index_select here."""
    return tensor.index_select(dim, permutation)


class RNNBase(Module):
    """What RNN, LSTM and GRU share."""

    __constants__ = ["mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional", "proj_size"]

    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False,
                 proj_size=0, device=None, dtype=None):
        super().__init__()
        if not isinstance(dropout, numbers.Number) or not 0 <= dropout <= 1 or isinstance(dropout, bool):
            raise ValueError(f"{mode}: dropout is a probability between 0 and 1, not {dropout!r}")
        if dropout > 0 and num_layers == 1:
            warnings.warn(f"dropout={dropout} is between layers, and num_layers={num_layers} leaves no place for it", stacklevel=3)
        if not isinstance(hidden_size, int):
            raise TypeError(f"hidden_size is a whole number, not {type(hidden_size).__name__}")
        if hidden_size <= 0:
            raise ValueError("hidden_size must be positive")
        if num_layers <= 0:
            raise ValueError("num_layers must be positive")
        if proj_size < 0 or proj_size >= hidden_size:
            raise ValueError(f"proj_size is from 0, for none, to below hidden_size, not {proj_size}")
        if mode not in _GATES:
            raise ValueError(f"there is no kind of network {mode!r}")
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        gates, real = _GATES[mode] * hidden_size, proj_size if proj_size > 0 else hidden_size
        directions = 2 if bidirectional else 1
        self._flat_weights_names, self._all_weights = [], []
        for layer in range(num_layers):
            for direction in range(directions):
                suffix = f"_l{layer}" + ("_reverse" if direction else "")
                sizes = {"weight_ih": (gates, input_size if layer == 0 else real * directions), "weight_hh": (gates, real)}
                if bias:
                    sizes |= {"bias_ih": (gates,), "bias_hh": (gates,)}
                if proj_size > 0:
                    sizes["weight_hr"] = (proj_size, hidden_size)
                for name, size in sizes.items():
                    setattr(self, name + suffix, Parameter(_core.empty(size, device=device, dtype=dtype)))
                names = [name + suffix for name in sizes]
                self._flat_weights_names.extend(names)
                self._all_weights.append(names)
        self.reset_parameters()

    @property
    def _flat_weights(self):
        return [getattr(self, name, None) for name in self._flat_weights_names]

    def __setattr__(self, name, value):
        if name == "_flat_weights":
            return
        super().__setattr__(name, value)

    @property
    def all_weights(self):
        """The weights, layer by layer and direction by direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self):
        """Nothing: weights need not lie in one block here."""

    def reset_parameters(self):
        """New random values."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def check_input(self, input, batch_sizes):
        """An error where the input does not fit."""
        wanted = 2 if batch_sizes is not None else 3
        if input.dim() != wanted:
            raise RuntimeError(f"the input has {input.dim()} dimensions, and not {wanted}")
        if self.input_size != input.shape[-1]:
            raise RuntimeError(f"the input has {input.shape[-1]} features, and input_size is {self.input_size}")

    def get_expected_hidden_size(self, input, batch_sizes):
        """The sizes of h."""
        batch = int(batch_sizes[0]) if batch_sizes is not None else input.shape[0] if self.batch_first else input.shape[1]
        return (self.num_layers * (2 if self.bidirectional else 1), batch, self.proj_size if self.proj_size > 0 else self.hidden_size)

    def get_expected_cell_size(self, input, batch_sizes):
        """The sizes of c."""
        layers, batch, _ = self.get_expected_hidden_size(input, batch_sizes)
        return (layers, batch, self.hidden_size)

    def check_hidden_size(self, hx, expected_hidden_size, msg="hx"):
        """An error where a state does not fit."""
        if tuple(hx.shape) != tuple(expected_hidden_size):
            raise RuntimeError(f"{msg.split('{')[0].strip() or 'hx'}: the state has the sizes {tuple(hx.shape)}, and not {tuple(expected_hidden_size)}")

    def check_forward_args(self, input, hidden, batch_sizes):
        """Errors where input or states do not fit."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation):
        """The states in the order of a packed sequence."""
        return hx if permutation is None else hx.index_select(1, permutation)

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size != 0:
            text += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            text += f", num_layers={self.num_layers}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if self.batch_first is not False:
            text += f", batch_first={self.batch_first}"
        if self.dropout != 0:
            text += f", dropout={self.dropout}"
        return text + (f", bidirectional={self.bidirectional}" if self.bidirectional is not False else "")

    def _zero_state(self, input, size, count):
        return input.new_zeros((self.num_layers * (2 if self.bidirectional else 1), count, size))

    def _run(self, input, hx, batch_sizes):
        weights = self._flat_weights
        function = _FUNCTIONS[self.mode]
        if batch_sizes is None:
            return function(input, hx, weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional, self.batch_first)
        return function(input, batch_sizes, hx, weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional)

    def _ranks(self, input):
        if input.dim() not in (2, 3):
            raise ValueError(f"{type(self).__name__}: the input has {input.dim()} dimensions, and not 2 or 3")
        return input.dim() == 3

    def __setstate__(self, state):
        state = dict(state)
        state.pop("_flat_weights", None)
        super().__setstate__(state)
        self.__dict__.setdefault("proj_size", 0)


class _OneState(RNNBase):
    def forward(self, input, hx=None):
        packed, batch_sizes, sorted_indices, unsorted_indices = isinstance(input, PackedSequence), None, None, None
        if packed:
            input, batch_sizes, sorted_indices, unsorted_indices = input
            batched = True
            count = int(batch_sizes[0])
            if hx is not None:
                hx = self.permute_hidden(hx, sorted_indices)
        else:
            batched, along = self._ranks(input), 0 if self.batch_first else 1
            if not batched:
                input = input.unsqueeze(along)
                if hx is not None:
                    if hx.dim() != 2:
                        raise RuntimeError(f"without a batch hx has 2 dimensions, not {hx.dim()}")
                    hx = hx.unsqueeze(1)
            elif hx is not None and hx.dim() != 3:
                raise RuntimeError(f"with a batch hx has 3 dimensions, not {hx.dim()}")
            count = input.shape[along]
        if hx is None:
            hx = self._zero_state(input, self.hidden_size, count)
        self.check_forward_args(input, hx, batch_sizes)
        output, hidden = self._run(input, hx, batch_sizes)
        if packed:
            return PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices), self.permute_hidden(hidden, unsorted_indices)
        if not batched:
            return output.squeeze(along), hidden.squeeze(1)
        return output, hidden


class RNN(_OneState):
    """h = tanh(W x + b + U h + c), or relu instead of tanh."""

    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size is for LSTM")
        if len(args) > 3:
            nonlinearity, args = args[3], args[:3] + args[4:]
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"nonlinearity is 'tanh' or 'relu', not {nonlinearity!r}")
        self_nonlinearity = nonlinearity
        super().__init__("RNN_" + nonlinearity.upper(), *args, **kwargs)
        self.nonlinearity = self_nonlinearity


class GRU(_OneState):
    """Gated recurrent units."""

    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size is for LSTM")
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """Long short-term memory."""

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden[0], self.get_expected_hidden_size(input, batch_sizes), "h")
        self.check_hidden_size(hidden[1], self.get_expected_cell_size(input, batch_sizes), "c")

    def permute_hidden(self, hx, permutation):
        return hx if permutation is None else tuple(one.index_select(1, permutation) for one in hx)

    def forward(self, input, hx=None):
        packed, batch_sizes, sorted_indices, unsorted_indices = isinstance(input, PackedSequence), None, None, None
        if packed:
            input, batch_sizes, sorted_indices, unsorted_indices = input
            batched, count = True, int(batch_sizes[0])
            if hx is not None:
                hx = self.permute_hidden(hx, sorted_indices)
        else:
            batched, along = self._ranks(input), 0 if self.batch_first else 1
            if not batched:
                input = input.unsqueeze(along)
            if hx is not None:
                for one in hx:
                    if one.dim() != (3 if batched else 2):
                        raise RuntimeError(f"h and c have {3 if batched else 2} dimensions beside this input, not {one.dim()}")
                if not batched:
                    hx = (hx[0].unsqueeze(1), hx[1].unsqueeze(1))
            count = input.shape[along]
        if hx is None:
            hx = (self._zero_state(input, self.proj_size if self.proj_size > 0 else self.hidden_size, count),
                  self._zero_state(input, self.hidden_size, count))
        self.check_forward_args(input, hx, batch_sizes)
        output, *hidden = self._run(input, tuple(hx), batch_sizes)
        hidden = tuple(hidden)
        if packed:
            return PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices), self.permute_hidden(hidden, unsorted_indices)
        if not batched:
            return output.squeeze(along), (hidden[0].squeeze(1), hidden[1].squeeze(1))
        return output, hidden


class RNNCellBase(Module):
    """What the cells share."""

    __constants__ = ["input_size", "hidden_size", "bias"]

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = num_chunks * hidden_size
        where = {"device": device, "dtype": dtype}
        self.weight_ih = Parameter(_core.empty((rows, input_size), **where))
        self.weight_hh = Parameter(_core.empty((rows, hidden_size), **where))
        if bias:
            self.bias_ih = Parameter(_core.empty(rows, **where))
            self.bias_hh = Parameter(_core.empty(rows, **where))
        else:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def reset_parameters(self):
        """New random values."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text

    def _batched(self, tensor, name):
        if tensor.dim() not in (1, 2):
            raise ValueError(f"{type(self).__name__}: {name} has {tensor.dim()} dimensions, and not 1 or 2")
        return tensor if tensor.dim() == 2 else tensor.unsqueeze(0)

    def _step(self, function, input, hx):
        held = self._parameters
        try:  # attributes that are parameters are found only after all others
            weights = held["weight_ih"], held["weight_hh"], held["bias_ih"], held["bias_hh"]
        except KeyError:  # pruned, or computed from others
            weights = self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh
        return function(input, hx, *weights)


class _OneStateCell(RNNCellBase):
    def forward(self, input, hx=None):
        batched = input.dim() == 2
        if not batched:
            input = self._batched(input, "input")
        if hx is None:
            hx = input.new_zeros((input.size(0), self.hidden_size))
        elif hx.dim() != 2:
            hx = self._batched(hx, "hx")
        made = self._step(self._function(), input, hx)
        return made if batched else made.squeeze(0)


class RNNCell(_OneStateCell):
    """One step of an RNN."""

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def _function(self):
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"nonlinearity is 'tanh' or 'relu', not {self.nonlinearity!r}")
        return _core.rnn_tanh_cell if self.nonlinearity == "tanh" else _core.rnn_relu_cell


class GRUCell(_OneStateCell):
    """One step of a GRU."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def _function(self):
        return _core.gru_cell


class LSTMCell(RNNCellBase):
    """One step of an LSTM."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        batched = input.dim() == 2
        if not batched:
            input = self._batched(input, "input")
        if hx is None:
            zeros = input.new_zeros((input.size(0), self.hidden_size))
            hx = (zeros, zeros)
        elif hx[0].dim() != 2 or hx[1].dim() != 2:
            hx = (self._batched(hx[0], "hx[0]"), self._batched(hx[1], "hx[1]"))
        h, c = self._step(_core.lstm_cell, input, hx)
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))
