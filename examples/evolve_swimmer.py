"""Evolve the strokes of a soft fish with NSGA-II: far, with little effort.

    python3 evolve_swimmer.py [--quick] [--water] [--generations N] [--workers N] [--out FOLDER]

The fish of the packaged scene muscle-swimmer beats with two muscles. Amplitude, frequency and phase of the muscles and
the stiffness of its flesh are searched. The scores are the distance and, as a measure of effort, the mean square of the
rate of strain, of which smaller values are better. By default the fish swims in a still medium that presses on its
faces (world.medium_density), which takes a fraction of a second. With --water it swims in the particles of the packaged
pool. At the end every fish of the Pareto front is run again and must have the same hash.
"""

import argparse
import pathlib

import numpy as np

import voxwake
from voxwake.search import Evaluator, Nsga2, scene_task

#: Ranges of amplitude, frequency [Hz], phase between the sides, and logarithm of Young's modulus.
BOUNDS = [(0.02, 0.25), (0.5, 4.0), (0.0, 1.0), (4.5, 6.0)]
MEASURES = [{"name": "distance", "system": "fish", "quantity": "distance", "unit": "m"}]


def fish(point, in_water):
    """Scene of a fish with the strokes of a point."""
    amplitude, frequency, phase, stiffness = map(float, point)
    scene = voxwake.Scene("muscle-swimmer")
    scene.material["flesh"].youngs_modulus = 10**stiffness
    for side, ahead in (("left", 0.0), ("right", phase)):
        beat = scene.actuator[f"{side}-beat"]
        beat.amplitude, beat.frequency, beat.phase = amplitude, frequency, ahead
    if not in_water:
        del scene.system["water"]
        for name in list(scene.interaction.names):
            del scene.interaction[name]
        for name in list(scene.collider.names):
            del scene.collider[name]
        scene.world.gravity = (0, 0, 0)
        scene.world.medium_density = 1000.0
        body = scene.system["fish"]
        body.wind, body.wind_drag, body.wind_friction = True, 1.0, 0.0
        body.wind_suction, body.wind_shielding = 0.0, 0.0
    return scene


def effort(point):
    """Mean square of the rate of strain of one muscle [1/s^2]."""
    return float(0.5 * (2 * np.pi * point[1] * point[0]) ** 2)


parser = argparse.ArgumentParser()
parser.add_argument("--quick", action="store_true", help="a short search, for tests")
parser.add_argument("--water", action="store_true", help="swim in particles of water")
parser.add_argument("--generations", type=int, default=12)
parser.add_argument("--workers", type=int, default=0)
parser.add_argument("--out", default="swimmers")


def main():
    options = parser.parse_args()
    generations, population, seconds = (2, 4, 0.1) if options.quick else (options.generations, 24, 6.0)
    search = Nsga2(BOUNDS, 2, population=population, seed=1)

    def task(point):
        return scene_task(fish(point, options.water), seconds, MEASURES)

    with Evaluator(options.out, workers=options.workers) as evaluator:
        for generation in range(generations):
            points = search.ask()
            outcomes = evaluator.evaluate([task(point) for point in points])
            distances = [outcome["results"].get("distance") for outcome in outcomes]
            search.tell([(distance, -effort(point)) for distance, point in zip(distances, points)])
            best = max(scores[0] for _, scores in search.front())
            print(f"generation {generation + 1}: farthest {100 * best:.2f} cm", flush=True)
        front = sorted(search.front(), key=lambda one: -one[1][0])
        for point, _ in front:
            evaluator.replay(task(point))
    print(f"{len(front)} fish of the Pareto front replay to their hashes")
    for point, (distance, negative_effort) in front[:5]:
        print(
            f"{100 * distance:.2f} cm, effort {-negative_effort:.3f} 1/s^2: amplitude {point[0]:.3f}, "
            f"{point[1]:.2f} Hz, phase {point[2]:.2f}, Young's modulus {10 ** point[3]:.3g} Pa"
        )
    fish(front[0][0], options.water).save(pathlib.Path(options.out) / "best.toml")


if __name__ == "__main__":  # the workers import this file
    main()
