from datetime import UTC, datetime

from shared.query.annotated import ProgressEvent
from shared.query.identifiers import RunId
from shared.runtime.errors import StoreUnavailable
from shared.runtime.signals import Signals

ONE, OTHER = RunId("one"), RunId("other")
EVENT = ProgressEvent(stage="slots", text="x", at=datetime(2026, 3, 1, tzinfo=UTC))


def test_only_those_who_listen_to_a_run_hear_of_it():
    signals, heard, other = Signals(), [], []
    with signals.listening(ONE, heard.append), signals.listening(OTHER, other.append):
        signals.said(ONE, EVENT)
    signals.said(ONE, EVENT)
    assert (heard, other) == ([EVENT], [])


def test_a_run_that_nobody_listens_to_is_forgotten():
    signals = Signals()
    with signals.listening(ONE), signals.listening(ONE):
        pass
    signals.moved(OTHER, ended=True)
    assert not signals._ears


def test_a_listener_is_told_of_steps_of_the_end_and_of_trouble():
    signals = Signals()
    with signals.listening(ONE) as ear:
        signals.moved(ONE, ended=False)
        assert ear.news.is_set()
        assert not ear.ended.is_set()
        signals.moved(ONE, ended=True)
        assert ear.ended.is_set()
        trouble = StoreUnavailable("the disk is full")
        signals.broken(ONE, trouble)
        assert ear.trouble is trouble


def test_stopping_reaches_the_stage_at_work_and_nothing_afterwards():
    signals, stopped = Signals(), []
    with signals.stoppable(ONE, lambda: stopped.append(1)):
        signals.stop(OTHER)
        signals.stop(ONE)
    signals.stop(ONE)
    assert stopped == [1]
