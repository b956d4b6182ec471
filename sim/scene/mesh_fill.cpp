#include "sim/scene/mesh_fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/collision/shape/shape_sources.h"
#include "sim/scene/text.h"
#include "sim/system/voxel/lattice.h"
#include "sim/system/voxel/lattice_fill.h"

namespace vw {
namespace {

Unexpected wrong(const Node& body, const char* key, std::string found, std::string expected) {
  return wrong_value(body.line, "system." + body.name + "." + key, std::move(found), std::move(expected));
}

/// Cells along each axis that hold the box.
Result<std::array<std::size_t, 3>> cells_about(const Node& body, const Vec3& extent, double edge_m) {
  const Vec3 cells = (extent / edge_m - Vec3::Constant(1e-9)).array().ceil().max(1.0);
  if (!(cells.prod() <= static_cast<double>(max_lattice_cells)))
    return wrong(body, "voxel_size", fmt::format("{} m for a mesh of {:.3g} x {:.3g} x {:.3g} m", edge_m, extent.x(), extent.y(), extent.z()),
                 fmt::format("must give at most {} cells (source_scale is metres for a unit of the file)", max_lattice_cells));
  return std::array<std::size_t, 3>{static_cast<std::size_t>(cells.x()), static_cast<std::size_t>(cells.y()), static_cast<std::size_t>(cells.z())};
}

/// One text a layer, rows apart by '/' (lattice.h).
TextList layer_texts(const std::vector<std::uint32_t>& filled, const std::array<std::size_t, 3>& cells) {
  TextList layers(cells[1]);
  std::size_t at = 0;
  for (std::string& layer : layers) {
    for (std::size_t z = 0; z < cells[2]; ++z) {
      if (z > 0) layer += '/';
      for (std::size_t x = 0; x < cells[0]; ++x) layer += filled[at++] != 0 ? '1' : '.';
    }
  }
  return layers;
}

/// The name of the material that the body is made of.
std::string material_of(Node& scene, std::size_t index) {
  const std::string named = std::get<std::string>(scene.children[index].value("material"));
  if (!named.empty()) return named;
  const auto all = scene.all("material");
  if (!all.empty()) return all.front()->name;
  return add_child(scene, "material", "voxel_material", scene.children[index].name + "_material").name;  // may move the children
}

}  // namespace

Result<void> fill_from_mesh(Node& scene, std::size_t index, const std::string& path, std::vector<std::string>& notes) {
  const VoxelBodyParams params = voxel_body_params().read(scene.children[index].values);
  auto mesh = load_mesh({path, params.source_scale});
  if (!mesh)
    return wrong(scene.children[index], "source", "\"" + one_line(params.source) + "\"",
                 "must be a mesh that can be read: " + mesh.error().message());
  if (!mesh->note.empty()) notes.push_back(mesh->note);
  const Shape shape = mesh->geometry;
  const Box3 box = bounds(shape);
  const auto cells = cells_about(scene.children[index], box.sizes(), params.voxel_size_m);
  if (!cells) return Unexpected(cells.error());
  const Vec3 count(static_cast<double>((*cells)[0]), static_cast<double>((*cells)[1]), static_cast<double>((*cells)[2]));
  const Vec3 lower = box.center() - 0.5 * params.voxel_size_m * count;
  const auto filled = fill_cells(shape, *cells, lower, Vec3::Constant(params.voxel_size_m));
  if (std::all_of(filled.begin(), filled.end(), [](std::uint32_t code) { return code == 0; }))
    return wrong(scene.children[index], "voxel_size", fmt::format("{} m", params.voxel_size_m),
                 "must be smaller: no cell's centre lies inside the mesh (an open sheet has no inside)");
  const std::string name = scene.children[index].name;
  const TextList palette{material_of(scene, index)};
  Node& body = *std::find_if(scene.children.begin(), scene.children.end(),
                             [&](const Node& child) { return child.schema == &voxel_body_schema() && child.name == name; });
  body.set("shape", std::string("layers"));
  body.set("size", count);
  body.set("layers", layer_texts(filled, *cells));
  body.set("palette", palette);
  if (params.position.isZero(0)) body.set("position", lower);
  body.set("source", std::string());
  return {};
}

}  // namespace vw
