#include "render/scene/cut_caps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>

#include "render/scene/collider_drawing.h"
#include "render/scene/convex_polygon.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

/// Voxels are enlarged by this factor, so that a bent body has no gaps between the polygons of its voxels.
constexpr float cap_overlap = 1.02F;
/// Brightness of the inside of a solid, relative to its surface.
constexpr float inside_share = 0.82F;

/// A cut plane with axes. `normal` points into the half space that is drawn. Caps face the opposite direction.
struct CapPlane {
  glm::vec3 normal, u, v, foot;
  float offset;

  explicit CapPlane(const glm::vec4& plane) : normal(plane), offset(plane.w) {
    const glm::vec3 other = std::abs(normal.y) < 0.9F ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
    u = glm::normalize(glm::cross(other, normal));
    v = glm::cross(u, normal);  // u x v = -normal
    foot = -offset * normal;
  }
  [[nodiscard]] float height(const glm::vec3& p) const { return glm::dot(normal, p) + offset; }
  [[nodiscard]] glm::vec2 project(const glm::vec3& p) const { return {glm::dot(u, p - foot), glm::dot(v, p - foot)}; }
  [[nodiscard]] glm::vec3 point(const glm::vec2& at) const { return foot + at.x * u + at.y * v; }
};

/// Collects the polygons of one cut plane in one mesh for each colour.
class CapMeshes {
 public:
  CapMeshes(const CutPlanes& cut, std::size_t which, float lift_m)
      : cut_(cut), which_(which), plane_(cut.plane[which]), lift_m_(lift_m) {}
  [[nodiscard]] const CapPlane& plane() const { return plane_; }

  /// Adds a convex polygon on the plane, clipped by the other cut planes. `color`: sRGB bytes.
  void add(ConvexPolygon polygon, std::uint32_t color) {
    for (std::size_t k = 0; k < cut_.count && polygon.count > 2; ++k)
      if (k != which_) clip(polygon, glm::vec3(cut_.plane[k]), cut_.plane[k].w);
    if (polygon.count < 3) return;
    SurfaceMesh& mesh = meshes_[color & 0xFFFFFFU];
    const auto first = static_cast<std::uint32_t>(mesh.position.size());
    for (std::size_t k = 0; k < polygon.count; ++k) {
      // The cap lies slightly inside the half space that is drawn, so that the cut plane does not clip it.
      const glm::vec3 p = polygon.corner[k] + lift_m_ * plane_.normal;
      mesh.position.emplace_back(p.x, p.y, p.z);
      mesh.normal.emplace_back(-plane_.normal.x, -plane_.normal.y, -plane_.normal.z);
      const auto i = static_cast<std::uint32_t>(k);
      if (k >= 2) mesh.triangle.push_back({first, first + i - 1, first + i});
    }
  }

  void append_to(std::vector<ColliderSnapshot>& solids) {
    for (auto& [color, mesh] : meshes_) {
      ColliderSnapshot& cap = solids.emplace_back();
      const glm::vec3 linear = linear_of(color);
      cap.kind = ColliderSnapshot::Kind::mesh;
      cap.color = {linear.r, linear.g, linear.b};
      cap.mesh = std::make_shared<const SurfaceMesh>(std::move(mesh));
      cap.two_sided = true;
    }
  }

 private:
  const CutPlanes& cut_;
  std::size_t which_;
  CapPlane plane_;
  float lift_m_;
  std::map<std::uint32_t, SurfaceMesh> meshes_;
};

/// Rounds a colour of a colour map, so that a small number of meshes suffices.
std::uint32_t rounded_color(std::uint32_t color) { return (color & 0xF8F8F8U) | 0x040404U; }

