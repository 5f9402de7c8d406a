"""Random programs of leaves, views, changes in place, hooks and sections without recording, run by Tenon and by PyTorch: real and
complex tensors, operators of several results, masks and lists of indices, second derivatives, functions of the program and checkpoints.

A program is a list of steps; each names variables by their numbers, so that the same list runs with both. A step that is refused changes
nothing, and the program goes on. After every step both must agree on whether it was refused; at the end on every value, on what
requires a gradient and is a leaf, on every gradient, and on what the hooks saw.

    python graphs.py [first seed] [count]      prints the first program that differs, shortened
"""

import random
import sys

import tenon
import torch

SHAPES = [(), (1,), (3,), (2, 3), (3, 2), (1, 3), (2, 1)]
UNARY = ["sin", "exp", "neg", "tanh", "sigmoid", "square", "abs", "clone", "cos", "relu"]
BINARY = ["add", "sub", "mul", "maximum"]
UNARY_IN_PLACE = ["sin_", "neg_", "tanh_", "zero_", "exp_", "sigmoid_"]
BINARY_IN_PLACE = ["add_", "sub_", "mul_", "copy_"]
REDUCED = ["sum", "mean"]


def draw_step(random, count):
    def one():
        return random.randrange(count) if random.random() < 0.4 else max(0, count - 1 - random.randrange(min(count, 5)))

    kind = random.choices(
        ["leaf", "unary", "binary", "view", "change", "change2", "assign", "detach", "detach_", "require", "retain", "hook", "grad",
         "scalar", "reduce", "cat", "backward", "several", "masked", "masked_", "picked", "put", "put_", "complex", "real", "function",
         "checkpoint", "product", "node hook", "added hook"],
        [3, 6, 7, 12, 4, 7, 4, 1.5, 0, 0.7, 1.5, 1.5, 1, 4, 1.5, 1, 0.6, 2, 1.5, 1.5, 1, 1, 1.5, 1.5, 1, 0.7, 0.5, 1, 0.7, 0.5])[0]
    # PyTorch's views without recording require gradients.
    mode = random.choices(["on", "off"], [9, 1])[0] if kind not in ("view", "real", "complex") else "on"
    numbers = [random.randrange(-3, 4) for _ in range(3)]
    values = [random.randrange(-8, 9) / 4 + 0.125 for _ in range(6)]
    return kind, mode, one(), one(), random.random(), numbers, values


def view_of(x, choice, numbers):
    n, ndim = int(choice * 12), x.ndim
    dim = numbers[0] % ndim if ndim else 0
    size = x.shape[dim] if ndim else 0
    if n == 0 or not ndim:
        return x.unsqueeze(0) if ndim < 3 else x.view(x.shape)
    if n == 1:
        return x.select(dim, numbers[1] % size) if size else x
    if n in (2, 3):
        start = numbers[1] % max(size, 1)
        return x.narrow(dim, start, size - start)
    if n == 4:
        return x.transpose(dim, ndim - 1)
    if n == 5:
        return x.view(-1)
    if n == 6:
        return x.unbind(dim)[numbers[1] % size] if size else x
    if n == 7:
        return x.split(1, dim)[0] if size else x
    if n == 8:
        return x.expand((2, *x.shape)) * 1 if ndim < 3 else x  # which of several writes to one place stays is nobody's promise
    if n == 9:
        return x[numbers[1] % x.shape[0]] if x.shape[0] else x
    if n == 10:
        return x.permute(*reversed(range(ndim)))
    return x.as_strided(x.shape, x.stride())


def squares(x):
    """A real number that depends on all of x."""
    return (x * x.conj()).real.sum() if x.is_complex() else (x * x).sum()


def numbers_of(x):
    return None if x is None else x.detach().resolve_conj().resolve_neg().reshape(-1).tolist()


