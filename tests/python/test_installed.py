"""The installed package has its scenes, its stubs and the declared version."""

import ast
import pathlib

import voxwake

PACKAGE = pathlib.Path(voxwake.__file__).parent


def test_the_package_has_scenes_and_runs_them():
    assert any(scene["name"] == "walker" for scene in voxwake.packaged_scenes())
    assert all(pathlib.Path(scene["path"]).is_relative_to(PACKAGE) for scene in voxwake.packaged_scenes())
    world = voxwake.World("walker")  # the scene names a model file
    world.step(2)
    assert world.render(32, 32, renderer="software").shape == (32, 32, 3)


def test_the_stubs_are_complete():
    assert (PACKAGE / "py.typed").exists()
    tree = ast.parse((PACKAGE / "nodes.pyi").read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for schema in voxwake._core.schemas():
        name = voxwake.nodes.class_name(schema["key"])
        declared = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef)}
        assert declared == set(getattr(voxwake.nodes, name)._names)
    core = ast.parse((PACKAGE / "_core.pyi").read_text())
    names = {node.name for node in core.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert names == {name for name in vars(voxwake._core) if not name.startswith("_")}
