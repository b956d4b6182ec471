// Voxels and small balls are drawn into the grid as squares of about the same area, larger balls as discs. Spheres and
// boxes among the colliders are drawn by casting a ray through each cell, meshes by filling their triangles. Lookups
// are bilinear, so shadows have soft edges.
#include "render/scene/light/sun_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/scene/collider_drawing.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

constexpr int grid_side = SunGrid::side;
constexpr float nothing = std::numeric_limits<float>::lowest();

/// Computes the distance along the ray to the midpoint between entry into and exit from the collider. Returns false if
/// the ray misses.
bool middle_of(const ColliderSnapshot& collider, const glm::vec3& origin, const glm::vec3& direction, float& at) {
  const Quatf back = collider.orientation.conjugate();
  const glm::vec3 from = origin - to_glm(collider.position);
  const Vec3f o = back * Vec3f(from.x, from.y, from.z), d = back * Vec3f(direction.x, direction.y, direction.z);
  if (collider.kind == ColliderSnapshot::Kind::sphere) {
    at = -o.dot(d);
    return (o + at * d).squaredNorm() < collider.half_extent.x() * collider.half_extent.x();
  }
  float in = nothing, out = -nothing;
  for (int k = 0; k < 3; ++k) {
    const float slope = std::abs(d[k]) > 1e-6F ? d[k] : 1e-6F;
    const float a = (-collider.half_extent[k] - o[k]) / slope, b = (collider.half_extent[k] - o[k]) / slope;
    in = std::max(in, std::min(a, b));
    out = std::min(out, std::max(a, b));
  }
  at = 0.5F * (in + out);
  return in < out;
}

struct Spot {
  std::size_t at;
  glm::vec2 part;
};

/// Finds the four cells around a position and their bilinear weights. Returns false outside the grid.
bool spot_of(const glm::vec2& place, Spot& spot) {
  const glm::vec2 p = place - 0.5F;
  if (!(p.x >= 0 && p.y >= 0 && p.x < grid_side - 1 && p.y < grid_side - 1)) return false;
  const auto x = static_cast<std::size_t>(p.x), y = static_cast<std::size_t>(p.y);
  spot = {y * grid_side + x, p - glm::vec2(static_cast<float>(x), static_cast<float>(y))};
  return true;
}

float bilinear(float a, float b, float c, float d, const glm::vec2& t) {
  return glm::mix(glm::mix(a, b, t.x), glm::mix(c, d, t.x), t.y);
}

}  // namespace

SnappedSquare SnappedSquare::over(const glm::vec2& low, const glm::vec2& high, int cells) {
  const glm::vec2 size = high - low;
  // Round the width up to steps of 19 %, and the corner to whole cells.
  const float width = std::exp2(std::ceil(std::log2(std::max({size.x, size.y, 1e-6F})) * 4) / 4),
              cell = width / static_cast<float>(cells - 1);
  return {glm::floor((0.5F * (low + high) - 0.5F * width) / cell) * cell, cell};
}

void blur_square(std::vector<float>& values, std::vector<float>& scratch, int width) {
  const auto n = static_cast<std::size_t>(width);
  scratch.resize(n * n);
  for (std::size_t y = 0; y < n; ++y) {
    const float* from = &values[y * n];
    float* to = &scratch[y * n];
    to[0] = from[0];
    to[n - 1] = from[n - 1];
    for (std::size_t x = 1; x + 1 < n; ++x) to[x] = 0.25F * (from[x - 1] + from[x + 1]) + 0.5F * from[x];
  }
  for (std::size_t y = 0; y < n; ++y) {
    const float *below = &scratch[(y > 0 ? y - 1 : 0) * n], *from = &scratch[y * n],
                *above = &scratch[std::min(y + 1, n - 1) * n];
    float* to = &values[y * n];
    for (std::size_t x = 0; x < n; ++x) to[x] = 0.25F * (below[x] + above[x]) + 0.5F * from[x];
  }
}

