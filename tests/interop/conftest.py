"""Exports for the tests of other programs: runs the program once for each scene and format, and reads its CSV."""
import csv
import math
import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("VOXWAKE_PROGRAM", str(ROOT / "build/release/app/voxwake"))

# Systems of four kinds and a wind, small enough for a tenth of a second. At the start, there are no particles.
SCENE = """format = 1
title = "Interop"

[[material]]
name = "jelly"
youngs_modulus = 3e4

[[collider]]
kind = "plane"
name = "ground"

[[collider]]
kind = "sphere"
name = "ball"
position = [0.3, 0.1, 0]
radius = 0.1

[[field]]
kind = "uniform"
name = "breeze"
velocity = [2, 0, 1]

[[system]]
kind = "voxel_body"
name = "cube"
material = "jelly"
size = [4, 3, 2]
voxel_size = 0.02
position = [-0.04, 0.03, -0.04]

[[system]]
kind = "rigid"
name = "blocks"

[[system.body]]
kind = "box"
name = "block"
position = [-0.3, 0.2, 0]
size = [0.1, 0.05, 0.08]
angular_velocity = [1, 2, 3]

[[system]]
kind = "particles"
name = "grains"
capacity = 200
mass = 0.0005
radius = 0.005

[[system.emitter]]
kind = "box"
name = "cloud"
position = [0, 0.2, 0]
direction = [0, -1, 0]
rate = 200
speed = 0.5
spread = 0.1
lifetime = 4
size = [0.08, 0.02, 0.08]
"""
UNTIL, EVERY = 0.2, 0.05


def run(*arguments, cwd=None):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, check=False)
    assert done.returncode == 0, done.stderr
    return done


class Case:
    """A folder with a scene, its exports and its CSV."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "scene.toml").write_text(SCENE)
        names = ["a.pvd", "a.vtkhdf", "a.npz", "a.ply", "a.obj", "a.pc2", "a.glb", "a.vdb"]
        outs = [word for name in names for word in ("--out", name)]
        self.printed = run("export", "scene.toml", "--until", UNTIL, "--every", EVERY, "--wind", 8, *outs, cwd=folder)
        run("run", "scene.toml", "--until", UNTIL, "--every", EVERY, "--export", "a.csv", cwd=folder)
        with open(folder / "a.csv", newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.times = sorted({float(row["time"]) for row in self.rows})
        self.all_times = [i * EVERY for i in range(5)]

    def table(self, system, time, columns):
        """Returns columns of the CSV for a system at a time, with one row for each element."""
        rows = [r for r in self.rows if r["system"] == system and math.isclose(float(r["time"]), time, abs_tol=1e-9)]
        return np.array([[float(row[c]) if row[c] else math.nan for c in columns] for row in rows]).reshape(
            len(rows), len(columns))


@pytest.fixture(scope="session")
def case(tmp_path_factory):
    return Case(tmp_path_factory.mktemp("interop"))


def assert_equal(values, expected, what):
    """Asserts that arrays are equal up to single-precision rounding, value by value and in the sum."""
    assert values.shape == expected.shape, what
    np.testing.assert_allclose(values, expected, rtol=1e-6, atol=1e-7, err_msg=what)
    np.testing.assert_allclose(np.nansum(values, dtype=float), np.nansum(expected), rtol=1e-5, atol=1e-5, err_msg=what)
