"""Asks PyTorch for the geometry of random views and writes it as the table tests/view_rule.c compares with.

usage: python make_view_rule.py > view_rule.inc        (needs torch; written with 2.13, the output is in the tree)

A row is {operation, offset, {sizes}, {strides}, {arguments}, new offset, {new sizes}, {new strides}}; a list begins with its
length, and a length of -1 as new sizes means that torch refuses.
"""
import random
import warnings

import torch

warnings.filterwarnings("ignore")
random.seed(20250101)
POOL = torch.empty(1 << 20, dtype=torch.float32)


def random_sizes(most=4, low=0):
    choices = [0] + [1] * 5 + [2, 2, 3, 3, 4, 4, 5, 6, 8] if low == 0 else [1, 1, 1, 2, 2, 3, 4, 5, 6]
    return [random.choice(choices) for _ in range(random.randint(0, most))]


def random_source(most=4, low=0):
    sizes = random_sizes(most, low)
    kind = random.random()
    if kind < 0.15:
        strides = [random.randint(0, 12) for _ in sizes]
        return POOL.as_strided(sizes, strides, random.randint(0, 9))
    order = list(range(len(sizes)))
    if kind < 0.6:
        random.shuffle(order)
    strides, stride = [0] * len(sizes), 1 if random.random() < 0.7 else 2
    for dim in reversed(order):
        strides[dim] = stride
        stride *= max(sizes[dim], 1)
        if random.random() < 0.15:
            stride += random.randint(1, 3)
    for dim, size in enumerate(sizes):
        if random.random() < (0.3 if size == 1 else 0.04):
            strides[dim] = random.choice([0, 1, 2, 7])
    return POOL.as_strided(sizes, strides, random.choice([0, 0, 1, 2, 4, 6, 8]))


def shape_of(count):
    """A random shape of `count` elements, now and then with a -1 or a wrong size."""
    if count == 0:
        shape = random_sizes(3)
        if 0 not in shape:
            shape.insert(random.randint(0, len(shape)), 0)
    else:
        shape, left = [], count
        while left > 1:
            divisor = random.choice([d for d in range(2, left + 1) if left % d == 0])
            shape.append(divisor)
            left //= divisor
        random.shuffle(shape)
        while random.random() < 0.35 and len(shape) < 8:
            shape.insert(random.randint(0, len(shape)), 1)
    if shape and random.random() < 0.15:
        shape[random.randrange(len(shape))] = -1
    if shape and random.random() < 0.04:
        shape[random.randrange(len(shape))] = random.choice([-1, -2, 3, 0])
    return shape


def any_dim(x, extra=0):
    count = max(x.dim(), 1) if extra == 0 else x.dim() + extra
    return random.randint(-count - (random.random() < 0.05), count - 1)


def view(x):
    shape = shape_of(x.numel())
    return shape, lambda: x.view(shape)


def expand(x):
    sizes = [size if random.random() < 0.6 else -1 if size != 1 or random.random() < 0.3 else random.randint(0, 4) for size in x.shape]
    sizes = [random.choice([1, 2, 3, 0]) for _ in range(random.randint(0, 2))] + sizes
    if x.dim() == 0 and -1 in sizes:
        sizes = []
    return sizes, lambda: x.expand(sizes)


def permute(x):
    order = list(range(x.dim()))
    random.shuffle(order)
    order = [dim - x.dim() if random.random() < 0.2 else dim for dim in order]
    return order, lambda: x.permute(order)


def transpose(x):
    a, b = any_dim(x), any_dim(x)
    return [a, b], lambda: x.transpose(a, b)


def movedim(x):
    count = random.randint(0, x.dim())
    source, destination = random.sample(range(x.dim()), count), random.sample(range(x.dim()), count)
    return source + destination, lambda: x.movedim(source, destination)


def squeeze(x):
    return [], x.squeeze


def squeeze_dims(x):
    dims = random.sample(range(x.dim()), random.randint(0, x.dim()))
    return dims, lambda: x.squeeze(tuple(dims))


def unsqueeze(x):
    dim = any_dim(x, 1)
    return [dim], lambda: x.unsqueeze(dim)


def select(x):
    dim, index = any_dim(x), random.randint(-5, 4)
    return [dim, index], lambda: x.select(dim, index)


def slice_(x):
    dim, start, end, step = any_dim(x), random.randint(-7, 7), random.randint(-7, 9), random.randint(1, 3)
    return [dim, start, end, step], lambda: torch.ops.aten.slice(x, dim, start, end, step)


def narrow(x):
    dim, start, length = any_dim(x), random.randint(-4, 4), random.randint(-1, 4)
    return [dim, start, length], lambda: x.narrow(dim, start, length)


