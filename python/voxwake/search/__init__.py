"""Search for designs: optimisers that propose candidates (``ask``) and receive their scores (``tell``).

Scores are numbers. A larger score is better. The optimisers propose points of a box, your function makes a scene of
each point, and :class:`Evaluator` runs the scenes in parallel and records every result::

    from voxwake.search import CmaEs, Evaluator, scene_task

    search = CmaEs([(0, 1)] * 4, seed=1)
    with Evaluator("found") as evaluator:
        for generation in range(20):
            points = search.ask()
            outcomes = evaluator.evaluate([scene_task(make(point), 10, measures) for point in points])
            search.tell([outcome["results"].get("distance") for outcome in outcomes])

If a search was interrupted, run it again: it proposes the same points, and the recorded results are reused. The
optimisers CMA-ES and NSGA-II are those of DEAP (package python3-deap).
"""

from __future__ import annotations

from voxwake.search.cppn import Cppn
from voxwake.search.evaluator import Evaluator, scene_task
from voxwake.search.optimizers import CmaEs, Elite, MapElites, Nsga2

__all__ = ["CmaEs", "Cppn", "Elite", "Evaluator", "MapElites", "Nsga2", "scene_task"]
