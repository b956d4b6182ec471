"""Blender add-on: imports an export of Voxwake (a folder with .glb, .pc2, .ply and .vdb files) with materials, camera,
a sun and the frame rate. See docs/guide/paraview-and-blender.md.

In Blender: File > Import > Voxwake export. Without a window:

    blender -b --python voxwake_import.py -- FOLDER [--save FILE.blend] [--render FILE.png] [--frame N] [--size W H]
"""
import json
import math
import os
import sys

import bpy
import numpy as np
from mathutils import Matrix, Vector

bl_info = {
    "name": "Voxwake export",
    "author": "The authors of Voxwake",
    "version": (1, 0, 0),
    "blender": (3, 3, 0),
    "location": "File > Import > Voxwake export",
    "description": "Imports the folder of an export of Voxwake with materials, camera, light and motion",
    "category": "Import-Export",
}

# Voxwake has y up, Blender has z up.
UP = Matrix.Rotation(math.pi / 2, 4, "X")
PLY_TYPES = {"float": "<f4", "uint": "<u4", "uchar": "u1"}


# ---- Reading files ---------------------------------------------------------------------------------------------------

def read_ply(path):
    """Reads a .ply of Voxwake. Returns the vertices as a structured array, and the faces as an array of corners."""
    with open(path, "rb") as file:
        data = file.read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    elements = []  # [name, count, fields, has_list]
    for line in data[:end].decode("ascii").splitlines():
        words = line.split()
        if words[0] == "element":
            elements.append([words[1], int(words[2]), [], False])
        elif words[0] == "property" and words[1] == "list":
            elements[-1][3] = True
        elif words[0] == "property":
            elements[-1][2].append((words[2], PLY_TYPES[words[1]]))
    _, count, fields, _ = elements[0]
    vertex_type = np.dtype(fields)
    vertices = np.frombuffer(data, vertex_type, count, end)
    if len(elements) < 2 or elements[1][1] == 0:
        return vertices, np.zeros((0, 3), np.uint32)
    end += count * vertex_type.itemsize
    corners = data[end]
    face_type = np.dtype([("count", "u1"), ("corner", "<u4", (corners,)), *elements[1][2]])
    return vertices, np.frombuffer(data, face_type, elements[1][1], end)["corner"]


def read_obj(path):
    """Reads the points and the faces of a .obj of Voxwake."""
    points, faces = [], []
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if words and words[0] == "v":
                points.append([float(word) for word in words[1:4]])
            elif words and words[0] == "f":
                faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return points, faces


# ---- Making objects --------------------------------------------------------------------------------------------------

def material_of(name, color, is_volume=False, transmission=0.0):
    """Returns the material `name`. `color` is linear RGB and opacity."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    material.use_nodes = True
    material.diffuse_color = color
    nodes = material.node_tree.nodes
    if is_volume:
        nodes.clear()
        shader = nodes.new("ShaderNodeVolumePrincipled")
        shader.inputs["Color"].default_value = color
        output = nodes.new("ShaderNodeOutputMaterial")
        material.node_tree.links.new(shader.outputs["Volume"], output.inputs["Volume"])
        return material
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = color
    shader.inputs["Alpha"].default_value = color[3]
    shader.inputs["Roughness"].default_value = 0.1 if transmission else 0.6
    weight = "Transmission" if "Transmission" in shader.inputs else "Transmission Weight"
    shader.inputs[weight].default_value = transmission
    return material


def mesh_object(name, points, faces, collection, material):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(point) for point in points], [], [tuple(face) for face in faces])
    mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    made.matrix_world = UP
    collection.objects.link(made)
    return made


def new_collection(name):
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    return collection


def show_only_within(made, first, last):
    """Makes the object visible only from the frame `first` to the frame `last`."""
    for path in ("hide_viewport", "hide_render"):
        for at, hidden in ((first - 1, True), (first, False), (last + 1, True)):
            setattr(made, path, hidden)
            made.keyframe_insert(path, frame=at)
    for curve in made.animation_data.action.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "CONSTANT"


def spheres_on_points(material):
    """Returns a node group that replaces each point by a sphere. The point's attribute `radius` is the radius."""
    name = "Voxwake spheres " + material.name
    group = bpy.data.node_groups.get(name)
    if group is not None:
        return group
    group = bpy.data.node_groups.new(name, "GeometryNodeTree")
    if hasattr(group, "interface"):
        group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        group.inputs.new("NodeSocketGeometry", "Geometry")
        group.outputs.new("NodeSocketGeometry", "Geometry")
    nodes, links = group.nodes, group.links
    source, target = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    instance = nodes.new("GeometryNodeInstanceOnPoints")
    ball = nodes.new("GeometryNodeMeshIcoSphere")
    ball.inputs["Radius"].default_value = 1
    ball.inputs["Subdivisions"].default_value = 2
    radius = nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    surface = nodes.new("GeometryNodeSetMaterial")
    surface.inputs["Material"].default_value = material
    value = next(socket for socket in radius.outputs if socket.enabled)
    links.new(source.outputs[0], instance.inputs["Points"])
    links.new(ball.outputs["Mesh"], surface.inputs["Geometry"])
    links.new(surface.outputs["Geometry"], instance.inputs["Instance"])
    links.new(value, instance.inputs["Scale"])
    links.new(instance.outputs["Instances"], target.inputs[0])
    return group


