"""Log of finished rows: lines of JSON with checksums, to which rows are appended one by one.

The first line describes the study. Every line ends with a checksum of its text, and is on the disk before the next row
is recorded. If a crash has truncated the last line, this line is removed when the log is opened again. A folder may
hold several logs, because every part of a job array writes its own.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pathlib
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from voxwake._errors import Error

__all__ = ["RowLog", "read_logs", "log_name"]


def log_name(part: Optional[Tuple[int, int]] = None) -> str:
    """Name of the log, or of the log of one part of a job array."""
    return f"rows-{part[0]}-of-{part[1]}.jsonl" if part else "rows.jsonl"


def line_of(record: Mapping[str, Any]) -> bytes:
    """Line of a record with its checksum."""
    text = json.dumps(record, allow_nan=False, separators=(",", ":"))
    return f'{text[:-1]},"checksum":"{checksum(text)}"}}\n'.encode()


def checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def record_of(line: bytes) -> Optional[Dict[str, Any]]:
    """Record of a complete line with a valid checksum, or None."""
    try:
        text = line.decode()
        body, mark, tail = text.rpartition(',"checksum":"')
        if not mark or tail != checksum(body + "}") + '"}\n':
            return None
        record = json.loads(body + "}")
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


class RowLog:
    """The log that one process writes. Other processes may read it at any time."""

    def __init__(self, path: pathlib.Path, header: Mapping[str, Any]) -> None:
        """Open or create the log. Raise an error if it belongs to another study, or another process writes it."""
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open(path, "a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise Error(f"{path}: another process runs this study") from None
        self._remove_torn_line()
        self._file.seek(0)
        first = self._file.readline()
        if not first:
            self._write(line_of(header))
            _sync_folder(path.parent)
            return
        found = record_of(first) or {}
        if found.get("definition") != header["definition"]:
            self._file.close()
            raise Error(
                f"{path}: holds the rows of another definition (hash {str(found.get('definition'))[:12]}, this study has "
                f"{header['definition'][:12]}): rename the folder, or choose another with --out"
            )

    def append(self, record: Mapping[str, Any]) -> None:
        """Append a record. It is on the disk when the function returns."""
        self._write(line_of(record))

    def close(self) -> None:
        self._file.close()

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())

    def _remove_torn_line(self) -> None:
        """Remove an incomplete last line. A damaged line that is complete stays, and readers skip it."""
        self._file.seek(0)
        content = self._file.read()
        end = content.rfind(b"\n") + 1
        if end < len(content):
            self._file.truncate(end)
            os.fsync(self._file.fileno())


def _sync_folder(folder: pathlib.Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _records(path: pathlib.Path) -> Iterator[Optional[Dict[str, Any]]]:
    with open(path, "rb") as file:
        for line in file:
            yield record_of(line)


def read_logs(folder: pathlib.Path, definition: str) -> Tuple[Dict[int, Dict[str, Any]], List[str]]:
    """Return the recorded rows of all logs of a folder by number, and a sentence for each problem."""
    rows: Dict[int, Dict[str, Any]] = {}
    problems = []
    for path in sorted(folder.glob("rows*.jsonl")):
        records = list(_records(path))
        if not records or records[0] is None or records[0].get("definition") != definition:
            if records:
                problems.append(f"{path}: holds the rows of another definition and is not used")
            continue
        damaged = sum(record is None for record in records)
        if damaged:
            problems.append(f"{path}: {damaged} damaged line{'s' if damaged != 1 else ''}; their rows run again")
        for record in records[1:]:
            if record is not None and isinstance(record.get("row"), int):
                rows.setdefault(record["row"], record)
    return rows, problems
