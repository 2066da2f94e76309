"""Reading ahead and parallel work: order, findings, errors and work that is abandoned."""

import threading
import time

import pytest

import rankgauge as rg
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io import prefetch


def test_reading_ahead_keeps_order_and_findings():
    findings = Findings()

    def steps():
        for number in range(5):
            findings.add("RG203", f"step {number}")
            yield number

    found = [
        (step, [e for f in own for e in f.examples])
        for step, own in prefetch.prefetch(prefetch.with_findings(steps(), findings))
    ]

    assert found == [(number, [f"step {number}"]) for number in range(5)]


def test_reading_ahead_propagates_errors():
    def steps():
        yield 1
        raise rg.InputError("broken")

    made = prefetch.prefetch(steps())

    assert next(made) == 1
    with pytest.raises(rg.InputError, match="broken"):
        next(made)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 20])
def test_parallel_work_keeps_the_order(count):
    def work(number, name):
        time.sleep(0.002 * (number % 3 == 0))
        return name, threading.current_thread() is threading.main_thread()

    made = [*prefetch.parallel_map(work, ((number, f"step {number}") for number in range(count)))]

    assert [name for name, _ in made] == [f"step {number}" for number in range(count)]
    assert {here for _, here in made} == {1: {True}, 0: set()}.get(count, {False})


def test_parallel_work_propagates_errors_and_can_be_abandoned():
    begun = []

    def work(number):
        begun.append(number)
        if number == 1:
            raise rg.InputError("broken")
        return number

    made = prefetch.parallel_map(work, ((number,) for number in range(1000)))
    assert next(made) == 0
    with pytest.raises(rg.InputError, match="broken"):
        next(made)
    left = prefetch.parallel_map(work, ((number,) for number in range(2, 1000)))
    assert next(left) == 2
    left.close()
    assert len(begun) < 50


def test_an_abandoned_iterator_is_not_waited_for():
    """Garbage collection finalised it in a thread that was starting, and reading hung for ever after an error."""
    asked, finished = threading.Event(), []

    def steps():
        yield 1
        finished.append(asked.wait(5))
        yield 2

    ahead = prefetch.prefetch(steps())
    assert next(ahead) == 1
    ahead.close()
    assert not finished
    asked.set()
