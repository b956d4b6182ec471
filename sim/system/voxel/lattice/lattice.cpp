// Decodes the node of a voxel body into one row per filled cell. Input: scene data in which each single value has been
// checked. Output: a lattice, or one error.
#include "sim/system/voxel/lattice/lattice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sim/base/data/layer_text.h"
#include "sim/collision/shape/cells_inside.h"

namespace vw {
namespace {

/// Material codes of all cells (0 = empty). x varies fastest, then z, then y.
using Codes = std::vector<std::uint32_t>;

struct Dimensions {
  std::size_t x = 0, y = 0, z = 0;
  [[nodiscard]] std::size_t cells() const { return x * y * z; }
};

Unexpected wrong(const Node& body, std::string key, std::string found, std::string expected) {
  return wrong_value(body.line, body.name.empty() ? std::move(key) : fmt::format("system.{}.{}", body.name, key),
                     std::move(found), std::move(expected));
}

Result<Dimensions> read_dimensions(const Node& body, const Vec3& size) {
  const std::string found = to_text(Value(size));
  for (int axis = 0; axis < 3; ++axis)
    if (size[axis] != std::floor(size[axis]) || size[axis] < 1)
      return wrong(body, "size", found, "must be three whole numbers of at least 1");
  if (size.x() * size.y() * size.z() > static_cast<double>(max_lattice_cells))
    return wrong(body, "size", found, fmt::format("must give at most {} cells in total", max_lattice_cells));
  return Dimensions{static_cast<std::size_t>(size.x()), static_cast<std::size_t>(size.y()),
                    static_cast<std::size_t>(size.z())};
}

Result<Codes> read_codes(const Node& body, const VoxelBodyParams& params, const Dimensions& size) {
  if (params.shape == LatticeShape::box) return Codes(size.cells(), 1);
  if (params.shape != LatticeShape::layers) {  // the bounding box of the lattice is mapped to the cube [-1, 1]^3
    const Shape shape = params.shape == LatticeShape::ellipsoid ? Shape(SphereShape{1}) : Shape(CylinderShape{1, 1});
    CellLattice lattice;
    lattice.cells = {size.x, size.y, size.z};
    lattice.lower = Vec3::Constant(-1);
    lattice.pitch = 2 * params.size.cwiseInverse();
    const std::vector<std::uint8_t> inside = cells_inside(shape, lattice);
    return Codes(inside.begin(), inside.end());
  }
  const auto codes = decode_layers(params.layers, {size.x, size.y, size.z});
  if (!codes) return wrong(body, "layers", codes.error().found, codes.error().expected);
  return Codes(codes->begin(), codes->end());
}

std::vector<std::string> material_names(const Node& scene) {
  std::vector<std::string> names;
  for (const Node* node : scene.all("material")) names.push_back(node->name);
  return names;
}

/// Reads the materials of the codes 1, 2, ... in this order.
Result<void> read_materials(const Node& body, const Node& scene, const VoxelBodyParams& params, VoxelLattice& lattice) {
  const bool uniform = params.shape != LatticeShape::layers;
  const std::vector<std::string> known = material_names(scene);
  std::vector<std::string> wanted = params.palette;
  if (uniform) {
    if (params.material.empty() && known.empty()) {  // a scene without materials gets the default material
      lattice.material_name.emplace_back("default");
      lattice.materials.push_back(voxel_material_params().defaults());
      return {};
    }
    wanted = {params.material.empty() ? known.front() : params.material};
  }
  if (wanted.size() > 65535)
    return wrong(body, "palette", fmt::format("{} names", wanted.size()), "must have at most 65535 names");
  for (const std::string& name : wanted) {
    const Node* node = scene.find("material", name);
    if (node == nullptr) {
      return wrong_value(body.line, fmt::format("system.{}.{}", body.name, uniform ? "material" : "palette"),
                         '"' + name + '"', "must name a material of this scene", nearest_word(name, known));
    }
    lattice.material_name.push_back(name);
    lattice.materials.push_back(voxel_material_params().read(node->values));
    if (auto good = check_material(*node); !good) return good;
  }
  return {};
}

Result<void> check_cell_list(const Node& body, const char* key, const NumberList& list, std::size_t cells) {
  if (list.empty() || list.size() == cells) return {};
  return wrong(body, key, fmt::format("{} numbers", list.size()),
               fmt::format("must be empty or have one number for each cell of the lattice, {} in all", cells));
}

/// Selects the entries of filled cells from a list with one entry per cell. The result is empty if the list is empty.
std::vector<double> of_filled(const NumberList& list, const Codes& codes, std::size_t filled) {
  std::vector<double> out;
  if (list.empty()) return out;
  out.reserve(filled);
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (codes[i] != 0) out.push_back(list[i]);
  return out;
}

Result<void> fill_rows(const Node& body, const VoxelBodyParams& params, const Dimensions& size, const Codes& codes,
                       VoxelLattice& lattice) {
  const auto filled = codes.size() - static_cast<std::size_t>(std::count(codes.begin(), codes.end(), 0U));
  lattice.cell.reserve(filled);
  lattice.material.reserve(filled);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] == 0) continue;
    if (codes[i] > lattice.materials.size())
      return wrong(body, "layers", fmt::format("code {}", codes[i]),
                   fmt::format("must be at most {}, the number of materials in the palette", lattice.materials.size()));
    lattice.cell.push_back(
        {static_cast<int>(i % size.x), static_cast<int>(i / (size.x * size.z)), static_cast<int>(i / size.x % size.z)});
    lattice.material.push_back(static_cast<std::uint16_t>(codes[i] - 1));
  }
  if (lattice.cell.empty()) return wrong(body, "layers", "no filled cell", "must contain at least one voxel");
  lattice.phase = of_filled(params.phase, codes, filled);
  lattice.amplitude_scale = of_filled(params.temperature_amplitude_scale, codes, filled);
  lattice.youngs_override = of_filled(params.youngs_modulus_per_cell, codes, filled);
  return {};
}

}  // namespace

