// Reads robots of EvoGym (Bhatia et al., "Evolution Gym", NeurIPS 2021): two-dimensional layouts of five types of
// voxels, extruded to a body. In a `.npz`, the first array is the layout, with the top row first. A `.json` contains a
// world of EvoGym's design tool, or the rows of a layout as nested lists. docs/voxcad.md describes the conversion.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/scene/designs/npz_read.h"
#include "sim/scene/designs/voxel_design.h"
#include "sim/scene/toml/text.h"
#include "sim/world/state/json.h"

namespace vw {
namespace {

constexpr double evogym_edge_m = 0.01;     // edge of a voxel [m]; the files specify none
constexpr std::size_t evogym_depth = 3;    // number of voxels across the plane of the layout
constexpr std::size_t longest_side = 100;  // EvoGym's robots have about five to ten voxels along an axis
constexpr double actuator_strain = 0.2;    // amplitude of the strain of actuator voxels
constexpr double actuator_period_s = 0.5;

/// Types of voxels in the order of their codes, which begin at 1 (0 is an empty cell).
struct VoxelType {
  const char* name;
  double youngs_pa;
  double expansion;  ///< factor of the temperature wave for voxels of this type
  double phase_cycles;
  Vec3 rgb;
};
const std::array<VoxelType, 5>& voxel_types() {
  static const std::array<VoxelType, 5> all{{{"rigid", 5e6, 0, 0, {0.15, 0.15, 0.15}},
                                             {"soft", 5e5, 0, 0, {0.75, 0.75, 0.75}},
                                             {"horizontal", 5e5, 1, 0, {0.93, 0.55, 0.2}},
                                             {"vertical", 5e5, 1, 0.25, {0.3, 0.65, 0.85}},
                                             {"fixed", 5e6, 0, 0, {0.05, 0.05, 0.05}}}};
  return all;
}

Unexpected wrong_robot(const std::string& file, std::string key, const std::string& found, std::string expected) {
  Error error;
  error.file = file;
  error.key = std::move(key);
  error.found = one_line(found, 60);
  error.expected = std::move(expected);
  return fail(std::move(error));
}

/// Returns the smallest section of the table that contains all voxels.
Result<NumberTable> cropped(const NumberTable& table, const std::string& file) {
  std::size_t top = table.rows, bottom = 0, left = table.columns, right = 0;
  for (std::size_t y = 0; y < table.rows; ++y)
    for (std::size_t x = 0; x < table.columns; ++x) {
      const int code = table.values[x + table.columns * y];
      if (code < 0 || code > 5)
        return wrong_robot(file, fmt::format("row {}, column {}", y + 1, x + 1), fmt::format("{}", code),
                           "must be a type of EvoGym, 0 to 5");
      if (code == 0) continue;
      top = std::min(top, y), bottom = std::max(bottom, y);
      left = std::min(left, x), right = std::max(right, x);
    }
  if (top == table.rows) return wrong_robot(file, "layout", "no voxel", "must contain at least one voxel");
  NumberTable part{.rows = bottom - top + 1, .columns = right - left + 1, .values = {}};
  if (part.rows > longest_side || part.columns > longest_side)
    return wrong_robot(file, "layout", fmt::format("{} x {} voxels", part.rows, part.columns),
                       fmt::format("may have at most {} along an axis", longest_side));
  for (std::size_t y = top; y <= bottom; ++y)
    for (std::size_t x = left; x <= right; ++x) part.values.push_back(table.values[x + table.columns * y]);
  return part;
}

/// Converts a layout to a design by repeating it along the depth. The first row of the layout is the top row.
Result<VoxelDesign> extruded(const NumberTable& whole, const std::string& file) {
  const auto table = cropped(whole, file);
  if (!table) return Unexpected(table.error());
  VoxelDesign design;
  design.edge_m = evogym_edge_m;
  design.nx = table->columns, design.ny = evogym_depth, design.nz = table->rows;
  std::array<std::uint16_t, 6> code_of{};
  for (const int type : table->values) code_of[static_cast<std::size_t>(type)] = 1;
  code_of[0] = 0;
  for (std::size_t type = 1; type < code_of.size(); ++type) {
    if (code_of[type] == 0) continue;
    const VoxelType& from = voxel_types()[type - 1];
    DesignMaterial material = default_design_material(from.name);
    material.youngs_pa = from.youngs_pa;
    material.cte = 0.01 * from.expansion;
    material.phase_rad = 2 * pi * from.phase_cycles;
    material.display_rgb = from.rgb;
    material.held = type == 5;
    design.materials.push_back(std::move(material));
    code_of[type] = static_cast<std::uint16_t>(design.materials.size());
  }
  design.temperature_amplitude = actuator_strain / 0.01;
  design.temperature_varies = true;
  design.temperature_period_s = actuator_period_s;
  std::vector<std::uint8_t> held;
  for (std::size_t z = 0; z < design.nz; ++z)
    for (std::size_t y = 0; y < design.ny; ++y)
      for (std::size_t x = 0; x < design.nx; ++x) {
        const int type = table->values[x + design.nx * (design.nz - 1 - z)];
        design.code.push_back(code_of[static_cast<std::size_t>(type)]);
        held.push_back(type == 5 ? 1 : 0);
      }
  if (!add_regions_of_cells(held, {.held = held_everything}, design))
    return wrong_robot(file, "layout", "too many separate fixed voxels",
                       fmt::format("may have at most {} regions", most_design_regions));
  if (code_of[3] != 0 || code_of[4] != 0)
    add_unsupported(design, "directions of actuators (they expand along all axes)");
  return design;
}

/// Reads a table from nested lists of codes.
Result<NumberTable> table_of_rows(const Json& rows, const std::string& file) {
  NumberTable table{.rows = rows.size(), .columns = 0, .values = {}};
  for (std::size_t y = 0; y < rows.size(); ++y) {
    const Json& row = rows[y];
    if (!row.is_array()) return wrong_robot(file, fmt::format("row {}", y + 1), dump_json(row), "must be a list");
    if (y == 0) table.columns = row.size();
    if (row.size() != table.columns)
      return wrong_robot(file, fmt::format("row {}", y + 1), fmt::format("{} numbers", row.size()),
                         fmt::format("must have {}, as the first row has", table.columns));
    for (const Json& cell : row) {
      const double code = cell.is_number() ? cell.get<double>() : -1;
      if (!(code >= 0 && code <= 5) || code != std::floor(code))
        return wrong_robot(file, fmt::format("row {}", y + 1), dump_json(cell), "must be a type of EvoGym, 0 to 5");
      table.values.push_back(static_cast<int>(code));
    }
  }
  return table;
}

/// The voxels of one object of a world in EvoGym's design tool, as cells of a table.
class WorldObject {
 public:
  WorldObject(const Json& object, std::size_t width, std::string name, const std::string& file)
      : object_(object), width_(width), name_(std::move(name)), file_(file) {}

