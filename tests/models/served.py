"""A small BERT of made-up weights in a folder, and what embed_sentences does with it: wrong models, and guests of its socket who go away.

    python3 tests/models/served.py build/examples/embed_sentences

Needs nothing but Python; tests/models.sh runs it inside `make test`.
"""
import json, math, os, shutil, signal, socket, struct, subprocess, sys, tempfile, threading, time

WORDS = "[PAD] [UNK] [CLS] [SEP] a happy person dog ##s".split()
passed = failed = 0


def check(sentence, truth, detail=""):
    global passed, failed
    passed, failed = passed + bool(truth), failed + (not truth)
    if not truth:
        print("FAILED: %s %s" % (sentence, detail))


def shapes():
    yield "embeddings.word_embeddings.weight", (len(WORDS), 8)
    yield "embeddings.position_embeddings.weight", (16, 8)
    yield "embeddings.token_type_embeddings.weight", (2, 8)
    yield "embeddings.LayerNorm.weight", (8,)
    yield "embeddings.LayerNorm.bias", (8,)
    for i in range(2):
        at = "encoder.layer.%d." % i
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            yield at + part + ".weight", (8, 8)
            yield at + part + ".bias", (8,)
        yield at + "intermediate.dense.weight", (16, 8)
        yield at + "intermediate.dense.bias", (16,)
        yield at + "output.dense.weight", (8, 16)
        yield at + "output.dense.bias", (8,)
        for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
            yield at + norm + ".weight", (8,)
            yield at + norm + ".bias", (8,)


def write(folder, other=None, without=None):
    """`other`: {name: shape} instead of the right ones."""
    os.makedirs(folder, exist_ok=True)
    header, data = {}, b""
    for seed, (name, shape) in enumerate(shapes()):
        shape = (other or {}).get(name, shape)
        if name == without:
            continue
        values = [math.sin(seed * 31 + 7 * i) * 0.5 + ("LayerNorm.weight" in name) for i in range(math.prod(shape))]
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [len(data), len(data) + 4 * len(values)]}
        data += struct.pack("<%df" % len(values), *values)
    text = json.dumps(header).encode()
    with open(folder + "/model.safetensors", "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + data)
    with open(folder + "/vocab.txt", "w") as out:
        out.write("\n".join(WORDS) + "\n")
    with open(folder + "/config.json", "w") as out:
        json.dump({"num_attention_heads": 2, "num_hidden_layers": 2}, out)
    return folder


def wrong(command, work):
    def run(*arguments, text="a happy dog\n"):
        return subprocess.run([command, *arguments], input=text, capture_output=True, text=True, timeout=60)

    right = run(write(work + "/right"))
    check("the small model runs", right.returncode == 0 and len(right.stdout.split()) == 8, right.stderr)
    table = run(work + "/right", "--similarity", text="a happy dog\na happy dogs\nperson\n").stdout.split()
    check("similarities are a table, 1 with itself", len(table) == 9 and table[0] == table[4] == table[8] == "1.0000", table)
    lines = "a\na happy person\n\na a a a a a a a a a a a a a a a a a a a a a a a a\n"
    alone, together = (run(work + "/right", "--batch", n, text=lines).stdout for n in ("1", "4"))
    apart = max(abs(float(x) - float(y)) for x, y in zip(alone.split(), together.split()))
    check("padding changes nothing but the last digits", len(alone.split()) == len(together.split()) == 32 and apart < 1e-5, apart)
    check("threads change no bit", together == run(work + "/right", "--batch", "4", "--threads", "3", text=lines).stdout)
    for sentence, folder, words in [
            ("a folder that is not there", work + "/none", "config.json"),
            ("a model with a matrix of another shape", write(work + "/shape", {"encoder.layer.1.output.dense.weight": (8, 15)}), "15"),
            ("a model with norms of another size", write(work + "/norm", {"encoder.layer.0.output.LayerNorm.bias": (7,)}), "7"),
            ("a model with a tensor missing", write(work + "/less", without="encoder.layer.1.attention.self.key.bias"), "attention.self.key.bias")]:
        got = run(folder)
        check(sentence + " is told", got.returncode == 1 and words in got.stderr and not got.stdout, (got.returncode, got.stderr))
    foreign = write(work + "/foreign")
    with open(foreign + "/model.safetensors", "wb") as out:
        out.write(b"not a file of tensors at all")
    got = run(foreign)
    check("a foreign file is told with its name", got.returncode == 1 and "model.safetensors" in got.stderr, got.stderr)
    check("an unknown option is told", run("--frobnicate").returncode == 2)
    check("a batch of none is told", run(work + "/right", "--batch", "0").returncode == 1)


def served(command, work):
    path, folder = work + "/socket", work + "/right"

    def start():
        process = subprocess.Popen([command, folder, "--serve", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < until:
            try:
                guest().close()
                return process
            except OSError:
                time.sleep(0.02)
        raise SystemExit("the socket was not opened: " + process.communicate()[1])

    def guest():
        one = socket.socket(socket.AF_UNIX)
        one.connect(path)  # without a time: it waits where many wait already
        one.settimeout(60)
        return one

    def ask(one, text):
        one.sendall(text.encode() + b"\n")
        return one.makefile().readline()

    with open(path, "w"):
        pass
    taken = subprocess.run([command, folder, "--serve", path], capture_output=True, text=True, timeout=30)
    check("a file in the socket's place is not removed", taken.returncode == 1 and os.path.exists(path), taken.stderr)
    os.unlink(path)
    process = start()
    want = subprocess.run([command, folder], input="a happy dog\n", capture_output=True, text=True).stdout
    silent = guest()  # says nothing, and keeps nobody waiting
    check("a line is answered as without a socket", ask(guest(), "a happy dog") == want)
    for i in range(20):
        early = guest()
        early.sendall(b"a happy person\n" * 50)
        early.close()  # before it has read anything
    check("guests who go away early are no trouble", ask(guest(), "a happy dog") == want and process.poll() is None)
    half = guest()
    half.sendall(b"half a li")
    half.close()
    long = guest()
    try:
        long.sendall(b"x" * (3 << 20) + b"\n")
    except OSError:  # it does not wait for all of it
        pass
    try:
        told = long.makefile().readline()
        check("a line without an end is refused", told == "" or told.startswith("error:"), told[:80])
    except OSError:
        check("a line without an end is refused", True)
    answers = []

    def many():
        one = guest()
        answers.extend(ask(one, "a happy dog") == want for _ in range(25))
        one.close()

    threads = [threading.Thread(target=many) for _ in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    check("eight guests at once get the same bits", len(answers) == 200 and all(answers), len(answers))
    second = subprocess.run([command, folder, "--serve", path], capture_output=True, text=True, timeout=30)
    check("a second one does not take the socket away", second.returncode == 1 and path in second.stderr, second.stderr)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    check("who is killed leaves the socket", os.path.exists(path))
    process = start()
    check("which the next one takes over", ask(guest(), "a happy dog") == want)
    silent.close()
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=30)
    check("asked to end, it ends", process.returncode == 0, (process.returncode, said))
    check("and takes the socket with it", not os.path.exists(path))


work = tempfile.mkdtemp()
try:
    wrong(sys.argv[1], work)
    served(sys.argv[1], work)
finally:
    shutil.rmtree(work)
print("%d passed, %d failed" % (passed, failed))
sys.exit(1 if failed else 0)
