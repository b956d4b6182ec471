"""Parameter studies: definitions, logs, engines and tables."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import voxwake
from voxwake.study import Study, read_definition, run_task
from voxwake.study.formula import Formula
from voxwake.study.log import RowLog, line_of, read_logs, record_of
from voxwake.study.plots import pareto_front
from voxwake.study.table import Table
from voxwake.study.toml_lines import parse_toml

SCENE = """
[[material]]
name = "soft"
[[collider]]
kind = "plane"
name = "ground"
[[system]]
kind = "voxel_body"
name = "block"
size = [2, 2, 2]
voxel_size = 0.02
position = [0.0, 0.5, 0.0]
[[plot]]
name = "height"
unit = "m"
[[plot.curve]]
kind = "measured"
name = "middle"
system = "block"
quantity = "height"
"""
STUDY = """# a block falls
[study]
scene = "block.toml"
until = 0.4

[[parameter]]
name = "drop"
path = "system.block.position.y"
range = [0.1, 0.4]
count = 3

[[parameter]]
path = "material.soft.youngs_modulus"
values = [1e4, 1e6]

[[measure]]
name = "lowest"
system = "block"
quantity = "height"
reduce = "min"
unit = "m"
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "block.toml").write_text(SCENE)
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def written(folder, text):
    path = folder / "study.toml"
    path.write_text(text)
    return path


