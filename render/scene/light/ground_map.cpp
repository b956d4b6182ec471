// Contact shadows are drawn as the footprints of objects near the ground. The footprints are weighted by height and
// then blurred several times.
#include "render/scene/light/ground_map.h"

#include <algorithm>
#include <cmath>

#include "render/scene/collider_drawing.h"

namespace vw {
namespace {

// Cells per side of the contact map, which is blurred, and texels per side of the texture.
constexpr int coarse = 128, fine = GroundMap::side;

struct Footprint {
  SnappedSquare square;
  float reach_m = 1, ground_m = 0;

  /// Darkens the cells below a horizontal square with half width h. The weight decreases with the height of the
  /// object's underside. Squares completely below the ground are ignored.
  void add(std::vector<float>& cells, const glm::vec3& p, float h) const {
    const float lift = std::max(p.y - h - ground_m, 0.0F);
    if (!(lift < reach_m) || !(p.y + h > ground_m) || !std::isfinite(p.x + p.z)) return;
    const float near = 1 - lift / reach_m, weight = near * near;
    const glm::vec2 low = (glm::vec2(p.x, p.z) - h - square.corner) / square.cell_m,
                    high = (glm::vec2(p.x, p.z) + h - square.corner) / square.cell_m;
    if (high.x < 0 || high.y < 0 || low.x >= coarse || low.y >= coarse) return;
    const auto first = glm::ivec2(glm::clamp(low, 0.0F, coarse - 1.0F)),
               last = glm::ivec2(glm::clamp(high, 0.0F, coarse - 1.0F));
    for (int z = first.y; z <= last.y; ++z)
      for (int x = first.x; x <= last.x; ++x) {
        const float cx = std::min(high.x, static_cast<float>(x + 1)) - std::max(low.x, static_cast<float>(x));
        const float cz = std::min(high.y, static_cast<float>(z + 1)) - std::max(low.y, static_cast<float>(z));
        float& cell = cells[static_cast<std::size_t>(z * coarse + x)];
        cell = std::max(cell, weight * std::clamp(cx, 0.0F, 1.0F) * std::clamp(cz, 0.0F, 1.0F));
      }
  }

