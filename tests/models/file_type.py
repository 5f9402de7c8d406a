"""file_type.c against the package magika, which runs the same model with onnxruntime.

    python3 tests/models/file_type.py header                    examples/file_type_small.h: a small model of the same build
    python3 tests/models/file_type.py small                     what the example prints without arguments (file_type.expected)
    python3 tests/models/file_type.py build/examples/file_type  the published model: labels, scores, files a second
"""
import bz2, gzip, io, json, lzma, math, os, pathlib, pickle, random, resource, sqlite3, struct, subprocess, sys, tarfile, tempfile, time, wave, zipfile, zlib

FIRST = LAST = 8
CONFIG = {"block": 12, "least": 4, "padding": 256, "sure": 0.2, "labels": ["c", "csv", "html", "ini", "randomtxt", "tar"]}
TEXTS = [b"int main", b"a,b\n1,2\n3,4\n", b"  <p>one</p>", b"[a]\nb = c\n", b"\1\2\3\4\5\6\7", b"     x", b"\xc3\xa9", b"\xed\xa0\x80", b"zzzzzzzzzzzz"]


def small_model():
    """Bytes as one of 257, a dense layer, gelu, layer norm, a convolution, the largest of each channel, a dense layer, softmax. The weights
    are sines that the graph computes, so that the file stays small."""
    import onnx
    from onnx import helper, numpy_helper
    import numpy as np

    nodes, constants = [], []

    def node(kind, *inputs, **attributes):
        nodes.append(helper.make_node(kind, inputs, ["v%d" % len(nodes)], **attributes))
        return nodes[-1].output[0]

    def constant(values, dtype=np.float32):
        constants.append(numpy_helper.from_array(np.array(values, dtype), "k%d" % len(constants)))
        return constants[-1].name

    integers = lambda *values: constant(values, np.int64)

    def weights(*sizes, step, scale=0.5):
        line = node("Range", constant(0.0), constant(float(math.prod(sizes))), constant(1.0))
        return node("Reshape", node("Mul", node("Sin", node("Mul", node("Mul", line, line), constant(step))), constant(scale)), integers(*sizes))

    def gelu(x):
        cube = node("Mul", x, node("Mul", x, x))
        inner = node("Mul", constant(0.7978846), node("Add", x, node("Mul", constant(0.044715), cube)))
        return node("Mul", x, node("Mul", constant(0.5), node("Add", constant(1.0), node("Tanh", inner))))

    def norm(x):
        mean = node("ReduceMean", x, axes=[-1], keepdims=1)
        apart = node("Sub", x, mean)
        spread = node("ReduceMean", node("Mul", apart, apart), axes=[-1], keepdims=1)
        return node("Mul", apart, node("Reciprocal", node("Sqrt", node("Add", spread, constant(1e-6)))))

    hot = node("Cast", node("Equal", node("Unsqueeze", "bytes", integers(2)), node("Range", constant(0, np.int32), constant(257, np.int32), constant(1, np.int32))), to=1)
    x = gelu(node("Add", node("MatMul", hot, weights(257, 4, step=0.37)), weights(4, step=0.9)))
    x = norm(node("Reshape", x, integers(0, 8, 8)))
    x = node("Conv", node("Transpose", x, perm=[0, 2, 1]), weights(6, 8, 3, step=0.23), kernel_shape=[3])
    x = norm(node("Squeeze", node("GlobalMaxPool", gelu(x)), integers(2)))
    x = node("Add", node("MatMul", x, weights(6, 6, step=1.9, scale=2.0)), weights(6, step=0.4, scale=0.3))
    x = node("Exp", node("Sub", x, node("ReduceMax", x, axes=[1], keepdims=1)))
    nodes.append(helper.make_node("Div", [x, node("ReduceSum", x, integers(1), keepdims=1)], ["target_label"]))
    graph = helper.make_graph(nodes, "small", [helper.make_tensor_value_info("bytes", 6, ["n", FIRST + LAST])],
                              [helper.make_tensor_value_info("target_label", 1, ["n", len(CONFIG["labels"])])], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8)
    onnx.checker.check_model(model)
    return model.SerializeToString()


