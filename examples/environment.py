"""Teach a soft crawler to move: random search over the phases of its muscles, in environments side by side.

    python3 environment.py [ROUNDS]
"""

import sys

import numpy as np

import voxwake
from voxwake.env import Env, VectorEnv

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10


def crawler():
    """A bar of voxels on rough ground with two muscles below and a sensor of its way."""
    scene = voxwake.Scene()
    scene.collider.add("plane", "ground", mu_static=1.0, mu_dynamic=0.8)
    scene.material.add(name="flesh", youngs_modulus=2e5)
    bar = scene.system.add("voxel_body", "bar", size=(12, 3, 3), voxel_size=0.02, position=(0, 0.001, 0))
    for name, low, high in (("front", 0.5, 1.0), ("back", 0.0, 0.5)):
        bar.muscle.add(name=name, min=(low, 0, 0), max=(high, 0.4, 1))
        scene.actuator.add("manual", name, targets=[f"system.bar.muscle.{name}.strain"])
    scene.sensor.add(name="way", system="bar", quantity="distance")
    return scene


def make():
    return Env(
        crawler(),
        actions={"front": (-0.25, 0.25), "back": (-0.25, 0.25)},
        reward=lambda world, action: world.sensors["way"],
        steps_per_action=4,
        episode_steps=30,
    )


count = 4
envs = VectorEnv(make, count)
random = np.random.default_rng(1)
best_way, best = -1.0, None
for attempt in range(rounds):
    frequency, phase = random.uniform(0.5, 3, count), random.uniform(0, 1, count)
    envs.reset()
    for i in range(30):
        time = i * 4 / 120
        front = 0.25 * np.sin(2 * np.pi * frequency * time)
        back = 0.25 * np.sin(2 * np.pi * (frequency * time + phase))
        _, way, _, _, _ = envs.step(np.stack([front, back], axis=1))
    if way.max() > best_way:
        best_way, best = way.max(), (frequency[way.argmax()], phase[way.argmax()])
envs.close()
print(f"The crawler moved {100 * best_way:.2f} cm at {best[0]:.2f} Hz with the phase {best[1]:.2f}")
