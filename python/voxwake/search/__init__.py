"""Search for designs: optimisers that ask for candidates and are told their scores.

Scores are numbers of which larger ones are better. The optimisers propose points of a box; a function of yours makes a
scene of each point, and :class:`Evaluator` runs the scenes side by side and records every result::

    from voxwake.search import CmaEs, Evaluator, scene_task

    search = CmaEs([(0, 1)] * 4, seed=1)
    with Evaluator("found") as evaluator:
        for generation in range(20):
            points = search.ask()
            outcomes = evaluator.evaluate([scene_task(make(point), 10, measures) for point in points])
            search.tell([outcome["results"].get("distance") for outcome in outcomes])

A search that was ended goes on where it stopped: it asks for the same points again, and their recorded results are
used. The optimisers CMA-ES and NSGA-II are those of DEAP (package python3-deap).
"""

from __future__ import annotations

from voxwake.search.cppn import Cppn
from voxwake.search.evaluator import Evaluator, scene_task
from voxwake.search.optimizers import CmaEs, Elite, MapElites, Nsga2

__all__ = ["CmaEs", "Cppn", "Elite", "Evaluator", "MapElites", "Nsga2", "scene_task"]
