"""Long work lets other threads run; interrupts and exceptions find everything as it should be."""

import signal
import sys
import threading
import time

import numpy as np
import pytest
import tenon


class Counter:
    """A thread that counts whenever it gets the interpreter's lock, which nobody takes from anybody: it must be given up."""

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
        assert any(counter.during(lambda: function(x)) > 0 for _ in range(50))


def test_short_work_does_not():
    x = tenon.rand(8)
    with Counter() as counter:
        assert counter.during(lambda: [x + x for _ in range(100)]) == 0


def test_an_interrupt_arrives_after_the_operation_and_harms_nothing():
    x = tenon.rand(LARGE)
    before = x.clone()
    timer = threading.Timer(0.05, lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        for _ in range(1000):
            x.sort()
    timer.join()
    assert tenon.equal(x, before) and (x + 1)[0] == before[0] + 1


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
