#!/usr/bin/env python3
"""Makes the random and the evolved robots of the benchmark (docs/guide/robot-tasks.md).

    tools/benchmark-baselines.py PROGRAM TASK [--random N] [--generations N] [--children N] [--seed N] [--out FOLDER]

A genome describes a robot by fields over its lattice, which are sums of cosines. The fields determine where cells are,
which of them are muscles, and the phase of their wave. The genome also holds moduli, density, strain and period. The
random robot is the best of N random genomes. The evolved robot comes from an evolution strategy that begins with the
best random robots. In each generation, every parent has children with changed numbers, and the best of all are the next
parents. Both robots depend only on the seed.
"""

import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import tomllib

WAVES = 6  # cosines in each field
FIELDS = 3  # cell, muscle, phase
PARENTS = 4


def read_task(name):
    """Returns the limits of the newest version of a task."""
    folder = pathlib.Path(__file__).parent.parent / "assets" / "benchmark"
    newest = sorted(folder.glob(f"{name}-*.toml"))[-1]
    return tomllib.loads(newest.read_text())["limits"]


def random_genome(dice):
    """Returns a genome: numbers in [-1, 1] that robot_of() interprets."""
    return [dice.uniform(-1, 1) for _ in range(FIELDS * WAVES * 5 + FIELDS + 9)]


def changed(genome, dice, strength):
    return [min(1.0, max(-1.0, g + dice.gauss(0, strength))) if dice.random() < 0.3 else g for g in genome]


class Genes:
    """Returns the numbers of a genome one after the other."""

    def __init__(self, genome):
        self.rest = iter(genome)

    def take(self, low=-1.0, high=1.0):
        return low + (high - low) * 0.5 * (next(self.rest) + 1)


def largest_piece(cells, size):
    """Returns the cells of the largest piece that is connected by faces of cells."""
    best, seen = set(), set()
    for start in sorted(cells):
        if start in seen:
            continue
        piece, waiting = {start}, [start]
        while waiting:
            x, y, z = waiting.pop()
            for near in ((x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z), (x, y, z + 1), (x, y, z - 1)):
                if near in cells and near not in piece:
                    piece.add(near)
                    waiting.append(near)
        seen |= piece
        if len(piece) > len(best):
            best = piece
    return best


def robot_of(genome, limits):
    """Returns the size, the cells with their material, and the other numbers of the robot of a genome."""
    genes = Genes(genome)
    fields = []
    for _ in range(FIELDS):
        waves = [
            (genes.take(), genes.take(-1.5, 1.5), genes.take(-1.5, 1.5), genes.take(-1.5, 1.5), genes.take(0, 1))
            for _ in range(WAVES)
        ]
        fields.append((genes.take(), waves))
    least_layers = math.ceil(limits.get("least_height", 0.02) / 0.02 - 1e-9)
    size = [max(1, round(genes.take(0.35, 1) * most)) for most in limits["cells"]]
    size[1] = min(limits["cells"][1], max(size[1], least_layers))
    numbers = {
        "soft": limits["least_modulus"] * 10 ** genes.take(0, math.log10(limits["most_modulus"] / limits["least_modulus"])),
        "hard": limits["least_modulus"] * 10 ** genes.take(0, math.log10(limits["most_modulus"] / limits["least_modulus"])),
        "density": genes.take(limits["least_density"], limits["most_density"]),
        "strain": genes.take(0.02, limits["most_strain"]),
        "period": limits["least_period"] * 4 ** genes.take(0, 1),
    }

    def value(field, place):
        offset, waves = fields[field]
        total = 0.5 * offset
        for amplitude, kx, ky, kz, phase in waves:
            total += amplitude * math.cos(2 * math.pi * (kx * place[0] + ky * place[1] + kz * place[2] + phase))
        return total

    cells = {}
    for y in range(size[1]):
        for z in range(size[2]):
            for x in range(size[0]):
                place = [(i + 0.5) / max(size) for i in (x, y, z)]
                if value(0, place) > -0.3:
                    is_muscle = value(1, place) > 0
                    cells[x, y, z] = (2 if is_muscle else 1, round(value(2, place) % 1.0, 3) if is_muscle else 0.0)
    piece = largest_piece(set(cells), size)
    if not piece:
        return None
    low = [min(cell[axis] for cell in piece) for axis in range(3)]
    high = [max(cell[axis] for cell in piece) for axis in range(3)]
    moved = {tuple(c - l for c, l in zip(cell, low)): cells[cell] for cell in piece}
    return [h - l + 1 for h, l in zip(high, low)], moved, numbers