class Machine:
    """Runs steps with one of the two libraries."""

    def __init__(self, library):
        self.T, self.variables, self.heard, self.silent = library, [], [], False
        self.checkpoint = __import__(library.__name__ + ".utils.checkpoint", fromlist=["checkpoint"]).checkpoint

        class Cube(library.autograd.Function):
            @staticmethod
            def forward(ctx, x, y):
                ctx.save_for_backward(x, y)
                return x * x * y, (x * y).detach()

            @staticmethod
            def backward(ctx, grad, other):
                x, y = ctx.saved_tensors
                return (2 * grad * x * y + other * y).sum_to_size(x.shape), (grad * x * x + other * x).sum_to_size(y.shape)

        self.cube = Cube

    def tensor(self, values, shape):
        count = 1
        for size in shape:
            count *= size
        return self.T.tensor([values[i % len(values)] for i in range(count)], dtype=self.T.float64).reshape(shape).clone()

    def step(self, step):
        """None, or the error."""
        kind, mode, i, k, choice, numbers, values = step
        T, v = self.T, self.variables
        self.silent |= mode == "off" and kind in ("change", "change2", "assign")
        with T.enable_grad() if mode == "on" else T.no_grad():
            try:
                made = self.do(kind, i, k, choice, numbers, values)
            except (RuntimeError, IndexError, ValueError, TypeError) as error:
                return error
        if made is not None:
            v.append(made)
        return None

    def do(self, kind, i, k, choice, numbers, values):
        T, v = self.T, self.variables
        if kind == "leaf" or not v:
            made = self.tensor(values, SHAPES[int(choice * len(SHAPES))])
            return made.requires_grad_() if numbers[0] > -2 else made
        a, b = v[i], v[k]
        if a.is_complex() and kind in ("unary", "change") and "sigmoid" in (UNARY if kind == "unary" else UNARY_IN_PLACE)[
                int(choice * len(UNARY if kind == "unary" else UNARY_IN_PLACE))]:
            raise TypeError("PyTorch's overflows for complex numbers")
        if kind == "unary":
            return getattr(a, UNARY[int(choice * len(UNARY))])()
        if kind == "binary":
            return getattr(a, BINARY[int(choice * len(BINARY))])(b)
        if kind == "scalar":
            return [a * 2.5, a + 1.5, 3 - a, a / 2, a ** 2][int(choice * 5)]
        if kind == "reduce":
            return getattr(a, REDUCED[int(choice * 2)])()
        if kind == "cat":
            return T.cat([a.reshape(-1), b.reshape(-1)])[:6]
        if kind == "view":
            return view_of(a, choice, numbers)
        if kind == "change":
            getattr(a, UNARY_IN_PLACE[int(choice * len(UNARY_IN_PLACE))])()
        elif kind == "change2":
            getattr(a, BINARY_IN_PLACE[int(choice * len(BINARY_IN_PLACE))])(b)
        elif kind == "assign":
            if not a.ndim or not a.shape[0]:
                raise IndexError("no dimensions")
            at = numbers[0] % a.shape[0]
            a[at if choice < 0.5 else slice(at, None)] = b if choice < 0.8 else values[0]
        elif kind == "several":
            return self.several(a, choice, numbers)
        elif kind in ("masked", "masked_", "picked", "put", "put_"):
            return self.indexed(kind, a, b, choice, numbers, values)
        elif kind == "complex":
            made = [lambda: T.complex(a, a * 0.5), lambda: T.complex(a, b), lambda: T.view_as_complex(T.stack([a, a.sin()], -1)),
                    lambda: a * (1 + 0.5j)]
            return made[int(choice * 4)]()
        elif kind == "real":
            made = [lambda: a.real, lambda: a.imag, lambda: T.view_as_real(a), lambda: a.conj() * 1, lambda: a.abs(),
                    lambda: (a.conj() * 1).imag]  # PyTorch shares memory with what it conjugates
            return made[int(choice * 6)]()
        elif kind == "function":
            if a.is_complex() or b.is_complex():
                raise TypeError("complex")
            return self.cube.apply(a, b)[int(choice * 2)]
        elif kind == "checkpoint":
            return self.checkpoint(lambda x, y: (x * y).sin() * x, a, b, use_reentrant=False)
        elif kind == "product":
            return T.outer(a.reshape(-1), b.reshape(-1))[:2, :3] if choice < 0.5 else a.reshape(1, -1) @ a.reshape(-1, 1)
        elif kind == "node hook":
            if a._is_view() or a.grad_fn is None:
                raise RuntimeError("a view, or a leaf")
            number = len(self.heard)
            if choice < 0.5:
                def before(grads):
                    self.heard.append((number, [numbers_of(one) for one in grads]))
                    return tuple(one if one is None else one * 1.5 for one in grads)

                a.grad_fn.register_prehook(before)
            else:
                a.grad_fn.register_hook(lambda made, given: self.heard.append((number, [numbers_of(one) for one in given])))
        elif kind == "added hook":
            number = len(self.heard)
            a.register_post_accumulate_grad_hook(lambda leaf: self.heard.append((number, numbers_of(leaf.grad))))
        elif kind == "detach":
            return a.detach()
        elif kind == "detach_":
            a.detach_()
        elif kind == "require":
            return a.detach().clone().requires_grad_()  # of a tensor with views, PyTorch's views would require one too
        elif kind == "retain":
            if a._is_view():
                raise RuntimeError("a view")
            a.retain_grad()
        elif kind == "hook":
            number = len(self.heard)

            def hook(grad):
                self.heard.append((number, numbers_of(grad)))
                return grad * 2 if choice < 0.5 else None

            if a._is_view():  # PyTorch makes the node of a view anew after any write, and hooks stay at the old one
                raise RuntimeError("a view")
            a.register_hook(hook)
        elif kind == "grad":
            if b._is_view() and self.silent:  # the same: what was computed from the view has its old node
                raise RuntimeError("a view")
            found = T.autograd.grad(squares(a), b, retain_graph=True, create_graph=choice < 0.4, allow_unused=True)[0]
            return a.sum() * 0 if found is None else found * 1
        elif kind == "backward":
            squares(a).backward(retain_graph=True, create_graph=choice < 0.2)
        return None

    def several(self, a, choice, numbers):
        """One of several results; ties do not matter, since values are moved apart first."""
        T, n = self.T, int(choice * 8)
        if not a.ndim or not a.numel():
            raise IndexError("no elements")
        dim = numbers[0] % a.ndim
        apart = a if a.is_complex() else a + T.arange(a.numel(), dtype=T.float64).reshape(a.shape) * 1e-3
        if n == 0:
            return apart.sort(dim)[0]
        if n == 1:
            return apart.topk(1, dim)[0]
        if n == 2:
            return apart.max(dim)[0]
        if n == 3:
            return T.var_mean(a, dim, correction=0)[numbers[1] % 2]
        if n == 4:
            return T.stack(a.unbind(dim)[::-1], dim)
        if n == 5:
            return T.cat(a.split(1, dim)[::-1], dim) * a.split(1, dim)[0]
        if n == 6:
            return apart.cummax(dim)[0]
        return apart.aminmax(dim=dim)[numbers[1] % 2]

    def indexed(self, kind, a, b, choice, numbers, values):
        T = self.T
        if not a.ndim or not a.shape[0]:
            raise IndexError("no dimensions")
        if b.is_complex() and not a.is_complex():
            raise TypeError("PyTorch puts complex numbers without their imaginary parts among real ones")
        size, at = a.shape[0], T.tensor([n % a.shape[0] for n in numbers])
        mask = T.tensor([(n + i) % 2 == 0 for i, n in zip(range(size), numbers * 3)])
        if kind == "picked":
            return a[mask] if choice < 0.3 else a[at] if choice < 0.6 else a.index_select(0, at)
        if kind == "masked":
            whole = mask.reshape(-1, *[1] * (a.ndim - 1)).expand(a.shape)
            if choice < 0.4:
                return a.masked_fill(whole, values[0])
            return T.where(whole, a, b) if choice < 0.7 else a.masked_fill(whole, b.reshape(-1)[0])
        if kind == "masked_":
            if choice < 0.5:
                a[mask] = b.reshape(-1)[0] if choice < 0.3 else values[0]
            else:
                a.masked_fill_(mask.reshape(-1, *[1] * (a.ndim - 1)), b.reshape(-1)[0] if choice < 0.8 else values[0])
            return None
        # The same place twice only where numbers are added.
        if kind == "put":
            if choice < 0.3:
                return a.index_put((at,), b.reshape(-1)[0], accumulate=True)
            if choice < 0.6:
                return a.index_put((at[:1],), b.reshape(-1)[0])
            return a.index_add(0, at, T.stack([a[numbers[0] % size]] * 3)) if choice < 0.8 else a.index_fill(0, at[:1], values[0])
        value = b.reshape(-1)[0] * 1  # not a part of a: PyTorch would read it while it changes
        if choice < 0.3:
            a.index_put_((at,), value, accumulate=True)
        elif choice < 0.6:
            a[at[:1]] = value
        elif choice < 0.8:
            a.index_add_(0, at, T.stack([value.expand(a.shape[1:])] * 3))
        else:
            a.index_fill_(0, at[:1], values[0])
        return None

    def finish(self):
        total = None
        try:
            for one in self.variables:
                if one.requires_grad:
                    part = squares(one)
                    total = part if total is None else total + part
            if total is not None:
                total.backward()
        except RuntimeError as error:
            return error
        return None

    def picture(self):
        return [
            (tuple(one.shape), one.requires_grad, one.is_leaf, numbers_of(one),
             None if not (one.is_leaf or one.retains_grad) or one.grad is None else numbers_of(one.grad))
            for one in self.variables]