void SunGrid::start(const Bounds3& box, const glm::vec3& sun) {
  sun_ = sun;
  u_ = glm::normalize(glm::cross(glm::vec3(0, 0, 1), sun));
  v_ = glm::cross(sun, u_);
  glm::vec2 low(std::numeric_limits<float>::max()), high(nothing);
  for (unsigned i = 0; i < 8; ++i) {
    const glm::vec3 corner{(i & 1U) != 0 ? box.max.x : box.min.x, (i & 2U) != 0 ? box.max.y : box.min.y,
                           (i & 4U) != 0 ? box.max.z : box.min.z};
    const glm::vec2 at(glm::dot(corner, u_), glm::dot(corner, v_));
    low = glm::min(low, at);
    high = glm::max(high, at);
  }
  square_ = SnappedSquare::over(low, high, grid_side - 4);
  square_.corner -= 2 * square_.cell_m;
  height_.assign(static_cast<std::size_t>(grid_side) * grid_side, nothing);
  cover_.assign(height_.size(), 0.0F);
}

void SunGrid::splat(const glm::vec3& p, float half_width) {
  const glm::vec2 at = place(p);
  const float r = half_width / square_.cell_m;
  if (!(at.x + r >= 0 && at.y + r >= 0 && at.x - r < grid_side && at.y - r < grid_side)) return;
  const glm::vec2 low = at - r, high = at + r;
  const glm::ivec2 first(glm::max(low, 0.0F)), last(glm::min(high, grid_side - 1.0F));
  const float height = glm::dot(p, sun_);
  for (int y = first.y; y <= last.y; ++y) {
    const float part_y = std::min(high.y, static_cast<float>(y + 1)) - std::max(low.y, static_cast<float>(y));
    for (int x = first.x; x <= last.x; ++x) {
      const float part =
          part_y * (std::min(high.x, static_cast<float>(x + 1)) - std::max(low.x, static_cast<float>(x)));
      const auto cell = static_cast<std::size_t>(y * grid_side + x);
      cover_[cell] = std::max(cover_[cell], std::min(part, 1.0F));
      if (part > 0.4F) height_[cell] = std::max(height_[cell], height);
    }
  }
}

/// Draws a ball. A ball of few cells is drawn as a square of equal area, because its outline would not be visible.
void SunGrid::splat_ball(const glm::vec3& p, float radius) {
  constexpr float least_cells = 1.5F, same_area = 0.886F;  // sqrt(pi) / 2
  const glm::vec2 at = place(p);
  const float r = radius / square_.cell_m;
  if (r < least_cells) return splat(p, same_area * radius);
  if (!(at.x + r >= 0 && at.y + r >= 0 && at.x - r < grid_side && at.y - r < grid_side)) return;
  const glm::ivec2 first(glm::max(at - r, 0.0F)), last(glm::min(at + r, grid_side - 1.0F));
  const float height = glm::dot(p, sun_);
  for (int y = first.y; y <= last.y; ++y)
    for (int x = first.x; x <= last.x; ++x) {
      // Fraction of the cell that the disc covers, approximated by a straight edge.
      const float part = r + 0.5F - glm::length(glm::vec2(static_cast<float>(x), static_cast<float>(y)) + 0.5F - at);
      if (!(part > 0)) continue;
      const auto cell = static_cast<std::size_t>(y * grid_side + x);
      cover_[cell] = std::max(cover_[cell], std::min(part, 1.0F));
      if (part > 0.4F) height_[cell] = std::max(height_[cell], height);
    }
}

void SunGrid::add(const Figure& figure) {
  if (figure.shape == FigureShape::bodies || figure.shape == FigureShape::surface) return;
  if (figure.shape == FigureShape::members) return add_members(figure);
  // Mean width of the projection of an obliquely seen voxel, divided by the edge of the voxel.
  constexpr float askew = 1.15F;
  for (std::size_t i = 0; i < figure.places.size(); ++i) {
    if (!casts_shadow(figure, i)) continue;
    const glm::vec3 place(figure.places[i]);
    figure.look == LookKind::voxels ? splat(place, askew * figure.places[i].w) : splat_ball(place, figure.places[i].w);
  }
}

/// Adds members. A member is drawn as three balls along its body, or as one ball if it is small.
void SunGrid::add_members(const Figure& figure) {
  for (std::size_t i = 0; i < figure.places.size(); ++i) {
    if (!casts_shadow(figure, i)) continue;
    const glm::vec3 place(figure.places[i]);
    const float half = figure.places[i].w, radius = member_width * half;
    splat_ball(place, radius);
    if (radius < 0.5F * square_.cell_m) continue;
    const glm::vec3 along = turned(figure.turns[i], {0.5F * half, 0, 0});
    for (const float end : {-1.0F, 1.0F}) splat_ball(place + end * along, 0.8F * radius);
  }
}

