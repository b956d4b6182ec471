#include "render/flow/flow_meshes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "sim/base/text.h"

namespace vw {
namespace {

/// Default number of colours of an iso-surface that is coloured by a second quantity (see ViewParams::color_levels).
constexpr std::size_t surface_bands = 32;
/// Name of a quantity in a legend.
std::string quantity_title(const std::string& name) { return name == "q_criterion" ? "Q criterion" : spaced(name); }
constexpr glm::vec3 lone_surface_color{0.95F, 0.45F, 0.13F};  // sRGB

/// A vertex of a mesh with its value.
struct ValuedVertex {
  Vec3f position, normal;
  float value = 0;
};

/// Point of the edge from `low` to `high` at which the value is `level`. The order of the ends depends on the values
/// alone, so that adjacent triangles get the same point.
ValuedVertex on_edge(const ValuedVertex& low, const ValuedVertex& high, float level) {
  const float share = (level - low.value) / (high.value - low.value);
  ValuedVertex out{low.position + share * (high.position - low.position),
                   low.normal + share * (high.normal - low.normal), level};
  if (const float length = out.normal.norm(); length > 1e-6F) out.normal /= length;
  return out;
}

/// Splits a convex polygon at a level into the part of lower and the part of higher values.
void split_polygon(const std::vector<ValuedVertex>& polygon, float level, std::vector<ValuedVertex>& below,
                   std::vector<ValuedVertex>& above) {
  below.clear(), above.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const ValuedVertex &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    (a.value < level ? below : above).push_back(a);
    if ((a.value < level) == (b.value < level)) continue;
    const ValuedVertex middle = a.value < b.value ? on_edge(a, b, level) : on_edge(b, a, level);
    below.push_back(middle);
    above.push_back(middle);
  }
}

void add_fan(const std::vector<ValuedVertex>& polygon, SurfaceMesh& mesh) {
  if (polygon.size() < 3) return;
  const auto first = static_cast<std::uint32_t>(mesh.position.size());
  for (const ValuedVertex& vertex : polygon) {
    mesh.position.push_back(vertex.position);
    mesh.normal.push_back(vertex.normal);
  }
  for (std::uint32_t k = 1; k + 1 < polygon.size(); ++k) mesh.triangle.push_back({first, first + k, first + k + 1});
}

/// Length of the diagonal of the bounding box.
float diagonal_m(const SurfaceMesh& mesh) {
  Vec3f low = Vec3f::Constant(std::numeric_limits<float>::max()), high = -low;
  for (const Vec3f& p : mesh.position) low = low.cwiseMin(p), high = high.cwiseMax(p);
  return mesh.position.empty() ? 0 : (high - low).norm();
}

constexpr std::uint32_t tube_sides = 6;

/// Frame of a line at one of its points: unit vectors along and across the line.
struct LineFrame {
  Vec3f along, across;
};

/// Frames at the points [first, end) of a line.
void find_frames(const FieldLines& lines, std::size_t first, std::size_t end, std::vector<LineFrame>& out) {
  out.clear();
  for (std::size_t i = first; i < end; ++i) {
    const Vec3f step = lines.point[i + 1 < end ? i + 1 : i] - lines.point[i > first ? i - 1 : i];
    LineFrame frame{step.norm() > 0 ? Vec3f(step.normalized()) : Vec3f(Vec3f::UnitX()), Vec3f::Zero()};
    // Without FieldLines::across, the frame is transported along the line with the least rotation.
    if (lines.across.size() == lines.point.size())
      frame.across = lines.across[i];
    else if (!out.empty())
      frame.across = out.back().across;
    frame.across -= frame.across.dot(frame.along) * frame.along;
    frame.across = frame.across.norm() > 1e-4F ? Vec3f(frame.across.normalized()) : Vec3f(frame.along.unitOrthogonal());
    out.push_back(frame);
  }
}

/// Adds the vertices of a ribbon or tube at one point of a line (a ring).
void add_ring(const Vec3f& place, const LineFrame& frame, LineShape shape, float width_m, SurfaceMesh& mesh) {
  const Vec3f up = frame.along.cross(frame.across);
  if (shape == LineShape::ribbon) {
    for (const float side : {-0.5F, 0.5F}) {
      mesh.position.push_back(place + side * width_m * frame.across);
      mesh.normal.push_back(up);
    }
    return;
  }
  for (std::uint32_t k = 0; k < tube_sides; ++k) {
    const float angle = 6.2831853F * static_cast<float>(k) / static_cast<float>(tube_sides);
    const Vec3f out = std::cos(angle) * frame.across + std::sin(angle) * up;
    mesh.position.push_back(place + 0.5F * width_m * out);
    mesh.normal.push_back(out);
  }
}

/// Joins the last two rings of the mesh.
void join_rings(LineShape shape, SurfaceMesh& mesh) {
  const std::uint32_t sides = shape == LineShape::ribbon ? 2 : tube_sides;
  const auto last = static_cast<std::uint32_t>(mesh.position.size()) - sides, first = last - sides;
  for (std::uint32_t k = 0; k + (shape == LineShape::ribbon ? 1 : 0) < sides; ++k) {
    const std::uint32_t next = (k + 1) % sides;
    mesh.triangle.push_back({first + k, first + next, last + k});
    mesh.triangle.push_back({first + next, last + next, last + k});
  }
}

}  // namespace

