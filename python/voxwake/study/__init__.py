"""Parameter studies: a scene that runs for many values of its parameters.

A study is a TOML file, or a dictionary with the same keys::

    import voxwake.study

    study = voxwake.study.Study.open("stiffness.toml")
    table = study.run(workers=4)
    print(table["youngs_modulus"], table["drop"])

``docs/guide/studies.md`` describes the keys. The same study has the same rows with every engine: processes of this
machine, MPI, Dask and job arrays of Slurm.
"""

from __future__ import annotations

from voxwake.study.definition import Definition, Parameter, read_definition
from voxwake.study.runner import Study
from voxwake.study.table import Table
from voxwake.study.task import run_task

__all__ = ["Definition", "Parameter", "Study", "Table", "read_definition", "run_task"]
