"""Transformers."""

import copy

from tenon import _core
from tenon.nn import functional as F
from tenon.nn.init import xavier_uniform_
from tenon.nn.modules.activation import MultiheadAttention
from tenon.nn.modules.container import ModuleList
from tenon.nn.modules.dropout import Dropout
from tenon.nn.modules.linear import Linear
from tenon.nn.modules.module import Module
from tenon.nn.modules.normalization import LayerNorm

__all__ = ["Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer"]


def _causal_mask(size, device=None, dtype=None):
    """Minus infinity above the diagonal, 0 elsewhere."""
    return _core.triu(_core.full((size, size), float("-inf"), dtype=dtype, device=device), diagonal=1)


def _get_clones(module, count):
    return ModuleList([copy.deepcopy(module) for _ in range(count)])


def _get_activation_fn(activation):
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation is 'relu', 'gelu' or a function, not {activation!r}")
    return getattr(F, activation)


def _is_causal(mask, is_causal, size):
    """Whether a mask hides exactly what comes later, where that was not said."""
    if is_causal is None:
        is_causal = False
        if mask is not None:
            causal = _causal_mask(mask.shape[-2] if size is None else size, dtype=mask.dtype if mask.is_floating_point() else None)
            if tuple(mask.shape) == tuple(causal.shape) and mask.is_floating_point():
                is_causal = bool((mask == causal).all())
    return is_causal


def _as_added(mask, name, like):
    """A bool mask as what is added to scores."""
    if mask is None or mask.is_floating_point():
        return mask
    if mask.dtype != _core.bool:
        raise AssertionError(f"{name} is {mask.dtype}; bool and floats are taken")
    return _core.zeros_like(mask, dtype=like.dtype).masked_fill_(mask, float("-inf"))


class Transformer(Module):
    """An encoder and a decoder."""

    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1, activation=F.relu,
                 custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None,
                 dtype=None):
        super().__init__()
        where = {"device": device, "dtype": dtype}
        rest = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            layer = TransformerEncoderLayer(*rest, **where)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where))
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            layer = TransformerDecoderLayer(*rest, **where)
            self.decoder = TransformerDecoder(layer, num_decoder_layers, LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where))
        self._reset_parameters()
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None, memory_is_causal=False):
        batched, along = src.dim() == 3, 0 if self.batch_first else 1
        if batched and src.shape[along] != tgt.shape[along]:
            raise RuntimeError(f"src and tgt have batches of {src.shape[along]} and {tgt.shape[along]}")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise RuntimeError(f"src and tgt have {src.shape[-1]} and {tgt.shape[-1]} features, and d_model is {self.d_model}")
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal, memory_is_causal=memory_is_causal)

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        """The mask that hides what comes later."""
        return _causal_mask(sz, device, dtype)

    def _reset_parameters(self):
        for param in self.parameters():
            if param.dim() > 1:
                xavier_uniform_(param)


class TransformerEncoder(Module):
    """Layers one after the other, each a copy of the one given."""

    __constants__ = ["norm"]

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check
        self.use_nested_tensor = False

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        src_key_padding_mask = _as_added(src_key_padding_mask, "src_key_padding_mask", src)
        mask = _as_added(mask, "mask", src)
        size = src.shape[1] if src.dim() == 3 and self.layers and _batch_first(self.layers[0]) else src.shape[0]
        is_causal = _is_causal(mask, is_causal, size)
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=is_causal, src_key_padding_mask=src_key_padding_mask)
        return self.norm(output) if self.norm is not None else output


def _batch_first(layer):
    attention = getattr(layer, "self_attn", None)
    return bool(getattr(attention, "batch_first", False))


class TransformerDecoder(Module):
    """Layers one after the other, each a copy of the one given."""

    __constants__ = ["norm"]

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=None,
                memory_is_causal=False):
        size = tgt.shape[1] if tgt.dim() == 3 and self.layers and _batch_first(self.layers[0]) else tgt.shape[0]
        tgt_is_causal = _is_causal(tgt_mask, tgt_is_causal, size)
        output = tgt
        for layer in self.layers:
            output = layer(output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                           memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal, memory_is_causal=memory_is_causal)
        return self.norm(output) if self.norm is not None else output


class TransformerEncoderLayer(Module):
    """Attention to the sequence itself, and two linear maps."""

    __constants__ = ["norm_first"]

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5, batch_first=False,
                 norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        where = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **where)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **where)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **where)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _get_activation_fn(activation)

    def __setstate__(self, state):
        super().__setstate__(state)
        if "activation" not in self.__dict__ and "activation" not in self._modules:
            self.activation = F.relu

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        src_key_padding_mask = _as_added(src_key_padding_mask, "src_key_padding_mask", src)
        src_mask = _as_added(src_mask, "src_mask", src)
        if self.norm_first:
            src = src + self._sa_block(self.norm1(src), src_mask, src_key_padding_mask, is_causal)
            return src + self._ff_block(self.norm2(src))
        src = self.norm1(src + self._sa_block(src, src_mask, src_key_padding_mask, is_causal))
        return self.norm2(src + self._ff_block(src))

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        x = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False, is_causal=is_causal)[0]
        return self.dropout1(x)

    def _ff_block(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoderLayer(Module):
    """Attention to the sequence itself and to a memory, and two linear maps."""

    __constants__ = ["norm_first"]

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5, batch_first=False,
                 norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        where = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, bias=bias, **where)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, bias=bias, **where)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **where)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **where)
        self.norm_first = norm_first
        for name in ("norm1", "norm2", "norm3"):
            setattr(self, name, LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where))
        for name in ("dropout1", "dropout2", "dropout3"):
            setattr(self, name, Dropout(dropout))
        self.activation = _get_activation_fn(activation)

    def __setstate__(self, state):
        super().__setstate__(state)
        if "activation" not in self.__dict__ and "activation" not in self._modules:
            self.activation = F.relu

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=False,
                memory_is_causal=False):
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), tgt_mask, tgt_key_padding_mask, tgt_is_causal)
            x = x + self._mha_block(self.norm2(x), memory, memory_mask, memory_key_padding_mask, memory_is_causal)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
        x = self.norm2(x + self._mha_block(x, memory, memory_mask, memory_key_padding_mask, memory_is_causal))
        return self.norm3(x + self._ff_block(x))

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        x = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, is_causal=is_causal, need_weights=False)[0]
        return self.dropout1(x)

    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        x = self.multihead_attn(x, mem, mem, attn_mask=attn_mask, key_padding_mask=key_padding_mask, is_causal=is_causal, need_weights=False)[0]
        return self.dropout2(x)

    def _ff_block(self, x):
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))