def command(folder, *arguments, **more):
    return subprocess.run(
        [sys.executable, "-m", "voxwake.study", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        **more,
    )


def without_wall_time(table):
    return [line.rpartition(",")[0] for line in pathlib.Path(table).read_text().splitlines()]


def test_a_grid_has_all_combinations_and_the_last_parameter_varies_fastest(folder):
    definition = read_definition(folder / "study.toml")
    assert [list(row.parameters.values()) for row in definition.rows] == [
        [0.1, 1e4], [0.1, 1e6], [0.25, 1e4], [0.25, 1e6], [0.4, 1e4], [0.4, 1e6],
    ]  # fmt: skip
    assert definition.rows[2].assignments["system.block.position"] == (0.0, 0.25, 0.0)


def test_sources_of_rows_are_files_beside_the_study(folder):
    (folder / "rock.toml").write_text(SCENE + '[[collider]]\nkind = "mesh"\nname = "rock"\nsource = "a.obj"\n')
    for name in ("a.obj", "b.obj"):
        (folder / name).write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    study = {
        "study": {"scene": "rock.toml"},
        "parameter": [{"path": "collider.rock.source", "values": ["b.obj"]}],
        "measure": [{"name": "lowest", "system": "block", "quantity": "height"}],
    }
    definition = read_definition(study, folder, build=False)
    assert definition.rows[0].parameters == {"source": "b.obj"}
    assert definition.rows[0].assignments == {"collider.rock.source": str(folder / "b.obj")}
    (folder / "b.obj").write_text("v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n")
    assert read_definition(study, folder, build=False).hash != definition.hash, "the content of the file counts"


def test_a_row_has_the_hash_of_a_world_with_these_values(folder):
    definition = read_definition(folder / "study.toml")
    outcome = run_task(definition.task(4))
    world = voxwake.World(
        folder / "block.toml", {"system.block.position": (0, 0.4, 0), "material.soft.youngs_modulus": 1e4}
    )
    world.run_until(0.4)
    assert outcome["error"] == "" and outcome["hash"] == world.hash and outcome["steps"] == world.step_count


def test_windows_combine_the_values_after_every_step(folder):
    measures = "".join(
        f'[[measure]]\nname = "{name}"\nsystem = "block"\nquantity = "height"\n{rest}\n'
        for name, rest in {
            "at": "at = 0.1",
            "mean": 'reduce = "mean"\nuntil = 0.2',
            "area": 'reduce = "integral"\nuntil = 0.2',
            "max": 'reduce = "max"',
            "last": "until = 0.3",
        }.items()
    )
    curve = '[[measure]]\nname = "same"\ncurve = "height.middle"\nat = 0.1\n'
    text = '[study]\nscene = "block.toml"\nuntil = 0.4\n' + measures + curve
    results = run_task(read_definition(written(folder, text)).task(0))["results"]
    world = voxwake.World(folder / "block.toml")
    heights = [world.measure()["height"]["middle"]]
    for _ in range(48):
        world.step()
        heights.append(world.measure()["height"]["middle"])
    assert results["at"] == results["same"] == heights[12]
    assert results["max"] == max(heights) and results["last"] == heights[36]
    area = np.trapz(heights[:25], dx=1 / 120)
    assert results["area"] == pytest.approx(area, rel=1e-12)
    assert results["mean"] == pytest.approx(area / 0.2, rel=1e-12)


def test_a_stop_condition_ends_the_run(folder):
    text = STUDY + '[[stop]]\nname = "low"\nsystem = "block"\nquantity = "height"\nbelow = 0.2\nafter = 0.05\n'
    outcome = run_task(read_definition(written(folder, text)).task(4))
    assert outcome["stopped"] == "low" and outcome["time"] < 0.3
    assert run_task(read_definition(written(folder, text)).task(0))["time"] == pytest.approx(0.05)


def test_replicates_have_seeds(folder):
    definition = read_definition(written(folder, STUDY.replace("until = 0.4", "until = 0.4\nreplicates = 2\nseed = 7")))
    assert len(definition.rows) == 12
    assert [row.assignments["world.seed"] for row in definition.rows[:3]] == [7, 8, 7]


def test_replicates_without_effect_are_told(folder):
    text = STUDY.replace("until = 0.4", "until = 0.02\nreplicates = 2").replace("count = 3", "count = 2")
    written(folder, text)
    done = command(folder, "study.toml", "--workers", "1", "--out", "out")
    assert done.returncode == 0 and "the replicates of each point end with the same hash" in done.stderr
    columns = {"replicate": [0, 1, 0, 1], "hash": ["a", "b", "c", "c"], "error": [None] * 4}
    assert not Table(columns, {}).has_equal_replicates()
    columns["hash"] = ["a", "a", "c", "c"]
    assert Table(columns, {}).has_equal_replicates()
    columns["replicate"] = [0] * 4
    assert not Table(columns, {}).has_equal_replicates()


@pytest.mark.parametrize("sampling", ["latin_hypercube", "sobol"])
def test_samples_fill_the_ranges(folder, sampling):
    pytest.importorskip("scipy")
    text = STUDY.replace("until = 0.4", f'until = 0.4\nsampling = "{sampling}"\nsamples = 16')
    text = text.replace("range = [0.1, 0.4]", 'range = [0.01, 1.0]\nscale = "log"')
    definition = read_definition(written(folder, text))
    drops = sorted(row.parameters["drop"] for row in definition.rows)
    exponents = np.floor((np.log10(drops) + 2) / 2 * 16)
    assert len(drops) == 16 and list(exponents) == list(range(16))  # one in each of 16 intervals
    assert {row.parameters["youngs_modulus"] for row in definition.rows} == {1e4, 1e6}
    assert definition.hash == read_definition(folder / "study.toml").hash


def test_normal_distributions_and_whole_numbers(folder):
    text = STUDY.replace("range = [0.1, 0.4]", 'scale = "normal"\nmean = 0.3\ndeviation = 0.05')
    values = sorted({row.parameters["drop"] for row in read_definition(written(folder, text)).rows})
    assert values[1] == pytest.approx(0.3) and values[0] == pytest.approx(0.3 - 0.05 * 0.9674, abs=1e-4)
    text = STUDY.replace("system.block.position.y", "world.seed").replace("range = [0.1, 0.4]", "range = [1, 4]")
    assert {row.parameters["drop"] for row in read_definition(written(folder, text)).rows} == {1, 2, 4}


def test_lists_run_side_by_side(folder):
    text = STUDY.replace("until = 0.4", 'until = 0.4\nsampling = "list"').replace(
        "range = [0.1, 0.4]\ncount = 3", "values = [0.1, 0.4]"
    )
    rows = read_definition(written(folder, text)).rows
    assert [list(row.parameters.values()) for row in rows] == [[0.1, 1e4], [0.4, 1e6]]


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        ('scene = "block.toml"', 'scene = "no.toml"', 'study.toml:3: study.scene = "no.toml": cannot be opened'),
        ("range = [0.1, 0.4]", "range = [0.4]", "study.toml:9: parameter[1].range = [0.4]: must be two numbers"),
        ("range = [0.1, 0.4]", "range = [0.4, 0.1]", "study.toml:9: parameter[1].range = [0.4, 0.1]: must begin with"),
        (
            "count = 3",
            "cuont = 3",
            "study.toml:10: parameter[1].cuont: is not a key of parameter[1] (did you mean count?)",
        ),
        ("count = 3", "count = 0", "study.toml:10: parameter[1].count = 0: must be a whole number from 1"),
        ("count = 3", 'scale = "log2"', 'study.toml:10: parameter[1].scale = "log2": must be one of'),
        ("[1e4, 1e6]", "[1e4, -1]", "study.toml:14: parameter[2].values = -1"),
        ("youngs_modulus", "young_modulus", "study.toml:13: parameter[2].path"),
        ('quantity = "height"', 'quantity = "hight"', 'study.toml:19: measure[1].quantity = "hight"'),
        ('system = "block"', 'system = "blok"', 'study.toml:18: measure[1].system = "blok": must name a system'),
        ('reduce = "min"', "at = 0.5", "study.toml:20: measure[1].at = 0.5: must be a number from 0 to 0.4"),
        ('reduce = "min"', "form = 0.5", "study.toml:20: measure[1].form: is not a key"),
        ('name = "lowest"', 'name = "drop"', 'study.toml:17: measure[1].name = "drop": must be unique'),
        (
            'name = "lowest"',
            'name = "hash"',
            'study.toml:17: measure[1].name = "hash": must not be the name of a column',
        ),
        ('unit = "m"', "unit = 3", "study.toml:21: measure[1].unit = 3: must be a string"),
        ("until = 0.4", "until = 0.4\nreplicates = 1000000", "study.toml:2: study: has 6000000 rows"),
        ("until = 0.4", "until = 0.4\nseeds = [1, 2]", "study.toml:5: study.seeds = [1, 2]: must be paths of"),
        ("until = 0.4", "until = -1", "study.toml:4: study.until = -1: must be a number"),
        ("[study]", "[study", "study.toml:2: "),
        ("until = 0.4", "until = 0.4\nuntil = 0.5", "study.toml:5: "),
        ("[study]", "[stduy]", "study.toml: study: is missing"),
        ("[[parameter]]", "[parameter]", "study.toml:"),
    ],
)
def test_an_error_names_file_line_key_found_and_expected(folder, old, new, sentence):
    path = written(folder, STUDY.replace(old, new, 1))
    with pytest.raises(voxwake.Error) as caught:
        read_definition(path)
    assert sentence in str(caught.value) and caught.value.file == str(path)


