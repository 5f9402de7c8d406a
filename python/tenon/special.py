"""torch.special's names for operators of the table."""

from tenon._lazy import table as _table

_find, _list = _table(
    __name__,
    "special_",
    [
        "digamma",
        "erf",
        "erfc",
        "erfinv",
        "exp2",
        "expm1",
        "i0",
        "log1p",
        "log_softmax",
        "logit",
        "logsumexp",
        "round",
        "sinc",
        "softmax",
        "xlogy",
    ],
)

_RENAMED = {"expit": "sigmoid", "gammaln": "lgamma", "psi": "digamma"}


def __getattr__(name):
    if name == "polygamma":
        from tenon._special import polygamma

        return polygamma
    return _find(_RENAMED.get(name, name)) if name not in _RENAMED else _renamed(name)


def _renamed(name):
    from tenon import _core

    return getattr(_core, _RENAMED[name])


def __dir__():
    return sorted({*_list(), *_RENAMED, "polygamma"})
