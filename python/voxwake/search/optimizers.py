"""Optimisers that propose points of a box (``ask``) and receive their scores (``tell``). A larger score is better.

A score that is None or not finite counts as the worst. Equal seeds and scores give equal points.
"""

from __future__ import annotations

import contextlib
import math
import random
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from voxwake._errors import Error

__all__ = ["CmaEs", "Nsga2", "MapElites", "Elite"]

Bounds = Sequence[Tuple[float, float]]
WORST = -1e300


def _score(value: Optional[float]) -> float:
    return WORST if value is None or not math.isfinite(value) else float(value)


def _deap() -> Any:
    try:
        import deap.base
        import deap.cma
        import deap.tools
    except ImportError:
        raise Error("CMA-ES and NSGA-II need DEAP (package python3-deap)") from None
    return deap


class _Dice:
    """Random state of one optimiser.

    DEAP draws from the global generators of the process. Within ``with used()``, they continue from this state.
    """

    def __init__(self, seed: int) -> None:
        self._states = (random.Random(seed).getstate(), np.random.RandomState(seed).get_state())

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        before = (random.getstate(), np.random.get_state())
        random.setstate(self._states[0])
        np.random.set_state(self._states[1])
        try:
            yield
        finally:
            self._states = (random.getstate(), np.random.get_state())
            random.setstate(before[0])
            np.random.set_state(before[1])


class _Individual(list):  # type: ignore[type-arg]
    """Point in the unit cube with the fitness that DEAP expects."""

    def __init__(self, point: Any, objectives: int) -> None:
        super().__init__(float(value) for value in point)
        kind = type("Fitness", (_deap().base.Fitness,), {"weights": (1.0,) * objectives})
        self.fitness = kind()


class _Box:
    def __init__(self, bounds: Bounds) -> None:
        self.low = np.array([low for low, _ in bounds], float)
        self.high = np.array([high for _, high in bounds], float)
        if len(self.low) == 0 or not np.all(self.low < self.high):
            raise Error("bounds: must be pairs (low, high) with low < high")

    def point(self, unit: Sequence[float]) -> np.ndarray:
        return self.low + np.clip(unit, 0, 1) * (self.high - self.low)


class CmaEs:
    """CMA-ES of DEAP, for one score and up to some dozens of continuous numbers (Hansen & Ostermeier 2001).

    ``start`` is the initial mean (default: the centre of the box). ``sigma`` is the initial standard deviation as a
    fraction of the size of the box. Points outside the box are moved to its border.
    """

    def __init__(
        self,
        bounds: Bounds,
        *,
        start: Optional[Sequence[float]] = None,
        sigma: float = 0.25,
        population: int = 0,
        seed: int = 1,
    ) -> None:
        self._box, self._dice = _Box(bounds), _Dice(seed)
        size = len(self._box.low)
        centre = (
            np.full(size, 0.5)
            if start is None
            else (np.asarray(start) - self._box.low) / (self._box.high - self._box.low)
        )
        more = {"lambda_": population} if population else {}
        self._strategy = _deap().cma.Strategy(list(centre), sigma, **more)
        self._asked: List[Any] = []
        #: Best point so far, and its score.
        self.best: Optional[np.ndarray] = None
        self.best_score = -math.inf

    def ask(self) -> List[np.ndarray]:
        """Return the points of the next generation."""
        with self._dice.used():
            self._asked = self._strategy.generate(lambda point: _Individual(point, 1))
        return [self._box.point(one) for one in self._asked]

    def tell(self, scores: Sequence[Optional[float]]) -> None:
        """Set the scores of the points that :meth:`ask` returned, in their order."""
        for one, score in zip(self._asked, scores, strict=True):
            one.fitness.values = (_score(score),)
            if _score(score) > max(self.best_score, WORST):
                self.best, self.best_score = self._box.point(one), _score(score)
        self._strategy.update(list(self._asked))


