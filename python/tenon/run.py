"""Programs that say `import torch`, run with Tenon:

    python -m tenon.run program.py arguments...
    python -m tenon.run -m module arguments...

or, at the beginning of a program of one's own, `import tenon.run; tenon.run.as_torch()`.

From then on `torch` and everything below it means Tenon; a PyTorch that is installed is not imported. A name that Tenon does not
have is an error that says so by its torch name.
"""

import importlib
import importlib.machinery
import importlib.util
import sys
import types

__all__ = ["as_torch", "main"]

# Modules of torch that are other modules here, or parts of them.
_ELSEWHERE = {
    "functorch": "tenon._functorch",
    "torch.cuda.amp": "tenon._cuda_amp", "torch.cuda.amp.autocast_mode": "tenon._cuda_amp", "torch.cuda.amp.grad_scaler": "tenon._cuda_amp",
    "torch.amp.autocast_mode": "tenon.amp", "torch.amp.grad_scaler": "tenon.amp", "torch.autograd.variable": "tenon.autograd",
    "torch.nn.parallel.distributed": "tenon.nn.parallel", "torch.nn.parallel.data_parallel": "tenon.nn.parallel",
    "torch.utils.data.dataset": "tenon.utils.data.dataset", "torch._tensor": "tenon", "torch.functional": "tenon",
    "torch.random": "tenon.random", "torch.serialization": "tenon.serialization", "torch.return_types": "tenon",
    "torch.nn.modules.dropout": "tenon.nn.modules.dropout", "torch.functorch": "tenon.func", "torch._C": "tenon._torch_c",
    "torch.distributed.optim": "tenon.distributed", "torch.distributed.algorithms": "tenon.distributed",
    "torch.distributed.algorithms.join": "tenon.distributed", "torch.distributed.elastic.multiprocessing": "tenon.distributed",
    "torch.distributed.elastic.multiprocessing.errors": "tenon.distributed",
    "torch._inductor": "tenon.compiler", "torch._inductor.config": "tenon.compiler", "torch._dynamo": "tenon.compiler",
    "torch._dynamo.config": "tenon.compiler", "torch.cpu.amp": "tenon._cpu_amp",
    "torch.nn.utils.weight_norm": "tenon.nn.utils._weight_norm", "torch.nn.utils.spectral_norm": "tenon.nn.utils._spectral_norm",
    "torch.utils.data.datasets": "tenon.utils.data.dataset", "torch.optim.adamax": "tenon.optim", "torch.multiprocessing.spawn": "tenon.multiprocessing",
    "torch.nn.parallel.scatter_gather": "tenon.nn.parallel", "torch.nn.parallel.parallel_apply": "tenon.nn.parallel",
    "torch.nn.parallel.replicate": "tenon.nn.parallel", "torch.autograd.gradcheck": "tenon.autograd", "torch.cuda.random": "tenon.cuda",
    "torch.nn.parallel._functions": "tenon.nn.parallel", "torch.cuda.memory": "tenon.cuda",
}
_KINDS = ("adadelta", "adafactor", "adagrad", "adam", "adamax", "adamw", "asgd", "lbfgs", "nadam", "radam", "rmsprop", "rprop", "sgd", "sparse_adam")
_ELSEWHERE.update({f"torch.optim.{name}": "tenon.optim" for name in _KINDS})
_NOT_HERE = {
    "torch.jit": "there is no TorchScript here: call the function or module itself",
    "torch.onnx": "there is no export to ONNX here",
    "torch.sparse": "there are no sparse tensors here",
    "torch.quantization": "there is no quantisation of modules here",
    "torch.ao": "there is no quantisation of modules here",
    "torch.fx": "there is no tracing of programs here",
    "torch.hub": "there are no downloads of networks here",
    "torch.utils.tensorboard": "there is no writer for TensorBoard here",
    "torch.utils.cpp_extension": "extensions in C++ for torch cannot be built against Tenon",
    "torch.export": "there is no export of programs here",
    "torch.package": "there is no torch.package here",
    "torch.nested": "there are no nested tensors here",
    "torch.masked": "there are no masked tensors here",
    "torch.quasirandom": "there are no Sobol sequences here",
    "torch.autograd.forward_ad": "there are no dual numbers here: torch.func.jvp gives what they are used for",
    "torch.utils.collect_env": "there is no report of the machine here",
    "torch.futures": "there are no futures here",
    "torch.monitor": "there is no torch.monitor here",
    "torch.nn.quantized": "there is no quantisation of modules here",
    "torch.nn.intrinsic": "there is no quantisation of modules here",
    "torch.nn.qat": "there is no quantisation of modules here",
    "torch.utils.model_zoo": "there are no downloads of networks here",
    "torch.utils.benchmark": "there is no torch.utils.benchmark here: Python's timeit measures calls",
    "torch.utils.bottleneck": "there is no profiler in Python here",
    "torch.utils.mobile_optimizer": "there is no TorchScript here",
    "torch.utils.flop_counter": "there is no counter of operations here",
    "torch.utils._python_dispatch": "there are no dispatch modes written in Python here",
    "torch.utils.data.datapipes": "there are no data pipes here",
    "torch.distributed.tensor": "there are no process groups here (torch.distributed.is_available() is False)",
}
# Beginnings of names in torch itself, and why there are none of them.
_FAMILIES = {
    "sparse_": "there are no sparse tensors here", "to_sparse": "there are no sparse tensors here", "quantize_": "there is no quantisation here",
    "quantized_": "there is no quantisation here", "dequantize": "there is no quantisation here", "fake_quantize": "there is no quantisation here",
    "cudnn_": "there is no CUDA device here", "miopen_": "there is no device of AMD's here", "mkldnn_": "there is no oneDNN here",
    "hspmm": "there are no sparse tensors here", "dsmm": "there are no sparse tensors here", "hsmm": "there are no sparse tensors here",
    "smm": "there are no sparse tensors here", "sspaddmm": "there are no sparse tensors here", "q": "there is no quantisation here",
    "Script": "there is no TorchScript here", "Event": "there are no streams here", "Stream": "there are no streams here",
}
# Functions that torch has no longer but by name, and what took their place.
_OLDER = {"eig": "eig", "symeig": "eigh", "lstsq": "lstsq", "matrix_rank": "matrix_rank", "solve": "solve"}
_OTHERS = ("torchvision", "torchaudio", "torchtext")


