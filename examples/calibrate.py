"""Find the stiffness and damping of a beam from its measured deflection over time, by CMA-ES.

    python3 calibrate.py [MEASURED.csv] [--quick] [--generations N] [--workers N] [--out FOLDER]

The beam is held at one end and begins straight. MEASURED.csv has the columns time [s] and deflection of the tip [m].
Without a file, the measurement is made here: a beam with known values runs, and noise of 2 % of the largest
deflection is added. The score is the root mean square of the differences.
"""

import argparse
import pathlib

import numpy as np

import voxwake
from voxwake.search import CmaEs, Evaluator, scene_task

#: Ranges of the logarithms of Young's modulus [Pa] and of the damping ratio of the bonds.
BOUNDS = [(5.0, 6.5), (-2.0, 0.0)]
TRUE = [np.log10(4.2e5), np.log10(0.12)]


def beam(point):
    """Scene of a beam with the values of a point."""
    scene = voxwake.Scene()
    scene.title = "Beam"
    scene.material.add(
        name="rubber", youngs_modulus=10 ** float(point[0]), bond_damping=10 ** float(point[1]), density=1100
    )
    body = scene.system.add(
        "voxel_body", "beam", material="rubber", size=(12, 2, 2), voxel_size=0.0125, position=(0, 0.2, 0)
    )
    body.region.add(name="held", max=(0.01, 1, 1))
    return scene


def tip_measures(times):
    """Deflection of a voxel of the last layer at each time."""
    return [
        {
            "name": f"t{i}",
            "system": "beam",
            "quantity": "expression",
            "expression": "y0 - y",
            "element": 47,
            "at": float(time),
        }
        for i, time in enumerate(times)
    ]


def deflections(outcome, count):
    return np.array([outcome["results"].get(f"t{i}", np.nan) for i in range(count)], float)


parser = argparse.ArgumentParser()
parser.add_argument("measured", nargs="?", default="", help="CSV file with the columns time and deflection")
parser.add_argument("--quick", action="store_true", help="a short search, for tests")
parser.add_argument("--generations", type=int, default=25)
parser.add_argument("--workers", type=int, default=0)
parser.add_argument("--out", default="calibration")


def main():
    options = parser.parse_args()
    generations, population, seconds = (2, 4, 0.1) if options.quick else (options.generations, 12, 1.0)
    search = CmaEs(BOUNDS, population=population, seed=1)
    with Evaluator(options.out, workers=options.workers) as evaluator:
        if options.measured:
            times, measured = np.loadtxt(options.measured, delimiter=",", skiprows=1, unpack=True)
        else:
            times = np.linspace(seconds / 40, seconds, 40)
            made = evaluator.evaluate([scene_task(beam(TRUE), seconds, tip_measures(times))])[0]
            measured = deflections(made, len(times))
            measured = measured + np.random.default_rng(1).normal(0, 0.02 * np.max(np.abs(measured)), len(times))
        measures = tip_measures(times)

        def task(point):
            return scene_task(beam(point), float(times[-1]), measures)

        for generation in range(generations):
            outcomes = evaluator.evaluate([task(point) for point in search.ask()])
            errors = [np.sqrt(np.mean((deflections(one, len(times)) - measured) ** 2)) for one in outcomes]
            search.tell([-error for error in errors])
            print(f"generation {generation + 1}: error {1000 * -search.best_score:.4f} mm", flush=True)
        evaluator.replay(task(search.best))
    print(
        f"Young's modulus {10 ** search.best[0]:.4g} Pa, damping ratio {10 ** search.best[1]:.4g}; the best beam replays to its hash"
    )
    if not options.measured:
        print(f"the measurement was made with {10 ** TRUE[0]:.4g} Pa and {10 ** TRUE[1]:.4g}")
    beam(search.best).save(pathlib.Path(options.out) / "best.toml")


if __name__ == "__main__":  # the workers import this file
    main()
