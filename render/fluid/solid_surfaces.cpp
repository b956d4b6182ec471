#include "render/fluid/solid_surfaces.h"

#include <algorithm>
#include <cmath>

#include "render/scene/collider_drawing.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

/// Nearest point of a triangle (C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.5).
glm::vec3 nearest_in_triangle(const glm::vec3& p, const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
  const glm::vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const float d1 = glm::dot(ab, ap), d2 = glm::dot(ac, ap), d3 = glm::dot(ab, bp), d4 = glm::dot(ac, bp),
              d5 = glm::dot(ab, cp), d6 = glm::dot(ac, cp);
  if (d1 <= 0 && d2 <= 0) return a;
  if (d3 >= 0 && d4 <= d3) return b;
  if (d6 >= 0 && d5 <= d6) return c;
  const float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + d1 / (d1 - d3) * ab;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + d2 / (d2 - d6) * ac;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
  return a + (vb * ab + vc * ac) / (va + vb + vc);
}

}  // namespace

SolidSurfaces::SolidSurfaces(std::span<const Figure> figures, std::span<const ColliderSnapshot> solids,
                             const Bounds3& bounds, float reach_m, float clearance_m)
    : low_(bounds.min - reach_m), reach_m_(reach_m), clearance_m_(clearance_m) {
  constexpr float most_cells = 1 << 20;  // per axis, so that a key has 60 bits
  count_ = glm::ivec3(glm::clamp((bounds.max - bounds.min) / reach_m + 3.0F, 1.0F, most_cells));
  for (const Figure& figure : figures) {
    if (figure.shape != FigureShape::skin || figure.skin == nullptr) continue;
    for (const VoxelSkin::Quad& quad : figure.skin->quads) {
      const auto at = [&](std::size_t k) {
        return glm::vec3(figure.corners[static_cast<std::size_t>(quad.vertex[k])].place);
      };
      add({at(0), at(1), at(2)});
      add({at(0), at(2), at(3)});
    }
  }
  for (const ColliderSnapshot& solid : solids) {
    const SurfaceMesh* mesh = surface_of(solid);
    if (mesh == nullptr || is_glass(solid) || solid.two_sided) continue;
    const glm::mat4 place = matrix_of(solid);
    for (const auto& triangle : mesh->triangle) {
      const auto at = [&](std::size_t k) {
        return glm::vec3(place * glm::vec4(to_glm(mesh->position[triangle[k]]), 1));
      };
      add({at(0), at(1), at(2)});
    }
  }
  std::sort(cells_.begin(), cells_.end());
  cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
}

void SolidSurfaces::add(const Triangle& triangle) {
  if (!is_finite(triangle[0]) || !is_finite(triangle[1]) || !is_finite(triangle[2])) return;
  const std::size_t before = cells_.size();
  add_part(triangle, static_cast<std::uint32_t>(triangles_.size()));
  if (cells_.size() > before) triangles_.push_back(triangle);
}

void SolidSurfaces::add_part(const Triangle& part, std::uint32_t index) {
  // If a drop is far from the fluid, `bounds` may contain many cells of a large floor. Solids beyond this limit, a
  // gigabyte, have no images.
  constexpr std::size_t most_entries = std::size_t{1} << 26U;
  if (cells_.size() >= most_entries) return;
  const glm::vec3 low = glm::min(part[0], glm::min(part[1], part[2])) - reach_m_,
                  high = glm::max(part[0], glm::max(part[1], part[2])) + reach_m_;
  const glm::vec3 size = static_cast<glm::vec3>(count_) * reach_m_;
  if (glm::any(glm::lessThan(high, low_)) || glm::any(glm::greaterThan(low, low_ + size))) return;
  const glm::vec3 span = high - low;
  if (std::max({span.x, span.y, span.z}) > 6 * reach_m_) {
    std::size_t longest = 0;
    float most = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const float length = glm::distance(part[k], part[(k + 1) % 3]);
      if (length > most) most = length, longest = k;
    }
    const glm::vec3 middle = 0.5F * (part[longest] + part[(longest + 1) % 3]);
    add_part({part[longest], middle, part[(longest + 2) % 3]}, index);
    add_part({middle, part[(longest + 1) % 3], part[(longest + 2) % 3]}, index);
    return;
  }
  const glm::ivec3 first = cell_of(low), last = cell_of(high);
  for (int z = first.z; z <= last.z; ++z)
    for (int y = first.y; y <= last.y; ++y)
      for (int x = first.x; x <= last.x; ++x) cells_.emplace_back(key_of({x, y, z}), index);
}

glm::ivec3 SolidSurfaces::cell_of(const glm::vec3& place) const {
  const glm::vec3 last = static_cast<glm::vec3>(count_ - 1);
  return glm::ivec3(glm::clamp((place - low_) / reach_m_, glm::vec3(0), last));
}

std::uint64_t SolidSurfaces::key_of(const glm::ivec3& cell) const {
  return (static_cast<std::uint64_t>(cell.z) << 40U) | (static_cast<std::uint64_t>(cell.y) << 20U) |
         static_cast<std::uint64_t>(cell.x);
}

std::optional<SolidSurfaces::Nearest> SolidSurfaces::nearest(const glm::vec3& place) const {
  Nearest best{{}, reach_m_ * reach_m_, 0};
  float best_facing = -1;
  const std::uint64_t key = key_of(cell_of(place));
  for (auto entry = std::lower_bound(cells_.begin(), cells_.end(), std::pair{key, std::uint32_t{0}});
       entry != cells_.end() && entry->first == key; ++entry) {
    const Triangle& t = triangles_[entry->second];
    const glm::vec3 at = nearest_in_triangle(place, t[0], t[1], t[2]), away = place - at,
                    area = glm::cross(t[1] - t[0], t[2] - t[0]);
    const float squared = glm::dot(away, away);
    // At an edge or a corner, several triangles are equally near. The triangle that faces the point most directly
    // determines the side.
    const float facing = std::abs(glm::dot(away, area)) / std::max(glm::length(area), 1e-20F);
    if (!(squared < (1 - 1e-4F) * best.distance_squared) &&
        !(squared <= (1 + 1e-4F) * best.distance_squared && facing > best_facing))
      continue;
    best = {at, squared, glm::dot(away, area)};
    best_facing = facing;
  }
  if (best_facing < 0) return std::nullopt;
  return best;
}

std::optional<glm::vec3> SolidSurfaces::image_of(const glm::vec3& place) const {
  const auto surface = nearest(place);
  if (!surface || !(surface->side > 0)) return std::nullopt;
  for (const float share : {1.0F, 0.5F, 0.25F}) {
    const glm::vec3 image = surface->place + share * (surface->place - place);
    const auto around = nearest(image);
    if (!around || !(around->side < 0)) continue;
    // The image must not lie near another side of the solid, because that side may be dry.
    const glm::vec3 apart = around->place - surface->place;
    const bool is_same_side = glm::dot(apart, apart) < 0.01F * clearance_m_ * clearance_m_;
    if (is_same_side || around->distance_squared > clearance_m_ * clearance_m_) return image;
  }
  return std::nullopt;
}

}  // namespace vw