/// Adds the intersection of the plane with each voxel, which is a cube in its own pose.
void add_voxels(const Figure& figure, CapMeshes& out) {
  const CapPlane& plane = out.plane();
  for (std::size_t i = 0; i < figure.places.size() && i < figure.turns.size(); ++i) {
    const glm::vec3 middle(figure.places[i]);
    // mark_hidden() (frame_data.cpp) replaces the half edge of voxels beyond the plane by -1.
    const float half = cap_overlap * (figure.places[i].w > 0 ? figure.places[i].w : 0.5F * figure.skin->edge_m);
    const float height = plane.height(middle);
    if (!(std::abs(height) < std::numbers::sqrt3_v<float> * half)) continue;
    const glm::vec3 at = middle - height * plane.normal;
    const float reach = 2 * half;
    ConvexPolygon polygon;
    polygon.count = 4;
    polygon.corner[0] = at - reach * plane.u - reach * plane.v,
    polygon.corner[1] = at + reach * plane.u - reach * plane.v;
    polygon.corner[2] = at + reach * plane.u + reach * plane.v,
    polygon.corner[3] = at - reach * plane.u + reach * plane.v;
    for (int axis = 0; axis < 3 && polygon.count > 2; ++axis) {
      glm::vec3 unit(0);
      unit[axis] = 1;
      const glm::vec3 n = turned(figure.turns[i], unit);
      clip(polygon, n, half - glm::dot(n, middle));
      clip(polygon, -n, half + glm::dot(n, middle));
    }
    out.add(polygon, figure.own_colors ? figure.colors[i] : rounded_color(figure.colors[i]));
  }
}

/// Sums of the colours of particles on the nodes of a grid in the plane, weighted by a smoothing kernel.
struct ColorGrid {
  glm::vec2 origin{0};
  float cell = 0;
  std::size_t nu = 0, nv = 0;
  std::vector<glm::vec4> sum;  ///< linear colour times weight, and the weight

  void splat(const glm::vec2& at, float height, float support, float volume, const glm::vec3& color) {
    const glm::vec2 low = (at - support - origin) / cell, high = (at + support - origin) / cell;
    const auto first = [](float x) { return static_cast<std::size_t>(std::max(0.0F, std::ceil(x))); };
    for (std::size_t j = first(low.y); j < nv && static_cast<float>(j) <= high.y; ++j)
      for (std::size_t i = first(low.x); i < nu && static_cast<float>(i) <= high.x; ++i) {
        const glm::vec2 off = origin + cell * glm::vec2(i, j) - at;
        const float q = std::sqrt(glm::dot(off, off) + height * height) / support;
        if (q >= 1) continue;
        // C2 kernel of Wendland, "Piecewise polynomial, positive definite and compactly supported radial functions",
        // 1995.
        const float t = 1 - q, w = volume * 21 / (2 * std::numbers::pi_v<float>)*t * t * t * t * (1 + 4 * q);
        sum[j * nu + i] += glm::vec4(w * color, w);
      }
  }
};

/// A particle near a cut plane: its row in the figure, and its projection on the plane.
struct NearParticle {
  std::size_t row;
  glm::vec2 at;
};

/// Maximum number of nodes of a grid that is not coarsened.
constexpr float most_nodes = 4e6F;

/// Width and height of the grid for the particles, whose lower left corner is returned in `low`.
glm::vec2 grid_size(std::span<const NearParticle> particles, float spacing, glm::vec2& low) {
  low = particles[0].at;
  glm::vec2 high = low;
  for (const NearParticle& particle : particles) {
    low = glm::min(low, particle.at);
    high = glm::max(high, particle.at);
  }
  return high - low + 2 * spacing;
}

/// Sorts the particles along an axis, and divides them where neighbours are more than `gap` apart.
std::vector<std::span<NearParticle>> divided(std::span<NearParticle> particles, int axis, float gap) {
  std::ranges::sort(particles, [axis](const NearParticle& a, const NearParticle& b) {
    return a.at[axis] != b.at[axis] ? a.at[axis] < b.at[axis] : a.row < b.row;
  });
  std::vector<std::span<NearParticle>> parts;
  std::size_t first = 0;
  for (std::size_t k = 1; k <= particles.size(); ++k) {
    if (k < particles.size() && !(particles[k].at[axis] - particles[k - 1].at[axis] > gap)) continue;
    parts.push_back(particles.subspan(first, k - first));
    first = k;
  }
  return parts;
}

