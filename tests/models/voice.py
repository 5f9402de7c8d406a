"""voice_activity.c against PyTorch: the same file of weights, the same sound. The forward is written here, from the same file: the other
files of the package silero-vad have other weights.

    python3 tests/models/voice.py small                          what the example prints without arguments (voice_activity.expected)
    python3 tests/models/voice.py build/examples/voice_activity  the published network: differences, pieces of speech, seconds a second
"""
import math, os, resource, struct, subprocess, sys, tempfile, time

import torch

F = torch.nn.functional
SHAPES = {"stft_conv.weight": (18, 1, 16), "conv1.weight": (6, 9, 3), "conv2.weight": (5, 6, 3), "conv3.weight": (5, 5, 3), "conv4.weight": (6, 5, 3), "conv1.bias": (6,),
          "conv2.bias": (5,), "conv3.bias": (5,), "conv4.bias": (6,), "final_conv.weight": (1, 4, 1), "final_conv.bias": (1,), "lstm_cell.weight_ih": (16, 6),
          "lstm_cell.weight_hh": (16, 4), "lstm_cell.bias_ih": (16,), "lstm_cell.bias_hh": (16,)}


def forward(weights, sound):
    """A probability for each window, one window after the other, as a program that listens would ask."""
    waves = weights["stft_conv.weight"]
    fft = waves.shape[2]
    window, context, half = 2 * fft, fft // 4, fft // 2 + 1
    sound = F.pad(sound, (context, -len(sound) % window))
    hidden = weights["final_conv.weight"].shape[1]
    h = c = torch.zeros(1, hidden)
    heard = []
    for at in range(context, len(sound), window):
        x = F.pad(sound[None, None, at - context:at + window], (0, context), "reflect")
        x = F.conv1d(x, waves, stride=fft // 2)
        x = (x[:, :half] ** 2 + x[:, half:] ** 2).sqrt()
        for i, stride in enumerate((1, 2, 2, 1)):
            x = F.conv1d(x, weights["conv%d.weight" % (i + 1)], weights["conv%d.bias" % (i + 1)], stride, 1).relu()
        h, c = torch.lstm_cell(x.squeeze(-1), (h, c), *(weights["lstm_cell." + n] for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")))
        heard.append(F.conv1d(h.relu()[:, :, None], weights["final_conv.weight"], weights["final_conv.bias"]).sigmoid().item())
    return heard


def pieces(heard, count, threshold, window, least_speech, least_silence, margin):
    """As find_pieces and widen of the example, from its description: runs above the threshold, joined over silences too short to count."""
    low, found, begin, silence = max(threshold - 0.15, 0.01), [], None, None
    for i, p in enumerate(heard):
        if p >= threshold:
            begin, silence = (i * window if begin is None else begin), None
        elif p < low and begin is not None:
            silence = i * window if silence is None else silence
            if i * window - silence >= least_silence:
                found, begin, silence = found + [[begin, silence]] * (silence - begin > least_speech), None, None
    if begin is not None and count - begin > least_speech:
        found.append([begin, count])
    found = [list(p) for p in found]
    for one, two in zip(found, found[1:]):
        share = min(margin, (two[0] - one[1]) // 2)
        one[1], two[0] = one[1] + share, two[0] - share
    if found:
        found[0][0], found[-1][1] = max(0, found[0][0] - margin), min(count, found[-1][1] + margin)
    return ["%.3f %.3f" % (a / 16000, b / 16000) for a, b in found]


def small():
    weights = {}
    for name, sizes in SHAPES.items():
        seed = 0
        for letter in name.encode():
            seed = (seed * 31 + letter) % 1009
        weights[name] = torch.tensor([math.sin(seed + i * i % 97) * (5 if "final" in name else 0.8) for i in range(math.prod(sizes))], dtype=torch.float32).view(sizes)
    count = 32 * 40 - 5
    sound = torch.tensor([0 if i // 200 % 2 else math.sin(0.3 * i) for i in range(count)], dtype=torch.float32)
    heard = forward(weights, sound)
    for i in range(0, len(heard), 10):
        print(" ".join("%.4f" % p for p in heard[i:i + 10]))
    print("\n".join(pieces(heard, count, 0.5, 32, 64, 64, 16)))


def voice(seconds, generator):
    """Something like speech: syllables of a buzz through three resonances that wander, with pauses, breath and noise."""
    count = int(16000 * seconds)
    t = torch.arange(count) / 16000
    pitch = 120 + 25 * torch.sin(2 * math.pi * 0.7 * t) + 10 * torch.sin(2 * math.pi * 3.1 * t)
    phase = 2 * math.pi * torch.cumsum(pitch, 0) / 16000
    formants = [500 + 250 * torch.sin(2 * math.pi * 1.9 * t), 1500 + 500 * torch.sin(2 * math.pi * 1.3 * t + 1), 2500 + 200 * torch.sin(2 * math.pi * 0.9 * t)]
    sound = torch.zeros(count)
    for k in range(1, 30):
        gain = sum(1 / (1 + ((k * pitch - f) / 90) ** 2) for f in formants) + 0.02
        sound += gain * torch.sin(k * phase) / k ** 0.5
    syllables = (0.5 + 0.5 * torch.sin(2 * math.pi * 3.7 * t)).clamp(0.05) * ((t % 6) < 3.2) * ((t % 6) > 0.4)
    noise = torch.randn(count, generator=generator)
    return (0.12 * sound * syllables + 0.004 * noise + 0.03 * noise * ((t % 6) > 4.5)).clamp(-1, 1)


def write_wave(path, samples, bits, channels=1):
    if bits == 16:
        data, kind = (samples * 32767).round().to(torch.int16), 1
    else:
        data, kind = samples.float(), 3
    data = data[:, None].expand(-1, channels).contiguous().numpy().tobytes()
    frame = bits // 8 * channels
    with open(path, "wb") as out:
        out.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, kind, channels, 16000, 16000 * frame, frame, bits))
        out.write(b"data" + struct.pack("<I", len(data)) + data)


def real(command):
    from safetensors.torch import load_file
    import importlib.util

    path = importlib.util.find_spec("silero_vad").submodule_search_locations[0] + "/data/silero_vad_16k.safetensors"
    weights = load_file(path)
    folder = tempfile.mkdtemp()
    generator = torch.Generator().manual_seed(1)
    cases = [("speech-like, 24 s", voice(24, generator), 16, 1), ("the same, two channels of floats", voice(9.3, generator), 32, 2),
             ("noise", 0.1 * torch.randn(40000, generator=generator), 32, 1), ("silence", torch.zeros(20000), 16, 1), ("three samples", torch.tensor([0.1, -0.2, 0.3]), 32, 1)]
    fine, wave = True, folder + "/sound.wav"
    ours = lambda *options: subprocess.run([command, path, wave, *options], capture_output=True, text=True, check=True).stdout.splitlines()
    print("%-34s %8s %7s %7s %10s  %s" % ("", "windows", "least", "most", "difference", "pieces of speech"))
    for name, sound, bits, channels in cases:
        write_wave(wave, sound, bits, channels)
        if bits == 16:
            sound = (sound * 32767).round() / 32768
        with torch.inference_mode():
            want = forward(weights, sound)
        got = [float(line.split()[1]) for line in ours("--probabilities", "--threads", "2")]
        worst = max(abs(a - b) for a, b in zip(got, want)) if len(got) == len(want) else math.inf
        same = ours() == pieces(want, len(sound), 0.5, 512, 4000, 1600, 480)
        fine = fine and worst <= 1e-5 and same
        print("%-34s %8d %7.4f %7.4f %10.1e  %s" % (name, len(want), min(want), max(want), worst, "%d, the same" % len(ours()) if same else "OTHERS"))
    write_wave(wave, voice(60, generator), 16)
    sound = voice(60, generator)
    torch.set_num_threads(1)
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    theirs = mine = 1e9
    for _ in range(3):
        before = time.process_time()
        with torch.inference_mode():
            forward(weights, sound)
        theirs, before = min(theirs, time.process_time() - before), used()
        ours("--threads", "1")
        mine = min(mine, used() - before)
    print("a minute of sound: %.2f s of CPU time with start and file, PyTorch window by window %.2f, ratio %.1f" % (mine, theirs, theirs / mine))
    os.remove(wave)
    os.rmdir(folder)
    return fine


if sys.argv[1] == "small":
    small()
else:
    sys.exit(0 if real(sys.argv[1]) else 1)
