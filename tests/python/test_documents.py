"""The reference page is up to date, and the examples run."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Arguments that shorten the examples.
EXAMPLES = {
    "run_and_plot.py": ["0.1"],
    "parameter_sweep.py": ["0.02"],
    "build_a_scene.py": ["0.05"],
    "environment.py": ["1"],
    "evolve_walker.py": ["--quick", "--workers", "1"],
    "evolve_swimmer.py": ["--quick", "--workers", "1"],
    "calibrate.py": ["--quick", "--workers", "1"],
    "gust_response.py": ["--quick", "--workers", "1"],
}


def test_the_reference_is_up_to_date():
    subprocess.run([sys.executable, str(ROOT / "tools/python-pages.py"), "--check"], check=True, timeout=120)


def test_the_guide_runs(tmp_path, monkeypatch):
    """The blocks of the guide are one program."""
    monkeypatch.chdir(tmp_path)
    guide = (ROOT / "docs/python.md").read_text().split("<!--")[0]
    names = {}
    for block in re.findall(r"```python\n(.*?)```", guide, re.S):
        exec(compile(block, "docs/python.md", "exec"), names)
    assert (tmp_path / "walker.png").exists() and (tmp_path / "cube.toml").exists()


def test_every_example_is_run():
    assert {path.name for path in (ROOT / "examples").glob("*.py")} == set(EXAMPLES)


def test_the_study_of_the_guide_is_valid(tmp_path):
    from voxwake.study import read_definition

    guide = (ROOT / "docs/guide/studies.md").read_text()
    (tmp_path / "drop.toml").write_text(re.search(r"```ini\n(.*?)```", guide, re.S)[1])
    assert len(read_definition(tmp_path / "drop.toml").rows) == 20


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example, tmp_path):
    if example in ("evolve_swimmer.py", "calibrate.py"):
        pytest.importorskip("deap")
    script = str(ROOT / "examples" / example)
    done = subprocess.run(
        [sys.executable, script, *EXAMPLES[example]],
        cwd=tmp_path,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
