"""Voxwake: soft voxel bodies, water, rigid bodies, flocks and wind in one world.

A world is a running scene::

    import voxwake

    world = voxwake.World("walker", {"system.walker.integrator": "implicit"})
    world.step(100)
    print(world["walker"].position.mean(axis=0))
"""

from __future__ import annotations

import os as _os

# The packaged scenes and models are part of the package.
_assets = _os.path.join(_os.path.dirname(_os.path.abspath(__file__)), "assets")
if _os.path.isdir(_assets):
    _os.environ.setdefault("VOXWAKE_ASSETS", _assets)

from voxwake import _core, nodes  # noqa: E402
from voxwake._errors import Error, SimulationError  # noqa: E402
from voxwake.analysis import Fields, Mode, Modes, compare, modes, rule_matrix  # noqa: E402
from voxwake.pictures import Picture, Video, VideoFile  # noqa: E402
from voxwake.scene import Scene  # noqa: E402
from voxwake.world import Curve, Diagnostics, LiveArray, Plot, System, World, packaged_scenes  # noqa: E402

__all__ = [
    "Curve",
    "Diagnostics",
    "Error",
    "Fields",
    "LiveArray",
    "Mode",
    "Modes",
    "Picture",
    "Plot",
    "Scene",
    "SimulationError",
    "System",
    "Video",
    "VideoFile",
    "World",
    "build_description",
    "compare",
    "modes",
    "nodes",
    "packaged_scenes",
    "rule_matrix",
    "set_threads",
    "threads",
]


def build_description() -> str:
    """Return version, commit, compiler and instruction set of the library."""
    return str(_core.build_description())


def set_threads(count: int) -> int:
    """Set the number of threads of the whole process (0: all cores) and return the number in effect.

    Results do not depend on the number of threads.
    """
    return int(_core.set_thread_count(count))


def threads() -> int:
    """Return the number of threads that steps may use."""
    return int(_core.thread_count())
