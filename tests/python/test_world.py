"""Worlds: steps, arrays without copies, commands, checkpoints and errors."""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import voxwake
from conftest import SMALL
from voxwake import _core
from voxwake.scene import assignment_texts

ROOT = pathlib.Path(__file__).resolve().parents[2]


def golden_hashes():
    rows = (line.split() for line in (ROOT / "tests/golden/hashes.tsv").read_text().splitlines())
    return {row[0]: row[1] for row in rows if row and row[0] != "#"}


@pytest.mark.parametrize("scene", ["jelly-drop", "dam-break", "dominoes"])
def test_state_hash_is_that_of_the_program(scene):
    world = voxwake.World(scene)
    assert world.step(24) == 24
    assert world.hash == golden_hashes()[scene]


def test_steps_advance_the_time(small):
    small.step(10)
    assert small.step_count == 10
    assert small.time == pytest.approx(10 * small.dt)
    assert small.run_until(0.5)
    assert small.time == pytest.approx(0.5, abs=small.dt)


def test_assignments_set_parameters_before_the_start():
    world = voxwake.World.from_toml(
        SMALL, {"world.gravity": (0, -1.62, 0), "system.block.integrator": "implicit", "world.dt": 0.01}
    )
    assert world.get("world.gravity") == (0.0, -1.62, 0.0)
    assert world.get("system.block.integrator") == "implicit"
    assert world.dt == 0.01


def test_assigned_lists_of_texts_keep_commas_quotes_and_letters():
    text = SMALL + '\n[[plot]]\nname = "p"\n'
    let = ["a = max(1, 2)", "b = a"]
    assert voxwake.World.from_toml(text, {"plot.p.let": let}).get("plot.p.let") == let
    assert assignment_texts({"a": ["caf\u00e9", 'x"y', 1.5]}) == ["a=[\"caf\u00e9\", 'x\"y', 1.5]"]
    assert assignment_texts({"a": "x", "b": "", "c": " x"}) == ["a=x", 'b=""', 'c=" x"']
    title = '"x" or "y"'
    assert voxwake.World.from_toml(SMALL, {"title": title}).scene.get("title") == title


def test_an_array_is_the_memory_of_the_world(small):
    position = small["block"].position
    assert position.shape == (27, 3) and position.dtype == np.float64
    again = small["block"].position
    assert position.__array_interface__["data"][0] == again.__array_interface__["data"][0]
    assert position.__array_interface__["data"][0] == position._block().address
    assert np.shares_memory(position, again)
    before = position.frozen()
    small.step(10)
    assert position.is_current
    assert np.all(position[:, 1] < before[:, 1])  # the array shows the fall, the copy does not


def test_arrays_cannot_be_written(small):
    with pytest.raises(ValueError):
        small["block"].position[0, 0] = 1.0
    with pytest.raises(ValueError):
        small["block"].position.frozen()[0, 0] = 1.0
    small["block"].position.copy()[0, 0] = 1.0


def test_arithmetic_gives_ordinary_arrays(small):
    position = small["block"].position
    assert type(position * 2) is np.ndarray
    assert position[3:].is_current
    assert not voxwake.LiveArray((3,)).is_current


def test_an_array_that_moved_keeps_its_last_values():
    """Memory that the world gives back stays allocated while an array refers to it."""
    script = (
        "import voxwake, conftest\n"
        "from voxwake import _core\n"
        "world = voxwake.World.from_toml(conftest.SMALL)\n"
        "world.step(20)\n"
        "arrays = [world['rain'].position, world['block'].position, world['block'].orientation]\n"
        "copies = [array.frozen() for array in arrays]\n"
        "parts = [array[1:3] for array in arrays]\n"
        "world.reset()\n"
        "world.step(5)\n"
        "for array, copy, part in zip(arrays, copies, parts):\n"
        "    if not array.is_current:\n"
        "        assert (array == copy).all() and (part == copy[1:3]).all()\n"
        "assert not arrays[0].is_current\n"
        "assert _core.kept_blocks() == 3\n"
        "del arrays, array, parts, part\n"
        "assert _core.kept_blocks() == 0\n"
    )
    env = dict(os.environ, MALLOC_PERTURB_="165", PYTHONPATH=os.pathsep.join([os.path.dirname(__file__), *sys.path]))
    subprocess.run([sys.executable, "-c", script], env=env, check=True, timeout=120)


def test_an_array_keeps_its_world():
    position = voxwake.World.from_toml(SMALL)["block"].position
    gc.collect()
    assert position.is_current and np.all(np.isfinite(position))


