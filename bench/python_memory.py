"""Peak resident memory of training steps beyond that of the idle process, which has loaded the library and made one product.

    PYTHONPATH=build/python python bench/python_memory.py

Each library and program runs in a process of its own.
"""

import importlib
import subprocess
import sys


def peak():
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def parameters(torch, *shapes):
    return [torch.rand(*shape).sub_(0.5).mul_(0.1).requires_grad_() for shape in shapes]


def mlp(torch):
    """784-256-10, batch 64, SGD"""
    functions = torch.nn.functional
    weights = parameters(torch, (256, 784), (256,), (10, 256), (10,))
    x, y = torch.rand(64, 784), torch.randint(0, 10, (64,))
    sgd = torch.optim.SGD(weights, lr=0.001)

    def step():
        hidden = functions.relu(functions.linear(x, weights[0], weights[1]))
        functions.cross_entropy(functions.linear(hidden, weights[2], weights[3]), y).backward()
        sgd.step()
        sgd.zero_grad()

    return step


def block(torch, batch=8, length=128, width=256, heads=8):
    """a transformer block, forward and backward"""
    functions = torch.nn.functional
    shapes = (3 * width, width), (width, width), (4 * width, width), (width, 4 * width), (width,), (width,), (width,), (width,)
    weights = parameters(torch, *shapes)
    x = torch.rand(batch, length, width)

    def step():
        norm = functions.layer_norm(x, (width,), weights[4], weights[5])
        parts = functions.linear(norm, weights[0]).view(batch, length, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
        mixed = functions.scaled_dot_product_attention(parts[0], parts[1], parts[2], is_causal=True)
        y = x + functions.linear(mixed.transpose(1, 2).reshape(batch, length, width), weights[1])
        inner = functions.gelu(functions.linear(functions.layer_norm(y, (width,), weights[6], weights[7]), weights[2]))
        (y + functions.linear(inner, weights[3])).sum().backward()
        for weight in weights:
            weight.grad = None

    return step


PROGRAMS = {"mlp": mlp, "block": block, "long": lambda torch: block(torch, 2, 1024)}


def measure(library, program):
    torch = importlib.import_module(library)
    torch.set_num_threads(1)
    (torch.rand(4, 4) @ torch.rand(4, 4)).sum().item()
    idle = peak()
    step = PROGRAMS[program](torch)
    for _ in range(20):
        step()
    print(f"{program:6} {library:6} idle {idle:6.1f} MiB, beyond it {peak() - idle:6.1f} MiB", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(*sys.argv[1:])
    else:
        for one in PROGRAMS:
            for name in ("tenon", "torch"):
                subprocess.run([sys.executable, __file__, name, one], check=True)