void add_line_meshes(const FieldLines& lines, LineShape shape, float width_m, const ValueRange& range,
                     std::vector<SurfaceMesh>& bands) {
  if (lines.speed.size() != lines.point.size()) return;
  const float scale = static_cast<float>(bands.size()) / std::max(range.max - range.min, 1e-30F);
  std::vector<LineFrame> frames;
  for (std::size_t l = 0; l + 1 < lines.start.size(); ++l) {
    const std::size_t first = lines.start[l], end = lines.start[l + 1];
    find_frames(lines, first, end, frames);
    std::size_t band = bands.size();
    for (std::size_t i = first; i + 1 < end; ++i) {
      const float at = (0.5F * (lines.speed[i] + lines.speed[i + 1]) - range.min) * scale;
      const auto wanted = static_cast<std::size_t>(std::clamp(at, 0.0F, static_cast<float>(bands.size() - 1)));
      SurfaceMesh& mesh = bands[wanted];
      // Consecutive segments of one colour share a ring.
      if (wanted != band) add_ring(lines.point[i], frames[i - first], shape, width_m, mesh);
      band = wanted;
      add_ring(lines.point[i + 1], frames[i + 1 - first], shape, width_m, mesh);
      join_rings(shape, mesh);
    }
  }
}

void add_band_solids(std::vector<SurfaceMesh> bands, const ColorMap& map, std::vector<ColliderSnapshot>& solids) {
  const std::size_t count = bands.size();
  for (std::size_t k = 0; k < count; ++k)
    if (!bands[k].triangle.empty())
      solids.push_back(flow_solid(std::make_shared<const SurfaceMesh>(std::move(bands[k])), band_color(map, k, count)));
}

std::vector<SurfaceMesh> color_bands(const SurfaceMesh& mesh, std::span<const float> value, const ValueRange& range,
                                     std::size_t bands) {
  std::vector<SurfaceMesh> out(bands);
  if (value.size() != mesh.position.size() || bands == 0) return out;
  const float step = std::max((range.max - range.min) / static_cast<float>(bands), 1e-30F);
  const auto band_of = [&](float v) {
    const float at = std::clamp((v - range.min) / step, 0.0F, static_cast<float>(bands - 1));
    return static_cast<std::size_t>(at);
  };
  // Triangles that lie in one band share their vertices.
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> kept(bands);
  std::vector<ValuedVertex> rest, below, above;
  for (const auto& triangle : mesh.triangle) {
    std::array<std::size_t, 3> band{};
    bool is_finite_value = true;
    for (std::size_t c = 0; c < 3; ++c) {
      is_finite_value &= std::isfinite(value[triangle[c]]);
      band[c] = is_finite_value ? band_of(value[triangle[c]]) : 0;
    }
    if (!is_finite_value) continue;
    const auto [low, high] = std::minmax({band[0], band[1], band[2]});
    if (low == high) {
      SurfaceMesh& to = out[low];
      std::array<std::uint32_t, 3> corner{};
      for (std::size_t c = 0; c < 3; ++c) {
        const auto [at, is_new] = kept[low].try_emplace(triangle[c], static_cast<std::uint32_t>(to.position.size()));
        corner[c] = at->second;
        if (!is_new) continue;
        to.position.push_back(mesh.position[triangle[c]]);
        to.normal.push_back(mesh.normal[triangle[c]]);
      }
      to.triangle.push_back(corner);
      continue;
    }
    rest.clear();
    for (const std::uint32_t v : triangle) rest.push_back({mesh.position[v], mesh.normal[v], value[v]});
    for (std::size_t k = low; k < high; ++k) {
      split_polygon(rest, range.min + static_cast<float>(k + 1) * step, below, above);
      add_fan(below, out[k]);
      rest.swap(above);
    }
    add_fan(rest, out[high]);
  }
  return out;
}

