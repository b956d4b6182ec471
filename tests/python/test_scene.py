"""Scenes that Python code builds."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import voxwake
from voxwake import nodes


def cube_scene():
    scene = voxwake.Scene()
    scene.title = "Cube"
    scene.world.gravity = (0, -1.62, 0)
    scene.material.add(name="soft", youngs_modulus=1e5)
    scene.collider.add("plane", "ground")
    scene.system.add("voxel_body", "cube", size=(4, 4, 4), position=(0, 0.5, 0), material="soft")
    return scene


def test_a_scene_is_built_from_nodes():
    scene = cube_scene()
    assert scene.system.names == ["cube"]
    assert isinstance(scene.system["cube"], nodes.VoxelBody)
    assert scene.system["cube"].position == (0.0, 0.5, 0.0)
    assert scene.world.gravity == (0.0, -1.62, 0.0)
    world = voxwake.World(scene)
    world.step(10)
    assert len(world["cube"]) == 64


def test_a_scene_is_saved_as_toml(tmp_path):
    scene = cube_scene()
    scene.save(tmp_path / "cube.toml")
    again = voxwake.Scene(tmp_path / "cube.toml")
    assert again.system["cube"].size == (4.0, 4.0, 4.0)
    assert voxwake.Scene.from_toml(scene.to_toml()).equals(again)
    assert scene.copy().equals(scene)


def test_packaged_scenes_open_and_run():
    scene = voxwake.Scene("jelly-drop")
    world = voxwake.World(scene)
    world.step(24)
    plain = voxwake.World("jelly-drop")
    plain.step(24)
    assert world.hash == plain.hash
    assert world.scene.equals(scene)


def test_values_are_checked():
    scene = cube_scene()
    with pytest.raises(voxwake.Error) as caught:
        scene.material["soft"].density = -1
    assert caught.value.key.endswith("density") and caught.value.expected
    with pytest.raises(voxwake.Error):
        scene.world.gravity = (0, 1)
    with pytest.raises(voxwake.Error):
        scene.world.gravity = (0, float("nan"), 0)
    for length in range(50, 64):
        with pytest.raises(voxwake.Error):
            scene.world.gravity = "x" * length + "\u00e9\u6c34" * 8
    with pytest.raises(AttributeError, match="gravity"):
        scene.world.gravty = (0, 0, 0)
    with pytest.raises(AttributeError):
        scene.world.gravty
    with pytest.raises(voxwake.Error):
        scene.system.add("voxel_bod", "other")
    with pytest.raises(voxwake.Error):
        scene.system.add("voxel_body", "bad name")
    with pytest.raises(voxwake.Error):
        scene.system.add("voxel_body", "cube")
    with pytest.raises(voxwake.Error):
        scene.system.add("voxel_body", "other", voxel_size=-1)
    assert scene.system.names == ["cube"]
    with pytest.raises(KeyError, match="cube"):
        scene.system["cub"]


def test_nodes_are_renamed_and_removed():
    scene = cube_scene()
    first = scene.system.add("voxel_body")
    assert scene.system.names == ["cube", "voxel_body"]
    scene.system.rename("voxel_body", "other")
    with pytest.raises(voxwake.Error):
        first.position
    muscle = scene.system["other"].muscle.add(name="left")
    assert muscle.strain == 0
    scene.system["other"].muscle.rename("left", "right")
    assert scene.system["other"].muscle.names == ["right"]
    del scene.system["other"].muscle["right"]
    assert len(scene.system["other"].muscle) == 0
    del scene.system["other"]
    assert [nodes.node_path(node) for node in scene.system] == ["system.cube"]


def test_voxels_come_from_arrays():
    scene = cube_scene()
    scene.material.add(name="hard", youngs_modulus=1e6)
    codes = np.zeros((5, 3, 2), int)
    codes[:, 0, :] = 1
    codes[2, :, 1] = 2
    cube = scene.system["cube"]
    cube.set_voxels(codes, palette=["soft", "hard"])
    assert np.array_equal(cube.voxels, codes)
    assert cube.size == (5.0, 3.0, 2.0)
    world = voxwake.World(scene)
    assert len(world["cube"]) == np.count_nonzero(codes)
    # The longest direction of the array is the longest direction of the body.
    extent = np.ptp(world["cube"].position, axis=0)
    assert extent[0] > extent[1] > extent[2]


@pytest.mark.parametrize("shape", [(2, 2), (0, 1, 1), (10**4, 10**4, 0)])
def test_wrong_voxel_arrays_are_errors(shape):
    with pytest.raises(voxwake.Error):
        cube_scene().system["cube"].set_voxels(np.zeros(shape, np.uint16))


@pytest.mark.parametrize("code", [-1, 65537, 0.5, float("nan"), "1"])
def test_wrong_voxel_codes_are_errors(code):
    cube = voxwake.Scene().system.add("voxel_body", "cube")
    with pytest.raises(voxwake.Error, match="whole numbers from 0 to 65535"):
        cube.set_voxels([[[1, code]]])
    cube.set_voxels(np.array([[[True, False]]]))
    assert cube.voxels.tolist() == [[[1, 0]]]


def test_every_kind_has_a_class_with_docstrings():
    for schema in voxwake._core.schemas():
        kind = getattr(nodes, nodes.class_name(schema["key"]))
        assert kind.__doc__
        names = [nodes.attribute_name(param["name"]) for param in schema["params"]] + [slot["name"] for slot in schema["slots"]]
        assert len(set(names)) == len(names)
        for name in names:
            assert getattr(kind, name).__doc__, f"{kind.__name__}.{name}"
            assert not hasattr(nodes.Node, name) and not hasattr(voxwake.Scene.__base__.__base__, name)
    scene_names = set(nodes.SceneNode._names)
    assert not scene_names & {name for name in vars(voxwake.Scene) if not name.startswith("_")}


def test_modes_of_a_beam():
    scene = voxwake.Scene("cantilever")
    with pytest.raises(voxwake.Error, match="soft-beam"):
        voxwake.modes(scene)
    found = voxwake.modes(scene, "soft-beam", count=4)
    assert len(found.modes) == 4
    assert found.modes[0].displacement.shape == found.positions.shape
    hertz = [mode.hertz for mode in found.modes]
    assert hertz == sorted(hertz)


def test_fields_are_sampled():
    scene = voxwake.Scene()
    scene.field.add("uniform", "wind", velocity=(3, 0, 0))
    fields = voxwake.Fields(scene)
    assert fields.names == ["wind"]
    assert np.allclose(fields.sample(np.zeros((5, 3))), [3, 0, 0])
    assert np.allclose(fields.sample(np.zeros((5, 3)), quantity="speed", field="wind"), 3)
    assert fields.info("wind")["region"] == "everywhere"
    for arguments in ({"quantity": "sped"}, {"field": "wnd"}):
        with pytest.raises(voxwake.Error):
            fields.sample(np.zeros((5, 3)), **arguments)
    for name in ("wnd", ""):
        with pytest.raises(voxwake.Error):
            fields.info(name)


def test_fields_may_be_sampled_by_several_threads():
    scene = voxwake.Scene()
    scene.field.add("uniform", "wind", velocity=(3, 0, 0))
    fields = voxwake.Fields(scene)
    counts = [1, 10, 1000, 100000] * 8
    with ThreadPoolExecutor(8) as threads:
        sampled = list(threads.map(lambda count: fields.sample(np.zeros((count, 3))), counts))
    assert all(np.allclose(values, [3, 0, 0]) for values in sampled)


def test_the_rule_matrix_lists_pairs():
    cells = voxwake.rule_matrix(voxwake.Scene("floating-boxes"))
    assert any(cell["rules"] for cell in cells)
