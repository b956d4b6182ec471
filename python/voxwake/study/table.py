"""Table of a study: one row per run, with parameters, results, final hash, error and wall time."""

from __future__ import annotations

import csv
import io
import math
import os
import pathlib
from typing import Any, Dict, List, Mapping, Optional, Sequence

import numpy as np

from voxwake.study.definition import Definition

__all__ = ["Table", "make_table"]


class Table:
    """Columns of a study by name. Rows that have not run, or whose run failed, have no results (NaN)."""

    def __init__(self, columns: Mapping[str, Sequence[Any]], units: Mapping[str, str]) -> None:
        self.columns: Dict[str, List[Any]] = {name: list(values) for name, values in columns.items()}
        self.units = dict(units)

    def __len__(self) -> int:
        return len(self.columns["row"])

    def __getitem__(self, name: str) -> np.ndarray:
        """Values of a column, as an array."""
        values = self.columns[name]
        if all(value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)) for value in values):
            if values and all(isinstance(value, int) for value in values):
                return np.array(values)
            return np.array([math.nan if value is None else value for value in values], float)
        return np.array([_cell(value) for value in values])

    def has_equal_replicates(self) -> bool:
        """Return whether there are replicates and all replicates of a point end with the same hash.

        The seeds then change nothing. The rows of a point are consecutive, and the first one is replicate 0.
        """
        hashes: List[List[Any]] = []
        for replicate, value, error in zip(*(self.columns[name] for name in ("replicate", "hash", "error"))):
            if replicate == 0:
                hashes.append([])
            if hashes and not error:
                hashes[-1].append(value)
        groups = [group for group in hashes if len(group) > 1]
        return bool(groups) and all(len(set(group)) == 1 for group in groups)

    def to_csv(self) -> str:
        """Return the table as CSV. Numbers have enough digits to restore every bit."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        for row in zip(*self.columns.values()):
            writer.writerow([_cell(value) for value in row])
        return text.getvalue()

    def save_csv(self, path: Any) -> None:
        """Write the table as CSV. An existing file is replaced only when the new one is complete."""
        replace_file(pathlib.Path(path), self.to_csv().encode())

    def save_hdf5(self, path: Any, attributes: Optional[Mapping[str, str]] = None) -> None:
        """Write the table as HDF5, one dataset per column, with units as attributes. Needs h5py."""
        import h5py

        path = pathlib.Path(path)
        temporary = _beside(path)
        try:
            with h5py.File(temporary, "w") as file:
                for key, value in (attributes or {}).items():
                    file.attrs[key] = value
                for name in self.columns:
                    values = self[name]
                    if values.dtype.kind in "US":
                        values = values.astype(h5py.string_dtype())
                    dataset = file.create_dataset(name, data=values)
                    if self.units.get(name):
                        dataset.attrs["unit"] = self.units[name]
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return " ".join(_cell(part) for part in value)
    return repr(value) if isinstance(value, float) else str(value)


def _beside(path: pathlib.Path) -> pathlib.Path:
    return path.with_name(f".{path.name}.{os.getpid()}")


def replace_file(path: pathlib.Path, content: bytes) -> None:
    """Write a file beside ``path`` and rename it, so that readers see the old file or the new one."""
    temporary = _beside(path)
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def make_table(definition: Definition, recorded: Mapping[int, Mapping[str, Any]]) -> Table:
    """Table of the recorded rows, in the order of their numbers."""
    rows = [row for row in definition.rows if row.number in recorded]
    found = [recorded[row.number] for row in rows]
    columns: Dict[str, List[Any]] = {"row": [row.number for row in rows]}
    for parameter in definition.parameters:
        columns[parameter.name] = [row.parameters[parameter.name] for row in rows]
    columns["replicate"] = [row.replicate for row in rows]
    columns["seed"] = [row.seed for row in rows]
    for name in definition.results:
        columns[name] = [record["results"].get(name) for record in found]
    for name in ("time", "steps", "stopped", "hash", "error", "wall"):
        columns[name] = [record[name] for record in found]
    return Table(columns, {**definition.units, "time": "s", "wall": "s"})
