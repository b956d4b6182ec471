#include "sim/scene/import_mesh.h"

#include <algorithm>
#include <filesystem>

#include "sim/collision/mesh/files/mesh_file.h"
#include "sim/scene/file_kind.h"
#include "sim/scene/mesh_fill.h"
#include "sim/scene/node_names.h"
#include "sim/scene/toml/text.h"
#include "sim/system/rigid/rigid_body.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

/// Returns the position `from` relative to the centre of the box's underside.
Vec3 off_foot(const Box3& box, const Vec3& from) {
  return from - Vec3(box.center().x(), box.min().y(), box.center().z());
}

/// Checks the values that the user has given, and sets them.
Result<void> give(Node& node, const std::vector<std::pair<const char*, double>>& values) {
  for (const auto& [param, value] : values)
    if (auto good = set_parameter(node, param, value); !good) return good;
  return {};
}

/// Adds a rigid system with one body.
Result<void> add_rigid(Node& scene, const std::string& name, const std::string& path, const MeshImport& how,
                       ImportedMesh& out) {
  Node& body = add_child(add_child(scene, "system", "rigid", name), "body", "mesh", name);
  body.set("source", path);
  if (auto good = give(body, {{"scale", how.scale}}); !good) return good;
  if (how.density > 0)
    if (auto good = give(body, {{"density", how.density}}); !good) return good;
  const auto made = make_rigid_body(body);
  if (!made) return Unexpected(made.error());
  if (!made->note.empty()) out.notes.push_back(made->note);
  const Box3 box = bounds(made->shape).translated(made->start.position);
  if (!how.foot) return {};
  // The position is that of the file's origin, which may be far from the mesh.
  return set_parameter(body, "position", Value(Vec3(*how.foot + off_foot(box, Vec3::Zero()))));
}

Result<double> usual_voxel_size(const std::string& path, double scale) {
  const auto size = mesh_size(path);
  if (!size) return Unexpected(size.error());
  const double longest = scale * size->maxCoeff();
  // An empty or damaged mesh has a size that is zero or not finite. The fault is reported when the mesh is filled with
  // voxels; until then, any edge length is suitable.
  return longest > 0 && std::isfinite(longest) ? longest / 20 : 1.0;
}

Result<void> add_voxels(Node& scene, const std::string& name, const std::string& path, const MeshImport& how,
                        ImportedMesh& out) {
  const auto edge = how.voxel_size_m > 0 ? Result<double>(how.voxel_size_m) : usual_voxel_size(path, how.scale);
  if (!edge) return Unexpected(edge.error());
  std::string material;
  if (how.density > 0) {
    material = free_name(name + "_material", names_of(scene, "material"));
    if (auto good = give(add_child(scene, "material", "voxel_material", material), {{"density", how.density}}); !good)
      return good;
  }
  Node& body = add_child(scene, "system", "voxel_body", name);
  body.set("material", material);
  body.set("source", path);
  if (auto good = give(body, {{"source_scale", how.scale}, {"voxel_size", *edge}}); !good) return good;
  const auto index = static_cast<std::size_t>(&body - scene.children.data());
  if (auto filled = fill_from_mesh(scene, index, path, out.notes); !filled) return filled;
  Node& whole = *std::find_if(scene.children.begin(), scene.children.end(), [&](const Node& child) {
    return child.schema == &voxel_body_schema() && child.name == name;
  });
  if (!how.foot) return check_mesh_place(whole, path);
  const Vec3 size = *edge * std::get<Vec3>(whole.value("size"));
  whole.set("position", Vec3(*how.foot + off_foot({Vec3::Zero(), size}, Vec3::Zero())));
  return {};
}

}  // namespace

Result<Vec3> mesh_size(const std::string& path) {
  const auto list = read_mesh_file(path);
  if (!list) return Unexpected(list.error());
  Box3 box;
  for (const Vec3& p : list->position) box.extend(p);
  return Vec3(box.sizes());
}

void add_nodes(Node& scene, const std::vector<Node>& nodes) {
  for (const Node& node : nodes)
    add_child(scene, scene.schema->slots[node.slot].name, node.schema->kind, node.name) = node;
}

Result<ImportedMesh> import_mesh(const Node& scene, const std::string& path, const MeshImport& how) {
  if (file_kind(path) != FileKind::mesh) return wrong_file(path, "must be a mesh (.obj, .stl, .ply, .gltf or .glb)");
  std::error_code ignored;
  const std::string whole = fs::absolute(path, ignored).lexically_normal().generic_string();
  const std::string name = free_name(as_node_name(fs::path(path).stem().string(), "mesh"), names_of(scene, "system"));
  Node with = scene;
  ImportedMesh imported;
  const auto added =
      how.voxels ? add_voxels(with, name, whole, how, imported) : add_rigid(with, name, whole, how, imported);
  if (!added) return Unexpected(added.error());
  add_default_interactions(with);
  for (Node& node : with.children) {
    const Slot& slot = with.schema->slots[node.slot];
    if (slot.many && scene.find(slot.name, node.name) == nullptr) imported.nodes.push_back(std::move(node));
  }
  return imported;
}

}  // namespace vw
