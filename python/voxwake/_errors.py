"""Exceptions of the package."""

from __future__ import annotations

__all__ = ["Error", "SimulationError"]


class Error(Exception):
    """Invalid input: a scene file, a value, a name, or a file that cannot be read or written.

    The text of the exception is one sentence, for example
    ``pool.toml:14: system.water.spacing = -2 m: must lie in (0, 10] m``. The attributes hold its parts. A part that
    does not apply is empty, or 0 for the line.
    """

    #: Path of the file that contains the error.
    file: str = ""
    #: Line in the file, counted from 1.
    line: int = 0
    #: Path of the offending value, such as ``system.water.spacing``.
    key: str = ""
    #: Value that was found.
    found: str = ""
    #: Values that are valid, as a phrase.
    expected: str = ""
    #: Nearest valid word.
    hint: str = ""


class SimulationError(Error):
    """A health check has stopped the simulation.

    The world stays in the last good state. The text names the step, the system, the element and the cause.
    """
