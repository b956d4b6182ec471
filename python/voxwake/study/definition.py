"""Definition of a study: scene, parameters, measured quantities and stop conditions, read from TOML with checks."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import voxwake
from voxwake import _core
from voxwake._errors import Error
from voxwake._types import Path
from voxwake.study.formula import Formula
from voxwake.study.sampling import SAMPLINGS, SCALES, Axis, points
from voxwake.study.task import REDUCTIONS
from voxwake.study.toml_lines import Section, is_number, nearest, parse_toml

__all__ = ["Definition", "Parameter", "Row", "read_definition", "ENGINES", "PLOT"]

ENGINES = ("processes", "mpi", "dask", "slurm")
#: Plot that the study adds to the scene. Plots change neither the state nor its hash.
PLOT = "study_measures"
MOST_ROWS = 1_000_000
LONGEST_S = 1e9
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
RESERVED = ("row", "replicate", "seed", "hash", "time", "steps", "stopped", "error", "wall")


class Parameter(NamedTuple):
    """One parameter of a study: a column of the table and the paths in the scene that it sets."""

    name: str
    paths: Tuple[str, ...]
    axis: Axis


class Row(NamedTuple):
    """One row of a study."""

    #: Number of the row, counted from 0.
    number: int
    #: Values of the parameters, by name.
    parameters: Dict[str, Any]
    #: Number of the replicate, counted from 0.
    replicate: int
    #: Seed of the replicate.
    seed: int
    #: Values by path in the scene.
    assignments: Dict[str, Any]


class Definition(NamedTuple):
    """A checked study."""

    name: str
    #: File of the study, or an empty text.
    file: str
    #: Folder of the results.
    folder: str
    #: Text of the scene with the measured curves.
    scene: str
    scene_name: str
    until: float
    threads: int
    engine: str
    workers: int
    parameters: Tuple[Parameter, ...]
    measures: Tuple[Dict[str, Any], ...]
    stops: Tuple[Dict[str, Any], ...]
    formulas: Tuple[Dict[str, str], ...]
    #: Units of the results, by name.
    units: Dict[str, str]
    rows: Tuple[Row, ...]
    #: Hash of everything that determines the results: 64 hexadecimal digits.
    hash: str

    @property
    def results(self) -> List[str]:
        """Names of the results, in the order of the table."""
        return [measure["name"] for measure in self.measures] + [row["name"] for row in self.formulas]

    def task(self, number: int) -> Dict[str, Any]:
        """Task of a row, for :func:`voxwake.study.run_task`."""
        row = self.rows[number]
        return {
            "scene": self.scene,
            "name": self.scene_name,
            "set": row.assignments,
            "until": self.until,
            "threads": self.threads,
            "measures": list(self.measures),
            "stops": list(self.stops),
            "formulas": list(self.formulas),
            "parameters": {**row.parameters, "seed": row.seed, "replicate": row.replicate},
        }


def read_definition(source: Any, folder: Path = "", *, build: bool = True) -> Definition:
    """Read a study from a TOML file, or from a dictionary with the same keys.

    ``folder`` is the folder of the results; by default, the key ``output`` names it, relative to the file. For a
    dictionary, paths of scenes are relative to ``folder``. If ``build`` is set, the world is built once to find wrong
    channels and formulas. An error is a :class:`voxwake.Error` with file, line, key, found and expected.
    """
    if isinstance(source, Mapping):
        return _Reader(Section(dict(source), "study", {}), "", os.fspath(folder)).read(build)
    file = os.fspath(source)
    try:
        text = pathlib.Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise _plain(f"{file}: {error.strerror or error}", file) from None
    except UnicodeDecodeError:
        raise _plain(f"{file}: must be text in UTF-8", file) from None
    values, lines = parse_toml(text, file)
    return _Reader(Section(values, file, lines), file, os.fspath(folder)).read(build)


def _plain(text: str, file: str) -> Error:
    error = Error(text)
    error.file = file
    return error


class _Reader:
    def __init__(self, root: Section, file: str, folder: str) -> None:
        self.root, self.file = root, file
        self.study = root
        self.base = os.path.dirname(file) if file else folder
        self.folder = folder
        self.scene: Any = None
        self.plot: Any = None
        self.names: List[str] = []
        self.units: Dict[str, str] = {}

    def read(self, build: bool) -> Definition:
        root = self.root
        if not root.has("study"):
            root.fail("study", None, "is missing; a study needs the table [study] with the key scene")
        study = self.study = Section(root.take("study"), root.file, root.lines, ("study",))
        self._open_scene(study)
        until = study.number("until", 10.0, 0.0, LONGEST_S)
        fixed = self._fixed(study)
        parameters = self._parameters(root)
        measures = self._measures(root, until)
        stops = self._stops(root, until)
        formulas = self._formulas(root, stops)
        rows = self._rows(study, parameters, fixed)
        stem = pathlib.Path(self.file).stem if self.file else "study"
        name = study.text("name", stem)
        output = study.text("output", stem + ".results")
        threads = study.integer("threads", 1, 0, 1024)
        engine = study.text("engine", "processes", ENGINES)
        workers = study.integer("workers", 0, 0, 100_000)
        study.refuse_rest()
        root.refuse_rest()
        if build:
            self._check_names(measures, stops)
        text = self.scene.to_toml()
        scene_name = os.path.basename(self.scene.name)
        return Definition(
            name, self.file, self.folder or os.path.join(self.base, output), text, scene_name, until, threads, engine,
            workers, parameters, measures, stops, formulas, self.units, rows,
            _hash(text, until, rows, measures, stops, formulas),
        )  # fmt: skip

    # ---- Scene ----

    def _open_scene(self, study: Section) -> None:
        value = study.take("scene")
        if isinstance(value, voxwake.Scene):  # a study in Python
            self.scene = value.copy()
        else:
            if not isinstance(value, str) or not value:
                study.fail("scene", value, "must be the name of a packaged scene or the path of a scene file")
            beside = os.path.join(self.base, value)
            try:
                self.scene = voxwake.Scene(beside if os.path.isfile(beside) else value)
            except Error as error:
                study.fail("scene", value, f"cannot be opened: {error}")
        if PLOT in self.scene.plot:
            del self.scene.plot[PLOT]
        self.plot = self.scene.plot.add("plot", PLOT)
        let = study.items("let")
        try:
            self.plot.let = let
        except Error as error:
            study.fail("let", let, error.expected or str(error))

    def _set(self, where: Section, key: str, path: str, value: Any, scene: Any) -> Tuple[str, Any]:
        """Set a value in the scene and return it with its path. A path may end with a component: world.gravity.y.

        The names of files become absolute, because the rows may run in another folder.
        """
        parent, _, part = path.rpartition(".")
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if part == "source" and isinstance(value, str) and value:
            beside = os.path.join(self.base, value)
            value = os.path.abspath(beside if os.path.isfile(beside) else value)
        try:
            if part in ("x", "y", "z") and parent and is_number(value):
                try:
                    vector = scene.get(parent)
                except Error:
                    vector = None
                if isinstance(vector, tuple):
                    value = tuple(value if "xyz"[i] == part else vector[i] for i in range(3))
                    path = parent
            scene.set(path, value)
        except Error as error:
            where.fail(key, value, f"{error}")
        return path, value

    def _fixed(self, study: Section) -> Dict[str, Any]:
        """Set the values of ``set``, which apply to every row, in the scene. Return them by path."""
        table = study.take("set", {})
        if not isinstance(table, dict):
            study.fail("set", table, 'must be a table such as { "world.gravity" = [0, -1.62, 0] }')
        for path, value in _flat(table):
            self._set(study, "set", path, value, self.scene)
        return dict(_flat(table))

    # ---- Parameters ----

    def _new_name(self, where: Section, name: str) -> str:
        if not NAME.fullmatch(name):
            where.fail("name", name, "must be 1 to 40 letters, digits and _, and not begin with a digit")
        if name in RESERVED:
            where.fail("name", name, "must not be the name of a column that every table has")
        if name in self.names:
            where.fail("name", name, "must be unique, but another entry has this name")
        self.names.append(name)
        return name

    def _parameters(self, root: Section) -> Tuple[Parameter, ...]:
        return tuple(self._parameter(entry) for entry in root.sections("parameter"))

    def _parameter(self, entry: Section) -> Parameter:
        value = entry.take("path")
        paths = [value] if isinstance(value, str) else value
        if not isinstance(paths, list) or not paths or not all(isinstance(path, str) and path for path in paths):
            entry.fail("path", value, "must be the path of a parameter of the scene, or a list of paths")
        name = self._new_name(entry, entry.text("name", paths[0].rpartition(".")[2]))
        axis = self._axis(entry, self._default(entry, paths))
        entry.refuse_rest()
        trial = self.scene.copy()
        for one in axis.values or [axis.low, axis.high]:
            for path in paths:
                self._set(entry, "values" if axis.values else "range", path, round(one) if axis.whole else one, trial)
        return Parameter(name, tuple(paths), axis)

    def _default(self, entry: Section, paths: Sequence[str]) -> Any:
        for path in paths:
            parent, _, part = path.rpartition(".")
            try:
                value = self.scene.get(path)
            except Error as error:
                if part not in ("x", "y", "z") or not _is_vector(self.scene, parent):
                    entry.fail("path", path, error.expected or str(error), error.hint)
                value = 0.0
        return value

    def _axis(self, entry: Section, default: Any) -> Axis:
        whole = isinstance(default, int) and not isinstance(default, bool)
        if entry.has("values"):
            values = entry.items("values")
            if not values:
                entry.fail("values", values, "must be a list of at least one value")
            return Axis(tuple(values), 0.0, 0.0, "linear", 0.0, 0.0, len(values), False)
        if not is_number(default):
            entry.fail("values", None, "is missing; the parameter is not a number, so it needs a list of values")
        scale = entry.text("scale", "linear", SCALES)
        mean = deviation = 0.0
        if scale == "normal":
            mean = entry.number("mean")
            deviation = entry.number("deviation", None, 1e-300)
            for key, found in (("mean", mean), ("deviation", deviation)):
                if found is None:
                    entry.fail(key, None, "is missing; the scale normal needs mean and deviation")
        low, high = self._ends(entry, scale, mean, deviation)
        return Axis((), low, high, scale, mean, deviation, entry.integer("count", 5, 1, MOST_ROWS), whole)

    def _ends(self, entry: Section, scale: str, mean: float, deviation: float) -> Tuple[float, float]:
        if scale == "normal" and not entry.has("range"):
            return mean - 4 * deviation, mean + 4 * deviation
        ends = entry.take("range")
        if not isinstance(ends, list) or len(ends) != 2 or not all(is_number(end) for end in ends):
            entry.fail("range", ends, "must be two numbers [low, high]; the alternative is a list of values")
        low, high = float(ends[0]), float(ends[1])
        if low > high:
            entry.fail("range", ends, "must begin with the smaller number")
        if scale == "log" and low <= 0:
            entry.fail("range", ends, "must lie above 0 for the scale log")
        return low, high

    def _rows(self, study: Section, parameters: Tuple[Parameter, ...], fixed: Mapping[str, Any]) -> Tuple[Row, ...]:
        sampling = study.text("sampling", "grid", SAMPLINGS)
        samples = study.integer("samples", 16, 1, MOST_ROWS)
        replicates = study.integer("replicates", 1, 1, MOST_ROWS)
        seed = study.integer("seed", 1, 0, 2**31)
        seeds = study.items("seeds") if study.has("seeds") else ["world.seed"]
        if not all(isinstance(path, str) for path in seeds):
            study.fail("seeds", seeds, "must be paths of parameters of the scene")
        axes = [parameter.axis for parameter in parameters]
        self._check_sampling(study, sampling, parameters)
        count = samples
        if sampling == "grid":
            count = 1
            for axis in axes:
                count *= axis.count
        if count * replicates > MOST_ROWS:
            study.fail("", None, f"has {count * replicates} rows: must have at most {MOST_ROWS}")
        try:
            places = points(sampling, axes, samples, seed)
        except ImportError:
            study.fail("sampling", sampling, "needs SciPy (package python3-scipy)")
        is_seeded = study.has("replicates") or study.has("seeds")
        rows: List[Row] = []
        trial = self.scene.copy()
        for place in places:
            values = {parameter.name: value for parameter, value in zip(parameters, place)}
            assigned = self._assigned(study, parameters, values, trial)
            for replicate in range(replicates):
                seeded = {path: seed + replicate for path in seeds} if is_seeded else {}
                if not rows:
                    for path in seeded:
                        self._set(study, "seeds", path, seed + replicate, self.scene.copy())
                rows.append(Row(len(rows), values, replicate, seed + replicate, {**assigned, **seeded}))
        return tuple(rows)

    def _assigned(
        self, study: Section, parameters: Sequence[Parameter], values: Mapping[str, Any], trial: Any
    ) -> Dict[str, Any]:
        assigned: Dict[str, Any] = {}
        for parameter in parameters:
            for path in parameter.paths:
                where, value = self._set(study, "", path, values[parameter.name], trial)
                assigned[where] = value
        return assigned

    def _check_sampling(self, study: Section, sampling: str, parameters: Sequence[Parameter]) -> None:
        if sampling in ("list", "latin_hypercube", "sobol") and not parameters:
            study.fail("sampling", sampling, "needs at least one [[parameter]]")
        if sampling != "list":
            return
        lengths = {len(parameter.axis.values) for parameter in parameters}
        if 0 in lengths or len(lengths) != 1:
            study.fail("sampling", sampling, "needs lists of values of equal length for all parameters")

    # ---- Measured quantities ----

    def _curve(self, entry: Section, name: str) -> Tuple[str, str]:
        """Return the names of plot and curve. The entry names a curve of the scene, or has the keys of a new one."""
        if entry.has("curve"):
            path = entry.text("curve")
            plot, _, curve = path.partition(".")
            known = [
                f"{one}.{other}"
                for one in self.scene.plot.names
                if one != PLOT
                for other in self.scene.plot[one].curve.names
            ]
            if path not in known:
                entry.fail("curve", path, "must be PLOT.CURVE, a curve of a plot of the scene", nearest(path, known))
            self.units[name] = self.scene.plot[plot].unit
            return plot, curve
        node = self.plot.curve.add("measured", name)
        known_keys = tuple(param["name"] for param in _core_schema("measured")["params"])
        for key in list(entry.values):
            if key in known_keys:
                value = entry.take(key)
                try:
                    setattr(node, key, value)
                except Error as error:
                    entry.fail(key, value, error.expected or str(error), error.hint)
        if entry.has("system") and entry.values["system"] not in self.scene.system.names:
            entry.fail(
                "system",
                entry.values["system"],
                "must name a system of the scene",
                nearest(str(entry.values["system"]), self.scene.system.names),
            )
        return PLOT, name

    def _measures(self, root: Section, until: float) -> Tuple[Dict[str, Any], ...]:
        found = []
        for entry in root.sections("measure"):
            if not entry.has("name"):
                entry.fail("name", None, "is missing")
            name = self._new_name(entry, entry.text("name"))
            self.units[name] = entry.text("unit")
            plot, curve = self._curve(entry, name)
            reduce = entry.text("reduce", "last", REDUCTIONS)
            if entry.has("at"):
                for key in ("from", "until", "reduce"):
                    if entry.has(key):
                        entry.fail(key, None, "cannot be combined with at")
                begin = end = entry.number("at", None, 0.0, until)
            else:
                begin = entry.number("from", 0.0, 0.0, until)
                end = entry.number("until", until, begin, until)
            self._refuse_rest_of_curve(entry)
            found.append({"name": name, "plot": plot, "curve": curve, "from": begin, "until": end, "reduce": reduce})
        if not found:
            root.fail("measure", None, "is missing; a study needs at least one [[measure]]")
        return tuple(found)

    def _stops(self, root: Section, until: float) -> Tuple[Dict[str, Any], ...]:
        found = []
        for entry in root.sections("stop"):
            name = self._new_name(entry, entry.text("name", f"stop{len(found) + 1}"))
            plot, curve = self._curve(entry, name)
            limits = {key: entry.number(key) for key in ("above", "below") if entry.has(key)}
            if not limits:
                entry.fail("above", None, "is missing; a stop condition needs above or below")
            after = entry.number("after", 0.0, 0.0, until)
            self._refuse_rest_of_curve(entry)
            found.append({"name": name, "plot": plot, "curve": curve, "after": after, **limits})
        return tuple(found)

    @staticmethod
    def _refuse_rest_of_curve(entry: Section) -> None:
        entry.refuse_rest(
            tuple(param["name"] for param in _core_schema("measured")["params"]) if not entry.has("curve") else ()
        )

    def _formulas(self, root: Section, stops: Sequence[Mapping[str, Any]]) -> Tuple[Dict[str, str], ...]:
        found: List[Dict[str, str]] = []
        without_value = [stop["name"] for stop in stops]
        for entry in root.sections("result"):
            if not entry.has("name"):
                entry.fail("name", None, "is missing")
            text = entry.text("formula")
            try:
                names = Formula(text).names
            except ValueError as error:
                entry.fail("formula", text, str(error))
            known = [name for name in self.names if name not in without_value] + ["seed", "replicate"]
            for unknown in sorted(names - set(known)):
                entry.fail("formula", text, f"contains the unknown name {unknown}", nearest(unknown, known))
            name = self._new_name(entry, entry.text("name"))
            self.units[name] = entry.text("unit")
            entry.refuse_rest()
            found.append({"name": name, "formula": text})
        return tuple(found)

    def _check_names(self, measures: Sequence[Mapping[str, Any]], stops: Sequence[Mapping[str, Any]]) -> None:
        """Build the world once, so that a wrong channel or formula is found before any row runs."""
        try:
            values = voxwake.World(self.scene).measure()
        except Error as error:
            for key, named in (("measure", measures), ("stop", stops)):
                for entry, one in zip(self.root.sections(key), named):
                    if error.key.startswith(f"plot.{one['plot']}.curve.{one['curve']}."):
                        wrong = error.key.rpartition(".")[2]
                        entry.fail(wrong, error.found or None, error.expected or str(error), error.hint)
            self.study.fail("scene", None, f"cannot run: {error}")
        for key, named in (("measure", measures), ("stop", stops)):
            for entry, one in zip(self.root.sections(key), named):
                if one["curve"] not in values.get(one["plot"], {}):
                    entry.fail("curve", f"{one['plot']}.{one['curve']}", "must be a curve of a plot over time")


def _is_vector(scene: Any, path: str) -> bool:
    try:
        return isinstance(scene.get(path), tuple)
    except Error:
        return False


def _flat(table: Mapping[str, Any], path: str = "") -> List[Tuple[str, Any]]:
    """Values of nested tables by dotted path: TOML reads the key world.gravity as a table in a table."""
    found: List[Tuple[str, Any]] = []
    for key, value in table.items():
        here = f"{path}.{key}" if path else key
        found += _flat(value, here) if isinstance(value, dict) else [(here, value)]
    return found


_schemas: Dict[str, Dict[str, Any]] = {}


def _core_schema(key: str) -> Dict[str, Any]:
    if not _schemas:
        _schemas.update({schema["key"]: schema for schema in _core.schemas()})
    return _schemas[key]


def hashes_of_files(text: str, known: Optional[Dict[str, str]] = None) -> Dict[str, str]:
    """Hash of the content of each file that the text of a scene names, by the absolute path in the text.

    Files in ``known`` are not read again. Files that are read are added to it.
    """
    known = {} if known is None else known
    hashes = {}
    for path in sorted(set(re.findall(r'"(/[^"\n]+)"', text))):
        if path not in known and os.path.isfile(path):
            known[path] = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
        if path in known:
            hashes[path] = known[path]
    return hashes


def _hash(text: str, until: float, rows: Sequence[Row], *parts: Any) -> str:
    """Return a hash of everything that determines the results, except the folders of the study and of the package."""
    files: Dict[str, str] = {}
    names: Dict[str, str] = {}
    assigned = {f'"{value}"' for row in rows for value in row.assignments.values() if isinstance(value, str)}
    for path, content_hash in hashes_of_files("\n".join([text, *sorted(assigned)])).items():
        name = os.path.basename(path)
        if name in files:  # files of several folders may have the same name
            name += ":" + content_hash
        names[path], files[name] = name, content_hash
        text = text.replace(f'"{path}"', f'"{name}"')

    def without_folders(assignments: Mapping[str, Any]) -> Dict[str, Any]:
        return {key: names.get(value, value) if isinstance(value, str) else value for key, value in assignments.items()}

    content = [
        1,
        text,
        files,
        until,
        [[without_folders(row.assignments), row.parameters, row.replicate, row.seed] for row in rows],
        *parts,
    ]
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), default=list)
    return hashlib.sha256(canonical.encode()).hexdigest()
