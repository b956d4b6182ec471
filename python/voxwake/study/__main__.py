"""The command ``voxwake study``, whose arguments the program passes to this module."""

from __future__ import annotations

import argparse
import math
import os
import pathlib
import shlex
import sys
import time
from typing import Any, Dict, List, Optional, Tuple

from voxwake._errors import Error
from voxwake.study import engines
from voxwake.study.definition import ENGINES
from voxwake.study.log import read_logs
from voxwake.study.runner import Progress, Study
from voxwake.study.slurm import array_script
from voxwake.study.table import replace_file

DONE, FAILED, BAD_INPUT = 0, 1, 2


def _part(text: str) -> Tuple[int, int]:
    number, _, count = text.partition("/")
    if not (number.isdigit() and count.isdigit() and int(number) < int(count)):
        raise argparse.ArgumentTypeError(f"{text}: must be NUMBER/COUNT, such as 0/64")
    return int(number), int(count)


def _count(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text}: must be a whole number of at least 0")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="voxwake study",
        description="Run a scene for many values of its parameters. An interrupted study continues if it is run again.",
        epilog="`voxwake study plot FILE` draws the results.",
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="the study (.toml)")
    parser.add_argument("--engine", choices=ENGINES, help="engine that runs the rows (default: that of the file)")
    parser.add_argument(
        "--workers", type=_count, default=0, metavar="N", help="number of workers (default: one per core)"
    )
    parser.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="scheduler of Dask (default: a cluster on this machine)"
    )
    parser.add_argument(
        "--out",
        default="",
        metavar="FOLDER",
        help="folder of the results (default: the key output of FILE, else FILE with .results for .toml)",
    )
    parser.add_argument(
        "--row", type=_count, metavar="N", help="run one row again and compare its hash with the recorded one"
    )
    parser.add_argument("--check", action="store_true", help="check the study and print its number of rows; run nothing")
    parser.add_argument("--table", action="store_true", help="write the tables from the logs, without running rows")
    parser.add_argument(
        "--part", type=_part, metavar="I/N", help="run only part I of N, counted from 0, as in a job array"
    )
    parser.add_argument(
        "--parts", type=_count, metavar="N", help="number of parts of the script for Slurm (default 16)"
    )
    return parser


def _check(options: argparse.Namespace, engine: str) -> None:
    """Raise an error for an option that would have no effect."""
    given = {"--check": options.check, "--row": options.row is not None, "--table": options.table}
    instead = [name for name, is_given in given.items() if is_given]
    if len(instead) > 1:
        raise Error(f"{instead[1]} cannot be used with {instead[0]}")
    for name, wanted in (("part", ""), ("parts", "slurm"), ("scheduler", "dask")):
        if getattr(options, name) in (None, ""):
            continue
        if instead:
            raise Error(f"--{name} cannot be used with {instead[0]}")
        if wanted and engine != wanted:
            raise Error(f"--{name} requires the engine {wanted}, but the engine is {engine}")
    if options.part is not None and engine == "slurm":
        raise Error("--part cannot be used with the engine slurm, which writes the script that runs the parts")