def close(a, b):
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b))
    if isinstance(a, complex) and isinstance(b, complex):
        return close(a.real, b.real) and close(a.imag, b.imag)
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b) or abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b))
    return a == b


# Where Tenon may do otherwise, and the program ends there: what it refuses, what PyTorch refuses, and why.
REFUSED_HERE = {
    "several of its elements share a place": "PyTorch copies an expanded tensor to itself",
    "shares its memory with other tensors": "views that were made before anything required a gradient are not listed",
}
REFUSED_THERE = {
    "was created in no_grad mode": "a view that was made without recording is like a detached one",
    "is a view and is being modified inplace": "of several views made at once, by then the only one",
    "its base or another view of its base has been modified": "the view is made again",
    "has been modified by an inplace operation": "a write that touches no saved byte is allowed",
    "a view of a leaf Variable that requires grad is being used": "a view made without recording is like a detached one",
    "refer to a single memory location": "arguments that overlap what is written are read first",
    "leaf variable has been moved into the graph interior": "the same",
    "INTERNAL ASSERT FAILED": "PyTorch says itself that it is a mistake: a tensor of a function of the program, retained and then changed",
    "isFloatingType(grad.scalar_type())": "a real number that is put among complex ones gets the real part of its gradient",
}


def in_order(heard):
    """Hooks of different tensors may run in any order; what one of them saw keeps its own."""
    return sorted(heard, key=lambda one: one[0])


