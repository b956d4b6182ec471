"""Sweep one parameter: how far a cantilever bends with its stiffness. The worlds run side by side on threads.

    python3 parameter_sweep.py [SECONDS]
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import voxwake

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
scene = voxwake.Scene("cantilever")
material = scene.material.names[0]
body = scene.system.names[0]


def largest_drop(modulus):
    """Largest distance that a voxel has sunk [m]."""
    world = voxwake.World(scene, {f"material.{material}.youngs_modulus": modulus})
    start = world[body].position.frozen()
    world.run_until(seconds)
    return np.max(start[:, 1] - world[body].position[:, 1])


moduli = np.geomspace(5e5, 5e7, 5)
with ThreadPoolExecutor() as pool:
    drops = list(pool.map(largest_drop, moduli))
for modulus, drop in zip(moduli, drops):
    print(f"Young's modulus {modulus:10.3g} Pa: the beam sinks by {1000 * drop:8.3f} mm")