# ---- Importing the parts ---------------------------------------------------------------------------------------------

def import_glb(path):
    """Imports a .glb. Returns the new objects and the last frame of their animation."""
    # The glTF importer of Blender 3.4 uses a name that NumPy 1.24 has removed.
    if "bool" not in vars(np):
        np.bool = bool
    before, actions, last = set(bpy.data.objects), set(bpy.data.actions), 0
    bpy.ops.import_scene.gltf(filepath=path)
    # The importer places keys at time * fps and ignores fps_base.
    for action in set(bpy.data.actions) - actions:
        for curve in action.fcurves:
            for key in curve.keyframe_points:
                for point in (key.co, key.handle_left, key.handle_right):
                    point[0] /= bpy.context.scene.render.fps_base
                last = max(last, round(key.co[0]))
            curve.update()
    made = [one for one in bpy.data.objects if one not in before]
    for one in made:
        if one.type == "CAMERA":
            bpy.context.scene.camera = one
    return made, last


def import_cache(folder, piece, collection, frames):
    """Imports a mesh whose vertices are moved by the modifier Mesh Cache, which reads a .pc2 file. A body that breaks
    has several meshes. Each of them is visible only in its part of the `frames` frames of the export."""
    stem = os.path.join(folder, piece["file"][:-len(".pc2")])
    points, faces = read_obj(stem + ".obj")
    made = mesh_object(piece["name"], points, faces, collection, material_of(piece["name"], piece["color"]))
    cache = made.modifiers.new("motion", "MESH_CACHE")
    cache.cache_format = "PC2"
    cache.filepath = stem + ".pc2"
    cache.frame_start = piece["first_frame"]
    last = piece["first_frame"] + piece["frames"] - 1
    if piece["first_frame"] > 0 or last < frames - 1:
        show_only_within(made, piece["first_frame"], last)
    return made


def import_series(folder, piece, as_spheres):
    """Imports a series of .ply files as one object for each frame. Each object is visible only in its frame."""
    is_fluid = piece["role"] == "fluid_surface"
    material = material_of(piece["name"], piece["color"], transmission=0.9 if is_fluid else 0)
    collection = new_collection(piece["name"])
    for frame in range(piece["first_frame"], piece["first_frame"] + piece["frames"]):
        path = os.path.join(folder, piece["file"].replace("######", f"{frame:06}"))
        if not os.path.exists(path):
            continue
        vertices, faces = read_ply(path)
        points = np.stack([vertices["x"], vertices["y"], vertices["z"]], axis=1) if len(vertices) else []
        made = mesh_object(f"{piece['name']}_{frame:06}", points, faces, collection, material)
        for polygon in made.data.polygons:
            polygon.use_smooth = is_fluid
        if as_spheres:
            attribute = made.data.attributes.new("radius", "FLOAT", "POINT")
            attribute.data.foreach_set("value", vertices["radius"].astype(np.float32))
            made.modifiers.new("spheres", "NODES").node_group = spheres_on_points(material)
        show_only_within(made, frame, frame)


def import_volume(folder, piece, collection):
    volume = bpy.data.volumes.new(piece["name"])
    volume.filepath = os.path.join(folder, piece["file"].replace("######", f"{piece['first_frame']:06}"))
    volume.is_sequence = piece["frames"] > 1
    volume.frame_start = piece["first_frame"]
    volume.frame_duration = piece["frames"]
    volume.frame_offset = piece["first_frame"] - 1
    volume.materials.append(material_of(piece["name"] + " volume", piece["color"], is_volume=True))
    made = bpy.data.objects.new(piece["name"] + "-volume", volume)
    made.matrix_world = UP
    collection.objects.link(made)
    return made


def add_camera(index):
    """Adds the camera that an index describes. Needed only if no .glb file holds the camera."""
    eye, target = (UP @ Vector(index["camera"][name]) for name in ("eye", "target"))
    data = bpy.data.cameras.new("camera")
    data.sensor_fit = "VERTICAL"
    data.angle = math.radians(index["camera"]["fov_deg"])
    data.clip_start = 0.01
    made = bpy.data.objects.new("camera", data)
    made.location = eye
    made.rotation_euler = (target - eye).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(made)
    bpy.context.scene.camera = made