def test_channels_totals_and_diagnostics(small):
    small.step(5)
    block = small["block"]
    assert block.channels["speed"] == "m/s"
    speed = np.linalg.norm(block.velocity, axis=1)
    assert np.allclose(block.channel("speed"), speed, atol=1e-6)
    assert block.diagnostics.elements == 27
    assert block.diagnostics.kinetic == pytest.approx(0.5 * np.sum(block.mass * speed**2), rel=1e-2)
    assert "broken_bonds" in block.totals
    assert len(small["rain"].ids) == len(small["rain"])
    assert block.arrays["orientation"] == ("", 4)


def test_commands(small):
    small.step(2)
    small.push("block", 13, (1e-3, 0, 0), 1.0)
    small.step(1)
    assert small["block"].velocity[:, 0].mean() > 0
    small["block"].set_pose(13, (0.5, 2, 0))
    assert np.allclose(small["block"].position[13], (0.5, 2, 0))
    assert np.all(small["block"].velocity == 0)
    small["block"].grab(0, (0, 1, 0), 5.0)
    small.move_grab((0, 2, 0))
    small.step(5)
    small.release()
    small.set("world.gravity", np.array([0.0, 0.0, 0.0]))
    assert small.get("world.gravity") == (0.0, 0.0, 0.0)
    small.assign("world.gravity=0,-1,0")
    small.command({"set": {"path": "world.gravity", "value": [0, -2, 0]}})
    assert small.get("world.gravity") == (0.0, -2.0, 0.0)
    small["rain"].remove(place=(2, 1, 0), radius=100.0)
    small.step(1)
    assert len(small["rain"]) < 50
    small.reset()
    assert small.step_count == 0


def test_flock_members_come_and_go():
    world = voxwake.World("school")
    system = next(name for name in world if name in world.scene.system.names)
    before = len(world[system])
    position = world[system].position
    world.spawn(system, (0.0, 0.5, 0.0), 5)
    world.step(1)
    assert len(world[system]) == before + 5
    assert not position.is_current and len(position) == before


def test_checkpoints_continue_bit_for_bit(small):
    small.step(7)
    saved = small.checkpoint()
    assert isinstance(saved, bytes)
    small.step(20)
    again = voxwake.World.resume(saved)
    assert again.step_count == 7
    again.step(20)
    assert again.hash == small.hash


def test_checkpoint_files_and_bytes_are_equal(small, tmp_path):
    small.step(3)
    small.save(tmp_path / "state.vws")
    assert (tmp_path / "state.vws").read_bytes() == small.checkpoint()
    assert voxwake.World.resume(tmp_path / "state.vws").hash == small.hash


@pytest.mark.parametrize("bytes_", [b"", b"not a checkpoint", bytes(1000)])
def test_damaged_checkpoints_are_errors(bytes_):
    with pytest.raises(voxwake.Error, match="checkpoint"):
        voxwake.World.resume(bytes_)