def header():
    data = small_model()
    print("/* file_type_small.h - a small ONNX model for file_type.c; made by tests/models/file_type.py header. */")
    print("static const unsigned char file_type_small[] = {")
    for i in range(0, len(data), 24):
        print("    " + ", ".join(str(b) for b in data[i:i + 24]) + ",")
    print("};")


def small():
    import numpy as np, onnxruntime

    session = onnxruntime.InferenceSession(small_model())
    for i, text in enumerate(TEXTS):
        head, tail, pad = text[:CONFIG["block"]].lstrip()[:FIRST], text[-CONFIG["block"]:].rstrip()[-LAST:], [CONFIG["padding"]]
        if len(text) < CONFIG["least"] or len(head) < CONFIG["least"]:
            try:
                text.decode()
                print("#%d: txt %.4f" % (i + 1, 1))
            except UnicodeDecodeError:
                print("#%d: unknown %.4f" % (i + 1, 1))
            continue
        row = list(head) + pad * (FIRST - len(head)) + pad * (LAST - len(tail)) + list(tail)
        scores = session.run(None, {"bytes": np.array([row], np.int32)})[0][0]
        label = CONFIG["labels"][int(scores.argmax())]
        if scores.max() < (0.9 if label == "html" else CONFIG["sure"]):
            label = "txt" if label in ("html", "randomtxt") else "unknown"
        print("#%d: %s %.4f" % (i + 1, {"randomtxt": "txt"}.get(label, label), scores.max()))


def samples(folder):
    """Files of many kinds, written by Python's own modules; and the sources around this file."""
    rng = random.Random(1)
    words = "the tensor of a small model has rows and columns which are read from one file after another".split()
    prose = "\n".join(" ".join(rng.choice(words) for _ in range(12)) for _ in range(60))
    pixels = b"".join(b"\0" + bytes((x * y) % 256 for x in range(32) for _ in range(3)) for y in range(32))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    archive, package, sound = io.BytesIO(), io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("a.txt"))
        member = tarfile.TarInfo("b.txt")
        member.size = len(prose)
        tar.addfile(member, io.BytesIO(prose.encode()))
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("a.txt", prose)
    with wave.open(sound, "wb") as w:
        w.setparams((1, 2, 16000, 0, "NONE", ""))
        w.writeframes(bytes(rng.randrange(256) for _ in range(8000)))
    contents = {
        "prose.txt": prose, "rows.csv": "id,name,size\n" + "".join("%d,item%d,%.2f\n" % (i, i, i * 1.5) for i in range(200)), "data.json": json.dumps({"rows": [{"id": i, "name": "n%d" % i} for i in range(50)]}, indent=1),
        "page.html": "<!DOCTYPE html>\n<html><head><title>t</title></head><body>" + "<p>%s</p>" % prose + "</body></html>", "style.css": "body { color: red; margin: 0 }\n.a > b { width: 10px; }\n" * 20,
        "conf.ini": "[section]\nname = value\n; remark\n[other]\nnumber = 3\n" * 10, "query.sql": "SELECT id, name FROM rows WHERE size > 3 ORDER BY name;\nINSERT INTO rows VALUES (1, 'x', 2);\n" * 20,
        "run.sh": "#!/bin/sh\nset -eu\nfor f in *.c; do\n    cc -c \"$f\" || exit 1\ndone\necho done\n" * 5, "list.yaml": "items:\n  - name: a\n    size: 1\n  - name: b\n    size: 2\n" * 20,
        "note.xml": "<?xml version=\"1.0\"?>\n<notes>" + "<note id=\"1\">text</note>\n" * 50 + "</notes>", "Main.java": "public class Main {\n    public static void main(String[] args) {\n        System.out.println(\"hi\");\n    }\n}\n",
        "x.rs": "fn main() {\n    let v: Vec<i32> = (0..10).collect();\n    println!(\"{:?}\", v);\n}\n" * 4, "y.go": "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"hi\")\n}\n", "z.js": "const a = require('fs');\nmodule.exports = function (x) { return x => a.readFileSync(x); };\n" * 6,
        "few": "abc", "bytes": b"\xff\xfe\x00", "blank": " \n" * 40, "nothing": b"", "mostly blank": " " * 5000 + "int x;", "random": bytes(rng.randrange(256) for _ in range(6000)),
        "letters": "".join(rng.choice("abcdefghijklmnop") for _ in range(900)), "accents.txt": "\u00e9t\u00e9 \u00e0 la plage " * 30, "latin1": ("\u00e9t\u00e9 \u00e0 la plage " * 30).encode("latin-1"),
        "a.gz": gzip.compress(prose.encode()), "a.bz2": bz2.compress(prose.encode()), "a.xz": lzma.compress(prose.encode()), "a.zlib": zlib.compress(prose.encode()), "a.tar": archive.getvalue(), "a.zip": package.getvalue(), "a.wav": sound.getvalue(),
        "a.png": b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""),
        "a.pkl": pickle.dumps({"a": list(range(300)), "b": prose}), "a.diff": "--- a/x.c\n+++ b/x.c\n@@ -1,3 +1,3 @@\n int a;\n-int b;\n+int c;\n int d;\n" * 3,
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    sqlite3.connect(folder / "a.sqlite").execute("create table t (a, b)").connection.commit()
    here = pathlib.Path(__file__).resolve().parents[2]
    found = sorted(folder.iterdir()) + [folder] + [here / "Makefile", here / "README.md", pathlib.Path(__file__), pathlib.Path(sys.executable).resolve(), pathlib.Path(json.__file__), pathlib.Path(os.__file__)]
    return found + sorted(here.glob("examples/*.c*"))[:20] + sorted(here.glob("docs/*.md"))[:12] + sorted(here.glob("tests/data/**/*"))[:120] + sorted(here.glob("docs/images/*"))[:6]


