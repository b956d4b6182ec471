#!/usr/bin/env python3
"""Kills a study at random moments and checks that no recorded row is lost or repeated.

    tools/study-kills.py [--kills N] [--rows N] [--engines processes,mpi,dask] [--seed N] [--folder FOLDER]

The script runs a study of a tiny scene in one process. Then it runs the same study with each engine in turn, and kills
a random worker or the whole job with SIGKILL at a random moment. After each kill of a job, the study is started again.
When a study ends, its rows and hashes must equal those of the first table. The study then begins again, until N kills
have happened (default 50). The built package must be importable.
"""

import argparse
import collections
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from voxwake.study.log import record_of

SCENE = """
[[material]]
name = "soft"
youngs_modulus = 1e5
[[collider]]
kind = "plane"
name = "ground"
[[system]]
kind = "voxel_body"
name = "block"
size = [3, 3, 3]
voxel_size = 0.02
position = [0.0, 0.3, 0.0]
"""
STUDY = """
[study]
scene = "tiny.toml"
until = {until}
[[parameter]]
path = "material.soft.youngs_modulus"
range = [1e4, 1e6]
scale = "log"
count = {rows}
[[measure]]
name = "mean"
system = "block"
quantity = "height"
reduce = "mean"
"""


def descendants(root):
    """Ids of all descendants of the process `root`."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat[stat.rindex(")") + 2 :].split()[1])
    found, waiting = [], [root]
    while waiting:
        here = waiting.pop()
        below = [pid for pid, parent in parents.items() if parent == here]
        found += below
        waiting += below
    return found


def workers_of(job):
    """Ids of the workers of a job: its descendants that run Python."""
    found = []
    for pid in descendants(job.pid):
        try:
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if b"spawn_main" in words or b"voxwake.study" in words:
            found.append(pid)
    return found


def start(engine, folder):
    study = [sys.executable, "-m", "voxwake.study", "study.toml", "--engine", engine, "--out", f"out-{engine}"]
    if engine == "mpi":
        study = ["mpiexec", "-n", "4", "--oversubscribe", *study]
    else:
        study += ["--workers", "4"]
    log = open(folder / f"{engine}.log", "ab")
    # Without these variables, Open MPI refuses to run as root.
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return subprocess.Popen(study, cwd=folder, stdout=log, stderr=log, env=environment, start_new_session=True)


def end_all(job):
    """Kill a job and all its descendants. Wait until they have ended, so that the log is no longer locked."""
    below = descendants(job.pid)
    for pid in [job.pid, *below]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    job.wait()
    for pid in below:
        while pathlib.Path(f"/proc/{pid}").exists() and "\nState:\tZ" not in status_of(pid):
            time.sleep(0.01)


def status_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return "\nState:\tZ"


def recorded(log):
    """Lines of the rows in a log, without an incomplete last line."""
    lines = log.read_bytes().splitlines(keepends=True)[1:] if log.exists() else []
    return [line for line in lines if line.endswith(b"\n")]


def rows_of(table):
    """Rows of a table without the wall time."""
    return [line.rpartition(",")[0] for line in table.read_text().splitlines()]


class Torture:
    def __init__(self, folder, wanted, seed):
        self.folder, self.wanted = folder, wanted
        self.random = random.Random(seed)
        self.kills = collections.Counter()
        self.before = {}

    def check_log(self, engine):
        """Check that earlier rows are unchanged and that no row is recorded twice. Return the number of rows."""
        log = self.folder / f"out-{engine}" / "rows.jsonl"
        lines = recorded(log)
        records = [record_of(line) for line in lines]
        assert all(record is not None for record in records), f"{engine}: damaged line"
        numbers = [record["row"] for record in records]
        assert len(numbers) == len(set(numbers)), f"{engine}: a row is recorded twice"
        before = self.before.get(engine, [])
        assert lines[: len(before)] == before, f"{engine}: a recorded row is lost"
        self.before[engine] = lines
        return len(lines)

    def round(self, engine):
        """Run the study until it ends or is killed. Return whether it ended."""
        job = start(engine, self.folder)
        whole = self.random.random() < 0.5
        log = self.folder / f"out-{engine}" / "rows.jsonl"
        begin = len(recorded(log))
        if self.random.random() < 0.8:  # wait for a new row; the other kills may also hit the start
            while job.poll() is None and len(recorded(log)) == begin:
                time.sleep(0.005)
        due = time.monotonic() + self.random.expovariate(1.0)
        while job.poll() is None and time.monotonic() < due:
            time.sleep(0.005)
        killed = job.poll() is None
        if killed:
            workers = workers_of(job)
            if whole or not workers:
                end_all(job)
                self.kills[f"{engine} job"] += 1
            else:
                try:
                    os.kill(self.random.choice(workers), signal.SIGKILL)
                    self.kills[f"{engine} worker"] += 1
                except ProcessLookupError:
                    pass
                begin = len(recorded(log))
                limit = time.monotonic() + 60
                while job.poll() is None and len(recorded(log)) < begin + 5 and time.monotonic() < limit:
                    time.sleep(0.05)
                if job.poll() is None:  # the job continues after the death of a worker
                    end_all(job)
                    self.kills[f"{engine} job"] += 1
        done = self.check_log(engine)
        print(f"{sum(self.kills.values())} kills, {engine}: {done} rows, status {job.returncode}", flush=True)
        assert killed or job.returncode == 0, f"{engine}: ended with status {job.returncode} without a kill"
        return job.returncode == 0

    def compare(self, engine):
        found = rows_of(self.folder / f"out-{engine}" / "table.csv")
        assert found == self.wanted, f"{engine}: the table differs"
        shutil.rmtree(self.folder / f"out-{engine}")
        self.before.pop(engine)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50, help="total number of kills (default 50)")
    parser.add_argument("--rows", type=int, default=200, help="number of rows of the study (default 200)")
    parser.add_argument("--until", type=float, default=4.0, help="simulated time of a row in seconds (default 4)")
    parser.add_argument("--engines", default="processes,mpi,dask", help="engines, separated by commas (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random numbers (default 1)")
    parser.add_argument(
        "--folder", default="", help="folder of the studies (default: a temporary folder, which is removed after success)"
    )
    options = parser.parse_args()
    if "PYTHONPATH" in os.environ:  # the studies run in another folder
        paths = os.environ["PYTHONPATH"].split(os.pathsep)
        os.environ["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in paths)
    folder = pathlib.Path(options.folder or tempfile.mkdtemp(prefix="study-kills-"))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tiny.toml").write_text(SCENE)
    (folder / "study.toml").write_text(STUDY.format(rows=options.rows, until=options.until))
    study = [sys.executable, "-m", "voxwake.study", "study.toml", "--workers", "1", "--out", "one"]
    subprocess.run(study, cwd=folder, check=True)
    torture = Torture(folder, rows_of(folder / "one" / "table.csv"), options.seed)
    assert len(torture.wanted) == options.rows + 1
    engines = options.engines.split(",")
    ended = collections.Counter()
    turn = 0
    while sum(torture.kills.values()) < options.kills:
        engine = engines[turn % len(engines)]
        turn += 1
        if torture.round(engine):
            torture.compare(engine)
            ended[engine] += 1
    for engine in torture.before:  # the last run of each engine ends without a kill
        job = start(engine, folder)
        assert job.wait() == 0, f"{engine}: status {job.returncode}"
        torture.check_log(engine)
        assert rows_of(folder / f"out-{engine}" / "table.csv") == torture.wanted, f"{engine}: the table differs"
        ended[engine] += 1
    if not options.folder:
        shutil.rmtree(folder)
    print(
        f"{sum(torture.kills.values())} kills {dict(torture.kills)}: every table is equal ({dict(ended)}), no row lost or repeated"
    )


if __name__ == "__main__":
    main()
