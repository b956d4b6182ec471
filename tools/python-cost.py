#!/usr/bin/env python3
"""Compares the cost of steps in Python with the cost of the same steps in the program.

    tools/python-cost.py PROGRAM [STEPS [ROUNDS [THREADS]]]

Python and the program alternate: each runs the packaged scene `walker` ROUNDS times (default 10) for STEPS steps
(default 10000), with THREADS threads (default 0: all cores). The script prints the times of World.step() and the times
of the steps in the reports of `PROGRAM run`. The smallest times are compared, because other processes only add time.
The built package must be importable.
"""

import json
import statistics
import subprocess
import sys
import time

import voxwake


def program_s(program, steps, threads):
    command = [program, "run", "walker", "--steps", str(steps), "--report", "-"]
    if threads > 0:
        command += ["--threads", str(threads)]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report["wall_s"], report["final_state_hash"]


def python_s(steps):
    world = voxwake.World("walker")
    start = time.perf_counter()
    world.step(steps)
    return time.perf_counter() - start, world.hash


def main():
    program = sys.argv[1]
    steps, rounds, threads = (int(word) for word in (sys.argv[2:] + ["10000", "10", "0"][len(sys.argv) - 2 :]))
    voxwake.set_threads(threads)
    python_times, program_times = [], []
    for _ in range(rounds):
        there, there_hash = program_s(program, steps, threads)
        here, here_hash = python_s(steps)
        assert here_hash == there_hash
        program_times.append(there)
        python_times.append(here)
    for name, times in (("program", program_times), ("Python", python_times)):
        print(f"{name}: smallest {min(times):.3f} s, median {statistics.median(times):.3f} s")
    smallest = min(python_times) / min(program_times)
    median = statistics.median(python_times) / statistics.median(program_times)
    print(f"Python / program: smallest {smallest:.4f}, median {median:.4f}")


if __name__ == "__main__":
    main()
