"""Environments with the interface of Gymnasium."""

import numpy as np
import pytest

import voxwake
from voxwake.env import Box, Env, VectorEnv


def fish():
    """The fish of the packaged scene without its water, with manual actuators and a sensor."""
    scene = voxwake.Scene("muscle-swimmer")
    del scene.system["water"]
    for name in list(scene.interaction.names):
        del scene.interaction[name]
    for side in ("left", "right"):
        del scene.actuator[f"{side}-beat"]
        scene.actuator.add("manual", f"{side}-beat", targets=[f"system.fish.muscle.{side}.strain"])
    scene.sensor.add(name="way", system="fish", quantity="distance")
    scene.sensor.add(name="height", system="fish", quantity="height")
    return scene


def make():
    return Env(
        fish(),
        actions={"left-beat": (-0.2, 0.2), "right-beat": (-0.2, 0.2)},
        reward=lambda world, action: world.sensors["way"],
        steps_per_action=2,
        episode_steps=5,
        randomize=lambda random: {"world.gravity": (0, -random.uniform(5, 10), 0)},
        picture={"width": 64, "height": 48, "renderer": "software"},
    )


def test_an_episode():
    env = make()
    assert env.action_space.shape == (2,) and env.observation_space.shape == (2,)
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation) and info == {}
    for i in range(5):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert observation.dtype == np.float32 and isinstance(reward, float)
        assert terminated is False and truncated == (i == 4)
    assert env.render().shape == (48, 64, 3)
    env.close()


def test_a_seed_repeats_the_episode():
    def hashes(seed):
        env = make()
        env.reset(seed=seed)
        env.step([0.1, -0.1])
        first = env.world.hash
        env.reset()
        env.step([0.1, -0.1])
        return first, env.world.hash

    assert hashes(1) == hashes(1) != hashes(2)


def test_actions_drive_the_muscles():
    env = make()
    env.reset(seed=0)
    env.step([0.15, -5.0])
    assert env.world.actuators == {"left-beat": pytest.approx(0.15), "right-beat": pytest.approx(-0.2)}
    with pytest.raises(voxwake.Error, match="shape"):
        env.step([0.1])


def test_ranges_come_from_the_declarations():
    env = Env(fish())
    assert env.action_names == ["left-beat", "right-beat"]
    low, high = fish()._tree.bounds("system.fish.muscle.left.strain")
    assert np.allclose(env.action_space.low, low) and np.allclose(env.action_space.high, high)
    with pytest.raises(voxwake.Error, match="left-beat"):
        Env(fish(), actions=["middle"])


def test_a_failed_health_check_ends_the_episode():
    env = Env(fish(), {"world.step_budget": 1e3})
    env.reset()
    _, _, terminated, _, info = env.step([0, 0])
    assert terminated and info["failure"]


def test_worlds_side_by_side():
    many = VectorEnv(make, 3)
    observations, infos = many.reset(seed=7)
    assert observations.shape == (3, 2) and len(infos) == 3
    assert many.action_space.shape == (3, 2)
    alone = make()
    alone.reset(seed=8)
    for i in range(5):
        actions = np.full((3, 2), 0.05)
        observations, rewards, terminated, truncated, infos = many.step(actions)
        single = alone.step(actions[1])
        if i < 4:
            assert np.array_equal(observations[1], single[0]) and rewards[1] == single[1]
    assert truncated.all() and not terminated.any()
    assert np.array_equal(infos[1]["final_observation"], single[0])
    with pytest.raises(voxwake.Error, match="2 actions: expected 3, one for each environment"):
        many.step(np.zeros((2, 2)))
    with pytest.raises(voxwake.Error, match="1 seeds: expected 3"):
        many.reset(seed=[1])
    many.close()


def test_spaces():
    box = Box([-1, 0], [1, np.inf])
    box.seed(1)
    first = box.sample()
    box.seed(1)
    assert np.array_equal(first, box.sample()) and first in box
    assert not box.contains([2, 1]) and not box.contains([0])
    assert Box(-np.inf, np.inf, (3,)).sample().shape == (3,)