def diagonal(x):
    shift, a, b = random.randint(-4, 4), any_dim(x), any_dim(x)
    return [shift, a, b], lambda: x.diagonal(shift, a, b)


def unfold(x):
    dim, size, step = any_dim(x), random.randint(-1, 4), random.randint(0, 3)
    return [dim, size, step], lambda: x.unfold(dim, size, step)


def view_itemsize(x):
    dtype = random.choice([torch.int8, torch.int16, torch.int32, torch.float64, torch.complex128])
    return [dtype.itemsize], lambda: x.view(dtype)


def view_as_real(x):
    pool = torch.empty(1 << 16, dtype=torch.complex64)
    return [], lambda: torch.view_as_real(pool.as_strided(x.shape, x.stride(), x.storage_offset()))


def view_as_complex(x):
    return [], lambda: torch.view_as_complex(x)


def contiguous(x):
    return [], lambda: torch.empty(x.shape)


def dense(x):
    return [], lambda: torch.empty_like(x)


def channels_last(x):
    return [], lambda: torch.empty(x.shape, memory_format=[torch.channels_last, torch.channels_last_3d][x.dim() - 4])


def suggests_channels_last(x):
    output = torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest")
    return output.stride(1) == 1


def row(name, x, arguments, result):
    def numbers(values):
        return "{" + ", ".join(str(int(value)) for value in [len(values), *values]) + "}"

    source = f"{x.storage_offset()}, {numbers(x.shape)}, {numbers(x.stride())}, {numbers(arguments)}"
    target = "0, {-1}, {0}" if result is None else f"{result.storage_offset()}, {numbers(result.shape)}, {numbers(result.stride())}"
    print(f"{{{name.upper()}, {source}, {target}}},")


def ask(operation, x, seen, name=None):
    arguments, call = operation(x)
    try:
        result = call()
    except (RuntimeError, IndexError):
        result = None
    key = (operation, x.shape, x.stride(), tuple(arguments))
    if key not in seen:
        seen.add(key)
        row(name or operation.__name__.strip("_"), x, arguments, result)


def ask_flags(x, seen):
    """{contiguous, channels-last contiguous, suggests channels last, dense} as the sizes of the result."""
    image = x.dim() in (4, 5)
    key = (x.shape, x.stride())
    if key in seen:
        return
    seen.add(key)
    flags = [
        x.is_contiguous(),
        image and x.is_contiguous(memory_format=[torch.channels_last, torch.channels_last_3d][x.dim() - 4]),
        image and x.numel() > 0 and suggests_channels_last(x),
        torch.ops.aten.is_non_overlapping_and_dense(x),
    ]
    row("flags", x, [], POOL.as_strided([int(flag) for flag in flags], [0] * 4))


def random_image():
    sizes = [random.choice([0, 1, 1, 1, 2, 3, 4]) if random.random() < 0.9 else 1 for _ in range(random.choice([4, 4, 4, 5]))]
    if 0 in sizes and random.random() < 0.7:
        sizes = [max(size, 1) for size in sizes]
    x = torch.empty(sizes)
    if random.random() < 0.6:
        x = torch.empty(sizes, memory_format=[torch.channels_last, torch.channels_last_3d][len(sizes) - 4])
    if random.random() < 0.4:
        x = x.transpose(random.randrange(len(sizes)), random.randrange(len(sizes)))
    if random.random() < 0.4:
        x = x[tuple(slice(None, None, random.choice([1, 1, 2])) for _ in sizes)]
    strides = list(x.stride())
    if random.random() < 0.2:
        strides[random.randrange(len(sizes))] = random.choice([0, 1, 2, 3, 12])
    return POOL.as_strided(x.shape, strides)


def main():
    print("/* Written by make_view_rule.py from PyTorch's answers: change it there. */")
    for operation, count in [(view, 450), (expand, 60), (permute, 15), (transpose, 20), (movedim, 25), (squeeze, 15),
                             (squeeze_dims, 20), (unsqueeze, 40), (select, 30), (slice_, 60), (narrow, 40), (diagonal, 40),
                             (unfold, 50), (view_itemsize, 90), (view_as_real, 15), (contiguous, 20), (dense, 90)]:
        seen = set()
        while len(seen) < count:
            ask(operation, random_source(), seen)
    seen = set()
    while len(seen) < 40:
        x = random_source(3)
        ask(view_as_complex, POOL.as_strided([*x.shape, random.choice([2, 2, 2, 2, 3])], [*x.stride(), random.choice([1, 1, 1, 1, 2])],
                                             x.storage_offset()), seen)
    seen = set()
    while len(seen) < 30:
        ask(channels_last, random_image(), seen)
    seen = set()
    while len(seen) < 50:
        ask_flags(random_source(), seen)
    while len(seen) < 200:
        ask_flags(random_image(), seen)


main()