def test_a_wrong_channel_is_reported_for_its_own_entry(folder):
    wrong = 'system = "block"\nquantity = "channel"\nchannel = "sped"\n'
    first = '[[measure]]\nname = "a"\nsystem = "block"\nquantity = "height"\n'
    with pytest.raises(voxwake.Error, match=r"measure\[3\].channel"):
        read_definition(written(folder, STUDY + first + '[[measure]]\nname = "ab"\n' + wrong))
    with pytest.raises(voxwake.Error, match=r"stop\[1\].channel"):
        read_definition(written(folder, STUDY + '[[stop]]\nname = "lowest_1"\nbelow = 0\n' + wrong))


def test_a_formula_cannot_use_the_name_of_a_stop_condition(folder):
    stop = '[[stop]]\nname = "low"\nsystem = "block"\nquantity = "height"\nbelow = 0.2\n'
    result = '[[result]]\nname = "ratio"\nformula = "lowest / low"\n'
    with pytest.raises(voxwake.Error, match="contains the unknown name low"):
        read_definition(written(folder, STUDY + stop + result))


def test_a_measured_curve_must_be_over_time(folder):
    (folder / "block.toml").write_text(SCENE.replace('unit = "m"', 'unit = "m"\nx = "voxel_size"', 1))
    curve = STUDY.replace('system = "block"\nquantity = "height"', 'curve = "height.middle"')
    with pytest.raises(voxwake.Error, match="measure.1..curve = .*must be a curve of a plot over time"):
        read_definition(written(folder, curve))