void SunGrid::add_fluids(const std::vector<Figure>& figures, std::size_t count) {
  // `taken`: fraction of the light that a fluid absorbs. `widened`: factor on the ball size that closes the gaps in a
  // layer of particles.
  constexpr float taken = 0.5F, widened = 1.5F;
  bool any = false;
  for (std::size_t f = 0; f < count; ++f) {
    if (figures[f].shape != FigureShape::surface) continue;
    any = true;
    for (const glm::vec4& place : figures[f].places)
      if (place.w >= 0) splat_ball(glm::vec3(place), widened * place.w);
  }
  if (!any) return;
  for (float& cover : cover_) cover *= taken;
  std::fill(height_.begin(), height_.end(), nothing);
}

void SunGrid::add_smoke(const PuffShade& puffs) {
  if (!puffs.any()) return;
  for (int y = 0; y < grid_side; ++y)
    for (int x = 0; x < grid_side; ++x) {
      float& cover = cover_[static_cast<std::size_t>(y * grid_side + x)];
      const glm::vec2 at =
          square_.corner + square_.cell_m * (glm::vec2(static_cast<float>(x), static_cast<float>(y)) + 0.5F);
      cover += (1 - cover) * puffs.shadow_at(at);
    }
}

void SunGrid::add(const ColliderSnapshot& collider) {
  if (collider.kind == ColliderSnapshot::Kind::plane) return;
  if (collider.kind == ColliderSnapshot::Kind::mesh) return add_mesh(collider);
  const float radius =
      (collider.kind == ColliderSnapshot::Kind::sphere ? collider.half_extent.x() : collider.half_extent.norm()) /
      square_.cell_m;
  const glm::vec2 middle = place(to_glm(collider.position));
  const glm::ivec2 first = glm::ivec2(glm::clamp(middle - radius, 0.0F, grid_side - 1.0F)),
                   last = glm::ivec2(glm::clamp(middle + radius, 0.0F, grid_side - 1.0F));
  for (int y = first.y; y <= last.y; ++y)
    for (int x = first.x; x <= last.x; ++x) {
      const glm::vec2 at =
          square_.corner + square_.cell_m * (glm::vec2(static_cast<float>(x), static_cast<float>(y)) + 0.5F);
      float height = 0;
      if (!middle_of(collider, at.x * u_ + at.y * v_, sun_, height)) continue;
      const auto cell = static_cast<std::size_t>(y * grid_side + x);
      height_[cell] = std::max(height_[cell], height);
      cover_[cell] = 1;
    }
}

void SunGrid::add_mesh(const ColliderSnapshot& collider) {
  const SurfaceMesh* mesh = surface_of(collider);
  if (mesh == nullptr) return;
  const glm::mat4 to_world = matrix_of(collider);
  const auto at = [&](std::uint32_t k) { return glm::vec3(to_world * glm::vec4(to_glm(mesh->position[k]), 1)); };
  for (const auto& corners : mesh->triangle) {
    const std::array<glm::vec3, 3> triangle{at(corners[0]), at(corners[1]), at(corners[2])};
    const bool is_front = glm::dot(glm::cross(triangle[1] - triangle[0], triangle[2] - triangle[0]), sun_) > 0;
    // Back faces of a closed mesh need not be drawn, because its front faces are nearer to the sun.
    if (is_front || collider.two_sided) add_triangle(triangle);
  }
}

