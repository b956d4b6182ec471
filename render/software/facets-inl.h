// Inner loop over the pixels of a facet. Corners lie on a grid of 1/256 pixel and samples on a grid of 1/16 pixel. The
// edge functions are therefore exact in double precision. With the top-left rule, adjacent facets have neither gaps nor
// overlaps.
#pragma once

#include "render/software/facets.h"

namespace vw::soft {

template <class Visit>
void each_covered(const Facet& facet, const Tile& tile, const Visit& visit) {
  const auto& c = facet.corner;
  std::array<glm::dvec2, 3> p{};
  for (std::size_t k = 0; k < 3; ++k) p[k] = glm::dvec2(glm::vec2(c[k])) - glm::dvec2(tile.x0, tile.y0);
  const double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
  if (area == 0) return;
  if (area < 0) std::swap(p[1], p[2]);
  const double low_x = std::min({p[0].x, p[1].x, p[2].x}), high_x = std::max({p[0].x, p[1].x, p[2].x});
  const double low_y = std::min({p[0].y, p[1].y, p[2].y}), high_y = std::max({p[0].y, p[1].y, p[2].y});
  if (!(high_x >= 0 && high_y >= 0 && low_x < tile.width && low_y < tile.height)) return;
  const int x0 = static_cast<int>(std::max(low_x, 0.0)), x1 = static_cast<int>(std::min(high_x, tile.width - 1.0));
  const int y0 = static_cast<int>(std::max(low_y, 0.0)), y1 = static_cast<int>(std::min(high_y, tile.height - 1.0));
  std::array<double, 3> by_x{}, by_y{}, start{};
  for (std::size_t k = 0; k < 3; ++k) {
    const glm::dvec2 from = p[k], along = p[(k + 1) % 3] - from;
    by_x[k] = -along.y;
    by_y[k] = along.x;
    start[k] = along.x * (y0 - from.y) - along.y * (x0 - from.x);
    // A sample exactly on an edge belongs to the facet only if the edge is a left or top edge. For other edges, half of
    // the smallest step of the edge function (1/65536) is subtracted.
    if (!(along.y < 0 || (along.y == 0 && along.x > 0))) start[k] -= 1.0 / 131072;
  }
  // q is a linear function of the picture coordinates.
  const glm::vec3 e = c[1] - c[0], f = c[2] - c[0];
  const double turn =
      static_cast<double>(e.x) * static_cast<double>(f.y) - static_cast<double>(e.y) * static_cast<double>(f.x);
  const double q_x =
      (static_cast<double>(e.z) * static_cast<double>(f.y) - static_cast<double>(f.z) * static_cast<double>(e.y)) /
      turn;
  const double q_y =
      (static_cast<double>(f.z) * static_cast<double>(e.x) - static_cast<double>(e.z) * static_cast<double>(f.x)) /
      turn;
  const double q_0 = static_cast<double>(c[0].z) - q_x * (static_cast<double>(c[0].x) - tile.x0) -
                     q_y * (static_cast<double>(c[0].y) - tile.y0);
  std::array<std::array<double, 3>, samples> shift{};
  for (std::size_t s = 0; s < samples; ++s)
    for (std::size_t k = 0; k < 3; ++k)
      shift[s][k] = by_x[k] * static_cast<double>(sample_at[s].x) + by_y[k] * static_cast<double>(sample_at[s].y);
  for (int y = y0; y <= y1; ++y) {
    std::array<double, 3> w{};
    for (std::size_t k = 0; k < 3; ++k) w[k] = start[k] + by_y[k] * (y - y0);
    for (int x = x0; x <= x1; ++x) {
      Covered covered;
      for (std::size_t s = 0; s < samples; ++s) {
        const auto inside = [&](std::size_t k) { return static_cast<unsigned>(w[k] + shift[s][k] >= 0); };
        covered.mask |= (inside(0) & inside(1) & inside(2)) << s;
      }
      if (covered.mask != 0) {
        for (std::size_t s = 0; s < samples; ++s)
          covered.q[s] = static_cast<float>(q_0 + q_x * (x + static_cast<double>(sample_at[s].x)) +
                                            q_y * (y + static_cast<double>(sample_at[s].y)));
        visit(x, y, covered);
      }
      for (std::size_t k = 0; k < 3; ++k) w[k] += by_x[k];
    }
  }
}

}  // namespace vw::soft
