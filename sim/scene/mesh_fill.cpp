#include "sim/scene/mesh_fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/collision/shape/cells_inside.h"
#include "sim/collision/shape/hollow.h"
#include "sim/collision/shape/mass_properties.h"
#include "sim/collision/shape/shape_sources.h"
#include "sim/scene/toml/text.h"
#include "sim/system/voxel/lattice/lattice.h"

namespace vw {
namespace {

Unexpected wrong(const Node& body, const char* key, std::string found, std::string expected) {
  return wrong_value(body.line, "system." + body.name + "." + key, std::move(found), std::move(expected));
}

/// Returns a lattice that is centred on the mesh and has the number of cells that best fits the size of the mesh.
Result<CellLattice> lattice_of(const Node& body, const Box3& box, double edge_m) {
  const Vec3 cells = cells_across(box, edge_m), size = box.sizes();
  constexpr double most_along_an_axis = 100'000;  // range of the parameter `size`
  if (cells.prod() <= static_cast<double>(max_lattice_cells) && cells.maxCoeff() <= most_along_an_axis)
    return lattice_about(box, cells, edge_m);
  return wrong(body, "voxel_size",
               fmt::format("{} m for a mesh of {:.3g} x {:.3g} x {:.3g} m", edge_m, size.x(), size.y(), size.z()),
               fmt::format("must be larger, because the lattice may have at most {} cells, and {:.0f} along an axis "
                           "(source_scale is the number of metres per unit of the file)",
                           max_lattice_cells, most_along_an_axis));
}

/// Encodes the cells as one text for each layer, with '/' between the rows (lattice.h).
TextList filled_layer_texts(const std::vector<std::uint8_t>& filled, const std::array<std::size_t, 3>& cells) {
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

/// Returns a warning if the voxels approximate the mesh's volume poorly, else an empty text.
std::string volume_note(const VoxelBodyParams& params, const Shape& shape, std::ptrdiff_t voxels) {
  constexpr double fair = 0.1;
  const double share =
      static_cast<double>(voxels) * elementary::pow(params.voxel_size_m, 3) / mass_properties(shape).volume_m3;
  if (std::abs(share - 1) <= fair) return {};
  return fmt::format(
      "{}: {} voxels of {} m have {:.2g} times the volume of the mesh; choose a smaller voxel_size for a better "
      "approximation",
      one_line(params.source), voxels, params.voxel_size_m, share);
}

/// Returns the name of the material of the body `index`: the material that the body names or, if it names none, the
/// scene's first material. If the scene has no material, adds one.
std::string material_of(Node& scene, std::size_t index) {
  const std::string named = std::get<std::string>(scene.children[index].value("material"));
  if (!named.empty()) return named;
  const auto all = scene.all("material");
  if (!all.empty()) return all.front()->name;
  // add_child() invalidates references to the scene's children, so they are looked up again afterwards.
  return add_child(scene, "material", "voxel_material", scene.children[index].name + "_material").name;
}

}  // namespace

Result<void> fill_from_mesh(Node& scene, std::size_t index, const std::string& path, std::vector<std::string>& notes) {
  const VoxelBodyParams params = voxel_body_params().read(scene.children[index].values);
  auto mesh = load_mesh({path, params.source_scale});
  if (!mesh)
    return wrong(scene.children[index], "source", "\"" + one_line(params.source) + "\"",
                 "must be a readable mesh: " + mesh.error().message());
  if (!mesh->note.empty()) notes.push_back(mesh->note);
  const Shape shape = mesh->geometry;
  if (!is_solid(shape))
    return wrong(scene.children[index], "source", "\"" + one_line(params.source) + "\"",
                 "must be a closed mesh; this mesh is an open sheet");
  const auto lattice = lattice_of(scene.children[index], bounds(shape), params.voxel_size_m);
  if (!lattice) return Unexpected(lattice.error());
  const auto filled = cells_inside(shape, *lattice);
  const auto voxels = std::count(filled.begin(), filled.end(), 1);
  if (voxels == 0)
    return wrong(scene.children[index], "voxel_size", fmt::format("{} m", params.voxel_size_m),
                 "must be smaller: no cell centre lies inside the mesh");
  if (std::string note = volume_note(params, shape, voxels); !note.empty()) notes.push_back(std::move(note));
  const std::string name = scene.children[index].name;
  const TextList palette{material_of(scene, index)};
  Node& body = *std::find_if(scene.children.begin(), scene.children.end(), [&](const Node& child) {
    return child.schema == &voxel_body_schema() && child.name == name;
  });
  body.set("shape", std::string("layers"));
  body.set("size", Vec3(Eigen::Matrix<std::size_t, 3, 1>(lattice->cells.data()).cast<double>()));
  body.set("layers", filled_layer_texts(filled, lattice->cells));
  body.set("palette", palette);
  if (params.position.isZero(0)) body.set("position", lattice->lower);
  body.set("source", std::string());
  return {};
}

Result<void> check_mesh_place(const Node& body, const std::string& source) {
  constexpr double most_m = 1e6;  // range of the parameter `position`
  const Vec3& at = std::get<Vec3>(body.value("position"));
  if (at.cwiseAbs().maxCoeff() <= most_m) return {};
  return wrong(body, "source", "\"" + one_line(source) + "\"",
               fmt::format("lies at ({:g}, {:g}, {:g}) m: a mesh must lie within {:g} m of the origin, unless the body "
                           "has a position",
                           at.x(), at.y(), at.z(), most_m));
}

}  // namespace vw
