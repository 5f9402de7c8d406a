"""A peer in Python: does a workload's work when it is asked to (bench/peer.c has the words), and measures itself.

    worker.py torch      worker.py numpy

The code of a workload is compiled once into a loop, as timeit does it, and the garbage collector rests while it is measured.
"""
import gc
import resource
import sys
import time

LOOP = """
def prepare():
    {setup}
    def run(times):
        for _ in range(times):
            {run}
    return run
"""


def blas_of_numpy(np):
    """What NumPy's OpenBLAS took this CPU for, and a word if that is one without AVX2 on a CPU that has it."""
    import ctypes

    with open("/proc/self/maps") as maps:
        libraries = {line.split()[-1] for line in maps if "openblas" in line}
    for path in libraries:
        library = ctypes.CDLL(path)
        for symbol in ("scipy_openblas_get_corename64_", "openblas_get_corename64_", "openblas_get_corename"):
            if hasattr(library, symbol):
                function = getattr(library, symbol)
                function.restype = ctypes.c_char_p
                core = function().decode()
                with open("/proc/cpuinfo") as info:
                    has_avx2 = " avx2 " in info.read()
                modern = ("haswell", "zen", "skylakex", "cooperlake", "sapphirerapids")
                wrong = has_avx2 and core.lower() not in modern
                remark = " (misdetected: this CPU can do more, so its matrix products are too slow)" if wrong else ""
                return f", OpenBLAS for {core}{remark}"
    return ""


def load(which):
    if which == "torch":
        import torch

        return {"torch": torch}, f"PyTorch {torch.__version__}, {torch.backends.cpu.get_cpu_capability()}"
    import numpy as np

    return {"np": np}, f"NumPy {np.__version__}{blas_of_numpy(np)}"


def answer(text):
    sys.stdout.write(text.replace("\n", " ") + "\n")
    sys.stdout.flush()


def main():
    try:
        modules, version = load(sys.argv[1])
    except Exception as reason:
        answer(f"sorry {reason}")
        return
    answer(f"hello {version}")
    run = None
    for line in sys.stdin:
        words = line.rstrip("\n").split("\t")
        try:
            if words[0] == "prepare":
                name, threads, setup, code = words[1:]
                if "torch" in modules:
                    modules["torch"].set_num_threads(int(threads))
                names = dict(modules)
                exec(compile(LOOP.format(setup=setup or "pass", run=code), name, "exec"), names)
                run = names["prepare"]()
                run(1)
                answer("ready")
            elif words[0] == "finish":
                run = None
                gc.collect()
                answer("finished")
            else:
                times = int(words[0].split()[1])
                run(1 if times < 16 else times // 8)
                gc.disable()
                faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
                begin = time.perf_counter_ns()
                run(times)
                end = time.perf_counter_ns()
                faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
                gc.enable()
                answer(f"{end - begin} {faults}")
        except Exception as reason:
            gc.enable()
            run = None
            answer(f"sorry {type(reason).__name__}: {reason}")


main()