def test_hostile_files_end_in_an_error(folder):
    for content in (
        b"\xff\xfe",
        b"[study]\nscene = 3",
        b"study = 3",
        b"[study]\nscene = 'block.toml'\n[[measure]]",
        b"a = " + b"9" * 5000,
        b"a = " + b"[" * 5000 + b"]" * 5000,
        b'"a\\"b" = """\nx = \'\n"""\n',
        b'"a\\"b" = """\nx = \'\'\'\n"""\n',
        b"",
    ):
        (folder / "study.toml").write_bytes(content)
        with pytest.raises(voxwake.Error):
            read_definition(folder / "study.toml")
    with pytest.raises(voxwake.Error):
        read_definition(folder / "missing.toml")


def test_lines_of_keys():
    text = 'a = """\nx = 1\n"""\n[b]\n"c d" = [ # ]\n  1,\n]\ne.f = 1\n[[g]]\nh = "#"\n[[g]]\nh = \'[\'\n[[g.i]]\nj = {k = 1}\n'
    _, lines = parse_toml(text, "file")
    assert lines["a",] == 1 and lines["b", "c d"] == 5 and lines["b", "e", "f"] == 8
    assert lines["g", 0, "h"] == 10 and lines["g", 1, "h"] == 12 and lines["g", 1, "i", 0, "j"] == 14


def test_formulas_are_arithmetic_only():
    assert Formula("2 * a^2 + max(b, 1)")({"a": 3, "b": 0}) == 19
    assert np.isnan(Formula("a / 0")({"a": 1})) and np.isnan(Formula("sqrt(a)")({"a": None}))
    assert np.isnan(Formula("a * b")({"a": "x", "b": 10**12}))
    for text in ("__import__('os')", "a.b", "a[0]", "a if b else c", "'x'", "", "lambda: 1", "f(1)", "(" * 300, "True"):
        with pytest.raises(ValueError):
            Formula(text)


# ---- Log ----


def test_a_line_has_a_checksum():
    line = line_of({"row": 3, "error": 'say "no"\n', "wall": 0.1})
    assert record_of(line) == {"row": 3, "error": 'say "no"\n', "wall": 0.1}
    for i in range(len(line)):
        assert record_of(line[:i] + bytes([line[i] ^ 1]) + line[i + 1 :]) is None
        assert record_of(line[:i]) is None


def test_a_torn_line_is_removed_and_a_damaged_line_runs_again(folder):
    path = folder / "rows.jsonl"
    log = RowLog(path, {"definition": "a"})
    for row in range(3):
        log.append({"row": row})
    with pytest.raises(voxwake.Error, match="another process"):
        RowLog(path, {"definition": "a"})
    log.close()
    content = path.read_bytes()
    path.write_bytes(content[:-5])
    RowLog(path, {"definition": "a"}).close()
    assert sorted(read_logs(folder, "a")[0]) == [0, 1]
    path.write_bytes(content.replace(b'{"row":1', b'{"row":7'))
    rows, problems = read_logs(folder, "a")
    assert sorted(rows) == [0, 2] and len(problems) == 1
    with pytest.raises(voxwake.Error, match="another definition"):
        RowLog(path, {"definition": "b"})


# ---- Engines ----


@pytest.fixture
def reference(folder):
    done = command(folder, "study.toml", "--workers", "1", "--out", "one")
    assert done.returncode == 0, done.stderr
    return without_wall_time(folder / "one/table.csv")


def test_a_pool_of_processes_gives_the_same_table(folder, reference):
    assert len(reference) == 7
    assert command(folder, "study.toml", "--workers", "3", "--out", "pool").returncode == 0
    assert without_wall_time(folder / "pool/table.csv") == reference
    again = command(folder, "study.toml", "--row", "4", "--out", "pool")
    assert again.returncode == 0 and "equal to the recorded row" in again.stdout


def test_a_changed_study_does_not_replace_the_table_of_the_earlier_one(folder, reference):
    before = (folder / "one/table.csv").read_bytes()
    written(folder, STUDY.replace("until = 0.4", "until = 0.3"))
    done = command(folder, "study.toml", "--table", "--out", "one")
    assert done.returncode == 2 and "holds no row of this study" in done.stderr
    assert "holds the rows of another definition and is not used" in done.stderr
    assert (folder / "one/table.csv").read_bytes() == before
    done = command(folder, "study.toml", "--table", "--out", "empty")
    assert done.returncode == 2 and not (folder / "empty").exists()


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["--row", "0", "--table"], "--table cannot be used with --row"),
        (["--check", "--part", "0/2"], "--part cannot be used with --check"),
        (["--parts", "3"], "--parts requires the engine slurm, but the engine is processes"),
        (["--scheduler", "tcp://host:8786"], "--scheduler requires the engine dask, but the engine is processes"),
        (["--engine", "slurm", "--part", "0/2"], "--part cannot be used with the engine slurm"),
    ],
)
def test_options_without_an_effect_are_refused(folder, arguments, sentence):
    done = command(folder, "study.toml", "--out", "none", *arguments)
    assert done.returncode == 2 and sentence in done.stderr
    assert not (folder / "none").exists()