  /// Darkens the cells below each triangle. The triangle is sampled at its corners and at points about one cell apart.
  void add(std::vector<float>& cells, const ColliderSnapshot& collider) const {
    const SurfaceMesh* mesh = surface_of(collider);
    if (mesh == nullptr) return;
    const glm::mat4 place = matrix_of(collider);
    for (const auto& corners : mesh->triangle) {
      const auto at = [&](std::size_t k) {
        const Vec3f& p = mesh->position[corners[k]];
        return glm::vec3(place * glm::vec4(p.x(), p.y(), p.z(), 1));
      };
      const glm::vec3 a = at(0), u = at(1) - a, v = at(2) - a;
      const float longest = std::sqrt(std::max({glm::dot(u, u), glm::dot(v, v), glm::dot(u - v, u - v)}));
      if (!std::isfinite(longest) || std::min({a.y, a.y + u.y, a.y + v.y}) > ground_m + reach_m + square.cell_m)
        continue;
      const int cuts =
          static_cast<int>(std::clamp(std::ceil(longest / square.cell_m), 1.0F, static_cast<float>(coarse)));
      const float part = 1.0F / static_cast<float>(cuts);
      for (int i = 0; i <= cuts; ++i)
        for (int j = 0; i + j <= cuts; ++j)
          add(cells, a + part * (static_cast<float>(i) * u + static_cast<float>(j) * v), square.cell_m);
    }
  }
};

/// Weight that fades to zero at the border of the map, so that the border is not visible.
float fade_in(int i, int side) {
  return std::min({static_cast<float>(i), static_cast<float>(side - 1 - i), 12.0F}) / 12.0F;
}

std::uint8_t to_byte(float x) { return static_cast<std::uint8_t>(std::clamp(x, 0.0F, 1.0F) * 255 + 0.5F); }

}  // namespace

/// Combines the blurred contact map, upsampled by a factor of two, with the shadows from sunlight.
void GroundMap::mix(const SnappedSquare& square, float ground_m, const SunGrid* sun) {
  bytes_.resize(2 * static_cast<std::size_t>(fine) * fine);
  contact_row_.resize(coarse);
  sun_row_.assign(fine, 0.0F);
  const float step = 0.5F * square.cell_m;
  glm::ivec2 low(fine), end(0);
  for (int z = 0; z < fine; ++z) {
    // The centre of texel z is a quarter of a coarse cell away from the centre of the coarse cell.
    const int here = z / 2, other = std::clamp(here + (z % 2 == 0 ? -1 : 1), 0, coarse - 1);
    const float *a = &cells_[static_cast<std::size_t>(here * coarse)],
                *b = &cells_[static_cast<std::size_t>(other * coarse)];
    const float rim_z = fade_in(z, fine);
    for (std::size_t x = 0; x < coarse; ++x) contact_row_[x] = 0.72F * (0.75F * a[x] + 0.25F * b[x]);
    if (sun != nullptr)
      sun->shaded({square.corner.x + 0.5F * step, ground_m, square.corner.y + step * (static_cast<float>(z) + 0.5F)},
                  {step, 0, 0}, sun_row_);
    for (int x = 0; x < fine; ++x) {
      const int near = x / 2, next = std::clamp(near + (x % 2 == 0 ? -1 : 1), 0, coarse - 1);
      const float rim = std::min(rim_z, fade_in(x, fine));
      std::uint8_t* to = &bytes_[2 * static_cast<std::size_t>(z * fine + x)];
      to[0] = to_byte(rim * (0.75F * contact_row_[static_cast<std::size_t>(near)] +
                             0.25F * contact_row_[static_cast<std::size_t>(next)]));
      to[1] = to_byte(rim * sun_row_[static_cast<std::size_t>(x)]);
      if ((to[0] | to[1]) == 0) continue;
      low = glm::min(low, glm::ivec2(x, z));
      end = glm::max(end, glm::ivec2(x, z) + 1);
    }
  }
  // Extend the rectangle by one texel on each side, because bilinear lookups just outside a darkened texel still read
  // this texel.
  const auto share = [](const glm::ivec2& texel) {
    return glm::clamp(glm::vec2(texel) / static_cast<float>(fine), 0.0F, 1.0F);
  };
  dark_part_ = low.x < end.x ? glm::vec4(share(low - 1), share(end + 1)) : glm::vec4(0);
}

glm::vec4 GroundMap::draw(const std::vector<Figure>& figures, std::size_t count,
                          std::span<const ColliderSnapshot> solids, const Bounds3& box, float ground_m,
                          const SunGrid* sun) {
  const glm::vec3 size = box.max - box.min, c = box.center();
  // Extend the map beyond the box by the length of the shadows, which is about the height of the objects.
  const float half = 0.75F * std::max(size.x, size.z) + (sun != nullptr ? 0.7F : 0.05F) * size.y + 1e-4F;
  const SnappedSquare square = SnappedSquare::over({c.x - half, c.z - half}, {c.x + half, c.z + half}, coarse);
  const Footprint print{square, 0.10F * std::max({size.x, size.z, size.y}), ground_m};
  cells_.assign(static_cast<std::size_t>(coarse) * coarse, 0.0F);
  for (std::size_t f = 0; f < count; ++f) {
    if (figures[f].shape == FigureShape::bodies || figures[f].shape == FigureShape::surface) continue;
    const float width = figures[f].shape == FigureShape::members ? member_width : 1;
    for (std::size_t i = 0; i < figures[f].places.size(); ++i)
      if (casts_shadow(figures[f], i))
        print.add(cells_, glm::vec3(figures[f].places[i]), width * figures[f].places[i].w);
  }
  for (const ColliderSnapshot& collider : solids) {
    if (!casts_shadow(collider)) continue;
    if (collider.kind != ColliderSnapshot::Kind::sphere) {
      print.add(cells_, collider);
      continue;
    }
    print.add(cells_, {collider.position.x(), collider.position.y(), collider.position.z()},
              0.8F * collider.half_extent.x());
  }
  for (int pass = 0; pass < 8; ++pass) blur_square(cells_, scratch_, coarse);
  mix(square, ground_m, sun);
  const float width = square.cell_m * coarse;
  return {square.corner, 1 / width, 1 / width};
}

}  // namespace vw