class Nsga2:
    """NSGA-II of DEAP, for several scores (Deb et al. 2002). ``population`` must be a multiple of 4."""

    def __init__(self, bounds: Bounds, objectives: int = 2, *, population: int = 40, seed: int = 1) -> None:
        if population < 4 or population % 4:
            raise Error(f"population = {population}: must be a multiple of 4")
        self._box, self._dice = _Box(bounds), _Dice(seed)
        self._objectives, self._size = objectives, population
        self._parents: List[Any] = []
        self._asked: List[Any] = []

    def ask(self) -> List[np.ndarray]:
        """Return the points of the next generation."""
        with self._dice.used():
            self._asked = self._offspring() if self._parents else self._first()
        return [self._box.point(one) for one in self._asked]

    def _first(self) -> List[Any]:
        shares = np.random.random((self._size, len(self._box.low)))
        return [_Individual(point, self._objectives) for point in shares]

    def _offspring(self) -> List[Any]:
        tools, dimensions = _deap().tools, len(self._box.low)
        chosen = tools.selTournamentDCD(self._parents, self._size)
        children = [_Individual(one, self._objectives) for one in chosen]
        for a, b in zip(children[::2], children[1::2]):
            if random.random() < 0.9:
                tools.cxSimulatedBinaryBounded(a, b, eta=20.0, low=0.0, up=1.0)
            for child in (a, b):
                tools.mutPolynomialBounded(child, eta=20.0, low=0.0, up=1.0, indpb=1.0 / dimensions)
        return children

    def tell(self, scores: Sequence[Sequence[Optional[float]]]) -> None:
        """Set the scores of the points that :meth:`ask` returned, in their order."""
        for one, values in zip(self._asked, scores, strict=True):
            one.fitness.values = tuple(_score(value) for value in values)
        self._parents = _deap().tools.selNSGA2(self._parents + self._asked, self._size)

    def front(self) -> List[Tuple[np.ndarray, Tuple[float, ...]]]:
        """Points that no other point dominates, with their scores."""
        first = _deap().tools.sortNondominated(self._parents, len(self._parents), first_front_only=True)[0]
        return [(self._box.point(one), tuple(one.fitness.values)) for one in first]


class Elite(NamedTuple):
    """Best candidate of one cell of MAP-Elites."""

    #: Point of the box.
    point: np.ndarray
    score: float
    #: Features of the candidate.
    features: Tuple[float, ...]
    #: Object that :meth:`MapElites.tell` received together with the score, such as the task.
    extra: Any


class MapElites:
    """MAP-Elites: the best candidate for each combination of features (Mouret & Clune 2015).

    ``features`` holds (low, high, number of cells) for each feature. New points are changed copies of random elites.
    Each number changes with the probability ``rate``. The change is normally distributed, with the standard deviation
    ``sigma`` as a fraction of the size of the box.
    """

    def __init__(
        self,
        bounds: Bounds,
        features: Sequence[Tuple[float, float, int]],
        *,
        batch: int = 20,
        first: int = 0,
        sigma: float = 0.15,
        rate: float = 0.3,
        seed: int = 1,
    ) -> None:
        self._box = _Box(bounds)
        self._features = list(features)
        self._batch, self._first = batch, first or 2 * batch
        self._sigma, self._rate = sigma, rate
        self._random = np.random.default_rng(seed)
        self._asked: List[np.ndarray] = []
        self._told = 0
        #: Elites by the indices of their cell.
        self.elites: Dict[Tuple[int, ...], Elite] = {}

    def ask(self) -> List[np.ndarray]:
        """Return the points of the next batch: random ones at first, then changed copies of elites."""
        dimensions = len(self._box.low)
        self._asked = []
        for i in range(self._batch):
            if self._told + i < self._first or not self.elites:
                self._asked.append(self._random.random(dimensions))
                continue
            cells = sorted(self.elites)
            parent = self.elites[cells[self._random.integers(len(cells))]].point
            unit = (parent - self._box.low) / (self._box.high - self._box.low)
            changes = self._random.random(dimensions) < self._rate
            changes[self._random.integers(dimensions)] = True
            self._asked.append(np.clip(unit + changes * self._random.normal(0, self._sigma, dimensions), 0, 1))
        return [self._box.point(one) for one in self._asked]

    def cell(self, features: Sequence[float]) -> Tuple[int, ...]:
        """Indices of the cell of some features. Values outside a range belong to the nearest cell."""
        found = []
        for value, (low, high, cells) in zip(features, self._features, strict=True):
            share = min(max((value - low) / (high - low), 0.0), 1.0)  # limited first, because it may be infinite
            found.append(min(int(share * cells), cells - 1))
        return tuple(found)

    def tell(
        self,
        scores: Sequence[Optional[float]],
        features: Sequence[Sequence[float]],
        extras: Optional[Sequence[Any]] = None,
    ) -> int:
        """Set the scores and features of the points that :meth:`ask` returned. Return the number of new elites.

        A point with a feature that is None or not finite has no cell, so it is left out.
        """
        new = 0
        for i, (unit, score) in enumerate(zip(self._asked, scores, strict=True)):
            self._told += 1
            if _score(score) <= WORST or any(value is None or not math.isfinite(value) for value in features[i]):
                continue
            cell = self.cell(features[i])
            if cell in self.elites and self.elites[cell].score >= _score(score):
                continue
            extra = extras[i] if extras is not None else None
            self.elites[cell] = Elite(self._box.point(unit), _score(score), tuple(map(float, features[i])), extra)
            new += 1
        return new

    @property
    def coverage(self) -> float:
        """Fraction of the cells that have an elite."""
        return len(self.elites) / math.prod(cells for _, _, cells in self._features)

    def best(self) -> Elite:
        """Elite with the largest score."""
        return max(self.elites.values(), key=lambda elite: elite.score)
