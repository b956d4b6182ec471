"""Plots of the results of a study by matplotlib: response curves, heat maps, parallel coordinates and Pareto fronts."""

from __future__ import annotations

import argparse
import math
import pathlib
from typing import Any, Dict, List, Sequence

import numpy as np

from voxwake._errors import Error
from voxwake.study.runner import Study
from voxwake.study.table import Table
from voxwake.study.toml_lines import nearest

__all__ = ["KINDS", "pareto_front", "plot_command", "plot_heat", "plot_parallel", "plot_pareto", "plot_response"]

KINDS = ("response", "heat", "parallel", "pareto")


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise Error("plots of studies need matplotlib (package python3-matplotlib)") from None
    matplotlib.use("Agg", force=False)
    import matplotlib.pyplot as plt

    return plt


def _label(table: Table, name: str) -> str:
    text = name.replace("_", " ")
    unit = table.units.get(name)
    return f"{text} [{unit}]" if unit else text


def _column(table: Table, name: str) -> np.ndarray:
    if name not in table.columns:
        near = nearest(name, table.columns)
        raise Error(f"{name}: must be a column of the table" + (f" (did you mean {near}?)" if near else ""))
    return table[name]


def _numbers(table: Table, name: str) -> np.ndarray:
    values = _column(table, name)
    if values.dtype.kind not in "if":
        raise Error(f"{name}: must be a column of numbers")
    return values.astype(float)


def _is_log(values: np.ndarray) -> bool:
    """Return whether values are spaced so widely that a logarithmic axis shows them better."""
    known = np.unique(values[np.isfinite(values)])
    return len(known) > 2 and known[0] > 0 and known[-1] / known[0] > 30


def plot_response(table: Table, x: str, y: str, group: str = "") -> Any:
    """Draw a result over a parameter, with a curve for each group. Rows of equal ``x`` give mean and range."""
    figure, axes = _pyplot().subplots(layout="constrained")
    across, values = _numbers(table, x), _numbers(table, y)
    members = _column(table, group) if group else None
    groups: Sequence[Any] = [None] if members is None else np.unique(members)
    for one in groups:
        chosen = np.isfinite(values) & (True if members is None else members == one)
        places = np.unique(across[chosen])
        rows = [values[chosen & (across == place)] for place in places]
        shown = f"{group.replace('_', ' ')} = {one:g}" if group and not isinstance(one, str) else one
        (line,) = axes.plot(places, [np.mean(row) for row in rows], "o-", markersize=4, label=shown)
        if any(len(row) > 1 for row in rows):
            axes.fill_between(
                places,
                [np.min(row) for row in rows],
                [np.max(row) for row in rows],
                color=line.get_color(),
                alpha=0.2,
                lw=0,
            )
    if _is_log(across):
        axes.set_xscale("log")
    if group:
        axes.legend()
    axes.set(xlabel=_label(table, x), ylabel=_label(table, y))
    return figure


def plot_heat(table: Table, x: str, y: str, z: str) -> Any:
    """Draw a result over two parameters as colours. Rows with equal parameters are averaged. Grids give rectangles."""
    figure, axes = _pyplot().subplots(layout="constrained")
    a, b, values = _numbers(table, x), _numbers(table, y), _numbers(table, z)
    known = np.isfinite(values)
    if not known.any():
        raise Error(f"{z}: no row has a value")
    xs, ys = np.unique(a), np.unique(b)
    if len(xs) * len(ys) <= 4 * len(a) and len(xs) > 1 and len(ys) > 1:
        cells = np.full((len(ys), len(xs)), np.nan)
        for i, place in enumerate(ys):
            for j, other in enumerate(xs):
                found = values[known & (b == place) & (a == other)]
                if len(found):
                    cells[i, j] = np.mean(found)
        shown = axes.pcolormesh(xs, ys, cells, shading="nearest")
    else:
        shown = axes.scatter(a[known], b[known], c=values[known], s=40)
    axes.set_xscale("log" if _is_log(a) else "linear")
    axes.set_yscale("log" if _is_log(b) else "linear")
    axes.set(xlabel=_label(table, x), ylabel=_label(table, y))
    figure.colorbar(shown, label=_label(table, z))
    return figure


def plot_parallel(table: Table, names: Sequence[str], color: str) -> Any:
    """Draw each row as a line through one axis for each name. The colour shows a result."""
    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(1.8 * max(len(names), 3), 4.5), layout="constrained")
    columns = [_numbers(table, name) for name in names]
    shade = _numbers(table, color)
    known = np.isfinite(shade) & np.all([np.isfinite(column) for column in columns], axis=0)
    if not known.any():
        raise Error(f"{color}: no row has a value")
    scaled = []
    for place, (name, column) in enumerate(zip(names, columns)):
        low, high = column[known].min(), column[known].max()
        span = high - low or 1.0
        is_log = _is_log(column[known])
        line = np.log(column[known] / low) / math.log(high / low) if is_log else (column[known] - low) / span
        scaled.append(line)
        axes.axvline(place, color="0.6", lw=0.8)
        for end, value in ((-0.04, low), (1.04, high)):
            axes.text(place, end, f"{value:.3g}", ha="center", va="top" if end < 0 else "bottom", fontsize=8)
    norm = plt.Normalize(shade[known].min(), shade[known].max())
    colors = plt.get_cmap("viridis")(norm(shade[known]))
    for i in np.argsort(shade[known]):
        axes.plot(range(len(names)), [line[i] for line in scaled], color=colors[i], lw=1, alpha=0.8)
    axes.set_xticks(range(len(names)), [_label(table, name) for name in names])
    axes.tick_params(axis="x", length=0, pad=14)
    axes.set_yticks([])
    axes.set_ylim(-0.05, 1.05)
    for spine in axes.spines.values():
        spine.set_visible(False)
    figure.colorbar(plt.cm.ScalarMappable(norm, "viridis"), ax=axes, label=_label(table, color))
    return figure


