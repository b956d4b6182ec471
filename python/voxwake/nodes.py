"""Nodes of a scene, with one class for each kind.

The classes are made from the declarations of the library: each parameter and each slot of a kind is an attribute with a
docstring. The build writes the same classes to ``nodes.pyi``, for type checkers and editors.
"""

from __future__ import annotations

import difflib
import keyword
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Type, Union, cast

import numpy as np

from voxwake import _core, _errors

__all__ = ["Node", "NodeList"]


class Node:
    """One node of a scene. Its parameters and slots are attributes.

    A value is checked when it is assigned. A wrong name raises AttributeError, a wrong value :class:`voxwake.Error`.
    """

    _names: Tuple[str, ...] = ()  # parameters and slots

    def __init__(self, tree: Any, path: str) -> None:
        object.__setattr__(self, "_tree", tree)
        object.__setattr__(self, "_path", path)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(self._unknown(name))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._names:
            raise AttributeError(self._unknown(name))
        object.__setattr__(self, name, value)

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self._names, 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        return f"{type(self).__name__} has no parameter or slot {name!r}{hint}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._tree is other._tree and self._path == other._path

    def __hash__(self) -> int:
        return hash((id(self._tree), self._path))

    def __repr__(self) -> str:
        return f"<voxwake.nodes.{type(self).__name__} {self._path!r}>"


def node_path(node: Node) -> str:
    """Path of a node in its scene, such as ``system.creature``; empty for the scene itself."""
    return cast(str, node._path)


