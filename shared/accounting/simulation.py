"""A discrete-event simulation of the pipeline: questions arrive, wait for instances, and take their measured times.

It is calibrated on usage records: each simulated question repeats the stages of a measured run, each with its own
time and its own processor time. An instance takes a row's ``concurrency`` requests at a time, and does their work
on the processor one after the other, as one event loop does; what a stage waits for outside takes its time beside.
The same seed gives the same course.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from shared.accounting.distribution import Distribution, Spread
from shared.query.quantity import Frozen

UNBOUNDED = 1_000_000


class Visit(NamedTuple):
    """One step, in seconds: ``hop`` until its message arrives, ``cpu`` on the processor, ``other`` beside."""

    stage: str
    hop: float
    cpu: float
    other: float


Script = tuple[Visit, ...]
"""The steps of one measured run."""


@dataclass(frozen=True, slots=True)
class Station:
    """Instances of one function: ``warm`` at the beginning, and no more than ``max_instances``.

    ``speed`` is how much of a processor one event loop gets, 1 at most.
    """

    name: str
    concurrency: int
    warm: int
    max_instances: int
    cold_seconds: float
    speed: float = 1.0


class StationResult(Frozen):
    """How a station fared. ``busy_seconds`` are those in which its instances had any request, summed over them."""

    station: str
    visits: int
    waited: Spread | None
    instances: int
    cold_starts: int
    processor: float
    """The share of its busy instances' time in which the processor worked."""
    busy_seconds: float
    left_waiting: int
    """Requests that still waited for an instance when the last question had arrived."""


class Simulated(Frozen):
    """How a simulation went. ``throughput`` is in questions a second, from the first end to the last."""

    runs: int
    rate: float
    seconds: float
    throughput: float
    latency: Spread | None
    stations: tuple[StationResult, ...]
    saturated: str | None
    """The station at which requests pile up, if there is one."""


def poisson(rate: float, *, runs: int, seed: int) -> list[float]:
    """Arrival times in seconds from 0 of ``runs`` questions that come at random, ``rate`` a second in the mean."""
    chance, moment, found = random.Random(seed), 0.0, []  # noqa: S311 - a simulation
    for _ in range(runs):
        moment += chance.expovariate(rate)
        found.append(moment)
    return found


def drawn(scripts: Sequence[Script], *, runs: int, seed: int) -> list[Script]:
    """``runs`` scripts drawn with replacement from those that were measured."""
    return random.Random(seed).choices(scripts, k=runs)  # noqa: S311 - a simulation


def simulate(scripts: Sequence[Script], arrivals: Sequence[float], stations: Mapping[str, Station]) -> Simulated:
    """Let the question of each script arrive at its time. ``stations`` names the station of every stage.

    Raises ``ValueError`` when there is nothing to simulate, ``KeyError`` for a stage without a station.
    """
    if not scripts or len(scripts) != len(arrivals):
        raise ValueError("a simulation needs questions, and a time of arrival for each")
    return _Course(scripts, arrivals, stations).run()


def throughput(ends: Sequence[float], *, since: float) -> float:
    """Ends a second, between the first and the last of them; of a single one, from ``since``."""
    if len(ends) == 1:
        return 1 / max(ends[0] - since, 1e-9)
    return (len(ends) - 1) / max(ends[-1] - ends[0], 1e-9)


@dataclass(slots=True)
class _Instance:
    ready: float
    active: int = 0
    free_at: float = 0.0
    """When its processor has done what it was given."""
    began: float = 0.0
    busy: float = 0.0
    worked: float = 0.0

    def enter(self, moment: float) -> None:
        if not self.active:
            self.began = moment
        self.active += 1

    def leave(self, moment: float) -> None:
        self.active -= 1
        if not self.active:
            self.busy += moment - self.began


@dataclass(slots=True)
class _Line:
    """A station at work."""

    station: Station
    instances: list[_Instance]
    waiting: deque[tuple[float, int, int]] = field(default_factory=deque)
    waits: list[float] = field(default_factory=list)
    visits: int = 0
    cold: int = 0
    left: int = 0

    def free(self, moment: float) -> _Instance | None:
        """The least busy instance that takes one more request now."""
        ready = (one for one in self.instances if one.ready <= moment and one.active < self.station.concurrency)
        return min(ready, key=lambda one: (one.active, one.free_at), default=None)

    def start(self, moment: float) -> _Instance | None:
        """A new instance, where more requests wait than the starting ones will take and there may be one more."""
        starting = sum(one.ready > moment for one in self.instances)
        more = len(self.waiting) > starting * self.station.concurrency
        if not more or len(self.instances) >= self.station.max_instances:
            return None
        self.cold += 1
        self.instances.append(_Instance(ready=moment + self.station.cold_seconds))
        return self.instances[-1]


