"""Values of the parameters of a study: grids, lists, Latin hypercubes and Sobol sequences."""

from __future__ import annotations

import itertools
import math
import statistics
from typing import Any, List, NamedTuple, Sequence

__all__ = ["Axis", "SAMPLINGS", "SCALES", "points"]

SAMPLINGS = ("grid", "list", "latin_hypercube", "sobol")
SCALES = ("linear", "log", "normal")


class Axis(NamedTuple):
    """Values that a parameter may take: a list, or a range with a scale."""

    #: Values of a list. Empty for a range.
    values: Sequence[Any]
    #: Ends of the range.
    low: float
    high: float
    #: One of SCALES. On the scale ``normal``, values have a normal distribution that is truncated to the range.
    scale: str
    mean: float
    deviation: float
    #: Number of values in a grid.
    count: int
    #: Whether the values are rounded to whole numbers.
    whole: bool

    def at(self, share: float) -> Any:
        """Quantile of the axis: the value below which the fraction ``share`` (0 to 1) of all values lies."""
        if self.values:
            return self.values[min(int(share * len(self.values)), len(self.values) - 1)]
        if self.scale != "normal" and share in (0, 1):
            value = self.high if share else self.low  # without rounding errors
        elif self.scale == "log":
            value = math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low)))
        elif self.scale == "normal":
            law = statistics.NormalDist(self.mean, self.deviation)
            below, above = law.cdf(self.low), law.cdf(self.high)
            value = law.inv_cdf(min(max(below + share * (above - below), 1e-12), 1 - 1e-12))
        else:
            value = self.low + share * (self.high - self.low)
        value = min(max(value, self.low), self.high)
        return round(value) if self.whole else value

    def grid(self) -> List[Any]:
        """Values of a grid: all of a list, or evenly spaced on the scale."""
        if self.values:
            return list(self.values)
        if self.scale == "normal":  # midpoints of equally probable intervals
            return [self.at((i + 0.5) / self.count) for i in range(self.count)]
        return [self.at(i / (self.count - 1) if self.count > 1 else 0.5) for i in range(self.count)]


def points(sampling: str, axes: Sequence[Axis], samples: int, seed: int) -> List[List[Any]]:
    """Return the values of all parameters for each point of a study.

    The last parameter of a grid varies fastest. Without SciPy, Latin hypercubes and Sobol sequences raise
    ImportError.
    """
    if sampling == "grid":
        return [list(point) for point in itertools.product(*(axis.grid() for axis in axes))]
    if sampling == "list":
        return [list(point) for point in zip(*(axis.values for axis in axes))]
    import warnings

    from scipy.stats import qmc

    engine = qmc.LatinHypercube if sampling == "latin_hypercube" else qmc.Sobol
    with warnings.catch_warnings():  # SciPy warns of Sobol sequences whose length is no power of 2
        warnings.simplefilter("ignore")
        shares = engine(d=len(axes), seed=seed).random(samples)
    return [[axis.at(float(share)) for axis, share in zip(axes, row)] for row in shares]