def exactly(model, rows):
    """The scores of some files by PyTorch in float64, operator by operator: the judge of numbers. onnxruntime is not: its float32 is up to 4e-3 off."""
    import onnx, torch
    from onnx import numpy_helper

    graph = onnx.load(model).graph
    wholes = lambda t: [int(v) for v in t.flatten()]
    known = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
    known = {n: t.double() if t.is_floating_point() else t for n, t in known.items()}
    known[graph.input[0].name] = torch.tensor(rows)
    dtypes = {1: torch.float64, 6: torch.int32, 7: torch.int64, 9: torch.bool}

    def slices(x, begin, end, axes, step=None):
        for b, e, a, s in zip(wholes(begin), wholes(end), wholes(axes), wholes(step) if step is not None else [1] * x.ndim):
            x = x[(slice(None),) * a + (slice(b, min(e, x.shape[a]), s),)]
        return x

    def unsqueeze(x, axes):
        for a in sorted(wholes(axes)):
            x = x.unsqueeze(a)
        return x

    reduce = lambda f: lambda at, x, axes=None: f(x, dim=wholes(axes) if axes is not None else list(at["axes"]), keepdim=bool(at.get("keepdims", 1)))
    does = {"Mul": torch.mul, "Add": torch.add, "Sub": torch.sub, "Div": torch.div, "Max": torch.maximum, "MatMul": torch.matmul, "Equal": torch.eq, "Tanh": torch.tanh, "Sqrt": torch.sqrt,
            "Reciprocal": torch.reciprocal, "Exp": torch.exp, "Shape": lambda x: torch.tensor(x.shape), "Slice": slices, "Unsqueeze": unsqueeze,
            "Squeeze": lambda x, axes: x.squeeze(tuple(wholes(axes))), "Expand": lambda x, sizes: x * torch.ones(wholes(sizes), dtype=x.dtype),
            "Reshape": lambda x, sizes: x.reshape([x.shape[i] if v == 0 else v for i, v in enumerate(wholes(sizes))]), "GlobalMaxPool": lambda x: x.amax(tuple(range(2, x.ndim)), keepdim=True)}
    with_attributes = {"Cast": lambda at, x: x.to(dtypes[at["to"]]), "Concat": lambda at, *x: torch.cat(x, at["axis"]), "Transpose": lambda at, x: x.permute(*at["perm"]),
                       "Conv": lambda at, x, w, b=None: torch.nn.functional.conv2d(x, w, b, at["strides"]), "ReduceSum": reduce(torch.sum), "ReduceMax": reduce(torch.amax)}
    for node in graph.node:
        inputs = [known[n] for n in node.input if n]
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        known[node.output[0]] = does[node.op_type](*inputs) if node.op_type in does else with_attributes[node.op_type](attributes, *inputs)
    return known[graph.output[0].name].amax(1).tolist()