Result<void> check_material(const Node& node) {
  const VoxelMaterial material = voxel_material_params().read(node.values);
  const auto wrong = [&](const char* key, std::string found, std::string expected) {
    return wrong_value(node.line, fmt::format("material.{}.{}", node.name, key), std::move(found), std::move(expected));
  };
  if (material.model == StressModel::bilinear) {
    if (!(material.yield_stress > 0))
      return wrong("yield_stress", fmt::format("{} Pa", material.yield_stress),
                   "must be above 0 if model = \"bilinear\"");
    if (!(material.plastic_modulus < material.youngs_modulus))
      return wrong("plastic_modulus", fmt::format("{} Pa", material.plastic_modulus),
                   fmt::format("must be below youngs_modulus = {} Pa", material.youngs_modulus));
  }
  if (material.model != StressModel::data) return {};
  const NumberList &strains = material.strain_data, &stresses = material.stress_data;
  if (strains.empty()) return wrong("strain_data", "no strain", "must have at least one strain if model = \"data\"");
  if (strains.size() != stresses.size())
    return wrong("stress_data", fmt::format("{} stresses", stresses.size()),
                 fmt::format("must have one stress for each strain in strain_data, {} in all", strains.size()));
  for (std::size_t i = 0; i < strains.size(); ++i)
    if (const double before = i == 0 ? 0.0 : strains[i - 1]; !(strains[i] > before))
      return wrong("strain_data", fmt::format("{} after {}", strains[i], before),
                   "strains must increase, and the first must be above 0");
  if (!(stresses.front() > 0))
    return wrong("stress_data", fmt::format("first value {} Pa", stresses.front()),
                 "must be above 0, because the first pair determines the elastic modulus");
  // Beyond these limits, constants of bonds would overflow or underflow.
  constexpr double least_modulus = 1e-30, most_modulus = 1e30;
  if (const double modulus = stresses.front() / strains.front(); !(modulus >= least_modulus && modulus <= most_modulus))
    return wrong(
        "strain_data", fmt::format("first strain {}", strains.front()),
        fmt::format("must give an elastic modulus in [{}, {}] Pa with the first stress", least_modulus, most_modulus));
  return {};
}

Result<VoxelLattice> make_lattice(const Node& body, const Node& scene) {
  const VoxelBodyParams params = voxel_body_params().read(body.values);
  const auto size = read_dimensions(body, params.size);
  if (!size) return Unexpected(size.error());
  VoxelLattice lattice;
  lattice.nx = static_cast<int>(size->x);
  lattice.ny = static_cast<int>(size->y);
  lattice.nz = static_cast<int>(size->z);
  lattice.edge_m = params.voxel_size_m;

  if (auto done = read_materials(body, scene, params, lattice); !done) return Unexpected(done.error());
  if (auto done = check_cell_list(body, "phase", params.phase, size->cells()); !done) return Unexpected(done.error());
  if (auto done =
          check_cell_list(body, "temperature_amplitude_scale", params.temperature_amplitude_scale, size->cells());
      !done)
    return Unexpected(done.error());
  if (auto done = check_cell_list(body, "youngs_modulus_per_cell", params.youngs_modulus_per_cell, size->cells());
      !done)
    return Unexpected(done.error());
  const auto codes = read_codes(body, params, *size);
  if (!codes) return Unexpected(codes.error());
  if (auto done = fill_rows(body, params, *size, *codes, lattice); !done) return Unexpected(done.error());
  return lattice;
}

}  // namespace vw
