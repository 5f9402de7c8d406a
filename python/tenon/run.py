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
    "torch.cuda.amp": "tenon.amp", "torch.cuda.amp.autocast_mode": "tenon.amp", "torch.cuda.amp.grad_scaler": "tenon.amp",
    "torch.amp.autocast_mode": "tenon.amp", "torch.amp.grad_scaler": "tenon.amp", "torch.autograd.variable": "tenon.autograd",
    "torch.nn.parallel.distributed": "tenon.nn.parallel", "torch.nn.parallel.data_parallel": "tenon.nn.parallel",
    "torch.utils.data.dataset": "tenon.utils.data.dataset", "torch._tensor": "tenon", "torch.functional": "tenon",
    "torch.random": "tenon.random", "torch.serialization": "tenon.serialization", "torch.return_types": "tenon",
    "torch.nn.modules.dropout": "tenon.nn.modules.dropout", "torch.functorch": "tenon.func", "torch._C": "tenon._torch_c",
    "torch.distributed.optim": "tenon.distributed", "torch.distributed.algorithms": "tenon.distributed",
    "torch._inductor": "tenon.compiler", "torch._inductor.config": "tenon.compiler", "torch._dynamo": "tenon.compiler",
    "torch._dynamo.config": "tenon.compiler", "torch.nn.grad": "tenon.nn.functional",
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
}
_OTHERS = ("torchvision", "torchaudio", "torchtext", "functorch")


class _Torch(types.ModuleType):
    """A module of torch that is a module of Tenon. What it does not have is named as the program names it."""

    def __init__(self, name, target):
        super().__init__(name, target.__doc__)
        self.__dict__["_target"] = target

    def __getattr__(self, name):
        target = self.__dict__["_target"]
        full = f"{self.__name__}.{name}"
        try:
            value = getattr(target, name)
        except AttributeError as error:
            if name.startswith("__") and name.endswith("__"):
                raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None
            if full in _NOT_HERE or full in _ELSEWHERE:
                return importlib.import_module(full)
            raise AttributeError(_absent(full, target, error)) from None
        if isinstance(value, types.ModuleType) and value.__name__.startswith("tenon"):
            value = importlib.import_module(full)
        elif name == "default_generator":
            return value
        self.__dict__[name] = value
        return value

    def __setattr__(self, name, value):
        self.__dict__[name] = value
        if not name.startswith("__") and not isinstance(value, _Torch):
            setattr(self.__dict__["_target"], name, value)

    def __dir__(self):
        return dir(self.__dict__["_target"])


def _absent(full, target, error):
    import difflib
    own = str(error)
    if own and "has no attribute" not in own:
        return f"{full}: {own}"
    near = difflib.get_close_matches(full.rpartition(".")[2], [name for name in dir(target) if not name.startswith("_")], 1, 0.75)
    return f"{full} is not in Tenon" + (f"; the nearest name there is {target.__name__}.{near[0]}" if near else "")


class _Absent(types.ModuleType):
    """A module that can be imported, of which nothing can be used."""

    def __init__(self, name, why):
        super().__init__(name, why)
        self.__dict__["_why"] = why
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        raise AttributeError(f"{self.__name__}.{name}: {self.__dict__['_why']}")


class _Finder:
    """Finds torch and what is below it."""

    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        if first in _OTHERS:
            raise ModuleNotFoundError(f"{name} needs PyTorch itself, and this program runs with Tenon", name=name)
        if first != "torch":
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


def _report(error):
    """Prints an exception as the interpreter does, without frames of this file and of the import machinery."""
    trace = error.__traceback__
    while trace is not None and (trace.tb_frame.f_code.co_filename == __file__ or "importlib" in trace.tb_frame.f_code.co_filename
                                 or trace.tb_frame.f_code.co_filename == "<frozen runpy>"):
        trace = trace.tb_next
    sys.excepthook(type(error), error.with_traceback(trace), trace)


def _run_file(path, arguments):
    import os
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=__builtins__, __cached__=None, __spec__=None)
    sys.modules["__main__"] = main
    sys.argv[:] = [path, *arguments]
    sys.path[0] = os.path.dirname(os.path.realpath(path))
    import io
    try:
        with io.open_code(os.path.abspath(path)) as file:
            code = compile(file.read(), path, "exec")
    except OSError as error:
        print(f"{sys.executable}: can't open file {os.path.abspath(path)!r}: [Errno {error.errno}] {error.strerror}", file=sys.stderr)
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
        _report(error)
        return 1
    return 0


if __name__ == "__main__":
    import tenon.run  # one and the same module for the program, too
    sys.exit(tenon.run.main(sys.argv[1:]))
