"""Common parts of the tests of the Python module. ./test.sh python runs them."""

import pytest

import voxwake

SMALL = """
[[material]]
name = "soft"
[[collider]]
kind = "plane"
name = "ground"
[[field]]
kind = "uniform"
name = "wind"
velocity = [3.0, 0.0, 0.0]
[[system]]
kind = "voxel_body"
name = "block"
size = [3, 3, 3]
position = [0.0, 0.5, 0.0]
[[system]]
kind = "particles"
name = "rain"
capacity = 200
[[system.emitter]]
kind = "box"
name = "cloud"
position = [2.0, 1.0, 0.0]
rate = 1000.0
[[plot]]
name = "height"
unit = "m"
[[plot.curve]]
kind = "measured"
name = "measured"
system = "block"
quantity = "height"
"""


@pytest.fixture
def small():
    """A block of 27 voxels above the ground, and particles from an emitter."""
    return voxwake.World.from_toml(SMALL, name="small.toml")