def test_truncated_checkpoints_are_errors(small):
    saved = small.checkpoint()
    for length in range(0, len(saved), max(1, len(saved) // 50)):
        with pytest.raises(voxwake.Error):
            voxwake.World.resume(saved[:length])


def test_errors_name_file_line_and_key(tmp_path):
    (tmp_path / "bad.toml").write_text('[[system]]\nkind = "fluid"\nname = "water"\nspacing = -2\n')
    with pytest.raises(voxwake.Error) as caught:
        voxwake.World(tmp_path / "bad.toml")
    assert caught.value.file.endswith("bad.toml")
    assert caught.value.line == 4 or caught.value.line == 1
    assert caught.value.key == "system.water.spacing"
    assert caught.value.expected


def test_wrong_names_suggest_the_nearest(small):
    with pytest.raises(voxwake.Error, match="walker"):
        voxwake.World("walkr")
    with pytest.raises(voxwake.Error) as caught:
        small["blok"]
    assert caught.value.hint == "block"
    with pytest.raises(voxwake.Error, match="position"):
        small["block"].array("positon")
    with pytest.raises(voxwake.Error, match="number"):
        small.set("system.block.voxel_size", "large")
    with pytest.raises(voxwake.Error, match="three numbers"):
        small.push("block", 0, (1, 2))
    with pytest.raises(voxwake.Error):
        small.push("block", 99, (1, 2, 3))


def test_a_failed_health_check_is_a_simulation_error():
    world = voxwake.World.from_toml(SMALL, {"system.block.size": (12, 12, 12)})
    world.step()
    world.set("world.step_budget", 1e3)
    before = world.hash
    with pytest.raises(voxwake.SimulationError, match="block"):
        world.step(10)
    with pytest.raises(voxwake.SimulationError):
        world.run_until(1)
    assert world.failure and world.hash == before
    world.set("world.step_budget", 1e12)
    assert world.step() == 1 and not world.failure


def test_progress_is_called_and_ends_the_steps(small):
    shares = []

    def progress(share):
        shares.append((share, small.step_count))  # the world can be read meanwhile
        return len(shares) < 3

    taken = small.step(1_000_000, progress)
    assert len(shares) == 3 and taken == small.step_count
    assert 0 < shares[0][0] < shares[2][0] < 1


def test_an_exception_of_the_progress_function_ends_the_steps(small):
    def progress(share):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        small.run_until(1e6, progress)
    assert small.step() == 1


def test_an_interrupt_ends_the_steps(small):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        small.step(100_000_000)
    assert time.monotonic() - start < 5
    assert small.step_count > 0 and small.step() == 1


def test_other_threads_run_while_a_world_steps(small):
    counted = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    end = time.monotonic() + 0.5
    small.step(1_000_000, lambda share: time.monotonic() < end)
    stop.set()
    thread.join()
    assert len(counted) > 20


def test_a_second_thread_is_refused(small):
    end = time.monotonic() + 0.5
    thread = threading.Thread(target=lambda: small.run_until(1e9, lambda share: time.monotonic() < end))
    thread.start()
    with pytest.raises(voxwake.Error, match="another thread"):
        while time.monotonic() < end:
            small.hash
    thread.join()
    assert small.hash


def test_worlds_side_by_side_give_the_same_hashes():
    def steps(hashes, i, count):
        world = voxwake.World.from_toml(SMALL, {"world.gravity": (0, -1.0 - i, 0)})
        world.step(count)
        hashes[i] = world.hash

    alone, together = [""] * 4, [""] * 4
    for i in range(4):
        steps(alone, i, 60)
    threads = [threading.Thread(target=steps, args=(together, i, 60)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert alone == together and len(set(alone)) == 4


def test_plots_are_arrays(small):
    assert small.plots == {}
    small.record_plots()
    small.step(50)
    plot = small.plots["height"]
    assert plot.unit == "m" and plot.over_time
    curve = plot.curves[0]
    assert curve.system == "block" and len(curve.x) == len(curve.y) == 51
    assert curve.x[-1] == pytest.approx(small.time)
    assert curve.y[-1] < curve.y[0]
    small.record_plots(False)
    assert small.plots == {}


def test_plots_follow_edits_and_resets(small):
    small.record_plots()
    small.step(1)
    small.set("world.gravity", (0.0, 9.81, 0.0))
    small.step(1)
    curve = small.plots["height"].curves[0]
    assert curve.y[-2] > 0.4 and curve.y[-1] < -0.4, "the height is measured against gravity"
    small.assign("world.gravity=0,-9.81,0")
    small.step(1)
    assert small.plots["height"].curves[0].y[-1] > 0.4
    small.reset()
    assert list(small.plots["height"].curves[0].x) == [0.0], "a reset begins again at the start"


def test_report_and_scene_text(small):
    small.step(2)
    assert small.report["final_state_hash"] == small.hash
    again = voxwake.World.from_toml(small.to_toml())
    again.step(2)
    assert again.hash == small.hash


def test_a_comparison_finds_the_first_difference():
    a, b = voxwake.World.from_toml(SMALL), voxwake.World.from_toml(SMALL)
    assert voxwake.compare(a, b, 0.1)["equal"]
    position = b["block"].position
    b.push("block", 0, (1e-3, 0, 0))
    assert not voxwake.compare(a, b, 0.1)["equal"]
    assert position.is_current
    with pytest.raises(voxwake.Error):
        voxwake.compare(a, a)


def test_an_interrupt_ends_a_comparison():
    a, b = voxwake.World.from_toml(SMALL), voxwake.World.from_toml(SMALL)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        voxwake.compare(a, b, 1e6)
    assert a.step() == b.step() == 1


def test_worlds_leave_no_memory_behind():
    """1000 worlds may add at most 5 MB to the resident memory."""

    def resident():
        pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def use(count):
        for _ in range(count):
            world = voxwake.World.from_toml(SMALL)
            world.step(2)
            world["block"].position.sum()
            world.checkpoint()
        gc.collect()

    use(200)
    before = resident()
    use(1000)
    growth = resident() - before
    print(f"growth over 1000 worlds: {growth:.2f} MB")
    assert growth < 5
    assert _core.kept_blocks() == 0


def test_packaged_scenes_are_listed():
    assert "walker" in [scene["name"] for scene in voxwake.packaged_scenes()]
