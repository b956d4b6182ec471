"""Worlds: running scenes with their systems, commands, arrays and pictures."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union, cast

import numpy as np

from voxwake import _core
from voxwake._types import Path, Progress, Vector
from voxwake.pictures import Picture, Video, VideoFile
from voxwake.scene import Scene, assignment_texts

__all__ = ["World", "System", "LiveArray", "Diagnostics", "Plot", "Curve", "packaged_scenes"]


class LiveArray(np.ndarray):
    """Read-only array of a system that shares the memory of the world.

    The array shows the values of the world at any time: after a step, it shows the new values. If the world stores the
    rows elsewhere, because elements were added or removed or the world was reset, :attr:`is_current` becomes false. The
    array then keeps the last values of the former rows and stays valid. It keeps its world alive.

    Results of arithmetic are ordinary arrays.
    """

    @property
    def is_current(self) -> bool:
        """Whether the array shows the present rows of its system."""
        block = self._block()
        return block is not None and block.is_current

    def frozen(self) -> np.ndarray:
        """Return a copy of the values that never changes."""
        values = np.array(self)
        values.flags.writeable = False
        return values

    def _block(self) -> Any:
        base = self.base
        while isinstance(base, np.ndarray):
            base = base.base
        return base if isinstance(base, _core.Block) else None

    def __array_wrap__(self, array: np.ndarray, context: Any = None, return_scalar: bool = False) -> Any:
        return np.asarray(array)[()]

    def copy(self, order: Any = "C") -> np.ndarray:  # type: ignore[override]
        """Return an ordinary copy of the values, which may be changed."""
        return np.array(self, order=order)


class Diagnostics(NamedTuple):
    """Sums over the elements of a system, in SI units."""

    #: Number of elements.
    elements: int
    #: Mass [kg].
    mass: float
    #: Kinetic energy [J].
    kinetic: float
    #: Gravitational potential energy [J], 0 at y = 0.
    potential: float
    #: Elastic energy [J].
    elastic: float
    #: Momentum [kg m/s].
    momentum: Tuple[float, float, float]
    #: Angular momentum about the origin [kg m^2/s].
    angular_momentum: Tuple[float, float, float]
    #: Centre of mass [m].
    center_of_mass: Tuple[float, float, float]


class System:
    """One system of a world: a voxel body, a fluid, particles, rigid bodies or a flock.

    Arrays have one row per element. Their names are attributes: ``world["water"].position``.
    """

    def __init__(self, world: "World", name: str) -> None:
        self._run = world._run
        self._name = name

    @property
    def name(self) -> str:
        """Name of the system in the scene."""
        return self._name

    def __len__(self) -> int:
        return cast(int, self._run.size(self._name))

    def __repr__(self) -> str:
        return f"<voxwake.System {self._name!r}: {len(self)} elements>"

    def array(self, name: str) -> LiveArray:
        """Return an array of the system without a copy. :attr:`arrays` lists the names."""
        return cast(LiveArray, self._run.array(self._name, name).view(LiveArray))

    @property
    def arrays(self) -> Dict[str, Tuple[str, int]]:
        """Unit and number of columns of each array that the system has."""
        return {name: (unit, columns) for name, unit, columns in self._run.arrays(self._name)}

    @property
    def position(self) -> LiveArray:
        """Positions [m], shape (n, 3)."""
        return self.array("position")

    @property
    def velocity(self) -> LiveArray:
        """Velocities [m/s], shape (n, 3)."""
        return self.array("velocity")

    @property
    def mass(self) -> LiveArray:
        """Masses [kg], shape (n,)."""
        return self.array("mass")

    @property
    def radius(self) -> LiveArray:
        """Radii, or half the edges of voxels [m], shape (n,)."""
        return self.array("radius")

    @property
    def orientation(self) -> LiveArray:
        """Orientations as quaternions x, y, z, w, shape (n, 4). Point particles have none."""
        return self.array("orientation")

    @property
    def angular_velocity(self) -> LiveArray:
        """Angular velocities in world axes [rad/s], shape (n, 3). Point particles have none."""
        return self.array("angular_velocity")

    @property
    def ids(self) -> np.ndarray:
        """Identity of each element, as a copy. Elements keep their identity when others are added or removed."""
        return cast(np.ndarray, self._run.ids(self._name))

    @property
    def channels(self) -> Dict[str, str]:
        """Names and units of the scalar channels that :meth:`channel` computes."""
        return dict(self._run.channels(self._name))

    def channel(self, name: str) -> np.ndarray:
        """Compute a scalar channel, such as ``"speed"``, shape (n,)."""
        return cast(np.ndarray, self._run.channel(self._name, name))

    @property
    def vectors(self) -> Dict[str, str]:
        """Names and units of the vectors that :meth:`vector` computes."""
        return dict(self._run.vectors(self._name))

    def vector(self, name: str) -> np.ndarray:
        """Compute a vector for each element, such as ``"vorticity"``, shape (n, 3)."""
        return cast(np.ndarray, self._run.vector(self._name, name))

    @property
    def diagnostics(self) -> Diagnostics:
        """Mass, energies, momenta and centre of mass."""
        return Diagnostics(**self._run.diagnostics(self._name))

    @property
    def totals(self) -> Dict[str, float]:
        """Quantities of the whole system beyond :attr:`diagnostics`, such as ``broken_bonds``."""
        return cast(Dict[str, float], self._run.totals(self._name))

    def push(self, element: int, impulse: Vector, radius: float = 0.0) -> None:
        """Apply an impulse [N s] to an element, spread by mass over the elements within ``radius`` [m]."""
        self._run.push(self._name, element, impulse, radius)

    def grab(self, element: int, target: Vector, stiffness: float = 10.0) -> None:
        """Pull an element towards a point [m] by a damped spring [N/m], which replaces an earlier spring."""
        self._run.grab(self._name, element, target, stiffness)

    def set_pose(self, element: int, position: Vector, rotation: Vector = (0.0, 0.0, 0.0)) -> None:
        """Move a body so that the centre of ``element`` is at a position [m] with a rotation vector [rad], at rest.

        The body is a rigid body, together with the bodies to which joints connect it, or a voxel body in its present
        shape. ``element`` is the index of the rigid body, or of any voxel of the voxel body.
        """
        self._run.set_pose(self._name, element, position, rotation)

    def spawn(self, place: Vector, count: int = 1, species: str = "") -> None:
        """Add members to a flock around a place [m]. They appear in the next step."""
        self._run.spawn(self._name, species, place, count)

    def remove(self, element: int = -1, place: Vector = (0.0, 0.0, 0.0), radius: float = 0.0) -> None:
        """Remove an element and those within ``radius`` [m] of it, or all within ``radius`` of ``place``.

        Only flocks and particles support this. The elements are gone after the next step.
        """
        self._run.remove(self._name, element, place, radius)

    def settle(self) -> None:
        """Move a voxel body to its static equilibrium under gravity."""
        self._run.settle(self._name)


class Curve(NamedTuple):
    """One curve of a plot."""

    #: Name of the curve in the scene.
    name: str
    #: Name of the measured system; empty for an analytic curve.
    system: str
    #: Times [s], or the values of the parameter of a plot over a parameter.
    x: np.ndarray
    #: Values in the unit of the plot; NaN where there is none.
    y: np.ndarray


class Plot(NamedTuple):
    """Recorded data of one plot of the scene."""

    #: Name of the plot in the scene.
    name: str
    #: Title, as in the window.
    title: str
    #: Unit of the abscissa.
    x_unit: str
    #: Unit of the values.
    unit: str
    #: Whether the abscissa is the time.
    over_time: bool
    #: The curves.
    curves: List[Curve]


class World:
    """A running scene.

    ``scene`` is the name of a packaged scene, the path of a scene file, or a :class:`voxwake.Scene`. ``assignments``
    are values of parameters by path, for example ``{"world.gravity": (0, -1.62, 0)}``.

    A world steps in the calling thread and lets other Python threads run meanwhile, so several threads can step several
    worlds. One world must be used by one thread at a time; a second thread gets a :class:`voxwake.Error`.
    """

    def __init__(
        self,
        scene: Union[Path, Scene],
        assignments: Optional[Mapping[str, Any]] = None,
        *,
        strict: bool = False,
        base: str = "",
        journal: Path = "",
    ) -> None:
        texts = assignment_texts(assignments)
        if isinstance(scene, Scene):
            self._run = _core.Run.open_text(scene.to_toml(), scene.name, "", texts, os.fspath(journal))
        else:
            self._run = _core.Run.open(os.fspath(scene), texts, strict, base, os.fspath(journal))

    @classmethod
    def _wrap(cls, run: Any) -> "World":
        world = cls.__new__(cls)
        world._run = run
        return world

    @classmethod
    def from_toml(
        cls,
        text: str,
        assignments: Optional[Mapping[str, Any]] = None,
        *,
        name: str = "scene",
        folder: str = "",
        journal: Path = "",
    ) -> "World":
        """Make a world from the text of a scene file. File names in the text are relative to ``folder``."""
        return cls._wrap(_core.Run.open_text(text, name, folder, assignment_texts(assignments), os.fspath(journal)))

    @classmethod
    def resume(
        cls,
        checkpoint: Union[bytes, Path],
        *,
        journal: Path = "",
    ) -> "World":
        """Continue from the bytes of :meth:`checkpoint` or from the path of a checkpoint file, bit for bit."""
        if isinstance(checkpoint, bytes):
            return cls._wrap(_core.Run.resume_bytes(checkpoint, "checkpoint", os.fspath(journal)))
        return cls._wrap(_core.Run.resume(os.fspath(checkpoint), os.fspath(journal)))

    @classmethod
    def open_picture(
        cls, path: Path, *, at: Optional[float] = None, frame: Optional[int] = None, journal: Path = ""
    ) -> "World":
        """Open a picture or video that the program or :meth:`save_picture` wrote, at the step that it shows.

        For a video, ``at`` is the time in the video [s], or ``frame`` the number of the frame. A state that differs from
        the recorded state gives a warning.
        """
        run, notes = _core.Run.open_picture(os.fspath(path), at, frame, os.fspath(journal))
        for note in notes:
            warnings.warn(f"{os.fspath(path)}: {note}", stacklevel=2)
        return cls._wrap(run)

    def __repr__(self) -> str:
        return f"<voxwake.World {self.name!r}: step {self.step_count}, {self.time:g} s>"

    # ---- Steps ----

    def step(self, count: int = 1, progress: Optional[Progress] = None) -> int:
        """Take ``count`` steps and return their number.

        ``progress`` is called about 20 times a second with the fraction of the steps that are done. If it returns
        False, the world stops. Ctrl-C stops the world after a complete step.
        """
        return cast(int, self._run.step(count, progress))

    def run_until(self, time: float, progress: Optional[Progress] = None) -> bool:
        """Take steps until :attr:`time` is ``time`` [s], to the nearest step. Return whether it was reached."""
        return cast(bool, self._run.run_until(time, progress))

    @property
    def time(self) -> float:
        """Simulated time [s]; 0 at the start and after a reset."""
        return cast(float, self._run.time)

    @property
    def dt(self) -> float:
        """Length of a step [s]."""
        return cast(float, self._run.dt)

    @property
    def step_count(self) -> int:
        """Number of steps since the start or the last reset."""
        return cast(int, self._run.step_count)

    @property
    def wall_time(self) -> float:
        """Wall time that the steps have taken [s]."""
        return cast(float, self._run.wall_s)

    @property
    def failure(self) -> str:
        """Reason of a failed health check, or an empty text."""
        return cast(str, self._run.failure)

    @property
    def name(self) -> str:
        """Name of the scene, for messages."""
        return cast(str, self._run.name)

    # ---- Systems ----

    @property
    def systems(self) -> List[str]:
        """Names of all systems, in alphabetical order."""
        return cast(List[str], self._run.systems())

    def __getitem__(self, system: str) -> System:
        found = System(self, system)
        len(found)  # an unknown name is an error
        return found

    def __contains__(self, system: object) -> bool:
        return system in self.systems

    def __iter__(self) -> Iterator[str]:
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

    # ---- Commands ----

    def set(self, path: str, value: Any) -> None:
        """Set a parameter, such as ``world.set("system.water.viscosity", 0.1)``.

        Parameters that are not live take effect at the next :meth:`reset`; :attr:`pending` lists them.
        """
        self._run.set(path, value)

    def get(self, path: str) -> Any:
        """Return the value of a parameter. Edits that wait for a reset are included."""
        return self._run.value(path)

    def assign(self, text: str) -> None:
        """Set a parameter by a text ``path=value``, as the option ``--set`` of the program does."""
        self._run.assign(text)

    @property
    def pending(self) -> Dict[str, Any]:
        """Parameters whose edits wait for a reset, with the values still in use."""
        return cast(Dict[str, Any], self._run.pending())

    def reset(self) -> None:
        """Return to the start of the scene with all edited parameters."""
        self._run.reset()

    def push(self, system: str, element: int, impulse: Vector, radius: float = 0.0) -> None:
        """See :meth:`System.push`."""
        self._run.push(system, element, impulse, radius)

    def grab(self, system: str, element: int, target: Vector, stiffness: float = 10.0) -> None:
        """See :meth:`System.grab`."""
        self._run.grab(system, element, target, stiffness)

    def set_pose(self, system: str, element: int, position: Vector, rotation: Vector = (0.0, 0.0, 0.0)) -> None:
        """See :meth:`System.set_pose`."""
        self._run.set_pose(system, element, position, rotation)

    def move_grab(self, target: Vector) -> None:
        """Move the target of the spring of :meth:`grab` [m]."""
        self._run.move_grab(target)

    def release(self) -> None:
        """Remove the spring of :meth:`grab`."""
        self._run.release()

    def spawn(self, system: str, place: Vector, count: int = 1, species: str = "") -> None:
        """See :meth:`System.spawn`."""
        self._run.spawn(system, species, place, count)

    def remove(self, system: str, element: int = -1, place: Vector = (0.0, 0.0, 0.0), radius: float = 0.0) -> None:
        """See :meth:`System.remove`."""
        self._run.remove(system, element, place, radius)

    def command(self, command: Mapping[str, Any]) -> None:
        """Apply a command in the form of the journal, such as ``{"set": {"path": ..., "value": ...}}``."""
        self._run.command_json(json.dumps(command))

    # ---- Actuators and sensors ----

    @property
    def sensors(self) -> Dict[str, float]:
        """Present values of the sensors, by name."""
        return self._signals("sensor.")

    @property
    def actuators(self) -> Dict[str, float]:
        """Values of the actuators in the last step, by name; NaN while an actuator does not drive."""
        return self._signals("actuator.")

    def actuate(self, values: Mapping[str, float]) -> None:
        """Set the values of actuators of the kind ``manual``, by name."""
        for name, value in values.items():
            self._run.set(f"actuator.{name}.value", value)

    def _signals(self, prefix: str) -> Dict[str, float]:
        return {name[len(prefix) :]: value for name, value in self._run.signals().items() if name.startswith(prefix)}

    # ---- Plots ----

    def record_plots(self, wanted: bool = True) -> None:
        """Measure the plots of the scene after every step from now on. If ``wanted`` is False, end the recording.

        A plot holds at most 8192 rows. A longer recording is thinned out evenly.
        """
        self._run.record_plots(wanted)

    @property
    def plots(self) -> Dict[str, Plot]:
        """Recorded data of the plots, by name; empty before :meth:`record_plots`."""
        return {
            name: Plot(name, title, x_unit, unit, over_time, [Curve(*curve) for curve in curves])
            for name, title, x_unit, unit, over_time, curves in self._run.plots()
        }

    def measure(self) -> Dict[str, Dict[str, float]]:
        """Return the present values of the curves of all plots over time, by the names of plot and curve.

        Initial values in formulas, such as ``x0``, are those at the first call.
        """
        return cast(Dict[str, Dict[str, float]], self._run.measure())

    # ---- Results ----

    @property
    def hash(self) -> str:
        """Hash of the whole state, 16 hexadecimal digits, as the program prints it."""
        return f"{self._run.hash():016x}"

    def checkpoint(self) -> bytes:
        """Return the state as the content of a checkpoint file. :meth:`resume` continues from it."""
        return cast(bytes, self._run.checkpoint())

    def save(self, path: Path) -> None:
        """Write a checkpoint file, which the program can open."""
        self._run.save(os.fspath(path))

    def save_journal(self, path: Path) -> None:
        """Write the scene and all commands so far as a journal, for ``voxwake replay``."""
        self._run.save_journal(os.fspath(path))

    def finish(self) -> None:
        """Close the journal file that was named when the world was made."""
        self._run.finish()

    @property
    def report(self) -> Dict[str, Any]:
        """Report of the run, as ``voxwake run --report`` writes it."""
        return cast(Dict[str, Any], json.loads(self._run.report()))

    @property
    def scene(self) -> Scene:
        """Copy of the scene with all edits."""
        return Scene._wrap(self._run.scene())

    def to_toml(self) -> str:
        """Return the scene with all edits as the text of a scene file."""
        return cast(str, self._run.scene_text())

    @property
    def notes(self) -> List[str]:
        """Warnings about the files and the setup of the scene, one sentence each."""
        return cast(List[str], self._run.notes())

    def take_warnings(self) -> List[str]:
        """Return the warnings of the last steps. Each warning is returned once."""
        return cast(List[str], self._run.take_warnings())

    # ---- Pictures ----

    def render(
        self,
        width: int = 640,
        height: int = 360,
        *,
        view: Optional[Mapping[str, Any]] = None,
        eye: Optional[Vector] = None,
        target: Optional[Vector] = None,
        renderer: str = "auto",
    ) -> Picture:
        """Draw the present state as an array of the shape (height, width, 3), 8-bit sRGB.

        ``view`` holds view settings for this picture, such as ``{"color_by": "speed"}``. ``eye`` and ``target`` place
        the camera [m]. ``renderer`` is ``"opengl"``, ``"software"`` or ``"auto"``, which is OpenGL if EGL is
        available, otherwise software.
        """
        texts = _view_texts(view)
        return cast(Picture, self._run.render(width, height, renderer, texts, eye, target).view(Picture))

    def save_picture(
        self,
        path: Path,
        width: int = 1280,
        height: int = 720,
        *,
        view: Optional[Mapping[str, Any]] = None,
        eye: Optional[Vector] = None,
        target: Optional[Vector] = None,
        renderer: str = "auto",
    ) -> None:
        """Write a PNG file from which :meth:`open_picture` and the program open the world at this step.

        The other arguments are those of :meth:`render`.
        """
        self._run.save_picture(os.fspath(path), width, height, renderer, _view_texts(view), eye, target)

    @property
    def uses_opengl(self) -> bool:
        """Whether the last picture was drawn with OpenGL."""
        return cast(bool, self._run.uses_opengl)

    def record_video(
        self,
        path: Path,
        seconds: float,
        *,
        width: int = 640,
        height: int = 360,
        fps: int = 30,
        progress: Optional[Progress] = None,
        **picture: Any,
    ) -> Video:
        """Run for some simulated seconds and write a video (MP4, H.264), which plays at the speed of the simulation.

        ``picture`` are further arguments of :meth:`render`.
        """
        frames = max(1, round(seconds * fps))
        start = self.time
        with VideoFile(path, width, height, fps) as video:
            for frame in range(frames):
                video.add(self.render(width, height, **picture))
                self.run_until(start + (frame + 1) / fps)
                if progress is not None and progress((frame + 1) / frames) is False:
                    break
        return Video(path)


def _view_texts(view: Optional[Mapping[str, Any]]) -> List[str]:
    return assignment_texts({f"view.{key}": value for key, value in (view or {}).items()})


def packaged_scenes() -> List[Dict[str, str]]:
    """List the packaged scenes: name, title, group, description and path of each."""
    return cast(List[Dict[str, str]], _core.packaged_scenes())


