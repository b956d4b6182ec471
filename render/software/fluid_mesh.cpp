// Draws the mesh of a fluid's surface into the depth map of FluidSheet, like shaders/fluid_mesh.frag.
#include <algorithm>
#include <cmath>

#include "render/software/fluid_sheet.h"
#include "render/vectors/vectors.h"

namespace vw::soft {

/// Writes 1 / depth of a triangle to all pixels whose centres it covers and at which it is the nearest. 1 / depth is
/// linear in the picture.
void FluidSheet::draw_facet(const Facet& facet, int first_row, int last_row) {
  const std::array<glm::vec3, 3>& corner = facet.at;
  const glm::vec3 u = corner[1] - corner[0], v = corner[2] - corner[0];
  const float area = u.x * v.y - u.y * v.x;
  if (!(std::abs(area) > 1e-12F)) return;
  const auto [left, right] = std::minmax({corner[0].x, corner[1].x, corner[2].x});
  const auto [top, bottom] = std::minmax({corner[0].y, corner[1].y, corner[2].y});
  const auto wide = static_cast<float>(projector_.width), tall = static_cast<float>(projector_.height);
  const int x0 = static_cast<int>(std::clamp(std::ceil(left - 0.5F), 0.0F, wide)),
            x1 = static_cast<int>(std::clamp(std::floor(right - 0.5F) + 1, 0.0F, wide)),
            y0 = std::max(static_cast<int>(std::clamp(std::ceil(top - 0.5F), 0.0F, tall)), first_row),
            y1 = std::min(static_cast<int>(std::clamp(std::floor(bottom - 0.5F) + 1, 0.0F, tall)) - 1, last_row);
  const float slope_x = (u.z * v.y - v.z * u.y) / area, slope_y = (v.z * u.x - u.z * v.x) / area;
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x < x1; ++x) {
      const float px = static_cast<float>(x) + 0.5F - corner[0].x, py = static_cast<float>(y) + 0.5F - corner[0].y;
      const float b = (px * v.y - py * v.x) / area, c = (u.x * py - u.y * px) / area;
      if (b < 0 || c < 0 || b + c > 1) continue;
      const float q = corner[0].z + slope_x * px + slope_y * py;
      if (q <= mesh_q_[at(x, y)]) continue;
      mesh_q_[at(x, y)] = q;
      mesh_normal_[at(x, y)] = (1 - b - c) * corner[0].z * facet.normal[0] + b * corner[1].z * facet.normal[1] +
                               c * corner[2].z * facet.normal[2];
    }
}

/// Weighted fraction of the 3 x 3 pixels around a pixel that show the mesh. It antialiases the outline of the mesh.
float FluidSheet::outline_at(int x, int y) const {
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int nx = std::clamp(x + dx, 0, projector_.width - 1), ny = std::clamp(y + dy, 0, projector_.height - 1);
      if (mesh_q_[at(nx, ny)] > 0) sum += (2 - std::abs(dx)) * (2 - std::abs(dy));
    }
  return static_cast<float>(sum) / 16;
}

void FluidSheet::fill_mesh_depths(const SurfaceMesh& mesh) {
  mesh_cover_.clear();
  if (mesh.triangle.empty()) return;
  draw_facets(mesh);
  mesh_cover_.assign(map_.size(), glm::vec2(0, 1));
  parallel_for(static_cast<std::size_t>(projector_.height), 16, [&](Range part, std::size_t) {
    for (auto y = static_cast<int>(part.begin); y < static_cast<int>(part.end); ++y)
      for (int x = 0; x < projector_.width; ++x) {
        const std::size_t i = at(x, y);
        if (mesh_q_[i] > 0) {
          map_[i].x = 1 / mesh_q_[i];
          mesh_cover_[i] = {outline_at(x, y), 1};
        } else if (map_[i].x > 0) {
          mesh_cover_[i] = {0, outline_at(x, y)};
        }
      }
  });
}

void FluidSheet::draw_facets(const SurfaceMesh& mesh) {
  facets_.clear();
  for (const auto& triangle : mesh.triangle) {
    Facet facet;
    bool is_in_front = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const glm::vec3 view = projector_.to_view(to_glm(mesh.position[triangle[k]]));
      is_in_front &= view.z > projector_.near_m;
      facet.at[k] = projector_.to_picture(view);
      facet.normal[k] = to_glm(mesh.normal[triangle[k]]);
    }
    if (is_in_front) facets_.push_back(facet);
  }
  mesh_q_.assign(map_.size(), 0.0F);
  mesh_normal_.resize(map_.size());
  const int bands = (projector_.height + sheet_band_rows - 1) / sheet_band_rows;
  facet_bands_.fill(
      1, bands, facets_.size(),
      [&](std::size_t i) {
        const auto [top, bottom] = std::minmax({facets_[i].at[0].y, facets_[i].at[1].y, facets_[i].at[2].y});
        const auto last = static_cast<float>(projector_.height - 1);
        if (!(bottom >= 0 && top <= last)) return TileRange{};
        return TileRange{0, static_cast<int>(std::max(top, 0.0F)) / sheet_band_rows, 0,
                         static_cast<int>(std::min(bottom, last)) / sheet_band_rows};
      },
      number_of);
  parallel_for(static_cast<std::size_t>(bands), 1, [&](Range part, std::size_t) {
    for (std::size_t band = part.begin; band < part.end; ++band) {
      const int first = static_cast<int>(band) * sheet_band_rows;
      for (const std::uint32_t i : facet_bands_.in(band))
        draw_facet(facets_[i], first, std::min(first + sheet_band_rows, projector_.height) - 1);
    }
  });
}

}  // namespace vw::soft
