"""Engines that run tasks: processes of this machine, MPI and Dask. Every engine is a function of this form::

    engine(tasks, function, options) -> iterator of (number, outcome)

``tasks`` is an iterator of pairs (number, task). The engine reads a pair when it can start the task. Outcomes come in
the order in which tasks end. If a worker dies, its task is repeated. After three deaths, the outcome is an error.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from voxwake._errors import Error

__all__ = ["Options", "run_tasks", "is_mpi_worker", "ATTEMPTS"]

Task = Tuple[int, Any]
Function = Callable[[Any], Dict[str, Any]]
#: If this number of workers has died in a task, its outcome is an error.
ATTEMPTS = 3


class Options(NamedTuple):
    """How tasks are run."""

    engine: str = "processes"
    #: Number of workers; 0 means one for each core.
    workers: int = 0
    #: Address of the scheduler of Dask. Empty means a cluster on this machine.
    scheduler: str = ""
    #: Function that receives a message when a worker has died.
    report: Callable[[str], None] = lambda sentence: None


def run_tasks(tasks: Iterable[Task], function: Function, options: Options) -> Iterator[Tuple[int, Dict[str, Any]]]:
    """Run tasks with the chosen engine."""
    engines = {"processes": _processes, "mpi": _mpi, "dask": _dask}
    if options.engine not in engines:
        raise Error(f'engine = "{options.engine}": must be one of {", ".join(engines)}')
    return engines[options.engine](iter(tasks), function, options)


def worker_count(options: Options) -> int:
    return options.workers or len(os.sched_getaffinity(0))


def _lost(reason: str) -> Dict[str, Any]:
    return {"results": {}, "hash": "", "time": 0.0, "steps": 0, "stopped": "", "error": reason, "wall": 0.0}


# ---- Processes of this machine ----


def _end_with_parent() -> None:
    """End this process when its parent ends, however that happens."""
    import multiprocessing.connection

    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _work(pipe: Any, function: Function) -> None:
    """Main function of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    _end_with_parent()
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        if task is None:
            return
        pipe.send(function(task))


class _Worker:
    def __init__(self, context: Any, function: Function) -> None:
        self.pipe, far = context.Pipe()
        self.process = context.Process(target=_work, args=(far, function), daemon=True)
        self.process.start()
        far.close()
        self.job: Optional[Task] = None

    def begin(self, job: Task) -> None:
        self.job = job
        with contextlib.suppress(OSError):  # a worker that has died is found by its closed pipe
            self.pipe.send(job[1])

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _cause(process: Any) -> str:
    process.join(5)
    code = process.exitcode
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"was killed by {signal.Signals(-code).name}"
    return f"ended with the status {code}"