class Watched:
    """onnxruntime's session, which notes what it is asked."""

    def __init__(self, session):
        self.session, self.asked = session, []

    def run(self, names, inputs, *rest):
        self.asked += [list(map(int, row)) for row in next(iter(inputs.values()))]
        return self.session.run(names, inputs, *rest)

    def __getattr__(self, name):
        return getattr(self.session, name)


def real(command):
    import magika, onnxruntime

    place = pathlib.Path(magika.__file__).parent / "models"
    model = next(place.glob("*/model.onnx")).parent
    judge = magika.Magika(model_dir=model)
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(p) for p in samples(pathlib.Path(folder))]
        want = [(r.output.label if hasattr(r, "output") else r.prediction.output.label, r.score) for r in judge.identify_paths(paths)]
        done = subprocess.run([command, str(model), *paths], capture_output=True, text=True, check=True)
        got = [line.rsplit(": ", 1)[1].split() for line in done.stdout.splitlines()]
        differ = [(p, w, g) for p, w, g in zip(paths, want, got) if str(w[0]) != g[0]]
        judge = magika.Magika(model_dir=model)
        name = next(n for n, v in vars(judge).items() if isinstance(v, onnxruntime.InferenceSession))
        setattr(judge, name, watched := Watched(getattr(judge, name)))
        worst = theirs_worst = 0
        for path, ours in zip(paths, got):
            watched.asked = []
            score = judge.identify_path(path).score
            if watched.asked:  # not those that are told without the network: empty, folders, few bytes
                exact = exactly(model / "model.onnx", watched.asked)[0]
                worst, theirs_worst = max(worst, abs(float(ours[1]) - exact)), max(theirs_worst, abs(score - exact))
        kinds = sorted({g[0] for g in got})
        print("%d files, %d labels: %d as magika %s says, largest difference of a score to PyTorch in float64 %.1e (printed with 4 digits), onnxruntime's %.1e" % (
            len(paths), len(kinds), len(paths) - len(differ), magika.Magika().get_module_version(), worst, theirs_worst))
        print("  " + " ".join(kinds))
        for path, theirs, ours in differ:
            print("  %s: magika %s %.4f, ours %s %s" % (path, theirs[0], theirs[1], *ours))
        used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        theirs = mine = start = 1e9
        for _ in range(3):
            before = time.process_time()
            judge.identify_paths(paths)
            theirs, before = min(theirs, time.process_time() - before), used()
            subprocess.run([command, str(model), *paths, "--threads", "1"], capture_output=True)
            mine, before = min(mine, used() - before), used()
            subprocess.run([command, str(model), folder + "/few", "--threads", "1"], capture_output=True)
            start = min(start, used() - before)
        print("%d files: %.2f s of CPU time, and %.2f to start; magika with onnxruntime %.2f, ratio %.2f" % (len(paths), mine - start, start, theirs, theirs / (mine - start)))
    return len(got) == len(paths) and not differ and worst <= 2e-4


if sys.argv[1] == "header":
    header()
elif sys.argv[1] == "small":
    small()
else:
    sys.exit(0 if real(sys.argv[1]) else 1)
