"""Optimisers and the evaluation of candidates."""

import numpy as np
import pytest

import voxwake
from voxwake.search import CmaEs, Cppn, Evaluator, MapElites, Nsga2, scene_task

SCENE = """
[[material]]
name = "soft"
[[system]]
kind = "voxel_body"
name = "block"
size = [2, 2, 2]
position = [0.0, 0.5, 0.0]
"""
MEASURES = [{"name": "height", "system": "block", "quantity": "height"}]


def sphere(point):
    return -float(np.sum((np.asarray(point) - 0.3) ** 2))


def test_cma_es_finds_the_top_of_a_sphere():
    pytest.importorskip("deap")
    search = CmaEs([(-1, 1)] * 3, seed=2)
    for _ in range(40):
        search.tell([sphere(point) for point in search.ask()])
    assert search.best_score > -1e-6 and np.allclose(search.best, 0.3, atol=1e-3)


def test_equal_seeds_give_equal_points_whatever_else_draws_numbers():
    pytest.importorskip("deap")

    def run(disturb):
        found = []
        one, two = CmaEs([(0, 1)] * 2, seed=3), Nsga2([(0, 1)] * 2, population=8, seed=3)
        for _ in range(3):
            for search, score in ((one, sphere), (two, lambda p: (sphere(p), p[0]))):
                if disturb:
                    np.random.random()
                points = search.ask()
                found += [list(point) for point in points]
                search.tell([score(point) for point in points])
        return found

    assert run(False) == run(True)


def test_nsga_2_finds_the_front_between_two_points():
    pytest.importorskip("deap")
    search = Nsga2([(-1, 1)] * 2, population=20, seed=1)
    for _ in range(25):
        search.tell([(sphere(point), -float(np.sum(point**2))) for point in search.ask()])
    front = search.front()
    assert len(front) >= 15
    for point, scores in front:  # the front is the line from (0, 0) to (0.3, 0.3)
        assert abs(point[0] - point[1]) < 0.1 and -0.05 < point[0] < 0.35
        assert scores[0] == sphere(point)
    with pytest.raises(voxwake.Error, match="population = 6: must be a multiple of 4"):
        Nsga2([(0, 1)], population=6)


def test_map_elites_keeps_the_best_of_each_cell():
    search = MapElites([(0, 1)] * 3, [(0, 1, 4), (0, 1, 4)], batch=20, seed=1)
    for _ in range(30):
        points = search.ask()
        search.tell([sphere(point) for point in points], [point[:2] for point in points], list(range(20)))
    assert search.coverage == 1.0
    for cell, elite in search.elites.items():
        assert cell == search.cell(elite.features) and elite.score == sphere(elite.point)
    assert search.best().score > -0.03
    before = dict(search.elites)
    search.ask()
    assert search.tell([None, float("nan")] + [-1e9] * 18, [(0, 0)] * 20) == 0 and search.elites == before
    search.ask()
    assert search.tell([1e9] * 20, [(None, 0), (0, float("nan"))] * 10) == 0 and search.elites == before


def test_wrong_bounds_are_an_error():
    for bounds in ([], [(1, 0)], [(0, float("nan"))]):
        with pytest.raises(voxwake.Error, match="bounds: must be pairs"):
            MapElites(bounds, [(0, 1, 2)])


def test_a_cppn_is_a_function_of_space():
    cppn = Cppn(outputs=3, hidden=(4,))
    genome = np.random.default_rng(1).uniform(*np.transpose(cppn.bounds))
    out = cppn(genome, (5, 4, 1))
    assert out.shape == (3, 5, 4, 1) and np.all(np.abs(out) <= 1) and np.ptp(out) > 0.1
    assert np.array_equal(out, cppn(genome, (5, 4, 1)))


def test_candidates_are_recorded_and_replay(tmp_path):
    scene = voxwake.Scene.from_toml(SCENE)
    tasks = [
        scene_task(scene, 0.1, MEASURES, assignments={"material.soft.density": density}) for density in (500, 800, 500)
    ]
    with Evaluator(tmp_path, workers=2) as evaluator:
        first = evaluator.evaluate(tasks)
        assert evaluator.ran == 2 and first[0] == first[2] and first[0]["hash"] != first[1]["hash"]
        assert evaluator.replay(tasks[1]) == first[1]["hash"]
    with Evaluator(tmp_path, workers=1) as evaluator:
        assert evaluator.evaluate(tasks) == first and evaluator.ran == 0 and evaluator.found == 3
        evaluator._known[first[0]["key"]]["hash"] = "0" * 16
        with pytest.raises(voxwake.Error, match="replays to the hash"):
            evaluator.replay(tasks[0])


def test_a_candidate_whose_file_has_changed_runs_again(tmp_path):
    from voxwake.search.evaluator import key_of

    mesh = tmp_path / "rock.obj"
    task = {"scene": f'source = "{mesh}"\n', "set": {}}
    mesh.write_text("v 0 0 0\n")
    before = key_of(task)
    assert key_of(dict(task)) == before
    mesh.write_text("v 1 0 0\n")
    assert key_of(task) != before
    by_value = {"scene": "", "set": {"system.rock.source": str(mesh)}}
    before = key_of(by_value)
    mesh.write_text("v 2 0 0\n")
    assert key_of(by_value) != before


def test_an_enormous_feature_belongs_to_the_last_cell():
    search = MapElites([(0, 1)], [(0.0, 1.0, 4)])
    assert search.cell([1e308]) == (3,) and search.cell([-1e308]) == (0,) and search.cell([0.5]) == (2,)