def add_lights():
    scene = bpy.context.scene
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = 3
    sun.rotation_euler = (math.radians(40), math.radians(15), 0)
    scene.collection.objects.link(sun)
    world = scene.world or bpy.data.worlds.new("world")
    scene.world = world
    world.use_nodes = True
    background = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
    background.inputs["Color"].default_value = (0.55, 0.7, 0.9, 1)
    background.inputs["Strength"].default_value = 0.6


def indices_below(folder):
    """Yields (folder, format, index) for each series of files below the folder."""
    for place, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if name in ("ply.json", "pc2.json", "vdb.json"):
                with open(os.path.join(place, name), encoding="utf-8") as file:
                    yield place, name[:-len(".json")], json.load(file)


def import_export(folder):
    """Imports all files of an export. Returns a message about the result."""
    scene = bpy.context.scene
    series = list(indices_below(folder))
    files = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names if name.endswith(".glb")]
    if not series and not files:
        return f"{folder} holds no .glb, and no index of a series (ply.json, pc2.json, vdb.json)"
    seconds = next((index["seconds_per_frame"] for _, _, index in series), 1 / 60) or 1 / 60
    scene.render.fps = min(max(1, round(1 / seconds)), 32767)
    scene.render.fps_base = scene.render.fps * seconds
    scene.frame_start = 0
    scene.frame_end = max([1, *(index["frames"] - 1 for _, _, index in series)])
    formats = {one for _, one, _ in series}
    for path in sorted(files):
        objects, last = import_glb(path)
        if not series:  # without an index, only the animation tells the number of frames
            scene.frame_end = max(scene.frame_end, last)
        for made in objects:
            if "pc2" in formats and made.type == "MESH" and made.name.endswith("-skin"):
                bpy.data.objects.remove(made)  # the .pc2 file gives a moving mesh of this body
    surfaces = {piece["name"] for _, _, index in series for piece in index["pieces"]}
    for place, one, index in series:
        collection = new_collection(f"{os.path.basename(place)} {one}")
        for piece in index["pieces"]:
            if one == "pc2":
                import_cache(place, piece, collection, index["frames"])
            elif one == "vdb":
                import_volume(place, piece, collection).hide_render = "ply" in formats or piece["role"] == "wind"
            elif piece["role"] == "elements":
                # Elements are shown as spheres only if no other file shows them as a surface.
                shown = {piece["name"] + ending for ending in ("-skin", "-bodies", "-surface")} & surfaces
                if not shown:
                    import_series(place, piece, as_spheres=True)
            elif piece["role"] == "fluid_surface" or (piece["role"] == "skin" and "pc2" not in formats) or not files:
                import_series(place, piece, as_spheres=False)
    if not files:
        add_camera(series[0][2])
    add_lights()
    scene.frame_set(0)
    return f"imported {len(files)} glTF files and {len(series)} series"


# ---- Blender's interface ---------------------------------------------------------------------------------------------

class VOXWAKE_OT_import(bpy.types.Operator):
    """Imports the folder of an export of Voxwake"""

    bl_idname = "import_scene.voxwake"
    bl_label = "Voxwake export"
    bl_options = {"REGISTER", "UNDO"}
    directory: bpy.props.StringProperty(subtype="DIR_PATH")

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, _context):
        self.report({"INFO"}, import_export(self.directory))
        return {"FINISHED"}


def menu_entry(self, _context):
    self.layout.operator(VOXWAKE_OT_import.bl_idname)


def register():
    bpy.utils.register_class(VOXWAKE_OT_import)
    bpy.types.TOPBAR_MT_file_import.append(menu_entry)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu_entry)
    bpy.utils.unregister_class(VOXWAKE_OT_import)


# ---- Command line ----------------------------------------------------------------------------------------------------

def value_after(words, name, fallback=None):
    return words[words.index(name) + 1] if name in words else fallback


def main(words):
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one)
    print(import_export(os.path.abspath(words[0])))  # the saved .blend refers to the caches by these paths
    scene = bpy.context.scene
    scene.frame_set(int(value_after(words, "--frame", 0)))
    save, picture = value_after(words, "--save"), value_after(words, "--render")
    if save:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(save))
    if picture:
        scene.render.engine = "CYCLES"
        scene.cycles.samples = int(value_after(words, "--samples", 32))
        scene.cycles.use_denoising = False
        if "--size" in words:
            at = words.index("--size")
            scene.render.resolution_x, scene.render.resolution_y = int(words[at + 1]), int(words[at + 2])
        scene.render.resolution_percentage = 100
        scene.render.filepath = os.path.abspath(picture)
        bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    register()
    if bpy.app.background and "--" in sys.argv:
        main(sys.argv[sys.argv.index("--") + 1:])
