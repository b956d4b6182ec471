"""Runs in ParaView's pvpython: reads a .pvd series and prints its times, and the bounds and sums of each block."""
import json
import sys

from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy



def leaves(block, name=""):
    """Yields (name, data set) for each data set below a block. The name is that of the nearest named block."""
    if not block.IsA("vtkMultiBlockDataSet"):
        yield name, block
        return
    for i in range(block.GetNumberOfBlocks()):
        part = block.GetBlock(i)
        if part is None:
            continue
        given = block.GetMetaData(i).Get(block.NAME()) if block.HasMetaData(i) else None
        yield from leaves(part, given or name)


def facts_of(data):
    arrays = {}
    for k in range(data.GetPointData().GetNumberOfArrays()):
        array = data.GetPointData().GetArray(k)
        if array is not None and array.GetNumberOfTuples() > 0:
            arrays[array.GetName()] = float(vtk_to_numpy(array).astype(float).sum())
    return {"points": data.GetNumberOfPoints(), "bounds": list(data.GetBounds()), "sums": arrays}


reader = simple.PVDReader(FileName=sys.argv[1])
reader.UpdatePipelineInformation()
times = list(reader.TimestepValues)
moments = []
for time in times:
    reader.UpdatePipeline(time)
    moments.append({name: facts_of(data) for name, data in leaves(servermanager.Fetch(reader))})
print("FACTS" + json.dumps({"times": times, "moments": moments}))
