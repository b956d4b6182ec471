"""Build a scene of voxels from a NumPy array, save it as TOML and run it.

    python3 build_a_scene.py [SECONDS]
"""

import sys

import numpy as np

import voxwake

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0

scene = voxwake.Scene()
scene.title = "Ring"
scene.collider.add("plane", "ground")
scene.material.add(name="soft", youngs_modulus=2e5, color=(0.9, 0.5, 0.2))
scene.material.add(name="hard", youngs_modulus=5e6, color=(0.3, 0.4, 0.6))

# A ring of two materials: code 1 is the first material of the palette, code 2 the second.
x, y, z = np.mgrid[-7.5:8, -7.5:8, -1.5:2]
radius = np.hypot(x, y)
codes = np.where((radius < 8) & (radius > 5), np.where(x < 0, 1, 2), 0)
ring = scene.system.add("voxel_body", "ring", position=(0, 0.3, 0), voxel_size=0.02)
ring.set_voxels(codes, palette=["soft", "hard"])

scene.save("ring.toml")
world = voxwake.World("ring.toml")
world.run_until(seconds)
print(f"{len(world['ring'])} voxels, centre of mass {world['ring'].diagnostics.center_of_mass} m")
world.render(640, 360).save("ring.png")
