"""Real readers of exported files: VTK, h5py and NumPy. Times, arrays, bounds and sums must equal those of the CSV."""
import json
import struct
import xml.etree.ElementTree as xml

import numpy as np
import pytest

from conftest import assert_equal

POSITION, VELOCITY = ["x", "y", "z"], ["vx", "vy", "vz"]
SYSTEMS = ["blocks", "cube", "grains"]


def channel_names(case, system):
    """Returns the names of the CSV's channels that the system has."""
    rows = [row for row in case.rows if row["system"] == system]
    names = [name for name in rows[-1] if name not in ("time", "system", "index", *POSITION, *VELOCITY)]
    return [name for name in names if rows[-1][name] != ""]


# ---- VTK ------------------------------------------------------------------------------------------------------------

vtk = pytest.importorskip("vtkmodules.all")
numpy_support = pytest.importorskip("vtkmodules.util.numpy_support")


def data_sets(case):
    """Yields (time, name, path) for each data set of the series."""
    for entry in xml.parse(case.folder / "a.pvd").getroot().iter("DataSet"):
        yield float(entry.get("timestep")), entry.get("name"), case.folder / entry.get("file")


def read(path):
    reader = vtk.vtkXMLImageDataReader() if path.suffix == ".vti" else vtk.vtkXMLPolyDataReader()
    assert reader.CanReadFile(str(path)), path
    reader.SetFileName(str(path))
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()


def array_of(attributes, name):
    array = attributes.GetArray(name)
    assert array is not None, name
    return numpy_support.vtk_to_numpy(array)


def test_vtk_reads_times_and_elements(case):
    times = sorted({time for time, _, _ in data_sets(case)})
    np.testing.assert_allclose(times, case.all_times, atol=1e-9)
    seen = set()
    for time, name, path in data_sets(case):
        if name not in SYSTEMS:
            continue
        seen.add(name)
        data = read(path)
        expected = case.table(name, time, POSITION)
        assert data.GetNumberOfPoints() == data.GetNumberOfVerts() == len(expected)
        if len(expected) == 0:
            continue
        assert_equal(numpy_support.vtk_to_numpy(data.GetPoints().GetData()), expected, name)
        assert_equal(array_of(data.GetPointData(), "velocity"), case.table(name, time, VELOCITY), name)
        bounds = np.array(data.GetBounds()).reshape(3, 2)
        np.testing.assert_allclose(bounds[:, 0], expected.min(axis=0), atol=1e-6)
        np.testing.assert_allclose(bounds[:, 1], expected.max(axis=0), atol=1e-6)
        for channel in channel_names(case, name):
            values = array_of(data.GetPointData(), channel)
            assert_equal(values.reshape(-1, 1).astype(float), case.table(name, time, [channel]), f"{name} {channel}")
    assert seen == set(SYSTEMS)


def test_vtk_reads_closed_surfaces(case):
    seen = set()
    for _, name, path in data_sets(case):
        if name not in ("cube-skin", "blocks-bodies", "collider-ball"):
            continue
        seen.add(name)
        data = read(path)
        edges = vtk.vtkFeatureEdges()
        clean = vtk.vtkCleanPolyData()
        clean.SetInputData(data)
        edges.SetInputConnection(clean.GetOutputPort())
        edges.FeatureEdgesOff()
        edges.ManifoldEdgesOff()
        edges.Update()
        assert edges.GetOutput().GetNumberOfCells() == 0, f"{name} is closed"
        triangles = vtk.vtkTriangleFilter()
        triangles.SetInputData(data)
        mass = vtk.vtkMassProperties()
        mass.SetInputConnection(triangles.GetOutputPort())
        volume = {"cube-skin": 24 * 0.02**3, "blocks-bodies": 0.1 * 0.05 * 0.08, "collider-ball": 4.0 / 3 * np.pi * 1e-3}
        # The tolerance allows for the deformation of the elastic body and for the facets of the ball.
        assert mass.GetVolume() == pytest.approx(volume[name], rel=0.05), name
        if name == "cube-skin":
            assert array_of(data.GetCellData(), "strain").shape == (data.GetNumberOfPolys(),)
    assert len(seen) == 3


def test_vtk_reads_the_wind(case):
    grids = [(time, path) for time, name, path in data_sets(case) if name == "wind-grid"]
    assert len(grids) == 5
    data = read(grids[0][1])
    velocity = array_of(data.GetPointData(), "velocity")
    assert velocity.shape == (data.GetNumberOfPoints(), 3)
    assert max(data.GetDimensions()) == 8
    # The wind is sheltered by obstacles, so that it is uniform only far from them.
    np.testing.assert_allclose(np.median(velocity, axis=0), [2, 0, 1], atol=1e-5)


# ---- VTKHDF ---------------------------------------------------------------------------------------------------------

