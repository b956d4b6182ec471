"""Script for a job array of Slurm, which runs the parts of a study side by side."""

from __future__ import annotations

import os
import shlex
import sys

from voxwake._errors import Error
from voxwake.study.definition import Definition

__all__ = ["array_script"]

SCRIPT = """#!/bin/bash
# Job array for the study {name}: {rows} rows in {parts} parts. Start it with: sbatch {script}
# Every part writes its own log. If parts were interrupted, start the array again: each part continues from its log.
#SBATCH --job-name={job}
#SBATCH --array=0-{last}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={workers}
#SBATCH --output={output}
set -eu
exec {python} -m voxwake.study {file} --out {folder} --engine processes --workers {workers} --part "$SLURM_ARRAY_TASK_ID/{parts}"
"""


def array_script(definition: Definition, parts: int, workers: int, script: str) -> str:
    """Return the script. Afterwards, ``voxwake study FILE --table`` joins the logs of the parts."""
    folder = os.path.abspath(definition.folder)
    if "\n" in folder + script or "\r" in folder + script:  # a new line would end the comment that names the path
        raise Error(f"{' '.join(folder.split())}: the path of a job array must not contain line breaks")
    return SCRIPT.format(
        name=" ".join(definition.name.split()),
        job="".join(letter if letter.isalnum() else "-" for letter in definition.name),
        rows=len(definition.rows),
        parts=parts,
        last=parts - 1,
        workers=workers,
        script=shlex.quote(script),
        output=_quoted(folder.replace("%", "%%") + "/slurm-%a.log"),
        python=shlex.quote(sys.executable),
        file=shlex.quote(os.path.abspath(definition.file)),
        folder=shlex.quote(folder),
    )


def _quoted(path: str) -> str:
    """Return a path for a line with #SBATCH. Slurm splits such a line at spaces outside quotes."""
    if not any(letter in path for letter in " \t\"'#\\"):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
