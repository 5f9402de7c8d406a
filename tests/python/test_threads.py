"""Long work lets other threads run; interrupts and exceptions find everything as it should be."""

import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import tenon


class Counter:
    """A thread that counts whenever it gets the interpreter's lock, which no thread can take from another: it must be given up."""

    def __enter__(self):
        self.count, self.stop, self.interval = 0, False, sys.getswitchinterval()
        sys.setswitchinterval(1000)
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        return self

    def run(self):
        while not self.stop:
            self.count += 1
            time.sleep(0)

    def during(self, function):
        before = self.count
        function()
        return self.count - before

    def counts_during(self, function):
        """Whether it ever counts: on a busy machine it may take many calls until the thread comes to run during one."""
        end = time.monotonic() + 60
        while self.during(function) == 0:
            if time.monotonic() > end:
                return False
        return True

    def __exit__(self, *ignored):
        self.stop = True
        self.thread.join()
        sys.setswitchinterval(self.interval)


LARGE = 3_000_000


@pytest.mark.parametrize("name, function", [
    ("sort", lambda x: x.sort()), ("add", lambda x: x + x), ("scalar", lambda x: x * 2.0), ("reflected", lambda x: 1.0 - x),
    ("in place", lambda x: x.mul_(1.0)), ("sum", lambda x: x.sum()), ("clone", lambda x: x.clone()), ("to", lambda x: x.to(tenon.float64)),
    ("mask", lambda x: x[x > 0.5]), ("assign", lambda x: x.__setitem__(slice(None), 0.5)), ("function", lambda x: tenon.exp(x)),
    ("factory", lambda x: tenon.rand(LARGE)), ("zeros", lambda x: tenon.ones(LARGE)), ("reshape", lambda x: x.view(-1, 2).t().reshape(-1)),
    ("tensor", lambda x: tenon.tensor(x.numpy())), ("contiguous", lambda x: x.view(-1, 2).t().contiguous()),
])
def test_long_work_lets_other_threads_run(name, function):
    x = tenon.rand(LARGE)
    with Counter() as counter:
        assert counter.counts_during(lambda: function(x))


@pytest.mark.parametrize("name, function", [
    ("arange", lambda: tenon.arange(2**22)), ("small steps", lambda: tenon.arange(0, 1, 2**-22)),
    ("linspace", lambda: tenon.linspace(0, 1, 2**22)), ("logspace", lambda: tenon.logspace(0, 1, 2**21)),
    ("randperm", lambda: tenon.randperm(2**20)), ("eye", lambda: tenon.eye(2000)), ("eye of two", lambda: tenon.eye(2000, 1999)),
    ("indices", lambda: tenon.tril_indices(1500, 1500)),
    ("combinations", lambda: tenon.combinations(tenon.ones(1500))),
    ("cartesian", lambda: tenon.cartesian_prod(tenon.ones(1500), tenon.ones(1500))),
    ("cdist", lambda: tenon.cdist(tenon.ones(1500, 2), tenon.ones(1500, 2))), ("vander", lambda: tenon.vander(tenon.ones(1500))),
    ("kron", lambda: tenon.kron(tenon.ones(2000), tenon.ones(2000))), ("outer", lambda: tenon.outer(tenon.ones(2000), tenon.ones(2000))),
    ("broadcast", lambda: tenon.ones(2000)[:, None] * tenon.ones(2000)), ("compare", lambda: tenon.ones(2000)[:, None] == tenon.ones(2000)),
    ("broadcast function", lambda: tenon.atan2(tenon.ones(2000)[:, None], tenon.ones(2000))),
    ("repeat", lambda: tenon.ones(3).repeat(1000, 1000)), ("tile", lambda: tenon.ones(3).tile(1000, 1000)),
    ("expand and copy", lambda: tenon.ones(1).expand(2**22).clone()), ("interleave", lambda: tenon.ones(3).repeat_interleave(10**6)),
    ("counts", lambda: tenon.repeat_interleave(tenon.tensor([2**22]))), ("diag", lambda: tenon.diag(tenon.ones(2000))),
    ("one hot", lambda: tenon.nn.functional.one_hot(tenon.arange(2000))), ("pad", lambda: tenon.nn.functional.pad(tenon.ones(1), (2**22, 0))),
    ("new", lambda: tenon.ones(1).new_ones(2**22)), ("choose", lambda: tenon.ones(5).multinomial(2**20, replacement=True)),
])
def test_work_that_is_long_by_what_it_makes_lets_other_threads_run(name, function):
    with Counter() as counter:
        assert counter.counts_during(function)


