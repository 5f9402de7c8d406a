"""Runs ONNX's node tests through `tenon run`: folders with model.onnx and test_data_set_0/{input,output}_N.pb.

    python3 tests/onnx/nodes.py build/tenon FOLDER [-v] [--only PREFIX]

FOLDER is that of Debian's libonnx-testdata (data/node), or one that tests/onnx/write_nodes.py made of the package onnx. A case passes when
dtype, shape and elements are those of the test (1e-3 relative, 1e-7 absolute for floats, as ONNX's own runner has them). What Tenon refuses
in words (an operator, a dtype, sequences as inputs or outputs) is counted by its reason, and is no failure.
"""
import collections, glob, json, os, subprocess, sys

import numpy as np

UNCOMPARED = ("bernoulli", "training_dropout")  # random numbers: only dtype and shape
ABSOLUTE = {"float16": 1e-3, "bfloat16": 1e-2}
REFUSALS = ("there is no operator", "there is no dtype", "not read", "a sequence", "optional", "strings", "opset", "there is no type", "covered",
            "is not done", "is uint16; the model wants bfloat16", "not uint16")


def array(said):
    """(dtype, elements) of what `tenon show --json` or `tenon run --json` says."""
    kind = said["dtype"]
    real = "float" in kind or "complex" in kind
    elements = np.array([np.nan if e is None else e for e in said["elements"]], np.float64 if real else object)
    if kind.startswith("complex"):
        elements = elements.reshape(-1, 2)
        elements = elements[:, 0] + 1j * elements[:, 1]
    return kind, elements.reshape(said["shape"])


def show(command, path):
    done = subprocess.run([command, "show", "--json", path], capture_output=True, text=True)
    return (None, done.stderr.strip()) if done.returncode else array(json.loads(done.stdout))


def main():
    command, root = sys.argv[1:3]
    verbose = "-v" in sys.argv
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    counts, reasons, failed = collections.Counter(), collections.Counter(), []
    for case in sorted(glob.glob(root + "/*/model.onnx")):
        name = os.path.basename(os.path.dirname(case)).removeprefix("test_")
        if not name.startswith(only):
            continue
        data = os.path.dirname(case) + "/test_data_set_0"
        inputs = sorted(glob.glob(data + "/input_*.pb"), key=lambda p: int(p.rsplit("_", 1)[1][:-3]))
        outputs = sorted(glob.glob(data + "/output_*.pb"), key=lambda p: int(p.rsplit("_", 1)[1][:-3]))
        run = subprocess.run([command, "run", "--json", case, *inputs], capture_output=True, text=True)
        said, why = run.stderr.strip(), ""
        if run.returncode:
            refused = any(words in said for words in REFUSALS)
            counts["refused" if refused else "FAILED"] += 1
            if refused:
                reasons[said.split(": ", 2)[-1][:90]] += 1
            else:
                failed.append((name, said[:300]))
            continue
        for i, (path, made) in enumerate(zip(outputs, json.loads(run.stdout))):
            (kind, expected), (got_kind, got) = show(command, path), array(made)
            if kind is None:
                why = "unread: " + expected
            elif got_kind != kind:
                why = "dtype %s, not %s" % (got_kind, kind)
            elif got.shape != expected.shape:
                why = "shape %s, not %s" % (got.shape, expected.shape)
            elif not name.startswith(UNCOMPARED):
                if "float" in kind or "complex" in kind:
                    loose = 1e-2 if kind in ("bfloat16", "float8_e4m3fn", "float8_e5m2") else 1e-3
                    same = np.isclose(got, expected, rtol=loose, atol=ABSOLUTE.get(kind, 1e-5 if name.startswith("dft") else 1e-7), equal_nan=True)
                else:
                    same = got == expected
                if not np.all(same):
                    why = "elements: %s, not %s" % (got.ravel()[:6], expected.ravel()[:6])
            if why:
                why = "output %d: %s" % (i, why)
                break
        if "unread" in why or "not uint16" in why:  # older tests store bfloat16 as uint16
            counts["refused"] += 1
            reasons[why[:90]] += 1
            continue
        counts["FAILED" if why else "passed"] += 1
        if why:
            failed.append((name, why))
    for name, why in failed:
        print(name, "-", why)
    if verbose:
        for reason, count in reasons.most_common():
            print("  refused %3d: %s" % (count, reason))
    print(", ".join("%d %s" % (counts[k], k) for k in ("passed", "FAILED", "refused")))
    return 1 if counts["FAILED"] else 0


sys.exit(main())
