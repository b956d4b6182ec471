#include "render/fluid/fluid_flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "render/vectors/vectors.h"
#include "sim/base/text.h"

namespace vw {
namespace {

/// Widths of ribbons and tubes, and cell of the grid of an iso-surface, in particle spacings.
constexpr float ribbon_width = 0.7F, tube_width = 0.16F;
constexpr double surface_cell = 0.8;
/// Length of a streamline, in longest sides of the fluid.
constexpr double streamline_sides = 1.5;
/// Number of colours of ribbons. Each colour is a mesh.
constexpr std::size_t ribbon_colors = 24;
constexpr glm::vec3 iso_surface_color{0.95F, 0.45F, 0.13F};  // sRGB

struct DerivedQuantity {
  std::string_view name, unit;
  double (*value)(const FlowSample&);
};
constexpr std::array derived_quantities{
    DerivedQuantity{"speed", "m/s", [](const FlowSample& s) { return s.velocity.norm(); }},
    DerivedQuantity{"vorticity", "1/s", [](const FlowSample& s) { return vorticity_of(s.gradient).norm(); }},
    DerivedQuantity{"q_criterion", "1/s^2", [](const FlowSample& s) { return q_criterion(s.gradient); }}};

/// Adds a flat strip between two points of a line to the mesh.
void add_strip(const FlowLines& lines, std::size_t i, float width_m, SurfaceMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.position.size());
  for (const std::size_t k : {i, i + 1}) {
    const Vec3 along = (lines.point[i + 1] - lines.point[i]).normalized();
    const Vec3f across = lines.normal[k].cast<float>(), up = along.cross(lines.normal[k]).normalized().cast<float>();
    for (const float side : {-0.5F, 0.5F}) {
      mesh.position.push_back(lines.point[k].cast<float>() + side * width_m * across);
      mesh.normal.push_back(up);
    }
  }
  mesh.triangle.push_back({first, first + 2, first + 1});
  mesh.triangle.push_back({first + 1, first + 2, first + 3});
}

/// Adds a part of a tube with a square section between two points of a line to the mesh.
void add_tube(const FlowLines& lines, std::size_t i, float width_m, SurfaceMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.position.size());
  const Vec3 along = (lines.point[i + 1] - lines.point[i]).normalized();
  for (const std::size_t k : {i, i + 1}) {
    const Vec3f across = lines.normal[k].cast<float>(), up = along.cross(lines.normal[k]).normalized().cast<float>();
    for (const Vec3f& out : {across, up, Vec3f(-across), Vec3f(-up)}) {
      mesh.position.push_back(lines.point[k].cast<float>() + 0.5F * width_m * out);
      mesh.normal.push_back(out);
    }
  }
  for (std::uint32_t c = 0; c < 4; ++c) {
    const std::uint32_t next = (c + 1) % 4;
    mesh.triangle.push_back({first + c, first + next, first + 4 + c});
    mesh.triangle.push_back({first + next, first + 4 + next, first + 4 + c});
  }
}

ColliderSnapshot solid_of(SurfaceMesh mesh, const glm::vec3& srgb) {
  ColliderSnapshot solid;
  const glm::vec3 linear = linear_of(pack_color(srgb));
  solid.kind = ColliderSnapshot::Kind::mesh;
  solid.color = {linear.r, linear.g, linear.b};
  solid.mesh = std::make_shared<const SurfaceMesh>(std::move(mesh));
  solid.two_sided = true;
  return solid;
}

}  // namespace

void FluidFlow::build(const Scene& scene) {
  points_.clear(), ends_.clear(), solids_.clear(), legends_.clear();
  if (scene.view.fluid_streamlines <= 0 && scene.view.fluid_surface_of.empty()) {
    made_ = {};
    lines_.clear(), surfaces_.clear();
    return;
  }
  const Snapshot& s = scene.newest;
  const Made wanted{s.epoch,
                    s.changes,
                    s.sequence,
                    s.tick,
                    s.time_s,
                    scene.view.fluid_streamlines,
                    scene.view.fluid_surface_of,
                    scene.view.fluid_surface_at};
  if (!(made_ == wanted)) trace(scene);
  made_ = wanted;
  draw_lines(scene);
  solids_.insert(solids_.end(), surfaces_.begin(), surfaces_.end());
  if (surfaces_.empty()) return;
  Legend legend;
  legend.title = spaced(scene.view.fluid_surface_of);
  legend.entries.emplace_back(fmt::format("{:.4g} {}", scene.view.fluid_surface_at, surface_unit_), iso_surface_color);
  legend.lists_one = true;
  legends_.push_back(std::move(legend));
}

