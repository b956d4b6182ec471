"""Scenes: trees of nodes, which Python code builds, changes and saves as TOML."""

from __future__ import annotations

import json
import os
from typing import Any, List, Mapping, Optional, cast

import numpy as np

from voxwake import _core
from voxwake._types import Path
from voxwake.nodes import SceneNode

__all__ = ["Scene"]


class Scene(SceneNode):
    """A scene.

    Without an argument, the scene has no systems and all parameters have their default values. ``Scene("walker")`` opens
    a packaged scene or the file at a path. Parameters and slots are attributes::

        scene = voxwake.Scene()
        scene.world.gravity = (0, -1.62, 0)
        scene.material.add(name="soft", youngs_modulus=1e5)
        scene.system.add("voxel_body", "cube", size=(4, 4, 4), position=(0, 0.5, 0))
    """

    def __init__(self, source: Optional[Path] = None) -> None:
        super().__init__(_core.Tree() if source is None else _core.Tree.open(os.fspath(source)), "")

    @classmethod
    def _wrap(cls, tree: Any) -> "Scene":
        scene = cls.__new__(cls)
        SceneNode.__init__(scene, tree, "")
        return scene

    @classmethod
    def from_toml(cls, text: str, *, name: str = "scene", folder: str = "") -> "Scene":
        """Read the text of a scene file. File names in the text are relative to ``folder``."""
        return cls._wrap(_core.Tree.from_text(text, name, folder))

    @property
    def name(self) -> str:
        """Name of the scene, for messages: its file or the name of the packaged scene."""
        return cast(str, self._tree.name)

    def get(self, path: str) -> Any:
        """Return the value of a parameter by its path, such as ``"world.gravity"``."""
        return self._tree.get(path)

    def set(self, path: str, value: Any) -> None:
        """Set a parameter by its path."""
        self._tree.set(path, value)

    def to_toml(self) -> str:
        """Return the scene as the text of a scene file. Values that equal the defaults are left out."""
        return cast(str, self._tree.to_toml())

    def save(self, path: Path) -> None:
        """Write the scene to a file that the program can open."""
        self._tree.save(os.fspath(path))

    def copy(self) -> "Scene":
        """Return an independent copy."""
        return Scene._wrap(self._tree.copy())

    def equals(self, other: "Scene") -> bool:
        """Whether both scenes have equal nodes and values."""
        return cast(bool, self._tree.equals(other._tree))


def value_text(value: Any) -> str:
    """Return a value as text, in the form that the option ``--set`` of the program accepts."""
    if isinstance(value, os.PathLike):
        value = str(os.fspath(value))
    if isinstance(value, str):
        # The program removes outer blanks and one pair of outer quotes.
        changes = not value or value[0] in " \t\"'" or value[-1] in " \t"
        return f'"{value}"' if changes else value
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    return "[" + ", ".join(_entry_text(entry) for entry in value) + "]"


def _entry_text(entry: Any) -> str:
    """Return an entry of a list as text. Texts are in quotes, without escapes, because ``--set`` has none."""
    if isinstance(entry, str):
        return f"'{entry}'" if '"' in entry else f'"{entry}"'
    return json.dumps(entry.item() if isinstance(entry, np.generic) else entry)


def assignment_texts(assignments: Optional[Mapping[str, Any]]) -> List[str]:
    """Return assignments as texts, in the form that the option ``--set`` of the program accepts."""
    return [f"{path}={value_text(value)}" for path, value in (assignments or {}).items()]