class _Torch(types.ModuleType):
    """A module of torch that is a module of Tenon. What it does not have is named as the program names it."""

    def __init__(self, name, target):
        super().__init__(name, target.__doc__)
        self.__dict__["_target"] = target
        if name == "torch":  # programs ask which names and meanings there are, and those are PyTorch's
            from tenon import version
            self.__dict__["__version__"] = version.__version__

    def __getattr__(self, name):
        target = self.__dict__["_target"]
        full = f"{self.__name__}.{name}"
        if full == "torch.run":  # this file
            raise AttributeError("torch.run is not in Tenon")
        try:
            value = getattr(target, name)
        except AttributeError as error:
            if name.startswith("__") and name.endswith("__"):
                raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None
            if full in _NOT_HERE or full in _ELSEWHERE or name in getattr(target, "_FILES_OF_TORCH", ()) or _is_file(target, name):
                return importlib.import_module(full)
            if name == "Tensor":  # which every module of torch has
                return sys.modules["tenon"].Tensor
            raise AttributeError(_absent(full, target, error)) from None
        if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] == "tenon":
            own = value.__name__ == f"{target.__name__}.{name}" or full in _ELSEWHERE  # others it has only imported
            value = importlib.import_module(full if own else "torch" + value.__name__.removeprefix("tenon"))
        elif name == "default_generator":
            return value
        self.__dict__[name] = value
        return value

    def __setattr__(self, name, value):
        if isinstance(value, _Torch) and callable(getattr(self.__dict__["_target"], name, None)):
            return  # torch.nn.utils.weight_norm is a module and, for those who ask its package, a function
        self.__dict__[name] = value
        if not name.startswith("__") and not isinstance(value, _Torch):
            setattr(self.__dict__["_target"], name, value)

    def __dir__(self):
        return dir(self.__dict__["_target"])