/// Adds the section of those particles of a fluid: the cells of a grid in the plane at whose four nodes the smoothed
/// volume fraction exceeds one half.
void add_fluid_part(const Figure& figure, std::span<const NearParticle> particles, CapMeshes& out) {
  const CapPlane& plane = out.plane();
  const float spacing = figure.spacing_m, support = 2 * spacing;
  glm::vec2 low(0);
  const glm::vec2 size = grid_size(particles, spacing, low);
  ColorGrid grid;
  grid.origin = low - spacing;
  // The last limit bounds the number of nodes along one axis, for a long and narrow grid.
  grid.cell =
      std::max({spacing / 3, std::sqrt(size.x * size.y / most_nodes), 4 * std::max(size.x, size.y) / most_nodes});
  grid.nu = static_cast<std::size_t>(size.x / grid.cell) + 2;
  grid.nv = static_cast<std::size_t>(size.y / grid.cell) + 2;
  grid.sum.assign(grid.nu * grid.nv, glm::vec4(0));
  const float volume = spacing * spacing * spacing / (support * support * support);
  for (const NearParticle& particle : particles)
    grid.splat(particle.at, plane.height(glm::vec3(figure.places[particle.row])), support, volume,
               linear_of(figure.colors[particle.row]));
  for (std::size_t j = 0; j + 1 < grid.nv; ++j)
    for (std::size_t i = 0; i + 1 < grid.nu; ++i) {
      const std::size_t at = j * grid.nu + i;
      glm::vec4 sum(0);
      bool is_inside = true;
      for (const std::size_t node : {at, at + 1, at + grid.nu, at + grid.nu + 1}) {
        is_inside &= grid.sum[node].w > 0.5F;
        sum += grid.sum[node];
      }
      if (!is_inside) continue;
      ConvexPolygon polygon;
      for (const glm::vec2& corner : {glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(1, 1), glm::vec2(0, 1)})
        polygon.corner[polygon.count++] = plane.point(grid.origin + grid.cell * (glm::vec2(i, j) + corner));
      out.add(polygon, rounded_color(pack_linear(glm::vec3(sum) / sum.w)));
    }
}

/// Adds the section of a fluid. If the grid would have too many nodes, for example because of a drop far away, groups
/// of particles with gaps between them have a grid each.
void add_fluid(const Figure& figure, CapMeshes& out) {
  const CapPlane& plane = out.plane();
  const float spacing = figure.spacing_m, support = 2 * spacing;
  std::vector<NearParticle> near;
  for (std::size_t i = 0; i < figure.places.size(); ++i) {
    const glm::vec3 place(figure.places[i]);
    if (!is_finite(place) || !(std::abs(plane.height(place)) < support)) continue;
    const glm::vec2 at = plane.project(place);
    if (std::isfinite(at.x) && std::isfinite(at.y)) near.push_back({i, at});
  }
  if (near.empty() || !(spacing > 0)) return;
  std::vector<std::span<NearParticle>> waiting;
  waiting.emplace_back(near);
  while (!waiting.empty()) {
    const std::span<NearParticle> group = waiting.back();
    waiting.pop_back();
    glm::vec2 low(0);
    const glm::vec2 cells = grid_size(group, spacing, low) / (spacing / 3);
    std::vector<std::span<NearParticle>> parts;
    if (!(cells.x * cells.y <= most_nodes))
      for (int axis = 0; axis < 2 && parts.size() < 2; ++axis) parts = divided(group, axis, 2 * support);
    if (parts.size() < 2)
      add_fluid_part(figure, group, out);
    else
      waiting.insert(waiting.end(), parts.begin(), parts.end());
  }
}

/// Adds the section of a closed surface.
void add_solid_section(const ColliderSnapshot& solid, CapMeshes& out) {
  const SurfaceMesh* surface = surface_of(solid);
  if (surface == nullptr || solid.two_sided || is_glass(solid)) return;
  const CapPlane& plane = out.plane();
  const glm::mat4 place = matrix_of(solid);
  std::vector<glm::vec3> points(surface->position.size());
  std::vector<float> height(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = glm::vec3(place * glm::vec4(to_glm(surface->position[i]), 1));
    height[i] = plane.height(points[i]);
  }
  std::vector<SectionSegment> segments;
  for (const auto& triangle : surface->triangle) {
    std::array<glm::vec2, 2> end{};
    std::size_t ends = 0;
    for (std::size_t k = 0; k < 3 && ends < 2; ++k) {
      std::size_t a = triangle[k], b = triangle[(k + 1) % 3];
      if ((height[a] >= 0) == (height[b] >= 0)) continue;
      if (height[a] >= 0) std::swap(a, b);  // both triangles at an edge then compute the same point
      end[ends++] = plane.project(points[a] + height[a] / (height[a] - height[b]) * (points[b] - points[a]));
    }
    if (ends == 2) segments.push_back({end[0], end[1]});
  }
  const std::uint32_t color = pack_linear(inside_share * to_glm(solid.color));
  for (const Trapezoid& part : fill_section(segments)) {
    ConvexPolygon polygon;
    for (const glm::vec2& corner : part) polygon.corner[polygon.count++] = plane.point(corner);
    out.add(polygon, color);
  }
}

