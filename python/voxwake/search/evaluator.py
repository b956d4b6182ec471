"""Runs candidates of a search in parallel and records their results."""

from __future__ import annotations

import hashlib
import json
import pathlib
from typing import Any, Dict, List, Mapping, Optional, Sequence

from voxwake._errors import Error
from voxwake._types import Path
from voxwake.study.definition import hashes_of_files, read_definition
from voxwake.study.engines import Options, ProcessPool
from voxwake.study.log import RowLog, record_of
from voxwake.study.task import run_task

__all__ = ["Evaluator", "scene_task"]


def scene_task(
    scene: Any,
    until: float,
    measures: Sequence[Mapping[str, Any]],
    *,
    stops: Sequence[Mapping[str, Any]] = (),
    results: Sequence[Mapping[str, Any]] = (),
    assignments: Optional[Mapping[str, Any]] = None,
) -> Dict[str, Any]:
    """Return the task that runs a scene for ``until`` seconds and measures it.

    ``scene`` is a :class:`voxwake.Scene`, the name of a packaged scene or a file. ``measures``, ``stops`` and
    ``results`` have the keys of ``[[measure]]``, ``[[stop]]`` and ``[[result]]`` of a study.
    """
    study = {"scene": scene, "until": until, "set": dict(assignments or {})}
    source: Dict[str, Any] = {"study": study, "measure": list(measures), "stop": list(stops), "result": list(results)}
    return read_definition(source, build=False).task(0)


def key_of(task: Mapping[str, Any], known: Optional[Dict[str, str]] = None) -> str:
    """Hash that identifies a task. Equal tasks have equal hashes and equal results.

    The hash includes the content of the files that the task names, because results depend on them. ``known`` has the
    hashes of files that were read before.
    """
    named = [f'"{value}"' for value in task.get("set", {}).values() if isinstance(value, str)]
    files = hashes_of_files("\n".join([task["scene"], *named]), known)
    content: Any = [task, files] if files else task
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=list).encode()).hexdigest()


class Evaluator:
    """Runs tasks on processes of this machine. Use it in a ``with`` statement.

    If ``folder`` is given, each outcome is recorded in a log in this folder. A task with a recorded
    outcome does not run again.
    """

    def __init__(self, folder: Path = "", *, workers: int = 0) -> None:
        self._pool = ProcessPool(run_task, Options(workers=workers))
        self._known: Dict[str, Dict[str, Any]] = {}
        self._log: Optional[RowLog] = None
        #: Numbers of tasks that were run, and of tasks whose outcome was recorded already.
        self.ran = self.found = 0
        if folder:
            path = pathlib.Path(folder) / "candidates.jsonl"
            self._log = RowLog(path, {"definition": "candidates"})
            with open(path, "rb") as file:
                for line in file:
                    record = record_of(line)
                    if record is not None and "key" in record:
                        self._known.setdefault(record["key"], record)

    def __enter__(self) -> "Evaluator":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes and close the log."""
        self._pool.close()
        if self._log is not None:
            self._log.close()

    def evaluate(self, tasks: Sequence[Mapping[str, Any]]) -> List[Dict[str, Any]]:
        """Run tasks and return their outcomes in the order of the tasks."""
        known: Dict[str, str] = {}
        keys = [key_of(task, known) for task in tasks]
        missing = {key: task for key, task in zip(keys, tasks) if key not in self._known}
        self.found += len(keys) - len(missing)
        numbered = list(missing)
        for number, outcome in self._pool.run(iter(list(enumerate(missing.values())))):
            record = {"key": numbered[number], **outcome}
            if self._log is not None:
                self._log.append(record)
            self._known[numbered[number]] = record
            self.ran += 1
        return [self._known[key] for key in keys]

    def replay(self, task: Mapping[str, Any]) -> str:
        """Run a recorded task again and return its hash. Raise an error if the hash or a result has changed."""
        before = self._known.get(key_of(task))
        if before is None:
            raise Error("the task has no recorded outcome: evaluate it first")
        outcome = next(self._pool.run(iter([(0, task)])))[1]
        if outcome["hash"] != before["hash"] or outcome["results"] != before["results"]:
            raise Error(f"the task replays to the hash {outcome['hash']}, but {before['hash']} was recorded")
        return str(outcome["hash"])