def test_mpi_gives_the_same_table(folder, reference):
    pytest.importorskip("mpi4py")
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    words = [
        "mpiexec",
        "-n",
        "4",
        "--oversubscribe",
        sys.executable,
        "-m",
        "voxwake.study",
        "study.toml",
        "--engine",
        "mpi",
    ]
    done = subprocess.run(
        words + ["--out", "mpi"], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert without_wall_time(folder / "mpi/table.csv") == reference


def test_dask_gives_the_same_table(folder, reference):
    pytest.importorskip("distributed")
    done = command(folder, "study.toml", "--engine", "dask", "--workers", "4", "--out", "dask")
    assert done.returncode == 0, done.stderr
    assert without_wall_time(folder / "dask/table.csv") == reference


def test_parts_of_a_job_array_give_the_same_table(folder, reference):
    done = command(folder, "study.toml", "--engine", "slurm", "--parts", "3", "--out", "array")
    assert done.returncode == 0, done.stderr
    assert "join the parts with `voxwake study study.toml --out array --table`" in done.stdout
    script = folder / "array/array.sh"
    assert "#SBATCH --array=0-2\n" in script.read_text()
    for part in range(3):
        environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(part)}
        subprocess.run(["bash", str(script)], env=environment, check=True, capture_output=True, timeout=300)
    assert command(folder, "study.toml", "--table", "--out", "array").returncode == 0
    assert without_wall_time(folder / "array/table.csv") == reference


def test_names_cannot_add_lines_to_the_script_of_a_job_array(folder):
    from voxwake.study.slurm import array_script

    written(folder, STUDY.replace("[study]", '[study]\nname = "a\\ntouch b"'))
    definition = read_definition(folder / "study.toml")
    assert "\ntouch" not in array_script(definition, 2, 1, "array.sh")
    with pytest.raises(voxwake.Error, match="must not contain line breaks"):
        array_script(definition._replace(folder="a\ntouch b"), 2, 1, "array.sh")
    spaced = array_script(definition._replace(folder="/tmp/my results"), 2, 1, "array.sh")
    assert '\n#SBATCH --output="/tmp/my results/slurm-%a.log"\n' in spaced


def test_a_killed_study_goes_on(folder, reference):
    slow = STUDY.replace("until = 0.4", "until = 40")
    written(folder, slow)
    words = [sys.executable, "-m", "voxwake.study", "study.toml", "--workers", "1", "--out", "killed"]
    job = subprocess.Popen(words, cwd=folder, start_new_session=True, stderr=subprocess.DEVNULL)
    log = folder / "killed/rows.jsonl"
    while not log.exists() or log.read_bytes().count(b"\n") < 3:
        time.sleep(0.01)
    os.killpg(job.pid, signal.SIGKILL)
    job.wait()
    before = log.read_bytes()
    assert command(folder, "study.toml", "--out", "killed").returncode == 0
    lines = log.read_bytes().splitlines()
    assert lines[:3] == before.splitlines()[:3]
    assert sorted(json.loads(line)["row"] for line in lines[1:]) == list(range(6))


def die_once(task):
    """Kill the worker, unless the task was begun before."""
    mark = pathlib.Path(task["mark"])
    if task["always"] or not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"error": ""}


def test_a_worker_that_dies_is_replaced(tmp_path):
    from voxwake.study.engines import Options, run_tasks

    said = []
    tasks = [(i, {"mark": str(tmp_path / str(i)), "always": i == 1}) for i in range(3)]
    outcomes = dict(run_tasks(tasks, die_once, Options("processes", 2, report=said.append)))
    assert outcomes[0]["error"] == outcomes[2]["error"] == ""
    assert "3 workers ended in this row; the last one was killed by SIGKILL" in outcomes[1]["error"]
    assert any("row 0: its worker was killed by SIGKILL; the row is repeated" == sentence for sentence in said)


