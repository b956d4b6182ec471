"""Evolve soft walkers: a CPPN lays out the materials, and MAP-Elites keeps the farthest walker of each kind.

    python3 evolve_walker.py [--quick] [--batches N] [--workers N] [--out FOLDER]

A walker is a lattice of soft and hard passive cells and of two kinds of muscle cells, which expand in antiphase. The
score is the horizontal distance in 10 s. Kinds of walkers differ in the share of muscle and in the number of cells. A
search that was ended goes on where it stopped. At the end every elite is run again and must have the same hash.
"""

import argparse
import pathlib

import numpy as np

import voxwake
from voxwake.search import Cppn, Evaluator, MapElites, scene_task

SIZE = (7, 5, 5)
PALETTE = ["soft", "hard", "beat", "counter"]
MEASURES = [
    {
        "name": "distance",
        "system": "walker",
        "quantity": "expression",
        "expression": "sqrt((x - x0)^2 + (z - z0)^2)",
        "unit": "m",
    }
]


def largest_piece(filled):
    """Cells of the largest connected piece."""
    best, seen = np.zeros_like(filled), np.zeros_like(filled)
    for start in map(tuple, np.argwhere(filled)):
        if seen[start]:
            continue
        piece, waiting = np.zeros_like(filled), [start]
        seen[start] = True
        while waiting:
            cell = waiting.pop()
            piece[cell] = True
            for axis in range(3):
                for step in (-1, 1):
                    near = tuple(cell[i] + step * (i == axis) for i in range(3))
                    if all(0 <= near[i] < SIZE[i] for i in range(3)) and filled[near] and not seen[near]:
                        seen[near] = True
                        waiting.append(near)
        if piece.sum() > best.sum():
            best = piece
    return best


def layout(cppn, genome):
    """Codes of the cells: 0 is empty, the others are numbers of materials."""
    out = cppn(genome, SIZE)
    codes = np.where(largest_piece(out[0] > 0), 1 + np.argmax(out[1:], axis=0), 0)
    used = [np.flatnonzero(codes.any(axis=tuple(j for j in range(3) if j != i))) for i in range(3)]
    return codes[np.ix_(*used)] if codes.any() else codes[:0]


def walker(codes):
    """Scene of a walker on the ground."""
    scene = voxwake.Scene()
    scene.title = "Evolved walker"
    scene.collider.add("plane", "ground", mu_static=1.0, mu_dynamic=0.8)
    for name, modulus, expansion, color in (
        ("soft", 2e5, 0.0, (0.2, 0.6, 0.7)),
        ("hard", 2e6, 0.0, (0.1, 0.2, 0.5)),
        ("beat", 2e5, 0.01, (0.85, 0.15, 0.05)),
        ("counter", 2e5, -0.01, (0.1, 0.6, 0.15)),
    ):
        scene.material.add(name=name, youngs_modulus=modulus, density=800, cte=expansion, color=color, bond_damping=0.2)
    body = scene.system.add("voxel_body", "walker", voxel_size=0.02, position=(0, 0.001, 0))
    body.set_voxels(codes, palette=PALETTE)
    body.temperature_wave = "sine"
    body.temperature_amplitude = 14.0
    body.temperature_period = 0.25
    return scene


def features(codes):
    """Share of muscle cells and number of cells."""
    filled = np.count_nonzero(codes)
    return [np.count_nonzero(codes >= 3) / max(filled, 1), filled]


parser = argparse.ArgumentParser()
parser.add_argument("--quick", action="store_true", help="a short search, for tests")
parser.add_argument("--batches", type=int, default=20)
parser.add_argument("--workers", type=int, default=0)
parser.add_argument("--out", default="walkers")


def main():
    options = parser.parse_args()
    batches, batch, seconds = (2, 4, 0.2) if options.quick else (options.batches, 20, 10.0)
    cppn = Cppn(outputs=5)
    search = MapElites(cppn.bounds, [(0, 1, 5), (0, np.prod(SIZE), 5)], batch=batch, first=2 * batch, seed=1)
    folder = pathlib.Path(options.out)
    with Evaluator(folder, workers=options.workers) as evaluator:
        for number in range(batches):
            layouts = [layout(cppn, genome) for genome in search.ask()]
            alive = [i for i, codes in enumerate(layouts) if (codes >= 3).any()]  # without muscle nothing moves
            tasks = {i: scene_task(walker(layouts[i]), seconds, MEASURES) for i in alive}
            found = dict(zip(alive, evaluator.evaluate(list(tasks.values()))))
            scores = [found[i]["results"].get("distance") if i in found else None for i in range(batch)]
            extras = [(codes, tasks.get(i)) for i, codes in enumerate(layouts)]
            search.tell(scores, [features(codes) for codes in layouts], extras)
            best = search.best().score if search.elites else 0.0
            print(f"batch {number + 1}: {len(search.elites)} elites, best distance {best:.3f} m", flush=True)
        for elite in search.elites.values():
            evaluator.replay(elite.extra[1])
    print(
        f"{evaluator.ran} walkers ran, {evaluator.found} were recorded; {len(search.elites)} elites replay to their hashes"
    )
    walker(search.best().extra[0]).save(folder / "best.toml")
    print(f"the best walker moved {search.best().score:.3f} m: {folder / 'best.toml'}")


if __name__ == "__main__":  # the workers import this file
    main()
