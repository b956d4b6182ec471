"""Study how a soft pole bends in gusts of different speed and length, and draw its response.

    python3 gust_response.py [--quick] [--workers N] [--out FOLDER]

The study has a grid of speeds of the gust and of stiffnesses of the pole, with three seeds of the gusts each. A study
that was ended goes on where it stopped.
"""

import argparse

import voxwake
from voxwake.study import Study


def pole():
    """Scene of a pole that is held at its foot, in a steady wind with gusts."""
    scene = voxwake.Scene()
    scene.title = "Pole in gusts"
    scene.world.gravity = (0, 0, 0)
    scene.field.add("uniform", "wind", velocity=(2, 0, 0))
    scene.field.add("gust", "gusts", velocity=(6, 0, 0), times="random", rate=0.3)
    scene.material.add(name="rubber", youngs_modulus=3e5, bond_damping=0.2, density=400)
    body = scene.system.add(
        "voxel_body", "pole", material="rubber", size=(2, 16, 2), voxel_size=0.02, position=(0, 0, 0)
    )
    body.region.add(name="foot", max=(1, 0.01, 1))
    return scene


def definition(quick):
    tip = {"system": "pole", "quantity": "expression", "expression": "sqrt((x - x0)^2 + (z - z0)^2)", "over": "max"}
    return {
        "study": {
            "name": "gust response",
            "scene": pole(),
            "until": 0.2 if quick else 20.0,
            "replicates": 1 if quick else 3,
            "seeds": ["field.gusts.seed"],
        },
        "parameter": [
            {"name": "gust", "path": "field.gusts.velocity.x", "range": [2, 14], "count": 2 if quick else 7},
            {"name": "stiffness", "path": "material.rubber.youngs_modulus", "values": [1e5, 3e5, 1e6]},
        ],
        "measure": [
            {"name": "largest", "reduce": "max", "unit": "m", **tip},
            {"name": "mean", "reduce": "mean", "unit": "m", **tip},
        ],
        "result": [{"name": "gust_factor", "formula": "largest / mean"}],
    }


parser = argparse.ArgumentParser()
parser.add_argument("--quick", action="store_true", help="a small study, for tests")
parser.add_argument("--workers", type=int, default=0)
parser.add_argument("--out", default="gusts")


def main():
    options = parser.parse_args()
    study = Study.open(definition(options.quick), options.out)
    table = study.run(workers=options.workers)
    for gust, stiffness, largest, factor in zip(
        *(table[name] for name in ("gust", "stiffness", "largest", "gust_factor"))
    ):
        print(
            f"{gust:5.1f} m/s, {stiffness:8.3g} Pa: largest deflection {1000 * largest:7.2f} mm, gust factor {factor:.2f}"
        )
    assert options.quick or not table.has_equal_replicates(), "the seeds have no effect"
    row = study.run_row(0)
    assert row["hash"] == table.columns["hash"][0], "row 0 does not replay to its hash"
    try:
        from voxwake.study.plots import plot_response

        plot_response(table, "gust", "largest", "stiffness").savefig(study.folder / "response.png", dpi=130)
    except voxwake.Error as error:
        print(error)


if __name__ == "__main__":  # the workers import this file
    main()