def _is_file(target, name):
    """Whether a package of Tenon has a file that is a module of torch's: torch.autograd.profiler is there without an import."""
    import os
    if name.startswith("_") and name != "_utils":
        return False
    return any(os.path.exists(os.path.join(folder, name + end)) for folder in getattr(target, "__path__", ()) for end in (".py", "/__init__.py"))


def _absent(full, target, error):
    import difflib
    own = str(error)
    if own and "has no attribute" not in own:
        return f"{full}: {own}"
    owner, _, last = full.rpartition(".")
    if owner == "torch" and last in _OLDER:
        return f"{full} is not in Tenon: torch.linalg.{_OLDER[last]} is what took its place"
    if owner == "torch":
        for beginning, why in _FAMILIES.items():
            if last.startswith(beginning) and (len(beginning) > 1 or last.startswith(("qint", "quint", "qscheme", "q_", "qadd"))):
                return f"{full} is not in Tenon: {why}"
    near = difflib.get_close_matches(full.rpartition(".")[2], [name for name in dir(target) if not name.startswith("_")], 1, 0.75)
    return f"{full} is not in Tenon" + (f"; the nearest name there is {target.__name__}.{near[0]}" if near else "")


class _Nothing(type):
    """The class of what is named and not there: it can be imported, kept and asked about, and using it is the error."""

    def __call__(cls, *args, **kwargs):
        raise NotImplementedError(f"{cls._name}: {cls._why}")

    def __getattr__(cls, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _nothing(f"{cls._name}.{name}", cls._why)

    def __repr__(cls):
        return f"<{cls._name}, which is not there: {cls._why}>"


def _nothing(name, why):
    return _Nothing(name.rpartition(".")[2], (), {"_name": name, "_why": why, "__module__": name.rpartition(".")[0]})


def _no():
    return False


def _as_it_is(function=None, *args, **kwargs):
    """A decorator that marks a function for TorchScript: without it, the function itself."""
    return function if callable(function) else lambda given: given


# What can be answered, and marks that mean nothing here.
_ANSWERS = {
    "torch.jit": {"is_scripting": _no, "is_tracing": _no, "ignore": _as_it_is, "unused": _as_it_is, "export": _as_it_is,
                  "script_if_tracing": _as_it_is, "annotate": lambda kind, value: value},
    "torch.onnx": {"is_in_onnx_export": _no},
    "torch.fx": {"wrap": lambda given: given},
    "torch.nested": {},
}


class _Absent(types.ModuleType):
    """A module that can be imported, of which nothing can be used."""

    def __init__(self, name, why):
        super().__init__(name, why)
        self.__dict__["_why"] = why
        self.__dict__.update(_ANSWERS.get(name, {}))
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return _nothing(f"{self.__name__}.{name}", self.__dict__["_why"])


class _Finder:
    """Finds torch and what is below it."""

    def find_spec(self, name, path=None, target=None):
        if name == "multiprocessing.util":
            spec = importlib.machinery.PathFinder.find_spec(name, path)
            spec.loader = _Watched(spec.loader)
            return spec
        first = name.partition(".")[0]
        if first in _OTHERS:
            raise ModuleNotFoundError(f"{name} needs PyTorch itself, and this program runs with Tenon", name=name)
        if first not in ("torch", "functorch"):
            return None
        made = self._module(name)
        if made is None:
            raise ModuleNotFoundError(f"{name} is not in Tenon", name=name)
        return importlib.machinery.ModuleSpec(name, _Loader(made), is_package=True)

    @staticmethod
    def _module(name):
        for absent, why in _NOT_HERE.items():
            if name == absent or name.startswith(absent + "."):
                return _Absent(name, why)
        target = _ELSEWHERE.get(name) or "tenon" + name.removeprefix("torch")
        try:
            return _Torch(name, importlib.import_module(target))
        except ModuleNotFoundError as error:
            if error.name is None or not (target + ".").startswith(error.name + "."):
                raise
        parent, _, last = name.rpartition(".")  # torch.distributions.normal: what torch has in files of their own
        owner = importlib.import_module("tenon" + parent.removeprefix("torch")) if parent and parent.startswith("torch.") else None
        if owner is not None and last in getattr(owner, "_FILES_OF_TORCH", ()):
            return _Torch(name, owner)
        return None


_CHILD = "import sys; sys.path.insert(0, {path!r}); import tenon.run; tenon.run.as_torch(); sys.path.remove({path!r}); "


def _watch(util):
    """Processes that multiprocessing starts with interpreters of their own are told that torch means Tenon, too."""
    import os
    plain = util.spawnv_passfds
    words = _CHILD.format(path=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

    def spawnv_passfds(path, args, passfds):
        args = [words + one if isinstance(one, str) and one.startswith(("from multiprocessing.spawn ", "from multiprocessing.forkserver "))
                else one for one in args]
        return plain(path, args, passfds)
    util.spawnv_passfds = spawnv_passfds


class _Watched:
    """Loads multiprocessing.util, and changes how it starts interpreters."""

    def __init__(self, loader):
        self.loader = loader

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        _watch(module)


class _Loader:
    def __init__(self, module):
        self.module = module

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        module.__dict__["__path__"] = []


_finder = None


def as_torch():
    """From now on `import torch` means Tenon. An error where PyTorch has been imported already."""
    global _finder
    if _finder is not None:
        return
    known = sys.modules.get("torch")
    if known is not None:
        raise RuntimeError("tenon.run.as_torch(): PyTorch has been imported already; call it before the first import of torch")
    _finder = _Finder()
    sys.meta_path.insert(0, _finder)
    if "multiprocessing.util" in sys.modules:
        _watch(sys.modules["multiprocessing.util"])


def _is_ours(trace):
    file = trace.tb_frame.f_code.co_filename
    return file == __file__ or file.startswith("<frozen importlib") or file == "<frozen runpy>" or file.endswith(("/runpy.py", "/importlib/__init__.py"))


def _without(trace):
    """A traceback without frames of this file and of the import machinery."""
    kept, rest = [], None
    while trace is not None:  # not by recursion: what is reported may be that there was too much of it
        if not _is_ours(trace):
            kept.append(trace)
        trace = trace.tb_next
    for one in reversed(kept):
        rest = types.TracebackType(rest, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return rest


def _report(error):
    """Prints an exception as the interpreter does, without frames of ours."""
    seen, one = set(), error
    while one is not None and id(one) not in seen:  # and those that it came from
        seen.add(id(one))
        one.__traceback__ = _without(one.__traceback__)
        one = one.__cause__ or one.__context__
    sys.excepthook(type(error), error, error.__traceback__)


def _run_file(path, arguments):
    import io
    import os
    full = os.path.abspath(path)
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=full, __builtins__=__builtins__, __cached__=None, __spec__=None)
    sys.modules["__main__"] = main
    sys.argv[:] = [path, *arguments]
    sys.path[0] = os.path.dirname(os.path.realpath(path))
    try:
        with io.open_code(full) as file:
            code = compile(file.read(), full, "exec")
    except OSError as error:
        print(f"{sys.executable}: can't open file {full!r}: [Errno {error.errno}] {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None
    exec(code, main.__dict__)


def _run_module(name, arguments):
    import os
    import runpy
    sys.argv[:] = [name, *arguments]
    sys.path[0] = os.getcwd()
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def main(arguments):
    """Runs a program; returns its exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if arguments else 2
    as_torch()
    try:
        if arguments[0] == "-m":
            if len(arguments) < 2:
                print("tenon.run: -m needs the name of a module", file=sys.stderr)
                return 2
            _run_module(arguments[1], arguments[2:])
        else:
            _run_file(arguments[0], arguments[1:])
    except SystemExit:
        raise
    except KeyboardInterrupt as error:
        _report(error)
        import os
        import signal
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException as error:
        if isinstance(error, ImportError) and _without(error.__traceback__) is None:  # runpy did not find the module
            print(f"{sys.executable}: {error}", file=sys.stderr)
        else:
            _report(error)
        return 1
    return 0


if __name__ == "__main__":
    import tenon.run  # one and the same module for the program, too
    sys.exit(tenon.run.main(sys.argv[1:]))