@dataclass(frozen=True, slots=True)
class _Ready:
    """An instance of a line has started."""

    line: _Line


class _Course:
    def __init__(
        self, scripts: Sequence[Script], arrivals: Sequence[float], stations: Mapping[str, Station]
    ) -> None:
        self._scripts, self._arrivals = scripts, arrivals
        lines: dict[str, _Line] = {}
        for station in stations.values():
            if station.name not in lines:
                warm = [_Instance(ready=0.0) for _ in range(station.warm)]
                lines[station.name] = _Line(station, warm)
        self._lines = lines
        self._line_of = {stage: lines[station.name] for stage, station in stations.items()}
        self._events: list[tuple[float, int, int, int, _Instance | _Ready | None]] = []
        self._n = count()
        self._latencies: list[float] = []
        self._ends: list[float] = []

    def run(self) -> Simulated:
        """Work through all events."""
        last = max(self._arrivals)
        for run, moment in enumerate(self._arrivals):
            self._next(run, 0, moment)
        counted = False
        while self._events:
            moment, _, run, place, instance = heapq.heappop(self._events)
            if moment > last and not counted:
                counted = True
                for line in self._lines.values():
                    line.left = len(line.waiting)
            if instance is None:
                self._arrive(run, place, moment)
            elif isinstance(instance, _Ready):
                self._take_in(instance.line, moment)
            else:
                self._leave(run, place, moment, instance)
        return self._result()

    def _next(self, run: int, place: int, moment: float) -> None:
        script = self._scripts[run]
        if place == len(script):
            self._latencies.append(moment - self._arrivals[run])
            self._ends.append(moment)
            return
        heapq.heappush(self._events, (moment + script[place].hop, next(self._n), run, place, None))

    def _arrive(self, run: int, place: int, moment: float) -> None:
        line = self._line_of[self._scripts[run][place].stage]
        line.visits += 1
        instance = line.free(moment)
        if instance is not None:
            self._begin(line, instance, run, place, moment, since=moment)
            return
        line.waiting.append((moment, run, place))
        started = line.start(moment)
        if started is not None:
            heapq.heappush(self._events, (started.ready, next(self._n), run, place, _Ready(line)))

    def _begin(
        self, line: _Line, instance: _Instance, run: int, place: int, moment: float, *, since: float
    ) -> None:
        visit = self._scripts[run][place]
        instance.enter(moment)
        work = visit.cpu / line.station.speed
        begun = max(moment, instance.free_at)
        instance.free_at = begun + work
        instance.worked += work
        line.waits.append(begun - since)
        end = instance.free_at + visit.other
        heapq.heappush(self._events, (end, next(self._n), run, place, instance))

    def _leave(self, run: int, place: int, moment: float, instance: _Instance) -> None:
        instance.leave(moment)
        self._take_in(self._line_of[self._scripts[run][place].stage], moment)
        self._next(run, place + 1, moment)

    def _take_in(self, line: _Line, moment: float) -> None:
        """Let those in that have waited longest, as far as there is room."""
        while line.waiting and (instance := line.free(moment)) is not None:
            since, run, place = line.waiting.popleft()
            self._begin(line, instance, run, place, moment, since=since)

    def _result(self) -> Simulated:
        runs, first = len(self._arrivals), min(self._arrivals)
        ends = sorted(self._ends)
        stations = tuple(self._station(line) for line in self._lines.values())
        piled = max(stations, key=lambda one: one.left_waiting)
        span = max(self._arrivals) - first
        return Simulated(
            runs=runs,
            rate=runs / span if span else float(runs),
            seconds=ends[-1] - first,
            throughput=throughput(ends, since=first),
            latency=Distribution.of(self._latencies).spread(),
            stations=stations,
            # A few wait now and then; a line that grows is the tenth part of all and more.
            saturated=piled.station if piled.left_waiting > max(1, runs // 10) else None,
        )

    def _station(self, line: _Line) -> StationResult:
        busy = sum(one.busy for one in line.instances)
        return StationResult(
            station=line.station.name,
            visits=line.visits,
            waited=Distribution.of(line.waits).spread(),
            instances=sum(one.busy > 0 for one in line.instances),
            cold_starts=line.cold,
            processor=min(1.0, sum(one.worked for one in line.instances) / busy) if busy else 0.0,
            busy_seconds=busy,
            left_waiting=line.left,
        )
