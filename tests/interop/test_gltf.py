"""Assimp and tinygltf read the glTF file: meshes, and the animation of the rigid bodies as in the CSV."""
import json
import pathlib
import re
import shutil
import subprocess

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent


def printed(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("assimp") is None, reason="Assimp's program is not installed")
def test_assimp_reads_meshes_and_animation(case):
    report = printed("assimp", "info", case.folder / "a.glb")
    counts = dict(re.findall(r"^(\w+):\s+(\d+)$", report, flags=re.MULTILINE))
    assert int(counts["Meshes"]) >= 1
    assert int(counts["Animations"]) == 1
    assert int(counts["Faces"]) > 0
    assert "blocks.0" in report


@pytest.mark.skipif(not pathlib.Path("/usr/include/tiny_gltf.h").exists(), reason="tinygltf is not installed")
def test_tinygltf_reads_the_animation(case, tmp_path):
    program = tmp_path / "gltf_facts"
    flags = ["-std=c++17", "-O0", "-w"]
    printed("c++", *flags, HERE / "gltf_facts.cpp", "-o", program)
    facts = json.loads(printed(program, case.folder / "a.glb"))
    assert facts["meshes"] >= 1 and facts["warning"] == ""
    assert facts["time"] == pytest.approx(0.2)
    np.testing.assert_allclose(facts["last"]["blocks.0"], case.table("blocks", 0.2, ["x", "y", "z"])[0], atol=1e-6)
