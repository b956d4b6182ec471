#include "app/window/voxel_edit/cells/voxel_body_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/voxel_edit/painted_muscles.h"
#include "sim/base/data/layer_text.h"
#include "sim/base/elementary/elementary.h"
#include "sim/base/rotation.h"

namespace vw {
namespace {

/// Parameters that store the first three paint layers. The layer of muscles is stored in child nodes.
constexpr std::array<const char*, 3> paint_keys{"phase", "temperature_amplitude_scale", "youngs_modulus_per_cell"};

template <class T>
const T& value_of(const Node& node, const char* key) {
  return std::get<T>(node.value(key));
}

Unexpected wrong_body(const Node& body, const std::string& key, std::string found, std::string expected,
                      std::string hint = {}) {
  return wrong_value(body.line, body.name.empty() ? key : fmt::format("system.{}.{}", body.name, key), std::move(found),
                     std::move(expected), std::move(hint));
}

Result<VoxelCell> read_size(const Node& body) {
  const Vec3 size = value_of<Vec3>(body, "size");
  for (int axis = 0; axis < 3; ++axis)
    if (size[axis] != std::floor(size[axis]) || size[axis] < 1)
      return wrong_body(body, "size", to_text(Value(size)), "must be three whole numbers of at least 1");
  if (!(size.prod() <= static_cast<double>(max_grid_cells)))
    return wrong_body(body, "size", to_text(Value(size)),
                      fmt::format("must give at most {} cells in total", max_grid_cells));
  return VoxelCell(size.cast<int>());
}

/// Returns 1 for the cells whose centres lie in the ellipsoid or in the upright cylinder that fills the lattice. The
/// arithmetic is that of cells_inside() (sim/collision/shape/cells_inside.h), so that no cell differs by rounding.
std::vector<std::uint16_t> cells_of_shape(const std::string& shape, const VoxelCell& size) {
  std::vector<std::uint16_t> codes;
  codes.reserve(VoxelBox{VoxelCell::Zero(), size}.cells());
  const Vec3 pitch = 2 * size.cast<double>().cwiseInverse();
  for (int y = 0; y < size.y(); ++y)
    for (int z = 0; z < size.z(); ++z)
      for (int x = 0; x < size.x(); ++x) {
        const Vec3 center(-1 + (x + 0.5) * pitch.x(), -1 + (y + 0.5) * pitch.y(), -1 + (z + 0.5) * pitch.z());
        const bool is_inside = shape == "ellipsoid"
                                   ? center.norm() - 1 < 0
                                   : elementary::hypot(center.x(), center.z()) - 1 < 0 && std::abs(center.y()) - 1 < 0;
        codes.push_back(is_inside ? 1 : 0);
      }
  return codes;
}

LatticeSize lattice_size(const VoxelCell& size) {
  return {static_cast<std::size_t>(size.x()), static_cast<std::size_t>(size.y()), static_cast<std::size_t>(size.z())};
}

Result<std::vector<std::uint16_t>> read_cell_codes(const Node& body, const VoxelCell& size) {
  const auto& shape = value_of<std::string>(body, "shape");
  if (shape == "box") return std::vector<std::uint16_t>(VoxelBox{VoxelCell::Zero(), size}.cells(), 1);
  if (shape != "layers") return cells_of_shape(shape, size);
  auto codes = decode_layers(value_of<TextList>(body, "layers"), lattice_size(size));
  if (!codes) return wrong_body(body, codes.error().key, codes.error().found, codes.error().expected);
  return codes;
}

/// Returns the materials of the codes 1, 2, ... Unknown names of a palette are kept.
TextList read_palette(const Node& body, const Node& scene) {
  if (value_of<std::string>(body, "shape") == "layers") return value_of<TextList>(body, "palette");
  const auto& material = value_of<std::string>(body, "material");
  if (!material.empty()) return {material};
  const auto known = scene.all("material");
  return {known.empty() ? std::string(default_material_name) : known.front()->name};
}

Result<void> read_paint(const Node& body, VoxelGrid& grid) {
  for (std::size_t i = 0; i < paint_keys.size(); ++i) {
    const PaintLayer layer = paint_layers[i];
    const char* key = paint_keys[i];
    const auto& list = value_of<NumberList>(body, key);
    if (list.empty()) continue;
    if (list.size() != grid.cell_count())
      return wrong_body(
          body, key, fmt::format("{} numbers", list.size()),
          fmt::format("must be empty or have one number for each cell of the lattice, {} in all", grid.cell_count()));
    grid.set_has_paint(layer, true);
    for (std::size_t cell = 0; cell < list.size(); ++cell) grid.set_paint(cell, layer, list[cell]);
  }
  return read_muscle_layer(body, grid);
}

/// Collects assignments of the parameters of one node.
class Assignments {
 public:
  Assignments(const Node& node, std::string path, std::vector<Assignment>& out)
      : node_(node), path_(std::move(path)), out_(out) {}
  void set(const char* key, Value value) { out_.push_back({path_ + "." + key, std::move(value)}); }
  void keep(const char* key) { set(key, node_.value(key)); }
  /// Assigns a vector or number after clamping it to the range of its parameter.
  void set_in_range(const std::string& key, const Vec3& value) {
    const Bounds bounds = bounds_of(key);
    set(key.c_str(), Vec3(value.cwiseMax(bounds.min).cwiseMin(bounds.max)));
  }
  void set_in_range(const std::string& key, double value) {
    const Bounds bounds = bounds_of(key);
    set(key.c_str(), std::clamp(value, bounds.min, bounds.max));
  }

