"""Analysis of scenes without steps, and the comparison of two worlds."""

from __future__ import annotations

import json
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union, cast

import numpy as np

from voxwake import _core
from voxwake.scene import Scene
from voxwake.world import World

__all__ = ["Mode", "Modes", "modes", "Fields", "rule_matrix", "compare"]


class Mode(NamedTuple):
    """Natural mode of a voxel body."""

    #: ``"rigid"``, ``"flexible"`` or ``"unstable"``.
    kind: str
    #: Natural frequency [Hz]; 0 for rigid and unstable modes.
    hertz: float
    #: Effective modal mass along x, y and z [kg].
    effective_mass: Tuple[float, float, float]
    #: Modal mass [kg].
    modal_mass: float
    #: Relative residual of the eigenvalue problem.
    residual: float
    #: Displacement of each voxel, shape (n, 3).
    displacement: np.ndarray
    #: Rotation of each voxel, shape (n, 3).
    rotation: np.ndarray


class Modes(NamedTuple):
    """Natural modes of a voxel body, the lowest frequency first."""

    #: Name of the body.
    body: str
    #: Positions of the voxels about which the body vibrates [m], shape (n, 3).
    positions: np.ndarray
    #: Edge of a voxel [m].
    voxel_size: float
    #: The modes.
    modes: List[Mode]


def modes(scene: Scene, body: str = "", count: int = 12, settle: bool = False) -> Modes:
    """Compute the lowest natural modes of a voxel body.

    Without a name, the scene must have a single voxel body. If ``settle`` is set, the modes are those about the
    equilibrium under gravity, otherwise those about the rest shape.
    """
    found = _core.modes(scene._tree, body, count, settle)
    found["modes"] = [Mode(**mode) for mode in found["modes"]]
    return Modes(**found)


class Fields:
    """Fields of a scene (winds and noises), which can be sampled without a world."""

    def __init__(self, scene: Scene) -> None:
        self._fields = _core.Fields(scene._tree)

    @property
    def names(self) -> List[str]:
        """Names of the fields."""
        return cast(List[str], self._fields.names())

    def info(self, name: str) -> Dict[str, Any]:
        """Return facts about a field: region, characteristic length and period [m], and what it provides."""
        return cast(Dict[str, Any], self._fields.info(name))

    def sample(
        self,
        points: Union[Sequence[Sequence[float]], np.ndarray],
        time: float = 0.0,
        quantity: str = "velocity",
        field: str = "",
    ) -> np.ndarray:
        """Return a quantity of the air at points [m] of the shape (n, 3).

        Without a name of a field, the sum of all fields is sampled. The result has the shape (n, 3) for vectors and
        (n,) for numbers.
        """
        return cast(np.ndarray, self._fields.sample(points, time, quantity, field))


def rule_matrix(scene: Scene) -> List[Dict[str, Any]]:
    """List the rules that couple each pair of systems, and each system with the fields and the obstacles."""
    return cast(List[Dict[str, Any]], _core.rule_matrix(scene._tree))


def compare(a: World, b: World, until: Optional[float] = None, first_only: bool = False) -> Dict[str, Any]:
    """Step two worlds side by side and return their first difference and its growth.

    The worlds are compared until their simulated time is ``until`` [s]. If ``until`` is None, only the present states
    are compared. The result has the keys of the report of ``voxwake compare``.
    """
    return cast(Dict[str, Any], json.loads(_core.compare(a._run, b._run, until, first_only)))