@pytest.mark.parametrize("name, sizes, count, function", [
    ("select", (4, 4000), 900, lambda x, i: x.index_select(0, i)), ("read at", (4, 4000), 900, lambda x, i: x[i]),
    ("read behind", (16000, 1), 200, lambda x, i: x[..., i * 0]), ("read between", (4, 2), 2000, lambda x, i: x[i[:, None], i % 2]),
    ("a mask", (2, 2, 8000), 4, lambda x, i: [x[i.view(2, 2) >= 0] for _ in range(100)]),
    ("write at", (4,), 2**20, lambda x, i: x.__setitem__(i, 1.0)), ("write behind", (16000, 1), 200, lambda x, i: x.__setitem__((..., i * 0), 1.0)),
    ("put", (4,), 2**20, lambda x, i: x.index_put_((i,), tenon.ones(()), accumulate=True)),
    ("put in a copy", (4,), 2**20, lambda x, i: x.index_put((i,), tenon.ones(()))),
])
def test_work_at_positions_that_is_long_lets_other_threads_run(name, sizes, count, function):
    x, i = tenon.zeros(sizes), tenon.zeros(1, dtype=tenon.int64).expand(count)
    with Counter() as counter:
        assert counter.counts_during(lambda: function(x, i))


@pytest.mark.parametrize("function", [
    lambda x, i: x + x, lambda x, i: tenon.add(x, x), lambda x, i: x.copy_(x), lambda x, i: x.sum(0), lambda x, i: tenon.cat([x, x, x, x]),
    lambda x, i: x.gather(0, i), lambda x, i: x[i], lambda x, i: x.__setitem__(i, 1.0), lambda x, i: x.expand(2**20, 200),
    lambda x, i: x.exp(), lambda x, i: x[:, None][i, i * 0], lambda x, i: tenon.zeros(8, 8), lambda x, i: x.view(1, 200), lambda x, i: x[None],
])
def test_short_work_does_not(function):
    x, i = tenon.rand(200), tenon.arange(200)
    with Counter() as counter:
        assert counter.during(lambda: [function(x, i) for _ in range(100)]) == 0


# In processes of their own, for what they leave behind. Another process sends the signal, for a thread might not get to run, and
# may do so before the call begins; the alarm ends a process that hears nothing.
INTERRUPTED = """
import os, signal, subprocess, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.alarm(300)
def run():
    {}
{}
try:
    subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -INT {{os.getpid()}}"])
    {}
except KeyboardInterrupt:
    os.write(1, b"heard")
    os._exit(0)
"""


@pytest.mark.parametrize("thread, before, call", [
    ("x.index_put_((at,), tenon.ones(()), accumulate=True)",  # would take hours, on a thread that nobody interrupts
     "import tenon\nx, at = tenon.zeros(4), tenon.zeros(1, dtype=tenon.int64).expand(2**40)\n"
     "worker = threading.Thread(target=run, daemon=True)", "worker.start(); worker.join()"),
    ("global tenon; import tenon", "loader = threading.Thread(target=run)\nloader.start()\nloader.join()",
     "tenon.ones(1).expand(2**42).count_nonzero()"),
], ids=["while another thread works", "where another thread imported"])
def test_an_interrupt_is_heard(thread, before, call):
    done = subprocess.run([sys.executable, "-B", "-c", INTERRUPTED.format(thread, before, call)], capture_output=True, text=True,
                          timeout=400, env={"PYTHONPATH": str(pathlib.Path(tenon.__file__).parent.parent), "PATH": "/usr/bin:/bin"})
    assert done.stdout == "heard", done.stderr


@pytest.fixture
def interruptible():
    """SIGINT raises KeyboardInterrupt, also where the tests run in the background, for which shells switch it off."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_arrives_after_the_operation_and_harms_nothing(interruptible):
    x = tenon.rand(LARGE)
    before, sent = x.clone(), threading.Event()

    def interrupt():
        signal.raise_signal(signal.SIGINT)
        sent.set()

    timer = threading.Timer(0.05, interrupt)
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        while not sent.is_set():  # however long the machine takes to come to it
            x.sort()
        x.sort()
    timer.join()
    assert tenon.equal(x, before) and (x + 1)[0] == before[0] + 1


def test_an_interrupt_stops_an_operation_that_would_take_hours(interruptible):
    x = tenon.ones(1).expand(2**42)
    timer = threading.Timer(0.1, lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        x.count_nonzero()
    timer.join()
    assert x[:3].count_nonzero() == 3


def test_a_handler_that_does_not_raise_stops_nothing():
    seen = []
    before = signal.signal(signal.SIGUSR1, lambda *ignored: seen.append((tenon.ones(3) + 1).tolist()))
    try:
        timer = threading.Timer(0.05, lambda: signal.raise_signal(signal.SIGUSR1))
        timer.start()
        x = tenon.ones(LARGE)
        while not seen:
            assert x.sort()[0][0] == 1
        timer.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert seen == [[2.0, 2.0, 2.0]]


def test_threads_read_one_tensor_and_write_their_own():
    x = tenon.arange(100_000, dtype=tenon.float64)
    expected, wrong = np.arange(100_000) * 2.0, []

    def work():
        for _ in range(20):
            y = x * 2
            y += 1
            y -= 1
            if not np.array_equal(y.numpy(), expected) or x[::-1][0] != 99_999 or len(x[x > 99_990]) != 9:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
