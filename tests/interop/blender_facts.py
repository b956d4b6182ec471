"""Runs inside Blender after tools/blender/voxwake_import.py has saved a file: prints facts about it as JSON."""
import json
import sys

import bpy

bpy.ops.wm.open_mainfile(filepath=sys.argv[sys.argv.index("--") + 1])
scene = bpy.context.scene
facts = {"camera": scene.camera.name if scene.camera else None, "frame_end": scene.frame_end,
         "fps": scene.render.fps / scene.render.fps_base, "objects": {}, "grids": {}}
for frame in (0, 4):
    scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    for one in bpy.data.objects:
        shown = one.evaluated_get(graph)
        place = {"type": one.type, "hidden": one.hide_render, "at": list(shown.matrix_world.translation)}
        if one.type == "MESH":
            vertices = shown.matrix_world.copy(), shown.data.vertices
            points = [vertices[0] @ vertex.co for vertex in vertices[1]]
            place["vertices"] = len(points)
            if points:
                place["mean"] = [sum(p[k] for p in points) / len(points) for k in range(3)]
            place["materials"] = [m.name for m in one.data.materials if m]
        if one.type == "VOLUME":
            one.data.grids.load()
            facts["grids"].setdefault(one.name, {})[frame] = [grid.name for grid in one.data.grids]
        facts["objects"].setdefault(one.name, {})[frame] = place
print("FACTS" + json.dumps(facts))
