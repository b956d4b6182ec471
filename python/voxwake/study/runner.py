"""Runs the rows of a study that are not recorded yet, and writes log and tables."""

from __future__ import annotations

import pathlib
import time
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple

import voxwake
from voxwake._types import Path
from voxwake.study import engines
from voxwake.study.definition import Definition, read_definition
from voxwake.study.log import RowLog, log_name, read_logs
from voxwake.study.table import Table, make_table
from voxwake.study.task import run_task

__all__ = ["Study", "Progress"]


class Progress(NamedTuple):
    """State of a study."""

    done: int
    rows: int
    failures: int
    #: Estimated wall time until the end [s], or NaN before the first row has ended.
    remaining: float
    #: Sentence about the newest event, or an empty text.
    message: str


class Study:
    """A study with its folder of results."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.folder = pathlib.Path(definition.folder)

    @classmethod
    def open(cls, source: Any, folder: Path = "") -> "Study":
        """Read a study from a file, or from a dictionary with the same keys. Results are written to ``folder``."""
        return cls(read_definition(source, folder))

    def recorded(self) -> Dict[int, Dict[str, Any]]:
        """Recorded rows, by number."""
        return read_logs(self.folder, self.definition.hash)[0]

    def table(self) -> Table:
        """Table of the recorded rows."""
        return make_table(self.definition, self.recorded())

    def run(
        self,
        *,
        engine: str = "",
        workers: int = 0,
        scheduler: str = "",
        part: Optional[Tuple[int, int]] = None,
        progress: Optional[Callable[[Progress], None]] = None,
    ) -> Table:
        """Run the rows that are not recorded yet, and return the table.

        ``engine`` is ``"processes"``, ``"mpi"`` or ``"dask"``, by default that of the file. ``scheduler`` is the
        address of a Dask scheduler. ``part`` is (number, count): only this part of the rows runs, as in a job array.
        """
        definition = self.definition
        engine = engine or (definition.engine if definition.engine != "slurm" else "processes")
        self.folder.mkdir(parents=True, exist_ok=True)
        log = RowLog(self.folder / log_name(part), self._header())
        try:
            recorded, problems = read_logs(self.folder, definition.hash)
            wanted = [row.number for row in definition.rows if part is None or row.number % part[1] == part[0]]
            meter = _Meter(progress, len(wanted), [recorded[number] for number in wanted if number in recorded])
            for problem in problems:
                meter.say(problem)
            missing = [number for number in wanted if number not in recorded]
            options = engines.Options(engine, workers or definition.workers, scheduler, meter.say)
            tasks = ((number, definition.task(number)) for number in missing)
            for number, outcome in engines.run_tasks(tasks, run_task, options):
                record = self._record(number, outcome)
                log.append(record)
                recorded[number] = record
                meter.add(record)
        finally:
            log.close()
        return self.save_tables() if part is None else make_table(definition, recorded)

    def run_row(self, number: int) -> Dict[str, Any]:
        """Run one row again in this process and return its record. The log is not changed."""
        return self._record(number, run_task(self.definition.task(number)))

    def world(self, number: int) -> "voxwake.World":
        """World of a row at its start."""
        task = self.definition.task(number)
        return voxwake.World.from_toml(task["scene"], task["set"], name=task["name"])

    def save_tables(self) -> Table:
        """Write ``table.csv``, and ``table.h5`` if h5py is installed, from the log."""
        table = self.table()
        self.folder.mkdir(parents=True, exist_ok=True)
        table.save_csv(self.folder / "table.csv")
        try:
            table.save_hdf5(self.folder / "table.h5", {key: str(value) for key, value in self._header().items()})
        except ImportError:
            pass
        return table

    def _header(self) -> Dict[str, Any]:
        definition = self.definition
        return {
            "study": definition.name,
            "format": 1,
            "definition": definition.hash,
            "rows": len(definition.rows),
            "build": voxwake.build_description(),
        }

    def _record(self, number: int, outcome: Mapping[str, Any]) -> Dict[str, Any]:
        row = self.definition.rows[number]
        return {"row": number, "parameters": row.parameters, "replicate": row.replicate, "seed": row.seed, **outcome}


class _Meter:
    """Counts rows and estimates the remaining time."""

    def __init__(
        self, show: Optional[Callable[[Progress], None]], rows: int, recorded: List[Mapping[str, Any]]
    ) -> None:
        self._show, self._rows = show, rows
        self._done = self._before = len(recorded)
        self._failures = sum(bool(record["error"]) for record in recorded)
        self._begin = time.monotonic()

    def add(self, record: Mapping[str, Any]) -> None:
        self._done += 1
        self._failures += bool(record["error"])
        self.say(f"row {record['row']}: {record['error']}" if record["error"] else "")

    def say(self, message: str) -> None:
        if self._show is None:
            return
        ran = self._done - self._before
        remaining = (time.monotonic() - self._begin) / ran * (self._rows - self._done) if ran else float("nan")
        self._show(Progress(self._done, self._rows, self._failures, remaining, message))