 private:
  [[nodiscard]] Bounds bounds_of(const std::string& key) const {
    for (const ParamSpec& spec : node_.schema->params)
      if (spec.name == key) return spec.bounds;
    return {};
  }
  const Node& node_;
  std::string path_;
  std::vector<Assignment>& out_;
};

/// Shapes of regions and muscles are fractions of the extent of the lattice, so they change with its box.
void assign_region(const Node& region, const VoxelBox& from, const VoxelBox& to, Assignments out) {
  if (from == to) {
    for (const char* key : {"min", "max", "center", "axis", "radius"}) out.keep(key);
    return;
  }
  const Vec3 old_size = from.size.cast<double>(), new_size = to.size.cast<double>();
  const Vec3 step = (from.lower - to.lower).cast<double>();
  for (const char* key : {"min", "max", "center"}) {
    const Vec3 cells = value_of<Vec3>(region, key).cwiseProduct(old_size) + step;
    out.set_in_range(key, Vec3(cells.cwiseQuotient(new_size)));
  }
  out.set_in_range("axis", Vec3(value_of<Vec3>(region, "axis").cwiseProduct(old_size).cwiseQuotient(new_size)));
  out.set_in_range("radius", value_of<double>(region, "radius") * old_size.maxCoeff() / new_size.maxCoeff());
}

}  // namespace

bool has_cells_in_file(const Node& body) { return !value_of<std::string>(body, "source").empty(); }

Result<OpenedVoxelBody> open_voxel_body(const Node& body, const Node& scene) {
  if (body.schema == nullptr || body.schema->kind != "voxel_body") return fail("Only voxel bodies have cells.");
  if (has_cells_in_file(body))
    return wrong_body(body, "source", '"' + value_of<std::string>(body, "source") + '"',
                      "names a file that is not loaded: load it before editing its cells");
  const auto size = read_size(body);
  if (!size) return Unexpected(size.error());
  const auto codes = read_cell_codes(body, *size);
  if (!codes) return Unexpected(codes.error());
  OpenedVoxelBody opened{body, VoxelGrid({VoxelCell::Zero(), *size}, read_palette(body, scene))};
  VoxelGrid& grid = opened.grid;
  if (grid.palette().size() > 65534)
    return wrong_body(body, "palette", fmt::format("{} names", grid.palette().size()), "must have at most 65534 names");
  for (std::size_t i = 0; i < codes->size(); ++i) {
    if ((*codes)[i] > grid.palette().size())
      return wrong_body(
          body, "layers", fmt::format("code {}", (*codes)[i]),
          fmt::format("must be at most {}, the number of materials in the palette", grid.palette().size()));
    grid.set_code(i, (*codes)[i]);
  }
  if (auto done = read_paint(body, grid); !done) return Unexpected(done.error());
  return opened;
}

const Node* find_material(const OpenedVoxelBody& opened, const Node& scene, const std::string& name) {
  if (const Node* material = scene.find("material", name)) return material;
  const auto found = std::ranges::find(opened.materials, name, &Node::name);
  return found == opened.materials.end() ? nullptr : &*found;
}

std::vector<std::string> missing_materials(const VoxelGrid& grid, const Node& scene) {
  std::vector<std::string> missing;
  for (const std::string& name : grid.palette())
    if (scene.find("material", name) == nullptr && !contains(missing, name)) missing.push_back(name);
  return missing;
}

Vec3 position_of_box(const Node& opened, const VoxelBox& opened_box, const VoxelBox& box) {
  const auto& position = value_of<Vec3>(opened, "position");
  if (opened_box == box) return position;
  const double edge_m = value_of<double>(opened, "voxel_size");
  const Vec3 step = edge_m * (box.lower - opened_box.lower).cast<double>();
  const auto& turn = value_of<Vec3>(opened, "rotation");
  const double angle = turn.norm();
  if (!(angle > 0)) return position + step;
  // A point p of the old lattice is at position + c + R (p - c), where c is the centre of the lattice.
  const Vec3 old_center = 0.5 * edge_m * opened_box.size.cast<double>(),
             new_center = 0.5 * edge_m * box.size.cast<double>();
  return position + old_center - new_center + rotation_about(turn / angle, angle) * (step + new_center - old_center);
}

Result<std::vector<Assignment>> voxel_body_assignments(const VoxelGrid& grid, const OpenedVoxelBody& opened,
                                                       const std::string& path) {
  std::vector<Assignment> all;
  Assignments body(opened.body, path, all);
  if (grid == opened.grid) {
    for (const char* key : {"shape", "source", "size", "palette", "layers"}) body.keep(key);
    for (const char* key : paint_keys) body.keep(key);
  } else {
    const auto codes = grid.codes();
    if (std::ranges::all_of(codes, [](std::uint16_t code) { return code == 0; }))
      return wrong_body(opened.body, "layers", "no filled cell", "must contain at least one voxel");
    body.set("shape", std::string("layers"));
    body.set("source", std::string());
    body.set("size", Vec3(grid.box().size.cast<double>()));
    body.set("palette", grid.palette());
    body.set("layers", encode_layers(codes, lattice_size(grid.box().size)));
    for (std::size_t i = 0; i < paint_keys.size(); ++i) {
      const auto values = grid.paint(paint_layers[i]);
      body.set(paint_keys[i], NumberList(values.begin(), values.end()));
    }
  }
  body.set("position", position_of_box(opened.body, opened.grid.box(), grid.box()));
  for (const char* slot : {"region", "muscle"})
    for (const Node* part : opened.body.all(slot))
      assign_region(*part, opened.grid.box(), grid.box(),
                    Assignments(*part, path + "." + slot + "." + part->name, all));
  assign_muscles(grid, opened, path, all);
  return all;
}

void take_scene_edits(const Node& body, const VoxelBox& applied, OpenedVoxelBody& opened) {
  const VoxelBox& first = opened.grid.box();
  const auto has_size = [&](const VoxelBox& box) {
    return same_value(body.value("size"), Value(Vec3(box.size.cast<double>())));
  };
  if (!has_size(applied) && !has_size(first)) return;
  const VoxelBox& now = has_size(applied) ? applied : first;  // the application may have been undone
  const auto is_kept = [&](const char* key) { return same_value(body.value(key), opened.body.value(key)); };
  const bool is_moved =
      !is_kept("position") && value_of<Vec3>(body, "position") != position_of_box(opened.body, first, now);
  if (is_moved || !is_kept("rotation") || !is_kept("voxel_size")) {
    opened.body.set("position", position_of_box(body, now, first));
    for (const char* key : {"rotation", "voxel_size"}) opened.body.set(key, body.value(key));
  }
  for (Node& part : opened.body.children) {
    const std::string& slot = opened.body.schema->slots[part.slot].name;
    const Node* present = slot == "region" || slot == "muscle" ? body.find(slot, part.name) : nullptr;
    if (present == nullptr) continue;
    std::vector<Assignment> unedited, edited;  // paths are ".KEY"
    assign_region(part, first, now, Assignments(part, {}, unedited));
    const bool is_edited = std::ranges::any_of(unedited, [&](const Assignment& one) {
      const Value& value = present->value(one.path.substr(1));
      return !same_value(value, one.value) && !same_value(value, part.value(one.path.substr(1)));
    });
    if (!is_edited) continue;
    assign_region(*present, now, first, Assignments(*present, {}, edited));
    for (Assignment& one : edited) part.set(one.path.substr(1), std::move(one.value));
  }
}

}  // namespace vw