  Result<NumberTable> table() {
    const Json *indices = list("indices"), *types = list("types");
    if (indices == nullptr || types == nullptr || indices->empty() || indices->size() != types->size())
      return wrong_robot(file_, key("indices"),
                         indices == nullptr || types == nullptr
                             ? std::string("a missing list")
                             : fmt::format("{} indices and {} types", indices->size(), types->size()),
                         "`indices` and `types` must be lists of the same length, at least 1");
    std::size_t rows = 0;
    for (const Json& index : *indices) {
      if (!index.is_number_unsigned() || index.get<std::uint64_t>() >= max_npz_cells)
        return wrong_robot(file_, key("indices"), dump_json(index),
                           fmt::format("must be a whole number from 0 to {}", max_npz_cells - 1));
      rows = std::max<std::size_t>(rows, index.get<std::size_t>() / width_ + 1);
    }
    if (rows * width_ > max_npz_cells)
      return wrong_robot(file_, key("indices"), fmt::format("{} x {} cells", width_, rows),
                         fmt::format("may have at most {} cells", max_npz_cells));
    NumberTable table{.rows = rows, .columns = width_, .values = std::vector<int>(rows * width_, 0)};
    for (std::size_t i = 0; i < indices->size(); ++i) {
      const Json& type = (*types)[i];
      if (!type.is_number_unsigned() || type.get<std::uint64_t>() < 1 || type.get<std::uint64_t>() > 5)
        return wrong_robot(file_, key("types"), dump_json(type), "must be a type of EvoGym, 1 to 5");
      const std::size_t index = (*indices)[i].get<std::size_t>();
      const std::size_t row = rows - 1 - index / width_;  // the first row of a table is the top
      table.values[index % width_ + width_ * row] = type.get<int>();
    }
    return table;
  }

