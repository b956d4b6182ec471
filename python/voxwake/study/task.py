"""One row of a study: a scene that runs once, with its measured results.

A task is a dictionary of texts and numbers, so it can be sent to any process or machine:

``scene``
    Text of the scene file, with the plot that holds the measured curves.
``name``
    Name of the scene, for messages.
``set``
    Values of parameters by path.
``until``
    Simulated time at which the run ends [s].
``threads``
    Number of threads of a step. The results do not depend on it.
``measures``
    List of ``{name, plot, curve, from, until, reduce}``. Times are in seconds.
``stops``
    List of ``{name, plot, curve, after}`` with ``above`` or ``below``.
``formulas``
    List of ``{name, formula}`` of results, parameters and earlier formulas.
``parameters``
    Values of the parameters by name, for formulas.
"""

from __future__ import annotations

import math
import time
from typing import Any, Dict, List, Mapping, Optional

import voxwake
from voxwake.study.formula import Formula

__all__ = ["run_task", "REDUCTIONS"]

REDUCTIONS = ("mean", "max", "min", "last", "integral")


class Window:
    """Combines the values of one curve over the steps ``first`` to ``last``."""

    def __init__(self, measure: Mapping[str, Any], dt: float) -> None:
        self.plot, self.curve = measure["plot"], measure["curve"]
        self.first, self.last = round(measure["from"] / dt), round(measure["until"] / dt)
        self._reduce = measure["reduce"]
        self._area = self._span = 0.0
        self._low, self._high = math.inf, -math.inf
        self._newest: Optional[float] = None
        self._newest_time = 0.0

    def add(self, now: float, value: float) -> None:
        """Add a value at a time [s]. Values that are not numbers are left out."""
        if math.isnan(value):
            return
        if self._newest is not None:
            step = now - self._newest_time
            self._area += 0.5 * (self._newest + value) * step  # trapezoidal rule
            self._span += step
        self._low, self._high = min(self._low, value), max(self._high, value)
        self._newest, self._newest_time = value, now

    def result(self) -> Optional[float]:
        """The combined value, or None if no value was added."""
        if self._newest is None:
            return None
        found = {
            "max": self._high,
            "min": self._low,
            "last": self._newest,
            "integral": self._area,
            "mean": self._area / self._span if self._span > 0 else self._newest,
        }[self._reduce]
        return found if math.isfinite(found) else None


class Stop:
    """Condition that ends the run."""

    def __init__(self, stop: Mapping[str, Any], dt: float) -> None:
        self.name, self.plot, self.curve = stop["name"], stop["plot"], stop["curve"]
        self.first = round(stop["after"] / dt)
        self._above, self._below = stop.get("above", math.inf), stop.get("below", -math.inf)

    def is_met(self, value: float) -> bool:
        return value > self._above or value < self._below


def _open(task: Mapping[str, Any]) -> "voxwake.World":
    return voxwake.World.from_toml(task["scene"], task["set"], name=task["name"])


def run_task(task: Mapping[str, Any]) -> Dict[str, Any]:
    """Run a row and return its results, final hash, number of steps, wall time and error.

    An invalid value or a failed health check is recorded as the error of the row; its results are then empty.
    """
    begin = time.perf_counter()
    voxwake.set_threads(int(task.get("threads", 1)))
    outcome: Dict[str, Any] = {"results": {}, "hash": "", "time": 0.0, "steps": 0, "stopped": "", "error": ""}
    world = None
    try:
        world = _open(task)
        outcome["results"], outcome["stopped"] = _run(world, task)
    except voxwake.Error as error:
        outcome["error"] = str(error)
    if world is not None:
        outcome.update(hash=world.hash, time=world.time, steps=world.step_count)
    outcome["wall"] = time.perf_counter() - begin
    return outcome


def _value_of(values: Mapping[str, Mapping[str, float]], plot: str, curve: str) -> float:
    if curve not in values.get(plot, {}):
        raise voxwake.Error(f"{plot}.{curve}: must be a curve of a plot over time")
    return values[plot][curve]


def _run(world: "voxwake.World", task: Mapping[str, Any]) -> Any:
    dt = world.dt
    windows = [Window(measure, dt) for measure in task["measures"]]
    stops = [Stop(stop, dt) for stop in task["stops"]]
    end = round(task["until"] / dt)
    step, stopped = 0, ""
    while True:
        due = [window for window in windows if window.first <= step <= window.last]
        watched = [stop for stop in stops if stop.first <= step]
        if due or watched or step == 0:  # the first call fixes the initial values in formulas
            values = world.measure()
            for window in due:
                window.add(world.time, _value_of(values, window.plot, window.curve))
            met = [stop.name for stop in watched if stop.is_met(_value_of(values, stop.plot, stop.curve))]
            if met:
                stopped = met[0]
                break
        if step >= end:
            break
        following = _next_step(step, end, windows, stops)
        world.step(following - step)
        step = following
    results = {measure["name"]: window.result() for measure, window in zip(task["measures"], windows)}
    names: Dict[str, Any] = {**task.get("parameters", {}), **results}
    for row in task.get("formulas", []):
        value = Formula(row["formula"])(names)
        results[row["name"]] = names[row["name"]] = value if math.isfinite(value) else None
    return results, stopped


def _next_step(step: int, end: int, windows: List[Window], stops: List[Stop]) -> int:
    """Return the number of the next step at which a curve is measured or a stop is checked, at most ``end``."""
    starts = [max(window.first, step + 1) for window in windows if window.last > step]
    starts += [max(stop.first, step + 1) for stop in stops]
    return min(min(starts, default=end), end)
