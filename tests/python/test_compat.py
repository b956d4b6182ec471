"""tools/compat/voxcraft-sim keeps the contract of the program of this name."""

import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "tools/compat/voxcraft-sim"
BASE = """<VXA Version="1.1"><Simulator>
<StopCondition><StopConditionFormula><mtSUB><mtVAR>t</mtVAR><mtCONST>0.1</mtCONST></mtSUB></StopConditionFormula></StopCondition>
<FitnessFunction><mtADD><mtABS><mtVAR>z</mtVAR></mtABS><mtMUL><mtCONST>2</mtCONST><mtVAR>num_voxel</mtVAR></mtMUL></mtADD></FitnessFunction>
{extra}</Simulator>
<VXC Version="0.94"><Lattice><Lattice_Dim>0.01</Lattice_Dim></Lattice>
<Palette><Material><Name>soft</Name><Mechanical><Elastic_Mod>1e5</Elastic_Mod><Density>1e3</Density></Mechanical></Material></Palette>
<Structure Compression="ASCII_READABLE"><X_Voxels>1</X_Voxels><Y_Voxels>1</Y_Voxels><Z_Voxels>20</Z_Voxels>
<Data>{layers}</Data></Structure></VXC></VXA>"""
LAYERS = ["<Layer><![CDATA[0]]></Layer>"] * 18 + ["<Layer><![CDATA[1]]></Layer>"] * 2
ROBOT = """<VXD><Structure replace="VXA.VXC.Structure" Compression="ASCII_READABLE"><X_Voxels>1</X_Voxels><Y_Voxels>1</Y_Voxels>
<Z_Voxels>20</Z_Voxels><Data>{layers}</Data></Structure></VXD>"""


def run(folder, *more):
    words = [sys.executable, str(PROGRAM), "-i", "robots", "-o", "report.xml", *more]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.fixture
def robots(tmp_path):
    folder = tmp_path / "robots"
    folder.mkdir()
    (folder / "base.vxa").write_text(BASE.format(extra="", layers="".join(LAYERS)))
    return folder


def test_robots_are_scored_side_by_side(robots, tmp_path):
    (robots / "one.vxd").write_text("<VXD></VXD>")
    (robots / "three.vxd").write_text(ROBOT.format(layers="".join(LAYERS[1:] + LAYERS[-1:])))
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    report = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert report.findtext("bestfit/filename") == "three.vxd"
    assert report.findtext("detail/one/num_voxel") == "2" and report.findtext("detail/three/num_voxel") == "3"
    time = float(report.findtext("detail/one/currentTime"))
    drop = 0.5 * 9.81 * time**2  # the substeps of the integrator add 0.2 % to the drop
    assert time == pytest.approx(0.1 + 1 / 120, abs=1e-9)
    assert float(report.findtext("detail/one/fitness_score")) == pytest.approx(4 + drop, abs=0.01 * drop)
    assert float(report.findtext("detail/one/initialCenterOfMass/z")) == pytest.approx(0.19)
    assert run(tmp_path).returncode == 2  # the program fails, because the report exists already
    assert run(tmp_path, "-f").returncode == 0


def test_names_of_files_that_xml_does_not_allow_are_changed(robots, tmp_path):
    for name in ("7", "two words", "a b='c'"):
        (robots / f"{name}.vxd").write_text("<VXD></VXD>")
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    report = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert {robot.tag for robot in report.find("detail")} == {"_7", "_two_words", "_a_b__c_"}


@pytest.mark.parametrize(
    "extra, phrase",
    [
        ("<EnableCilia>1</EnableCilia>", "cilia (EnableCilia) is not supported"),
        ("<EnableSignals>1</EnableSignals>", "signals (EnableSignals)"),
        ("<AttachDetach><EnableAttach>1</EnableAttach></AttachDetach>", "attachment (EnableAttach)"),
        ("<EnableCilia>x</EnableCilia>", "EnableCilia = x: must be a number"),
    ],
)
def test_what_is_not_supported_is_refused_by_name(robots, tmp_path, extra, phrase):
    (robots / "base.vxa").write_text(BASE.format(extra=extra, layers="".join(LAYERS)))
    done = run(tmp_path)
    assert done.returncode == 1 and phrase in done.stderr


def test_damaged_files_end_in_a_sentence(robots, tmp_path):
    text = BASE.format(extra="", layers="".join(LAYERS))
    for damaged in ("<VXA", text.replace("mtABS", "mtFOO"), text.replace("<mtVAR>z", "<mtVAR>angle"), "<VXA></VXA>"):
        (robots / "base.vxa").write_text(damaged)
        done = run(tmp_path, "-f")
        assert done.returncode == 1 and "base.vxa: " in done.stderr and "Traceback" not in done.stderr