class ProcessPool:
    """Processes that run tasks. They wait for further tasks until :meth:`close` ends them."""

    def __init__(self, function: Function, options: Options) -> None:
        import multiprocessing

        self._context = multiprocessing.get_context("spawn")
        self._function, self._options = function, options
        self._workers: List[_Worker] = []

    def run(self, tasks: Iterator[Task]) -> Iterator[Tuple[int, Dict[str, Any]]]:
        """Run tasks and return their outcomes in the order in which they end."""
        import multiprocessing.connection

        # If an exception ended an earlier call, some workers still run its tasks, whose numbers mean other tasks now.
        for worker in [worker for worker in self._workers if worker.job is not None]:
            self._workers.remove(worker)
            worker.end()
        deaths: Dict[int, int] = {}
        again: List[Task] = []

        def next_job() -> Optional[Task]:
            return again.pop() if again else next(tasks, None)

        while True:
            self._begin(next_job)
            busy = {worker.pipe: worker for worker in self._workers if worker.job is not None}
            if not busy:
                return
            for pipe in multiprocessing.connection.wait(list(busy)):
                worker = busy[pipe]
                job = worker.job
                assert job is not None
                try:
                    outcome = worker.pipe.recv()
                except (EOFError, OSError):
                    cause = self._remove(worker)
                    deaths[job[0]] = deaths.get(job[0], 0) + 1
                    if deaths[job[0]] < ATTEMPTS:
                        self._options.report(f"row {job[0]}: its worker {cause}; the row is repeated")
                        again.append(job)
                    else:
                        yield job[0], _lost(f"{ATTEMPTS} workers ended in this row; the last one {cause}")
                    continue
                worker.job = None
                yield job[0], outcome

    def _begin(self, next_job: Callable[[], Optional[Task]]) -> None:
        """Give a task to each idle worker. Start new workers as long as there are tasks for them."""
        for worker in self._workers:
            if worker.job is None and (job := next_job()) is not None:
                worker.begin(job)
        while len(self._workers) < worker_count(self._options) and (job := next_job()) is not None:
            self._workers.append(_Worker(self._context, self._function))
            self._workers[-1].begin(job)

    def _remove(self, worker: _Worker) -> str:
        """Remove a dead worker and return the cause of its death."""
        cause = _cause(worker.process)
        self._workers.remove(worker)
        worker.end()
        return cause

    def close(self) -> None:
        """End all processes."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()


def _processes(tasks: Iterator[Task], function: Function, options: Options) -> Iterator[Tuple[int, Dict[str, Any]]]:
    pool = ProcessPool(function, options)
    try:
        yield from pool.run(tasks)
    finally:
        pool.close()


# ---- MPI ----


def is_mpi_worker() -> bool:
    """Return whether this process is a worker of an MPI job, that is, not the first process."""
    return _mpi_module().COMM_WORLD.Get_rank() > 0


def serve_mpi() -> None:
    """Run tasks of the first process of an MPI job until that process ends its study."""
    for _ in _mpi(iter(()), lambda task: task, Options("mpi")):
        pass


@contextlib.contextmanager
def mpi_job() -> Iterator[None]:
    """If an exception ends the first process of an MPI job, end the other processes, which would wait forever."""
    try:
        yield
    except BaseException as error:
        world = _mpi_module().COMM_WORLD
        if world.Get_size() > 1:
            print(f"voxwake: {str(error) or 'interrupted'}", file=sys.stderr, flush=True)
            world.Abort(2)
        raise


def _mpi_module() -> Any:
    try:
        from mpi4py import MPI
    except ImportError:
        raise Error("the engine mpi needs mpi4py (packages python3-mpi4py and openmpi-bin)") from None
    return MPI


def _mpi(tasks: Iterator[Task], function: Function, options: Options) -> Iterator[Tuple[int, Dict[str, Any]]]:
    """Run tasks on all processes of an MPI job except the first.

    On the other processes, the function yields nothing and returns when the job ends.
    """
    world = _mpi_module().COMM_WORLD
    if world.Get_size() == 1:
        raise Error("the engine mpi needs at least two processes: start the command with mpiexec -n 4")
    from mpi4py.futures import MPICommExecutor

    with MPICommExecutor(world, root=0) as executor:
        if executor is not None:
            yield from _futures(tasks, lambda task: executor.submit(function, task), 2 * world.Get_size())


def _futures(tasks: Iterator[Task], submit: Callable[[Any], Any], most: int) -> Iterator[Tuple[int, Dict[str, Any]]]:
    """Run tasks, at most ``most`` at a time, and yield number and outcome of each task when it ends."""
    import concurrent.futures

    running: Dict[Any, int] = {}
    while True:
        while len(running) < most and (job := next(tasks, None)) is not None:
            running[submit(job[1])] = job[0]
        if not running:
            return
        done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
        for future in done:
            yield running.pop(future), future.result()


# ---- Dask ----


def _dask(tasks: Iterator[Task], function: Function, options: Options) -> Iterator[Tuple[int, Dict[str, Any]]]:
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise Error("the engine dask needs Dask.distributed (package python3-distributed)") from None
    with contextlib.ExitStack() as stack:
        if options.scheduler:
            client = stack.enter_context(Client(options.scheduler, timeout=30))
        else:
            # Python starts each worker afresh, as _processes() does, because a fork would copy threads of the program.
            stack.enter_context(dask.config.set({"distributed.worker.multiprocessing-method": "spawn"}))
            cluster = stack.enter_context(
                LocalCluster(
                    n_workers=worker_count(options), threads_per_worker=1, dashboard_address=None, silence_logs=50
                )
            )
            client = stack.enter_context(Client(cluster))
        yield from _dask_outcomes(tasks, function, options, client)


def _dask_outcomes(
    tasks: Iterator[Task], function: Function, options: Options, client: Any
) -> Iterator[Tuple[int, Dict[str, Any]]]:
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    running: Dict[Any, Task] = {}
    deaths: Dict[int, int] = {}
    ended = as_completed()

    def begin(job: Task) -> None:
        future = client.submit(function, job[1], pure=False)
        running[future.key] = job
        ended.add(future)

    def fill() -> None:
        most = 4 * max(1, len(client.scheduler_info()["workers"]))
        while len(running) < most and (job := next(tasks, None)) is not None:
            begin(job)

    fill()
    while running:
        future = next(ended)
        job = running.pop(future.key)
        try:
            outcome = future.result()
        except KilledWorker:
            deaths[job[0]] = deaths.get(job[0], 0) + 1
            if deaths[job[0]] < ATTEMPTS:
                options.report(f"row {job[0]}: its worker ended; the row is repeated")
                begin(job)
                continue
            outcome = _lost(f"{ATTEMPTS} workers of Dask ended in this row")
        fill()
        yield job[0], outcome