glm::vec3 band_color(const ColorMap& map, std::size_t k, std::size_t bands) {
  return map[std::min((2 * k + 1) * map.size() / (2 * bands), map.size() - 1)];
}

ColliderSnapshot flow_solid(std::shared_ptr<const SurfaceMesh> mesh, const glm::vec3& srgb) {
  ColliderSnapshot solid;
  const glm::vec3 linear = light_of(srgb);
  solid.kind = ColliderSnapshot::Kind::mesh;
  solid.color = {linear.r, linear.g, linear.b};
  solid.mesh = std::move(mesh);
  solid.two_sided = true;
  return solid;
}

void FlowSurfaceDrawing::build(const FlowSurfaces& surfaces, const std::string& name, const ViewParams& view,
                               double time_s, double opacity) {
  list(surfaces, name, view, time_s);
  for (ColliderSnapshot& solid : solids_) solid.opacity = static_cast<float>(opacity);
  if (opacity < 1)
    std::ranges::stable_sort(solids_, std::greater{},
                             [](const ColliderSnapshot& solid) { return diagonal_m(*solid.mesh); });
}

void FlowSurfaceDrawing::list(const FlowSurfaces& surfaces, const std::string& name, const ViewParams& view,
                              double time_s) {
  legends_.clear();
  if (surfaces.surface.empty()) {
    shown_.clear(), solids_.clear();
    return;
  }
  Legend legend;
  if (!surfaces.color.empty()) {
    paint(surfaces, view, time_s, legend);
    legend.title = name + ": " + quantity_title(surfaces.color);
    if (surfaces.surface.size() == 1)
      legend.title += fmt::format(" at {} = {:.3g} {}", quantity_title(surfaces.quantity), surfaces.surface[0].level,
                                  surfaces.unit);
    else
      legend.title += " on surfaces of " + quantity_title(surfaces.quantity);
    legends_.push_back(std::move(legend));
    return;
  }
  solids_.clear(), shown_.clear();
  legend.title = name + ": " + quantity_title(surfaces.quantity);
  legend.lists_one = true;
  const std::size_t count = surfaces.surface.size();
  for (std::size_t k = 0; k < count; ++k) {
    const FlowSurface& surface = surfaces.surface[k];
    const glm::vec3 color =
        count == 1 ? lone_surface_color : band_color(color_map(view.color_map, false), k + 1, count + 1);
    solids_.push_back(flow_solid(surface.mesh, color));
    legend.entries.emplace_back(fmt::format("{:.4g} {}", surface.level, surfaces.unit), color);
  }
  legends_.push_back(std::move(legend));
}

/// Divides the surfaces into bands of colour, and fills the legend with the colours and their range.
void FlowSurfaceDrawing::paint(const FlowSurfaces& surfaces, const ViewParams& view, double time_s, Legend& bar) {
  values_.clear();
  for (const FlowSurface& surface : surfaces.surface)
    values_.insert(values_.end(), surface.value.begin(), surface.value.end());
  ValueRange range = value_range(values_, surfaces.color_is_signed, scratch_);
  if (!(range.max > range.min)) range = {range.min - 0.5F, range.max + 0.5F};
  range = follow_range(range_, surfaces.quantity + "." + surfaces.color, range, time_s);
  const std::size_t bands =
      view.color_levels < 2 ? surface_bands : static_cast<std::size_t>(std::min<std::int64_t>(view.color_levels, 256));
  const ColorMap map = with_levels(color_map(view.color_map, surfaces.color_is_signed), view.color_levels);
  bar.unit = surfaces.color_unit;
  bar.min = range.min, bar.max = range.max;
  bar.colors = map;
  bar.levels = view.color_levels < 2 ? 0 : static_cast<int>(view.color_levels);
  const float off = std::max(std::abs(range.min - painted_.min), std::abs(range.max - painted_.max));
  const bool is_same = map == map_ && off <= 0.002F * (painted_.max - painted_.min) &&
                       std::ranges::equal(shown_, surfaces.surface, {}, {}, &FlowSurface::mesh);
  if (is_same) return;
  solids_.clear(), shown_.clear();
  for (const FlowSurface& surface : surfaces.surface) {
    shown_.push_back(surface.mesh);
    add_band_solids(color_bands(*surface.mesh, surface.value, range, bands), map, solids_);
  }
  painted_ = range;
  map_ = map;
}

}  // namespace vw
