"""ParaView's pvpython reads the .pvd series: times, blocks, bounds and sums equal those of the CSV."""
import json
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent

pytestmark = pytest.mark.skipif(shutil.which("pvpython") is None, reason="ParaView is not installed")


@pytest.fixture(scope="module")
def facts(case):
    done = subprocess.run(["pvpython", str(HERE / "paraview_facts.py"), str(case.folder / "a.pvd")],
                          capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("FACTS"))
    return json.loads(line[len("FACTS"):])


def test_paraview_reads_all_times(case, facts):
    np.testing.assert_allclose(facts["times"], case.all_times, atol=1e-9)


def test_paraview_shows_the_names_of_the_systems(facts):
    assert {"blocks", "cube", "cube-skin"} <= set(facts["moments"][-1])


def test_paraview_reads_positions_and_sums(case, facts):
    compared = 0
    for time, blocks in zip(facts["times"], facts["moments"]):
        for system in ("blocks", "cube", "grains"):
            place = case.table(system, time, ["x", "y", "z"])
            if system not in blocks:  # there are no particles at the start
                assert len(place) == 0
                continue
            assert blocks[system]["points"] == len(place)
            if len(place) == 0:
                continue
            bounds = np.array(blocks[system]["bounds"]).reshape(3, 2)
            np.testing.assert_allclose(bounds[:, 0], place.min(axis=0), atol=1e-6)
            np.testing.assert_allclose(bounds[:, 1], place.max(axis=0), atol=1e-6)
            speed = case.table(system, time, ["vx", "vy", "vz"]).sum()
            assert blocks[system]["sums"]["velocity"] == pytest.approx(speed, rel=1e-5, abs=1e-5)
            compared += 1
    assert compared >= 10
