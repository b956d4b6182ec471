#include "sim/world/air/air_surfaces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace vw {
namespace {

/// Depth inside an obstacle, in cells, beyond which grid nodes have no value. The irregular border of a surface is thus
/// hidden inside the obstacle.
constexpr double blank_depth = 1.75;

/// Returns the quantity itself or, for a vector, its length.
AirQuantity as_number(AirQuantity quantity) {
  if (!quantity.is_number()) quantity.part = AirQuantity::Part::length;
  return quantity;
}

}  // namespace

void AirSurfaces::make(const Air& air, double time, const FieldViewParams& look, FlowSurfaces& out) {
  out = {};
  const AirQuantity* wanted = find_air_quantity(look.surface_of);
  if (wanted == nullptr || !air.fields.has(wanted->of, air.name)) return;
  const AirQuantity quantity = as_number(*wanted);
  out.quantity = quantity.name;
  out.unit = quantity.unit;
  sample_grid(air, time, quantity, look.surface_samples);
  NumberList levels = look.surface_at;
  const bool is_automatic_vortex = levels.empty() && quantity.of == FieldQuantity::q_criterion;
  if (levels.empty()) {
    if (!automatic_) automatic_ = automatic_level(grid_, quantity.of == FieldQuantity::q_criterion);
    if (automatic_) levels.push_back(*automatic_);
  }
  const AirQuantity* color = look.surface_color.empty() ? nullptr : find_air_quantity(look.surface_color);
  const bool is_colored = color != nullptr && air.fields.has(color->of, air.name);
  if (is_colored) {
    const AirQuantity number = as_number(*color);
    out.color = number.name;
    out.color_unit = number.unit;
    out.color_is_signed = number.is_signed();
  }
  add_iso_surfaces(grid_, std::move(levels), [&](double level, SurfaceMesh mesh) {
    if (is_automatic_vortex) mesh = without_small_parts(mesh, least_vortex_triangles);
    if (mesh.triangle.empty()) return;
    FlowSurface& surface = out.surface.emplace_back();
    surface.level = level;
    surface.mesh = std::make_shared<const SurfaceMesh>(std::move(mesh));
    if (!is_colored) return;
    const std::vector<Vec3f>& vertex = surface.mesh->position;
    surface.value.resize(vertex.size());
    sampler_.sample(
        air.fields, air.name, as_number(*color), time, vertex.size(),
        [&](std::size_t i) { return Vec3(vertex[i].cast<double>()); }, surface.value);
  });
}

void AirSurfaces::sample_grid(const Air& air, double time, const AirQuantity& quantity, std::int64_t samples) {
  const Vec3 size = air.box.sizes();
  grid_.cell_m = size.maxCoeff() / static_cast<double>(std::max<std::int64_t>(samples - 1, 1));
  Vec3 span;
  for (int axis = 0; axis < 3; ++axis) {
    const double cells = std::max(1.0, std::floor(size[axis] / grid_.cell_m + 1e-9));
    grid_.count[static_cast<std::size_t>(axis)] = static_cast<std::size_t>(cells) + 1;
    span[axis] = cells * grid_.cell_m;
  }
  grid_.origin = air.box.center() - 0.5 * span;
  grid_.value.resize(grid_.count[0] * grid_.count[1] * grid_.count[2]);
  sampler_.sample(
      air.fields, air.name, quantity, time, grid_.value.size(), [&](std::size_t node) { return grid_.place(node); },
      grid_.value);
  blank_solids(air, time);
}

void AirSurfaces::blank_solids(const Air& air, double time) {
  if (air.obstacles == nullptr || air.obstacles->empty()) return;
  for (std::size_t first = 0; first < grid_.value.size(); first += AirSampler::round) {
    place_.resize(std::min(AirSampler::round, grid_.value.size() - first));
    for (std::size_t i = 0; i < place_.size(); ++i) place_[i] = grid_.place(first + i);
    clearance(air, place_, time, 1e-6, clear_);
    for (std::size_t i = 0; i < place_.size(); ++i)
      if (clear_[i] < -blank_depth * grid_.cell_m) grid_.value[first + i] = std::numeric_limits<float>::quiet_NaN();
  }
}

}  // namespace vw