  /// Returns whether all adjacent voxels are joined, as they will be in the voxel body. Returns true for a file without
  /// `neighbors`.
  [[nodiscard]] bool is_joined() const {
    const auto found = object_.find("neighbors");
    const auto indices = object_.find("indices");
    if (found == object_.end() || !found->is_object() || indices == object_.end()) return true;
    std::set<std::uint64_t> filled;
    for (const Json& index : *indices) filled.insert(index.get<std::uint64_t>());
    const auto joined = [&](std::uint64_t from, std::uint64_t to) {
      const auto list = found->find(fmt::format("{}", from));
      if (list == found->end() || !list->is_array()) return false;
      return std::any_of(list->begin(), list->end(), [&](const Json& other) {
        return other.is_number_unsigned() && other.get<std::uint64_t>() == to;
      });
    };
    return std::all_of(filled.begin(), filled.end(), [&](std::uint64_t at) {
      const bool right = (at + 1) % width_ == 0 || !filled.contains(at + 1) || joined(at, at + 1);
      return right && (!filled.contains(at + width_) || joined(at, at + width_));
    });
  }

 private:
  [[nodiscard]] std::string key(const char* member) const { return "objects." + name_ + "." + member; }
  [[nodiscard]] const Json* list(const char* member) const {
    const auto found = object_.find(member);
    return found == object_.end() || !found->is_array() ? nullptr : &*found;
  }

  const Json& object_;
  std::size_t width_ = 0;
  std::string name_;
  const std::string& file_;
};

Result<VoxelDesign> world_design(const Json& world, const std::string& file) {
  const auto width = json_count(world, "grid_width");
  if (!width || *width < 1 || *width > max_npz_cells)
    return wrong_robot(file, "grid_width", width ? fmt::format("{}", *width) : "no number",
                       "must be the number of cells along x, at least 1");
  const auto objects = world.find("objects");
  if (objects == world.end() || !objects->is_object() || objects->size() != 1 || !objects->begin()->is_object())
    return wrong_robot(
        file, "objects",
        objects != world.end() && objects->is_object() ? fmt::format("{} objects", objects->size()) : "no objects",
        "must contain exactly one object, the robot");
  WorldObject object(*objects->begin(), *width, one_line(objects->begin().key(), 40), file);
  const auto table = object.table();
  if (!table) return Unexpected(table.error());
  auto design = extruded(*table, file);
  if (design && !object.is_joined()) add_unsupported(*design, "gaps between adjacent voxels (neighbors)");
  return design;
}

Result<VoxelDesign> json_robot(const std::string& bytes, const std::string& file) {
  const auto json = parse_json(bytes);
  if (!json) return wrong_file(file, json.error().message());
  if (json->is_object()) return world_design(*json, file);
  if (!json->is_array() || json->empty())
    return wrong_robot(file, "layout", "no list", "must be the rows of a layout or a world of EvoGym");
  const auto table = table_of_rows(*json, file);
  if (!table) return Unexpected(table.error());
  return extruded(*table, file);
}

Result<VoxelDesign> npz_robot(const std::string& bytes, const std::string& file) {
  const auto names = npz_names(bytes, file);
  if (!names) return Unexpected(names.error());
  if (names->empty()) return wrong_robot(file, "archive", "no array", "must contain the layout of a robot");
  const auto table = read_npz_table(bytes, file, names->front());
  if (!table) return Unexpected(table.error());
  return extruded(*table, file);
}

}  // namespace

Result<LoadedScene> read_evogym(const std::string& bytes, const std::string& file, const LoadOptions& options) {
  auto design = bytes.starts_with("PK") ? npz_robot(bytes, file) : json_robot(bytes, file);
  if (!design) return Unexpected(design.error());
  return finish_design(std::move(*design), file, options);
}

}  // namespace vw
