#include "render/software/overlay.h"

#include <algorithm>
#include <cmath>

#include "render/software/light.h"
#include "render/software/splat_kernel.h"

namespace vw::soft {
namespace {

/// Blends a colour over the pixel without a depth test.
void lay_over(Tile& tile, int x, int y, const glm::vec3& color, float alpha) {
  if (alpha <= 0) return;
  if (tile.is_edge(x, y)) return blend_edge(tile.edge_at(x, y), beyond_all, color, alpha);
  const std::size_t at = Tile::cell(x, y);
  tile.red[at] += alpha * (color.r - tile.red[at]);
  tile.green[at] += alpha * (color.g - tile.green[at]);
  tile.blue[at] += alpha * (color.b - tile.blue[at]);
}

/// Converts an sRGB constant of a shader to linear light.
glm::vec3 linear_of(const glm::vec3& srgb) {
  return srgb * (srgb * (srgb * 0.305306011F + 0.682171111F) + 0.012522878F);
}

/// Converts an opacity for sRGB-encoded colours to an opacity for linear light with a roughly equal result: 0.25 for
/// 0.4, 1 for 1.
float among_linear(float opacity) { return std::pow(opacity, 1.5F); }

/// Adds the segment between two points in world coordinates, clipped at the near plane.
void add_piece(const Projector& projector, const glm::vec3& from, const glm::vec3& to, PicturePath& path) {
  glm::vec3 a = projector.to_view(from), b = projector.to_view(to);
  const float near = projector.near_m;
  if (!std::isfinite(a.x + a.y + a.z + b.x + b.y + b.z) || (a.z < near && b.z < near)) return;
  if (a.z < near) a += (near - a.z) / (b.z - a.z) * (b - a);
  if (b.z < near) b += (near - b.z) / (a.z - b.z) * (a - b);
  const auto point = [&](const glm::vec3& v) {
    const glm::vec3 p = projector.to_picture(v);
    return PicturePath::Point{glm::vec2(p), p.z};
  };
  path.pieces.push_back({point(a), point(b)});
}

}  // namespace

std::vector<PicturePath> paths_of(const Marks& marks, const Projector& projector) {
  std::vector<PicturePath> out;
  for (const MarkGroup& group : marks.groups()) {
    const bool lies_over = group.opacity == group.hidden_opacity;
    const float hidden = lies_over ? group.opacity : among_linear(group.hidden_opacity);
    PicturePath path{{}, linear_of(group.tint), group.half_width_px, group.opacity, hidden};
    for (std::size_t k = 0; k + 1 < group.points.size(); k += 2)
      add_piece(projector, group.points[k], group.points[k + 1], path);
    if (!path.pieces.empty()) out.push_back(std::move(path));
  }
  return out;
}

void draw_see_through_planes(const Scenery& scenery, Tile& tile) {
  for (const PlaneDrawing& plane : scenery.see_through) {
    const glm::vec3 n = glm::cross(plane.u, plane.v), at_q = scenery.projector.plane_q(n, glm::dot(n, plane.foot));
    for (int y = 0; y < tile.height; ++y)
      for (int x = 0; x < tile.width; ++x) {
        const glm::vec2 at(static_cast<float>(tile.x0 + x) + 0.5F, static_cast<float>(tile.y0 + y) + 0.5F);
        const float q = at_q.x + at_q.y * at.x + at_q.z * at.y;
        const std::size_t cell = Tile::cell(x, y);
        if (!(q > 0) || q * scenery.projector.near_m > 1) continue;
        if (!tile.is_edge(x, y) && !(q > tile.q[cell])) continue;
        const glm::vec4 color = plane_color(scenery, plane, at);
        if (!(color.a > 0)) continue;
        if (tile.is_edge(x, y))
          blend_edge(tile.edge_at(x, y), q, glm::vec3(color), color.a);
        else
          lay_over(tile, x, y, glm::vec3(color), color.a);
      }
  }
}

void draw_glass(const Scenery& scenery, const Facets& glass, std::size_t index, bool fronts, Tile& tile) {
  for (const std::uint32_t id : glass.in(index)) {
    const Facet& facet = glass.at(id);
    each_covered(facet, tile, [&](int x, int y, const Covered& covered) {
      glm::vec2 sum(0);
      float q = 0;
      for (unsigned s = 0; s < samples; ++s)
        if ((covered.mask >> s & 1U) != 0) sum += sample_at[s], q += covered.q[s];
      const auto count = static_cast<float>(__builtin_popcount(covered.mask));
      q /= count;
      if (!tile.is_edge(x, y) && !(q > tile.q[Tile::cell(x, y)])) return;
      const glm::vec2 at = glm::vec2(static_cast<float>(tile.x0 + x), static_cast<float>(tile.y0 + y)) + sum / count;
      const glm::vec4 color = glass_color(scenery, glass.objects[facet.object], facet.item, fronts, at);
      const float alpha = color.a * count / samples;
      if (alpha <= 0) return;
      if (tile.is_edge(x, y))
        blend_edge(tile.edge_at(x, y), q, glm::vec3(color), alpha);
      else
        lay_over(tile, x, y, glm::vec3(color), alpha);
    });
  }
}

void draw_hidden_arrows(const Scenery& scenery, std::span<const std::uint32_t> ids, Tile& tile) {
  constexpr float least = 0.4F;
  for (const std::uint32_t id : ids) {
    if (id < scenery.facets.first_arrow()) continue;
    const Facet& facet = scenery.facets.at(id);
    if (scenery.facets.arrow_through[facet.item] < 0) continue;
    each_covered(facet, tile, [&](int x, int y, const Covered& covered) {
      const float front = tile.front[Tile::cell(x, y)];
      int hidden = 0;
      for (std::size_t s = 0; s < samples; ++s) hidden += (covered.mask >> s & 1U) != 0 && covered.q[s] < front ? 1 : 0;
      const float opacity = among_linear(std::max(least, scenery.facets.arrow_through[facet.item]));
      lay_over(tile, x, y, scenery.facets.arrow_colors[facet.item], opacity * static_cast<float>(hidden) / samples);
    });
  }
}

namespace {

/// Maximum coverage of each pixel by the segments of a path, and q of the path there. Overlaps of segments count once.
struct PathCover {
  std::array<float, tile_cells> cover{}, q{};
  bool any = false;
};

void cover_piece(const PicturePath::Piece& piece, float half_width, const Tile& tile, PathCover& out) {
  const glm::vec2 corner(static_cast<float>(tile.x0), static_cast<float>(tile.y0)), from = piece.from.at - corner,
                                                                                    to = piece.to.at - corner;
  const glm::vec2 low = glm::min(from, to) - (half_width + 1), high = glm::max(from, to) + (half_width + 1);
  if (!(high.x >= 0 && high.y >= 0 && low.x < static_cast<float>(tile.width) &&
        low.y < static_cast<float>(tile.height)))
    return;
  const int x0 = static_cast<int>(std::max(low.x, 0.0F)),
            x1 = static_cast<int>(std::min(high.x, static_cast<float>(tile.width - 1)));
  const int y0 = static_cast<int>(std::max(low.y, 0.0F)),
            y1 = static_cast<int>(std::min(high.y, static_cast<float>(tile.height - 1)));
  const glm::vec2 along = to - from;
  const float length2 = glm::dot(along, along);
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const glm::vec2 p = glm::vec2(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F) - from;
      const float part = length2 > 0 ? std::clamp(glm::dot(p, along) / length2, 0.0F, 1.0F) : 0;
      const float cover = std::clamp(half_width + 0.5F - glm::length(p - part * along), 0.0F, 1.0F);
      const std::size_t at = Tile::cell(x, y);
      if (!(cover > out.cover[at])) continue;
      out.cover[at] = cover;
      out.q[at] = piece.from.q + part * (piece.to.q - piece.from.q);
      out.any = true;
    }
}

}  // namespace

void draw_paths(std::span<const PicturePath> paths, Tile& tile) {
  for (const PicturePath& path : paths) {
    PathCover covered;
    for (const PicturePath::Piece& piece : path.pieces) cover_piece(piece, path.half_width_px, tile, covered);
    if (!covered.any) continue;
    for (int y = 0; y < tile.height; ++y)
      for (int x = 0; x < tile.width; ++x) {
        const std::size_t at = Tile::cell(x, y);
        lay_over(tile, x, y, path.color,
                 covered.cover[at] * (covered.q[at] >= tile.front[at] ? path.opacity : path.hidden_opacity));
      }
  }
}

}  // namespace vw::soft