/// Distance of a solid's caps from the cut plane [m]: a small part of the solid, but more than the rounding errors of
/// coordinates at the plane. `offset`: distance of the plane from the origin [m].
float lift_of_cap(const ColliderSnapshot& solid, float offset) {
  float size = 0;
  if (solid.kind != ColliderSnapshot::Kind::mesh)
    size = solid.half_extent.maxCoeff();
  else if (solid.mesh != nullptr)
    for (const Vec3f& p : solid.mesh->position) size = std::max(size, p.cwiseAbs().maxCoeff());
  return std::max(1e-4F * size, 2e-6F * std::abs(offset));
}

}  // namespace

std::vector<Trapezoid> fill_section(std::span<const SectionSegment> given) {
  std::vector<SectionSegment> segments;
  std::vector<float> levels;
  for (SectionSegment s : given) {
    if (s.a.y > s.b.y) std::swap(s.a, s.b);
    if (!std::isfinite(s.a.x + s.a.y + s.b.x + s.b.y)) continue;
    levels.push_back(s.a.y);
    levels.push_back(s.b.y);
    if (s.a.y < s.b.y) segments.push_back(s);
  }
  std::ranges::sort(levels);
  levels.erase(std::ranges::unique(levels).begin(), levels.end());
  std::ranges::sort(segments, {}, [](const SectionSegment& s) { return s.a.y; });
  std::vector<Trapezoid> out;
  std::vector<SectionSegment> active;
  struct Side {
    float low, high;
  };
  std::vector<Side> sides;
  std::size_t next = 0;
  for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
    const float low = levels[k], high = levels[k + 1];
    while (next < segments.size() && segments[next].a.y <= low) active.push_back(segments[next++]);
    std::erase_if(active, [&](const SectionSegment& s) { return s.b.y <= low; });
    sides.clear();
    for (const SectionSegment& s : active) {
      const auto x_at = [&](float y) { return glm::mix(s.a.x, s.b.x, (y - s.a.y) / (s.b.y - s.a.y)); };
      sides.push_back({x_at(low), x_at(high)});
    }
    if (sides.size() % 2 != 0) continue;
    std::ranges::sort(sides, {}, [](const Side& side) { return side.low + side.high; });
    for (std::size_t i = 0; i + 1 < sides.size(); i += 2)
      out.push_back({glm::vec2(sides[i].low, low), glm::vec2(sides[i + 1].low, low), glm::vec2(sides[i + 1].high, high),
                     glm::vec2(sides[i].high, high)});
  }
  return out;
}

void add_cut_caps(const CutPlanes& cut, std::span<const Figure> figures, std::vector<ColliderSnapshot>& solids) {
  const std::size_t bodies = solids.size();
  std::vector<ColliderSnapshot> caps;
  for (std::size_t k = 0; k < cut.count; ++k) {
    for (const Figure& figure : figures) {
      if (figure.shape == FigureShape::skin && figure.skin != nullptr) {
        CapMeshes meshes(cut, k, 0.01F * figure.skin->edge_m);
        add_voxels(figure, meshes);
        meshes.append_to(caps);
      } else if (figure.look == LookKind::fluid && figure.shape != FigureShape::hidden && !figure.own_colors) {
        CapMeshes meshes(cut, k, 0.01F * figure.spacing_m);
        add_fluid(figure, meshes);
        meshes.append_to(caps);
      }
    }
    for (std::size_t i = 0; i < bodies; ++i) {
      CapMeshes meshes(cut, k, lift_of_cap(solids[i], cut.plane[k].w));
      add_solid_section(solids[i], meshes);
      meshes.append_to(caps);
    }
  }
  solids.insert(solids.end(), std::make_move_iterator(caps.begin()), std::make_move_iterator(caps.end()));
}

}  // namespace vw
