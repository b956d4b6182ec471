"""Environments for reinforcement learning, with the interface of Gymnasium.

The module does not depend on Gymnasium. :class:`Env` has ``reset``, ``step``, ``render``, ``close``,
``observation_space`` and ``action_space`` with the meanings that Gymnasium gives them, and :class:`VectorEnv` steps
several worlds side by side.

An action sets the values of actuators of the kind ``manual``. An observation consists of the values of the sensors, or
is computed by a function of the world. A reward is computed by a function of the world and the action. Without such a
function, it is 0.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from voxwake._errors import Error, SimulationError
from voxwake._types import Path
from voxwake.pictures import Picture
from voxwake.scene import Scene
from voxwake.world import World

__all__ = ["Box", "Env", "VectorEnv"]

Range = Tuple[float, float]


class Box:
    """Space of arrays whose numbers lie between ``low`` and ``high``."""

    def __init__(self, low: Any, high: Any, shape: Optional[Tuple[int, ...]] = None, dtype: Any = np.float32) -> None:
        if shape is None:
            shape = np.broadcast(np.asarray(low), np.asarray(high)).shape
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)
        self.low = np.full(self.shape, low, self.dtype)
        self.high = np.full(self.shape, high, self.dtype)
        self._random = np.random.default_rng()

    def seed(self, seed: Optional[int] = None) -> None:
        """Seed the random numbers of :meth:`sample`."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> np.ndarray:
        """Return a random array: uniform between finite bounds, normally distributed without bounds."""
        low, high = self.low.astype(float), self.high.astype(float)
        values = self._random.normal(size=self.shape)
        from_low, from_high = np.isfinite(low), np.isfinite(high)
        values = np.where(from_low & ~from_high, np.where(from_low, low, 0) + np.abs(values), values)
        values = np.where(from_high & ~from_low, np.where(from_high, high, 0) - np.abs(values), values)
        both = from_low & from_high
        uniform = np.where(both, low, 0) + self._random.random(self.shape) * np.where(both, high - low, 1)
        return np.where(both, uniform, values).astype(self.dtype)

    def contains(self, value: Any) -> bool:
        """Whether an array has the shape of the space and lies between its bounds."""
        array = np.asarray(value)
        return array.shape == self.shape and bool(np.all(array >= self.low) and np.all(array <= self.high))

    def __contains__(self, value: Any) -> bool:
        return self.contains(value)

    def __repr__(self) -> str:
        return f"Box(shape={self.shape}, dtype={self.dtype})"


class Env:
    """One world as an environment.

    ``scene`` and ``assignments`` are those of :class:`voxwake.World`. The other arguments:

    ``actions``
        Names of the manual actuators that an action sets, or a mapping of the names to ranges (low, high). By default
        all manual actuators. An actuator without a range has the declared range of its first target, or (-1, 1) if the
        target has no finite range.
    ``observe``
        Function of the world that returns the observation. By default, the values of the sensors in the order of their
        names.
    ``reward``
        Function of the world and the action. By default 0.
    ``terminated``
        Function of the world that tells whether the episode has reached its goal or failed. A failed health check ends
        the episode in any case.
    ``randomize``
        Function of a ``numpy.random.Generator`` that returns assignments for one episode.
    ``steps_per_action``
        Number of steps of the world for one action.
    ``episode_steps``
        Number of actions after which an episode is truncated.
    ``picture``
        Arguments of :meth:`voxwake.World.render` for :meth:`render`.
    """

    metadata: Dict[str, Any] = {"render_modes": ["rgb_array"]}
    render_mode = "rgb_array"

    def __init__(
        self,
        scene: Union[Path, Scene],
        assignments: Optional[Mapping[str, Any]] = None,
        *,
        actions: Union[Sequence[str], Mapping[str, Range], None] = None,
        observe: Optional[Callable[[World], Any]] = None,
        reward: Optional[Callable[[World, np.ndarray], float]] = None,
        terminated: Optional[Callable[[World], bool]] = None,
        randomize: Optional[Callable[[np.random.Generator], Mapping[str, Any]]] = None,
        steps_per_action: int = 2,
        episode_steps: int = 500,
        picture: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self._scene = scene if isinstance(scene, Scene) else Scene(scene)
        self._assignments = dict(assignments or {})
        self._observe = observe or _sensor_values
        self._reward = reward
        self._terminated = terminated
        self._randomize = randomize
        self._steps_per_action = steps_per_action
        self._episode_steps = episode_steps
        self._picture = dict(picture or {})
        self._taken = 0
        self.np_random = np.random.default_rng()
        #: The running world. :meth:`reset` replaces it.
        self.world = World(self._scene, self._assignments)
        ranges = _action_ranges(self._scene, actions)
        #: Names of the actuators in the order of the action's numbers.
        self.action_names: List[str] = list(ranges)
        lows, highs = [low for low, _ in ranges.values()], [high for _, high in ranges.values()]
        self.action_space = Box(np.array(lows), np.array(highs))
        self.observation_space = Box(-np.inf, np.inf, self._observation().shape)

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
    ) -> Tuple[np.ndarray, Dict[str, Any]]:
        """Begin an episode and return its first observation and an empty dictionary.

        The same seed gives the same episode, and the same episodes after it. ``options`` may hold ``assignments`` for
        this episode.
        """
        if seed is not None:
            self.np_random = np.random.default_rng(seed)
        values = dict(self._assignments)
        if self._randomize is not None:
            values.update(self._randomize(self.np_random))
        values.update((options or {}).get("assignments", {}))
        self.world = World(self._scene, values)
        self._taken = 0
        return self._observation(), {}

    def step(self, action: Any) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
        """Set the actuators, step the world, and return observation, reward, terminated, truncated and a dictionary.

        Actions outside the action space are limited to it. After a failed health check, ``terminated`` is true and the
        dictionary holds the reason under ``failure``.
        """
        numbers = np.asarray(action, float)
        if numbers.shape != self.action_space.shape:
            raise Error(f"action of the shape {numbers.shape}: expected {self.action_space.shape}")
        numbers = np.clip(numbers, self.action_space.low, self.action_space.high)
        self.world.actuate(dict(zip(self.action_names, numbers.tolist())))
        info: Dict[str, Any] = {}
        try:
            self.world.step(self._steps_per_action)
        except SimulationError as failure:
            info["failure"] = str(failure)
        self._taken += 1
        terminated = bool(info) or (self._terminated is not None and bool(self._terminated(self.world)))
        reward = 0.0 if self._reward is None else float(self._reward(self.world, numbers))
        return self._observation(), reward, terminated, self._taken >= self._episode_steps, info

    def render(self) -> Picture:
        """Draw the present state."""
        return self.world.render(**self._picture)

    def close(self) -> None:
        """Do nothing. The world is freed together with the environment."""

    @property
    def unwrapped(self) -> "Env":
        """The environment itself."""
        return self

    def _observation(self) -> np.ndarray:
        return np.array(self._observe(self.world), np.float32)


