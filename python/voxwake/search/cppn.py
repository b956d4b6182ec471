"""Compositional pattern-producing networks: functions of space that lay out materials (Stanley 2007)."""

from __future__ import annotations

from typing import List, Sequence, Tuple

import numpy as np

__all__ = ["Cppn"]

_FUNCTIONS = (np.sin, np.abs, np.square, np.tanh, lambda x: np.exp(-np.square(x)), lambda x: -np.abs(x))


class Cppn:
    """Network that maps the position of a cell to numbers between -1 and 1.

    A genome is a point within :attr:`bounds`, so any optimiser can change it. It holds the weights and, for each hidden
    neuron, a number that selects the activation function. The inputs of the network are the coordinates of the cell
    (from -1 to 1), its distance from the centre, and the constant 1.
    """

    def __init__(self, outputs: int, hidden: Sequence[int] = (6, 6)) -> None:
        self._sizes = [5, *hidden, outputs]
        self._hidden = sum(hidden)

    @property
    def bounds(self) -> List[Tuple[float, float]]:
        """Ranges of the numbers of a genome."""
        weights = sum(a * b for a, b in zip(self._sizes, self._sizes[1:]))
        return [(-3.0, 3.0)] * weights + [(0.0, 1.0)] * self._hidden

    def __call__(self, genome: Sequence[float], shape: Tuple[int, int, int]) -> np.ndarray:
        """Return the outputs for each cell of a lattice, with the indices [output, x, y, z]."""
        axes = [np.linspace(-1, 1, count) if count > 1 else np.zeros(1) for count in shape]
        x, y, z = np.meshgrid(*axes, indexing="ij")
        layer = np.stack([x, y, z, np.sqrt(x * x + y * y + z * z), np.ones_like(x)]).reshape(5, -1)
        genes = np.asarray(genome, float)
        functions = np.minimum(genes[len(genes) - self._hidden :] * len(_FUNCTIONS), len(_FUNCTIONS) - 1).astype(int)
        place = neuron = 0
        for number, (a, b) in enumerate(zip(self._sizes, self._sizes[1:])):
            weights = genes[place : place + a * b].reshape(b, a)
            place += a * b
            # An explicit sum, because the rounding of a matrix product depends on the linear algebra library.
            layer = np.sum(weights[:, :, None] * layer[None, :, :], axis=1)
            if number < len(self._sizes) - 2:
                layer = np.stack([_FUNCTIONS[functions[neuron + i]](row) for i, row in enumerate(layer)])
                neuron += b
        return np.tanh(layer).reshape((self._sizes[-1], *shape))