def echo_late(task):
    time.sleep(task["seconds"])
    return {"error": task["text"]}


def test_tasks_of_an_interrupted_call_are_not_taken_for_tasks_of_the_next_call():
    from voxwake.study.engines import Options, ProcessPool

    pool = ProcessPool(echo_late, Options(workers=2))
    try:
        first = pool.run(iter([(0, {"seconds": 0, "text": "a"}), (1, {"seconds": 30, "text": "b"})]))
        assert next(first) == (0, {"error": "a"})
        first.close()
        second = dict(pool.run(iter([(0, {"seconds": 0, "text": "c"}), (1, {"seconds": 0, "text": "d"})])))
        assert second == {0: {"error": "c"}, 1: {"error": "d"}}
    finally:
        pool.close()


def test_a_row_that_fails_is_recorded(folder):
    written(folder, STUDY.replace("values = [1e4, 1e6]", "values = [1e4, 1e6]").replace('"m"', '"m"'))
    definition = read_definition(folder / "study.toml")
    task = definition.task(0)
    task["set"] = {**task["set"], "material.soft.density": -1}
    outcome = run_task(task)
    assert "material.soft.density = -1" in outcome["error"] and outcome["results"] == {}


# ---- Tables and plots ----


def test_a_study_in_python(folder):
    scene = voxwake.Scene(folder / "block.toml")
    study = Study.open(
        {
            "study": {"scene": scene, "until": 0.1},
            "parameter": [{"path": "material.soft.density", "values": [500, 1000]}],
            "measure": [{"name": "height", "system": "block", "quantity": "height"}],
        },
        folder / "python",
    )
    assert study.world(1).get("material.soft.density") == 1000
    seen = []
    table = study.run(workers=1, progress=seen.append)
    assert list(table["density"]) == [500, 1000] and np.isfinite(table["height"]).all()
    assert seen[-1].done == 2 and seen[-1].failures == 0


def test_tables_are_read_by_other_programs(folder, reference):
    h5py = pytest.importorskip("h5py")
    with h5py.File(folder / "one/table.h5") as file:
        assert list(file["row"]) == list(range(6)) and file["lowest"].attrs["unit"] == "m"
        header, *rows = [line.split(",") for line in (folder / "one/table.csv").read_text().splitlines()]
        assert [float(row[header.index("lowest")]) for row in rows] == list(file["lowest"])
        assert [row[header.index("hash")] for row in rows] == [text.decode() for text in file["hash"]]


def test_a_pareto_front():
    costs = np.array([[1, 5], [2, 2], [3, 3], [5, 1], [np.nan, 0], [2, 2]])
    assert list(pareto_front(costs)) == [True, True, False, True, False, True]


def test_plots_are_drawn(folder, reference):
    pytest.importorskip("matplotlib")
    for arguments in (
        ["--kind", "response"],
        ["--kind", "heat"],
        ["--kind", "parallel"],
        ["--kind", "pareto", "--x", "drop", "--y", "lowest", "--maximize", "lowest"],
    ):
        done = command(folder, "plot", "study.toml", "--out", "one", *arguments)
        assert done.returncode == 0, done.stderr
        assert pathlib.Path(folder / done.stdout.strip()).stat().st_size > 5000
    wrong = command(folder, "plot", "study.toml", "--out", "one", "--y", "lowst")
    assert wrong.returncode == 2 and "lowst: must be a column of the table (did you mean lowest?)" in wrong.stderr
    wrong = command(folder, "plot", "study.toml", "--out", "one", "--color", "drip")
    assert wrong.returncode == 2 and "drip: must be a column of the table (did you mean drop?)" in wrong.stderr
    pareto = ["plot", "study.toml", "--out", "one", "--kind", "pareto", "--x", "drop", "--y", "lowest"]
    wrong = command(folder, *pareto, "--maximize", "lowst")
    assert wrong.returncode == 2 and "--maximize lowst: must be one of the columns of --x and --y" in wrong.stderr
    wrong = command(folder, *pareto, "--color", "drop")
    assert wrong.returncode == 2 and "--color cannot be used with --kind pareto" in wrong.stderr