class VectorEnv:
    """Several environments with equal spaces, which are stepped in parallel by threads.

    ``make`` returns one environment. The first index of observations, actions and rewards is the number of the
    environment. An environment whose episode ends is reset at once. Its dictionary then holds the last observation of
    that episode under ``final_observation``, and the last dictionary under ``final_info``.
    """

    def __init__(self, make: Callable[[], Env], count: int, threads: Optional[int] = None) -> None:
        self.envs: List[Env] = [make() for _ in range(count)]
        self.num_envs = count
        first = self.envs[0]
        self.single_observation_space = first.observation_space
        self.single_action_space = first.action_space
        self.observation_space = _repeated(first.observation_space, count)
        self.action_space = _repeated(first.action_space, count)
        self._pool = ThreadPoolExecutor(threads or min(count, os.cpu_count() or 1))

    def reset(
        self, *, seed: Union[int, Sequence[Optional[int]], None] = None, options: Optional[Mapping[str, Any]] = None
    ) -> Tuple[np.ndarray, List[Dict[str, Any]]]:
        """Begin an episode in each environment. Environment i gets the seed ``seed + i``, or ``seed[i]``."""
        seeds: Sequence[Optional[int]]
        if seed is None or isinstance(seed, int):
            seeds = [None if seed is None else seed + i for i in range(self.num_envs)]
        else:
            seeds = seed
        self._check_count("seeds", len(seeds))
        both = list(self._pool.map(lambda env, own: env.reset(seed=own, options=options), self.envs, seeds))
        return np.stack([observation for observation, _ in both]), [info for _, info in both]

    def step(self, actions: Any) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, List[Dict[str, Any]]]:
        """Take one step in each environment."""
        self._check_count("actions", len(actions))
        results = list(self._pool.map(_step_and_reset, self.envs, actions))
        observations, rewards, terminated, truncated, infos = zip(*results)
        return np.stack(observations), np.array(rewards), np.array(terminated), np.array(truncated), list(infos)

    def _check_count(self, what: str, count: int) -> None:
        if count != self.num_envs:
            raise Error(f"{count} {what}: expected {self.num_envs}, one for each environment")

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()


def _step_and_reset(env: Env, action: Any) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
    observation, reward, terminated, truncated, info = env.step(action)
    if terminated or truncated:
        last = {"final_observation": observation, "final_info": info}
        observation, first_info = env.reset()
        info = {**first_info, **last}
    return observation, reward, terminated, truncated, info


def _repeated(space: Box, count: int) -> Box:
    low = np.broadcast_to(space.low, (count, *space.shape))
    high = np.broadcast_to(space.high, (count, *space.shape))
    return Box(low, high, (count, *space.shape), space.dtype)


def _sensor_values(world: World) -> List[float]:
    sensors = world.sensors
    return [sensors[name] for name in sorted(sensors)]


def _action_ranges(scene: Scene, actions: Union[Sequence[str], Mapping[str, Range], None]) -> Dict[str, Range]:
    """Return the range of each actuator, by name."""
    if isinstance(actions, Mapping):
        return {name: (float(low), float(high)) for name, (low, high) in actions.items()}
    manual = [node for node in scene.actuator if scene._tree.kinds_down_to(node._path)[-1][1] == "manual"]
    by_name = {node._path.partition(".")[2]: node for node in manual}
    names = list(by_name) if actions is None else list(actions)
    for name in names:
        if name not in by_name:
            raise Error(f'actions: "{name}": must name an actuator of the kind "manual": {", ".join(by_name) or "none"}')
    return {name: _target_range(scene, by_name[name].targets) for name in names}


def _target_range(scene: Scene, targets: Sequence[str]) -> Range:
    """Return the declared range of the first target if this range is finite, otherwise (-1, 1)."""
    for target in targets[:1]:
        low, high = scene._tree.bounds(target)
        if low > -1e30 and high < 1e30:
            return low, high
    return -1.0, 1.0