def test_h5py_reads_the_published_layout_of_vtkhdf(case):
    h5py = pytest.importorskip("h5py")
    with h5py.File(case.folder / "a.vtkhdf") as file:
        root = file["VTKHDF"]
        assert list(root.attrs["Version"]) == [2, 1]
        assert root.attrs["Type"] == b"PartitionedDataSetCollection"
        parts = [name for name in root if name != "Assembly"]
        assert sorted(root[name].attrs["Index"] for name in parts) == list(range(len(parts)))
        assert set(root["Assembly"]) == set(parts)
        for name in parts:
            assert root["Assembly"][name][name] == root[name], "the tree links to the part"
            steps = root[name]["Steps"]
            assert steps.attrs["NSteps"] == 5
            np.testing.assert_allclose(steps["Values"], case.all_times, atol=1e-9)
        for name in SYSTEMS:
            check_elements(case, root[name], name)
        check_surface(root["cube-skin"])
        wind = root["wind-grid"]
        assert wind.attrs["Type"] == b"ImageData"
        extent = wind.attrs["WholeExtent"]
        counts = [extent[5] + 1, extent[3] + 1, extent[1] + 1]
        assert wind["PointData/velocity"].shape == (5, *counts, 3)
        assert list(wind["Steps/PointDataOffsets/velocity"]) == list(range(5))


def check_elements(case, part, name):
    assert part.attrs["Type"] == b"PolyData"
    steps = part["Steps"]
    for step, time in enumerate(case.all_times):
        first = steps["PointOffsets"][step]
        count = part["NumberOfPoints"][steps["PartOffsets"][step]]
        assert steps["NumberOfParts"][step] == 1
        expected = case.table(name, time, POSITION)
        assert_equal(part["Points"][first:first + count], expected, name)
        for channel in ["velocity", *channel_names(case, name)]:
            at = steps["PointDataOffsets"][channel][step]
            columns = VELOCITY if channel == "velocity" else [channel]
            values = part["PointData"][channel][at:at + count].reshape(count, len(columns))
            assert_equal(values.astype(float), case.table(name, time, columns), f"{name} {channel}")


def check_surface(part):
    """Reads each step as vtkHDFReader does: the offsets of a step begin after those of the earlier parts."""
    for step in range(5):
        polygons, row = part["Polygons"], part["Steps/PartOffsets"][step]
        cells, ids = polygons["NumberOfCells"][row], polygons["NumberOfConnectivityIds"][row]
        first = part["Steps/CellOffsets"][step][2] + row
        offsets = polygons["Offsets"][first:first + cells + 1]
        assert offsets[0] == 0 and offsets[-1] == ids
        at = part["Steps/ConnectivityIdOffsets"][step][2]
        corners = polygons["Connectivity"][at:at + ids]
        assert corners.min() == 0 and corners.max() == part["NumberOfPoints"][row] - 1


# ---- NumPy ----------------------------------------------------------------------------------------------------------

def test_numpy_reads_arrays(case):
    with np.load(case.folder / "a.npz") as data:
        np.testing.assert_allclose(data["time"], case.all_times, atol=1e-9)
        assert data["cube/position"].shape == (5, 24, 3)
        first = data["grains/first"]
        for step, time in enumerate(case.all_times):
            assert_equal(data["cube/position"][step], case.table("cube", time, POSITION), "cube")
            assert_equal(data["cube/strain"][step].reshape(-1, 1), case.table("cube", time, ["strain"]), "strain")
            rows = slice(first[step], first[step + 1])
            assert_equal(data["grains/velocity"][rows], case.table("grains", time, VELOCITY), "grains")
        assert data["wind-grid/velocity"].ndim == 5


# ---- PLY and point caches -------------------------------------------------------------------------------------------

def test_vtk_reads_ply(case):
    reader = vtk.vtkPLYReader()
    reader.SetFileName(str(case.folder / "a/cube-skin_000004.ply"))
    reader.Update()
    assert reader.GetOutput().GetNumberOfPolys() == 52
    index = json.loads((case.folder / "a/ply.json").read_text())
    assert index["frames"] == 5 and index["seconds_per_frame"] == pytest.approx(0.05)


def test_point_cache_equals_the_mesh_of_each_frame(case):
    data = (case.folder / "a/cube-skin.pc2").read_bytes()
    name, version, points, start, rate, samples = struct.unpack("<12siiffi", data[:32])
    assert (name, version, start, rate, samples) == (b"POINTCACHE2\0", 1, 0, 1, 5)
    cache = np.frombuffer(data[32:], "<f4").reshape(samples, points, 3)
    for step in range(samples):
        lines = (case.folder / f"a/cube-skin_{step:06}.obj").read_text().splitlines()
        mesh = np.array([line.split()[1:] for line in lines if line.startswith("v ")], dtype=float)
        np.testing.assert_allclose(cache[step], mesh, atol=1e-6)