def pareto_front(costs: np.ndarray) -> np.ndarray:
    """Return a mask of the rows of ``costs``, shape (n, k), that no other row dominates. Smaller costs are better."""
    costs = np.asarray(costs, float)
    front = np.zeros(len(costs), bool)
    for i, row in enumerate(costs):
        if np.isfinite(row).all():
            front[i] = not np.any(np.all(costs <= row, axis=1) & np.any(costs < row, axis=1))
    return front


def plot_pareto(table: Table, x: str, y: str, maximize: Sequence[str] = ()) -> Any:
    """Draw two results of all rows, and their Pareto front. Smaller values are better, except in ``maximize``."""
    figure, axes = _pyplot().subplots(layout="constrained")
    a, b = _numbers(table, x), _numbers(table, y)
    front = pareto_front(np.stack([-a if x in maximize else a, -b if y in maximize else b], axis=1))
    axes.plot(a[~front], b[~front], "o", color="0.7", markersize=4, label="rows")
    order = np.argsort(a[front])
    axes.plot(a[front][order], b[front][order], "o-", color="C3", markersize=5, label="Pareto front")
    axes.legend()
    axes.set(xlabel=_label(table, x), ylabel=_label(table, y))
    return figure


def plot_command(arguments: List[str]) -> int:
    """The command ``voxwake study plot``."""
    parser = argparse.ArgumentParser(
        prog="voxwake study plot", description="Draw the recorded rows of a study.", allow_abbrev=False
    )
    parser.add_argument("file", metavar="FILE", help="the study (.toml)")
    parser.add_argument("--out", default="", metavar="FOLDER", help="folder of the results")
    parser.add_argument("--kind", choices=KINDS, default="response", help="kind of the plot (default: response)")
    parser.add_argument("--x", default="", metavar="COLUMN", help="column of the horizontal axis")
    parser.add_argument("--y", default="", metavar="COLUMN", help="column of the vertical axis")
    parser.add_argument(
        "--color", default="", metavar="COLUMN", help="column of the colours, or of the groups of a response"
    )
    parser.add_argument(
        "--columns",
        default="",
        metavar="A,B,...",
        help="axes of parallel coordinates (default: all parameters and results)",
    )
    parser.add_argument(
        "--maximize", default="", metavar="A,B", help="results of which larger values are better in a Pareto front"
    )
    parser.add_argument(
        "--save",
        default="",
        metavar="FILE",
        help="file of the plot: .png, .svg or .pdf (default: KIND.png in the folder)",
    )
    options = parser.parse_args(arguments)
    study = Study.open(options.file, options.out)
    figure = _figure(study, options)
    path = pathlib.Path(options.save or study.folder / f"{options.kind}.png")
    try:
        figure.savefig(path, dpi=130)
    except ValueError as error:  # unknown file extension
        raise Error(f"{path}: {error}") from None
    print(path)
    return 0


def _figure(study: Study, options: argparse.Namespace) -> Any:
    table = study.table()
    if len(table) == 0:
        raise Error(f"{study.folder}: holds no rows; run the study first")
    definition = study.definition
    parameters = [p.name for p in definition.parameters if table[p.name].dtype.kind in "if"]
    results = definition.results
    defaults = _defaults(parameters, results)
    x, y, color = (getattr(options, key) or defaults[options.kind].get(key, "") for key in ("x", "y", "color"))
    if options.kind != "parallel" and not (x and y):
        raise Error(f"--kind {options.kind}: name the columns with --x and --y")
    _check(options, x, y)
    if options.kind == "response":
        return plot_response(table, x, y, color)
    if options.kind == "heat":
        return plot_heat(table, x, y, color)
    if options.kind == "pareto":
        return plot_pareto(table, x, y, _split(options.maximize))
    return plot_parallel(table, _split(options.columns) or parameters + results, color)


def _check(options: argparse.Namespace, x: str, y: str) -> None:
    """Raise an error for an option that would have no effect."""
    used = {"response": "x y color", "heat": "x y color", "parallel": "columns color", "pareto": "x y maximize"}
    for key in ("x", "y", "color", "columns", "maximize"):
        if getattr(options, key) and key not in used[options.kind].split():
            raise Error(f"--{key} cannot be used with --kind {options.kind}")
    for name in _split(options.maximize):
        if name not in (x, y):
            raise Error(f"--maximize {name}: must be one of the columns of --x and --y, which are {x} and {y}")


def _split(text: str) -> List[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _defaults(parameters: List[str], results: List[str]) -> Dict[str, Dict[str, str]]:
    """Return the columns that each kind of plot shows by default."""

    def at(names: Sequence[str], i: int) -> str:
        return names[i] if i < len(names) else ""

    return {
        "response": {"x": at(parameters, 0), "y": results[0], "color": at(parameters, 1)},
        "heat": {"x": at(parameters, 0), "y": at(parameters, 1), "color": results[0]},
        "parallel": {"color": results[0]},
        "pareto": {"x": results[0], "y": at(results, 1)},
    }