/// Fills all cells whose centre lies within the triangle or at most half a cell outside it, so that small triangles
/// leave no gaps.
void SunGrid::add_triangle(const std::array<glm::vec3, 3>& corners) {
  std::array<glm::vec2, 3> at{};
  std::array<float, 3> height{};
  for (std::size_t k = 0; k < 3; ++k) {
    at[k] = place(corners[k]) - 0.5F;
    height[k] = glm::dot(corners[k], sun_);
  }
  const glm::vec2 low = glm::min(at[0], glm::min(at[1], at[2])) - 0.5F,
                  high = glm::max(at[0], glm::max(at[1], at[2])) + 0.5F;
  if (!(high.x >= 0 && high.y >= 0 && low.x <= grid_side - 1 && low.y <= grid_side - 1)) return;
  const glm::vec2 u = at[1] - at[0], v = at[2] - at[0];
  const float area = u.x * v.y - u.y * v.x;
  const glm::ivec2 first = glm::ivec2(glm::ceil(glm::max(low, 0.0F))),
                   last = glm::ivec2(glm::min(high, grid_side - 1.0F));
  const float slack = 0.5F * std::max({glm::length(u), glm::length(v), glm::length(u - v)});
  for (int y = first.y; y <= last.y; ++y)
    for (int x = first.x; x <= last.x; ++x) {
      const glm::vec2 p = glm::vec2(static_cast<float>(x), static_cast<float>(y)) - at[0];
      float b = p.x * v.y - p.y * v.x, c = u.x * p.y - u.y * p.x;
      if (area < 0) b = -b, c = -c;
      const float whole = std::abs(area), a = whole - b - c;
      if (!(std::min({a, b, c}) >= -slack)) continue;
      const float scale = whole > 0 ? 1 / whole : 0;
      const float share_b = std::clamp(b * scale, 0.0F, 1.0F), share_c = std::clamp(c * scale, 0.0F, 1.0F - share_b);
      const auto cell = static_cast<std::size_t>(y * grid_side + x);
      height_[cell] =
          std::max(height_[cell], height[0] + share_b * (height[1] - height[0]) + share_c * (height[2] - height[0]));
      cover_[cell] = 1;
    }
}

void SunGrid::finish() { blur_square(cover_, scratch_, grid_side); }

float SunGrid::visible(const glm::vec3& p, float clear_m) const {
  Spot s{};
  if (!spot_of(place(p), s)) return 1;
  const float limit = glm::dot(p, sun_) + clear_m + 1.5F * square_.cell_m;
  const auto open = [&](std::size_t cell) { return height_[cell] > limit ? 0.0F : 1.0F; };
  return bilinear(open(s.at), open(s.at + 1), open(s.at + grid_side), open(s.at + grid_side + 1), s.part);
}

void SunGrid::shaded(const glm::vec3& first, const glm::vec3& step, std::vector<float>& out) const {
  const glm::vec2 start = place(first) - 0.5F,
                  stride = glm::vec2(glm::dot(step, u_), glm::dot(step, v_)) / square_.cell_m;
  // Part of the row inside the grid, slightly shortened so that bilinear lookups remain in bounds.
  float low = 0, high = static_cast<float>(out.size());
  for (int axis = 0; axis < 2; ++axis) {
    const float slope = std::abs(stride[axis]) > 1e-6F ? stride[axis] : 1e-6F;
    const float a = (0.01F - start[axis]) / slope, b = (grid_side - 1.01F - start[axis]) / slope;
    low = std::max(low, std::min(a, b));
    high = std::min(high, std::max(a, b));
  }
  std::fill(out.begin(), out.end(), 0.0F);
  for (auto i = static_cast<std::size_t>(std::ceil(low)); static_cast<float>(i) < high; ++i) {
    const glm::vec2 p = start + static_cast<float>(i) * stride;
    const int x = static_cast<int>(p.x), y = static_cast<int>(p.y);
    const float* c = &cover_[static_cast<std::size_t>(y * grid_side + x)];
    out[i] = bilinear(c[0], c[1], c[grid_side], c[grid_side + 1],
                      {p.x - static_cast<float>(x), p.y - static_cast<float>(y)});
  }
}

void SunGrid::shade(Figure& figure) const {
  if (figure.shape == FigureShape::skin) {
    const float edge = figure.skin->edge_m;
    for (SkinCorner& corner : figure.corners) {
      const glm::vec3 n(corner.normal);
      corner.normal.w = visible(glm::vec3(corner.place) + 0.5F * edge * n, 0.7F * edge);
    }
    return;
  }
  for (std::size_t i = 0; i < figure.places.size(); ++i) shade_ball(figure, i);
}

void SunGrid::shade(Figure& figure, const std::vector<std::uint32_t>& rows) const {
  for (const std::uint32_t row : rows) shade_ball(figure, row);
}

void SunGrid::shade_ball(Figure& figure, std::size_t row) const {
  const auto share =
      static_cast<std::uint32_t>(visible(glm::vec3(figure.places[row]), 1.2F * figure.places[row].w) * 255 + 0.5F);
  figure.colors[row] = (figure.colors[row] & 0x00FFFFFFU) | share << 24U;
}

}  // namespace vw