def scene_of(robot, title, description):
    size, cells, numbers = robot
    layers, phases = [], []
    for y in range(size[1]):
        rows = []
        for z in range(size[2]):
            row = [cells.get((x, y, z), (0, 0.0)) for x in range(size[0])]
            rows.append("".join(str(code) for code, _ in row))
            phases += [phase for _, phase in row]
        layers.append("/".join(rows))
    lines = [
        "format = 1",
        f'title = "{title}"',
        f'description = "{description}"',
        "",
        "[[material]]",
        'name = "passive"',
        f'youngs_modulus = {numbers["hard"]:.6g}',
        f'density = {numbers["density"]:.6g}',
        "color = [0.8, 0.5, 0.2]",
        "",
        "[[material]]",
        'name = "muscle"',
        f'youngs_modulus = {numbers["soft"]:.6g}',
        f'density = {numbers["density"]:.6g}',
        "cte = 0.01",
        "color = [0.3, 0.6, 0.8]",
        "",
        "[[system]]",
        'kind = "voxel_body"',
        'name = "robot"',
        'shape = "layers"',
        'palette = ["passive", "muscle"]',
        f"size = {size}",
        "voxel_size = 0.02",
        'temperature_wave = "sine"',
        f'temperature_amplitude = {math.floor(1e4 * numbers["strain"]) / 100:g}',
        f'temperature_period = {math.ceil(1e4 * numbers["period"]) / 1e4:g}',
        "layers = [",
        *[f'  "{layer}",' for layer in layers],
        "]",
        f"phase = [{', '.join(f'{phase:g}' for phase in phases)}]",
        "",
    ]
    return "\n".join(lines)


class Scorer:
    def __init__(self, program, task, limits):
        self.program, self.task, self.limits = program, task, limits
        self.count, self.error = 0, ""

    def score(self, genome):
        """Returns the score of a genome: -inf if the robot is outside the limits or its run fails a health check."""
        self.count += 1
        robot = robot_of(genome, self.limits)
        if robot is None:
            return -math.inf
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "robot.toml")
            pathlib.Path(path).write_text(scene_of(robot, "Robot", "A robot."))
            done = subprocess.run(
                [self.program, "score", path, "--task", self.task, "--json"], capture_output=True, text=True, check=False
            )
        if done.returncode != 0:
            self.error = done.stderr.strip()
            return -math.inf
        score = json.loads(done.stdout)[0]["score"]
        return score if score is not None else -math.inf


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="path of the program voxwake")
    parser.add_argument("task", help="name without version, such as walk")
    parser.add_argument("--random", type=int, default=40, help="number of random robots (default 40)")
    parser.add_argument("--generations", type=int, default=20, help="number of generations (default 20)")
    parser.add_argument("--children", type=int, default=8, help="children in each generation (default 8)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random numbers (default 1)")
    parser.add_argument("--out", default="assets/benchmark/robots", help="folder of the robots (default: %(default)s)")
    args = parser.parse_args()
    limits = read_task(args.task)
    scorer = Scorer(args.program, args.task, limits)
    dice = random.Random(f"{args.task} {args.seed}")
    ranked = []
    while len(ranked) < args.random:
        genome = random_genome(dice)
        ranked.append((scorer.score(genome), genome))
    ranked.sort(key=lambda entry: -entry[0])
    if ranked[0][0] == -math.inf:
        return f"{args.program} gave none of the {args.random} random robots a score. The last error: {scorer.error}"
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)

    def write(kind, genome, title, description):
        robot = robot_of(genome, limits)
        (out / f"{args.task}-{kind}.toml").write_text(scene_of(robot, title, description))

    print(f"{args.task}: best of {args.random} random robots {ranked[0][0]:.6g}", flush=True)
    write("random", ranked[0][1], "Random robot", f"The best of {args.random} random robots for the task {args.task}.")
    parents = ranked[:PARENTS]
    for generation in range(args.generations):
        strength = 0.4 * (1 - generation / args.generations) + 0.05
        children = []
        for number in range(args.children):
            genome = changed(parents[number % len(parents)][1], dice, strength)
            children.append((scorer.score(genome), genome))
        parents = sorted(parents + children, key=lambda entry: -entry[0])[:PARENTS]
        print(f"{args.task}: generation {generation + 1}: {parents[0][0]:.6g}", flush=True)
    write(
        "evolved",
        parents[0][1],
        "Evolved robot",
        f"The best robot of {args.generations} generations of {args.children} children for the task {args.task}.",
    )
    print(f"{args.task}: evolved robot {parents[0][0]:.6g} after {scorer.count} evaluations")


if __name__ == "__main__":
    sys.exit(main())
