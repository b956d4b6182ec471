"""Blender imports a whole export by the add-on of tools/blender, and renders one frame."""
import json
import shutil
import subprocess

import numpy as np
import pytest

from conftest import ROOT

pytestmark = pytest.mark.skipif(shutil.which("blender") is None, reason="Blender is not installed")


def blender(*arguments):
    done = subprocess.run(["blender", "-b", "--factory-startup", *map(str, arguments)], capture_output=True, text=True,
                          check=False, timeout=600)
    assert done.returncode == 0 and "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def facts(case):
    saved = case.folder / "a.blend"
    printed = blender("--python", ROOT / "tools/blender/voxwake_import.py", "--", case.folder, "--save", saved,
                      "--frame", 4, "--render", case.folder / "frame.png", "--size", 320, 180, "--samples", 4)
    assert "imported 1 glTF files and 3 series" in printed, printed
    printed = blender("--python", ROOT / "tests/interop/blender_facts.py", "--", saved)
    line = next(line for line in printed.splitlines() if line.startswith("FACTS"))
    return json.loads(line[len("FACTS"):])


def z_up(point):
    """Converts a point of Voxwake (y up) to the axes of Blender (z up)."""
    return [point[0], -point[2], point[1]]


def test_scene_has_camera_and_frame_rate(facts):
    assert facts["camera"] is not None
    assert facts["fps"] == pytest.approx(20)
    assert facts["frame_end"] == 4


def test_rigid_bodies_move_as_in_the_csv(case, facts):
    for frame, time in ((0, 0.0), (4, 0.2)):
        expected = case.table("blocks", time, ["x", "y", "z"])[0]
        np.testing.assert_allclose(facts["objects"]["blocks.0"][str(frame)]["at"], z_up(expected), atol=1e-5)


def test_soft_bodies_move_by_their_cache(case, facts):
    for frame, time in ((0, 0.0), (4, 0.2)):
        skin = facts["objects"]["cube-skin"][str(frame)]
        # The mean of the skin is near the mean of the voxels.
        expected = case.table("cube", time, ["x", "y", "z"]).mean(axis=0)
        np.testing.assert_allclose(skin["mean"], z_up(expected), atol=2e-3)
        assert skin["materials"] == ["cube-skin"]


def test_particles_are_shown_in_their_frame_only(case, facts):
    count = len(case.table("grains", 0.2, ["x"]))
    last = facts["objects"]["grains_000004"]
    assert (last["0"]["hidden"], last["4"]["hidden"]) == (True, False)
    assert count > 0


def test_volumes_have_their_grids(facts):
    assert facts["grids"]["grains-volume"]["4"] == ["density", "velocity"]
    assert facts["grids"]["wind-grid-volume"]["0"] == ["velocity"]


def test_a_frame_is_rendered(case):
    assert (case.folder / "frame.png").stat().st_size > 5000