def main(arguments: Optional[List[str]] = None) -> int:
    """Run the command and return its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if arguments[:1] == ["plot"]:
            from voxwake.study.plots import plot_command

            return plot_command(arguments[1:])
        return _run(_parser().parse_args(arguments))
    except Error as error:
        _say(str(error))
        return BAD_INPUT
    except OSError as error:
        _say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        _say("interrupted; finished rows are kept, and the same command continues the study")
        return FAILED


def _say(sentence: str) -> None:
    print(f"voxwake: {sentence}", file=sys.stderr)


def _run(options: argparse.Namespace) -> int:
    try:
        study = Study.open(options.file, options.out)
        definition = study.definition
        engine = options.engine or definition.engine
        _check(options, engine)
    except Error:
        if options.engine == "mpi" and engines.is_mpi_worker():
            return BAD_INPUT  # the first process reports the error
        raise
    if options.check:
        print(
            f"{options.file}: {len(definition.rows)} rows, {len(definition.results)} results, definition {definition.hash}"
        )
        return DONE
    if options.row is not None:
        return _repeat(study, options.row)
    if options.table:
        return _write_tables(study)
    if engine == "slurm":
        return _write_script(study, options)
    if engine == "mpi":
        if engines.is_mpi_worker():
            engines.serve_mpi()
            return DONE
        with engines.mpi_job():
            return _run_rows(study, engine, options)
    return _run_rows(study, engine, options)


def _run_rows(study: Study, engine: str, options: argparse.Namespace) -> int:
    with _Display() as display:
        table = study.run(
            engine=engine,
            workers=options.workers,
            scheduler=options.scheduler,
            part=options.part,
            progress=display.show,
        )
    return _summary(study, table, has_file=options.part is None)


def _summary(study: Study, table: "Table", has_file: bool = True) -> int:  # type: ignore[name-defined]  # noqa: F821
    failures = sum(bool(error) for error in table.columns["error"])
    total = len(study.definition.rows)
    # A part of a job array writes no table.
    place = study.folder / "table.csv" if has_file else study.folder
    print(f"{study.definition.name}: {len(table)} of {total} rows, {failures} failed; {place}")
    if table.has_equal_replicates():
        print(
            f"{study.definition.name}: warning: the replicates of each point end with the same hash. The seeds have no "
            "effect: name a seed that the scene uses in study.seeds",
            file=sys.stderr,
        )
    return FAILED if failures else DONE


def _recorded(study: Study) -> Dict[int, Dict[str, Any]]:
    """Return the recorded rows, and report damaged logs and logs of other definitions."""
    rows, problems = read_logs(study.folder, study.definition.hash)
    for problem in problems:
        _say(problem)
    return rows


def _write_tables(study: Study) -> int:
    # Without this check, a changed study would replace the table of its earlier definition by an empty one.
    if not _recorded(study):
        raise Error(f"{study.folder}: holds no row of this study, so no table was written")
    return _summary(study, study.save_tables())


def _repeat(study: Study, number: int) -> int:
    rows = len(study.definition.rows)
    if number >= rows:
        raise Error(f"--row {number}: must be a whole number from 0 to {rows - 1}")
    record = study.run_row(number)
    for name, value in {**record["parameters"], **record["results"]}.items():
        print(f"{name} = {value}")
    if record["error"]:
        print(f"error = {record['error']}")
    print(f"hash = {record['hash']}")
    before = _recorded(study).get(number)
    if before is None:
        print("the row is not recorded yet")
        return DONE
    same = before["hash"] == record["hash"] and before["results"] == record["results"]
    print(
        "equal to the recorded row"
        if same
        else f"differs from the recorded row: hash {before['hash']}, results {before['results']}"
    )
    return DONE if same else FAILED


def _write_script(study: Study, options: argparse.Namespace) -> int:
    study.folder.mkdir(parents=True, exist_ok=True)
    path = study.folder / "array.sh"
    wanted = 16 if options.parts is None else options.parts
    parts = max(1, min(wanted, len(study.definition.rows)))
    text = array_script(study.definition, parts, max(1, options.workers or study.definition.workers), str(path))
    replace_file(pathlib.Path(path), text.encode())
    os.chmod(path, 0o755)
    words = ["voxwake", "study", options.file, *(["--out", options.out] if options.out else []), "--table"]
    print(f"{path}: start it with `sbatch {shlex.quote(str(path))}`, and join the parts with `{shlex.join(words)}`")
    return DONE


class _Display:
    """Shows the progress on stderr: one line that changes on a terminal, else a line every 10 seconds."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._next = time.monotonic() + (0.0 if self._live else 10.0)
        self._shown = False

    def __enter__(self) -> "_Display":
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print(file=sys.stderr)

    def show(self, progress: Progress) -> None:
        if progress.message:
            if self._shown:
                print("\r\033[K", end="", file=sys.stderr)
            _say(progress.message)
        now = time.monotonic()
        if now < self._next and progress.done < progress.rows:
            return
        text = f"{progress.done} of {progress.rows} rows"
        if progress.failures:
            text += f", {progress.failures} failed"
        if math.isfinite(progress.remaining) and progress.done < progress.rows:
            text += f", {_duration(progress.remaining)} left"
        if self._live:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
            self._shown = True
        elif progress.done < progress.rows:
            _say(text)
        self._next = now + (0.1 if self._live else 10.0)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


if __name__ == "__main__":
    sys.exit(main())