def explained(ours, theirs):
    if ours is not None and theirs is None:
        return any(part in str(ours) for part in REFUSED_HERE)
    return theirs is not None and ours is None and any(part in str(theirs) for part in REFUSED_THERE)


def compare(steps):
    """None where both agree, "ended" where they part for a known reason, otherwise what differs."""
    ours, theirs = Machine(tenon), Machine(torch)
    for at, step in enumerate(steps + ["finish"]):
        a, b = [m.finish() if step == "finish" else m.step(step) for m in (ours, theirs)]
        if (a is None) != (b is None):
            return "ended" if explained(a, b) else f"step {at} {step}: ours {a!r}, theirs {b!r}"
        if len(ours.variables) != len(theirs.variables):
            return f"step {at} {step}: the number of variables"
        if a is not None and step == "finish":
            return None
    for number, (a, b) in enumerate(zip(ours.picture(), theirs.picture())):
        if not close(a, b):
            return f"variable {number}: ours {a}, theirs {b}"
    if not close(in_order(ours.heard), in_order(theirs.heard)):
        return f"hooks: ours {ours.heard}, theirs {theirs.heard}"
    return None


def program(seed, length=24):
    source, steps, count = random.Random(seed), [], 0
    for _ in range(length):
        step = draw_step(source, max(count, 1))
        steps.append(step)
        count = min(count + 1, 10_000)
    # Numbers of variables that do not exist yet are brought down when the program runs: see `normal`.
    return steps


def normal(steps):
    """The same steps with numbers of variables that exist, found by running them with PyTorch."""
    machine, made = Machine(torch), []
    for kind, mode, i, k, *rest in steps:
        count = max(len(machine.variables), 1)
        step = (kind, mode, i % count, k % count, *rest)
        machine.step(step)
        made.append(step)
    return made


def shorten(steps):
    """A shorter program that still differs."""
    left = True
    while left:
        left = False
        for i in range(len(steps)):
            shorter = steps[:i] + steps[i + 1:]
            try:
                result = compare(shorter)
            except IndexError:
                continue
            if result not in (None, "ended"):
                steps, left = shorter, True
                break
    return steps


def main(first=0, count=500):
    ended = 0
    for seed in range(first, first + count):
        steps = normal(program(seed))
        result = compare(steps)
        ended += result == "ended"
        if result not in (None, "ended"):
            steps = shorten(steps)
            print(f"seed {seed}")
            for step in steps:
                print("   ", step)
            print(compare(steps))
            return 1
    print(f"{count} programs agree; {ended} ended early")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