void FluidFlow::trace(const Scene& scene) {
  lines_.clear(), spacing_m_.clear(), surfaces_.clear();
  for (const SystemSnapshot& system : scene.newest.systems) {
    if (system.look != Look::fluid || !(system.spacing_m > 0)) continue;
    flow_.build(system.position, system.velocity, static_cast<double>(system.spacing_m));
    if (flow_.empty()) continue;
    if (scene.view.fluid_streamlines > 0) {
      const double length = streamline_sides * flow_.box().sizes().maxCoeff();
      lines_.push_back(flow_.streamlines(static_cast<std::size_t>(scene.view.fluid_streamlines), length));
      spacing_m_.push_back(flow_.spacing_m());
    }
    if (!scene.view.fluid_surface_of.empty()) add_surface(system, scene.view);
  }
}

/// Adds the iso-surface of a fluid, which flow_ describes. A fluid without the quantity has none.
void FluidFlow::add_surface(const SystemSnapshot& system, const ViewParams& view) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const double cell = surface_cell * flow_.spacing_m();
  ValueGrid grid;
  const auto derived = std::ranges::find(derived_quantities, view.fluid_surface_of, &DerivedQuantity::name);
  const auto channel = std::ranges::find(system.channels, view.fluid_surface_of, &Channel::name);
  if (derived != derived_quantities.end()) {
    surface_unit_ = derived->unit;
    grid = flow_.sample(cell, [&](const Vec3& place) {
      const FlowSample sample = flow_.at(place);
      return sample.fraction >= ParticleFlow::least_fraction ? derived->value(sample) : none;
    });
  } else if (channel != system.channels.end()) {
    const auto info = std::ranges::find(system.available, channel->name, &ChannelInfo::name);
    surface_unit_ = info == system.available.end() ? std::string() : info->unit;
    grid = flow_.sample(cell, [&](const Vec3& place) { return flow_.mean_at(place, channel->values); });
  }
  SurfaceMesh mesh = grid_surface(grid, static_cast<float>(view.fluid_surface_at));
  if (!mesh.triangle.empty()) surfaces_.push_back(solid_of(std::move(mesh), iso_surface_color));
}

/// Colours the lines by speed, and makes points or ribbons from them.
void FluidFlow::draw_lines(const Scene& scene) {
  values_.clear();
  for (const FlowLines& lines : lines_)
    for (const double speed : lines.speed) values_.push_back(static_cast<float>(speed));
  if (values_.empty()) return;
  const ValueRange range =
      follow_range(range_, "fluid_streamlines", value_range(values_, false, scratch_), scene.time_s);
  const ColorMap& map = magnitude_map();
  legends_.push_back({"streamlines: speed", "m/s", range.min, range.max, map, {}});
  if (scene.view.fluid_ribbons || scene.draws_tubes) return draw_meshes(range, scene.view.fluid_ribbons);
  const float scale = static_cast<float>(map.size() - 1) / std::max(range.max - range.min, 1e-30F);
  for (std::size_t f = 0; f < lines_.size(); ++f) {
    const FlowLines& lines = lines_[f];
    const auto width_m = static_cast<float>(0.25 * spacing_m_[f]);
    for (std::size_t l = 0; l + 1 < lines.start.size(); ++l) {
      for (std::size_t i = lines.start[l]; i < lines.start[l + 1]; ++i) {
        const glm::vec3 place = to_glm(Vec3f(lines.point[i].cast<float>()));
        const float at = std::clamp((static_cast<float>(lines.speed[i]) - range.min) * scale, 0.0F,
                                    static_cast<float>(map.size() - 1));
        const float pixel = scene.pixel * std::max(glm::length(place - scene.eye), 1e-6F);
        points_.push_back({place, map[static_cast<std::size_t>(at + 0.5F)],
                           std::clamp(0.5F * width_m / pixel, 0.7F, 2.4F) + band_rim_px, 1});
      }
      ends_.push_back(points_.size());
    }
  }
}

/// Makes ribbons or tubes, one mesh for each colour.
void FluidFlow::draw_meshes(const ValueRange& range, bool ribbons) {
  const ColorMap& map = magnitude_map();
  std::array<SurfaceMesh, ribbon_colors> meshes;
  const double scale = static_cast<double>(ribbon_colors) / std::max(static_cast<double>(range.max - range.min), 1e-30);
  for (std::size_t f = 0; f < lines_.size(); ++f) {
    const FlowLines& lines = lines_[f];
    const float width_m = (ribbons ? ribbon_width : tube_width) * static_cast<float>(spacing_m_[f]);
    for (std::size_t l = 0; l + 1 < lines.start.size(); ++l)
      for (std::size_t i = lines.start[l]; i + 1 < lines.start[l + 1]; ++i) {
        const double at = (lines.speed[i] - static_cast<double>(range.min)) * scale;
        SurfaceMesh& mesh =
            meshes[static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(ribbon_colors - 1)))];
        ribbons ? add_strip(lines, i, width_m, mesh) : add_tube(lines, i, width_m, mesh);
      }
  }
  for (std::size_t k = 0; k < ribbon_colors; ++k)
    if (!meshes[k].triangle.empty())
      solids_.push_back(solid_of(std::move(meshes[k]), map[(2 * k + 1) * map.size() / (2 * ribbon_colors)]));
}

}  // namespace vw