class NodeList:
    """Nodes in one slot of a node, by name or by index."""

    def __init__(self, tree: Any, parent: str, slot: str) -> None:
        self._tree = tree
        self._parent = parent
        self._slot = slot

    @property
    def names(self) -> List[str]:
        """Names of the nodes, in the order of the scene."""
        return cast(List[str], self._tree.children(self._parent, self._slot))

    def add(self, kind: str = "", name: str = "", **values: Any) -> Any:
        """Add a node and return it. ``values`` are its parameters.

        ``kind`` may be omitted if the slot has a single kind. Without a name, an unused name is chosen.
        """
        path = self._tree.add(self._parent, self._slot, kind, name)
        node = node_at(self._tree, path)
        try:
            for key, value in values.items():
                setattr(node, key, value)
        except Exception:
            self._tree.remove(path)
            raise
        return node

    def rename(self, name: str, new_name: str) -> None:
        """Rename a node. Existing objects of this node become invalid."""
        self._tree.rename(self._path(name), new_name)

    def __getitem__(self, name: Union[str, int]) -> Any:
        if isinstance(name, str) and name not in self.names:
            near = difflib.get_close_matches(name, self.names, 1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise KeyError(f"{self._slot} {name!r}: there is no such node{hint}")
        return node_at(self._tree, self._path(name))

    def __delitem__(self, name: Union[str, int]) -> None:
        self._tree.remove(self._path(name))

    def __iter__(self) -> Iterator[Any]:
        return (self[name] for name in self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __repr__(self) -> str:
        return f"<voxwake.NodeList {self._slot}: {', '.join(self.names) or 'empty'}>"

    def _path(self, name: Union[str, int]) -> str:
        if isinstance(name, int):
            name = self.names[name]
        return below(self._parent, self._slot, name)


class Voxels:
    """Functions that set and return the cells of voxel bodies."""

    def set_voxels(self, codes: Any, palette: Optional[Sequence[str]] = None) -> None:
        """Set the cells of a body from an array with the indices [x, y, z].

        A code of 0 is an empty cell. Code 1 is the first material of ``palette``, code 2 the second, and so on. The
        size of the body becomes the shape of the array.
        """
        node: Any = self
        array = np.asarray(codes)
        # A conversion to 16 bits would turn other numbers into wrong codes.
        if array.dtype.kind not in "biuf" or not np.all((array >= 0) & (array <= 65535) & (array == np.floor(array))):
            raise _errors.Error(f"{node._path}: codes of voxels must be whole numbers from 0 to 65535")
        layers = _core.layers_of(array)
        if palette is not None:
            node.palette = list(palette)
        node.shape = "layers"
        node.size = np.shape(codes)
        node.layers = layers

    @property
    def voxels(self) -> np.ndarray:
        """Codes of the cells that ``layers`` lists, with the indices [x, y, z]."""
        node: Any = self
        if node.shape != "layers":
            raise _errors.Error(f'{node._path}.shape = "{node.shape}": only bodies of shape "layers" list their cells')
        return cast(np.ndarray, _core.codes_of(node.layers, [int(cells) for cells in node.size]))


def below(parent: str, slot: str, name: str = "") -> str:
    """Path of a child node."""
    return ".".join(part for part in (parent, slot, name) if part)


def class_name(key: str) -> str:
    """Name of the class of a kind: ``voxel_body`` gives ``VoxelBody``."""
    return "SceneNode" if key == "scene" else "".join(word.capitalize() for word in key.split("_"))


def attribute_name(name: str) -> str:
    """Name of the attribute for a parameter. Keywords of Python get an underscore: ``from`` becomes ``from_``."""
    return name + "_" if keyword.iskeyword(name) else name


def parameter_doc(param: Dict[str, Any]) -> str:
    """Docstring of a parameter."""
    text = str(param["doc"]) or param["name"].replace("_", " ")
    facts = []
    if param["unit"]:
        facts.append(f"unit {param['unit']}")
    if param["choices"]:
        facts.append("one of " + ", ".join(f'"{choice}"' for choice in param["choices"]))
    if param["type"] in ("int", "float", "vec3", "numbers") and (param["min"] > -1e300 or param["max"] < 1e300):
        low = f"{param['min']:g}" if param["min"] > -1e300 else "-inf"
        high = f"{param['max']:g}" if param["max"] < 1e300 else "inf"
        facts.append(f"range [{low}, {high}]")
    default = param["default"]
    if not isinstance(default, list) or len(default) < 8:
        facts.append(f"default {default!r}")
    facts.append("changes during a run" if param["live"] else "takes effect at a reset")
    return f"{text} ({'; '.join(facts)})"


def _parameter(name: str, doc: str) -> property:
    def get(self: Node) -> Any:
        return self._tree.get(below(self._path, name))

    def set(self: Node, value: Any) -> None:
        self._tree.set(below(self._path, name), value)

    return property(get, set, None, doc)


def _slot(name: str, many: bool, doc: str) -> property:
    def get(self: Node) -> Any:
        return NodeList(self._tree, self._path, name) if many else node_at(self._tree, below(self._path, name))

    return property(get, None, None, doc)


_classes: Dict[str, Type[Node]] = {}  # class of each kind, by the key of its schema
_slots: Dict[Tuple[str, str, str], str] = {}  # (key of the parent, slot, kind): key of the child


def _make_classes() -> None:
    for schema in _core.schemas():
        members: Dict[str, Any] = {"__doc__": f"{schema['label']}: {schema['doc']}", "__module__": __name__}
        for param in schema["params"]:
            members[attribute_name(param["name"])] = _parameter(param["name"], parameter_doc(param))
        for slot in schema["slots"]:
            members[slot["name"]] = _slot(slot["name"], slot["many"], slot["doc"])
            for kind, key in slot["kinds"]:
                _slots[schema["key"], slot["name"], kind] = key
        members["_names"] = tuple(name for name in members if not name.startswith("_"))
        bases = (Voxels, Node) if schema["key"] == "voxel_body" else (Node,)
        name = class_name(schema["key"])
        _classes[schema["key"]] = globals()[name] = type(name, bases, members)
        __all__.append(name)


def node_at(tree: Any, path: str) -> Any:
    """Return the node at a path, as an object of the class of its kind."""
    key = "scene"
    for slot, kind in tree.kinds_down_to(path)[1:]:
        key = _slots[key, slot, kind]
    return _classes[key](tree, path)


_make_classes()
