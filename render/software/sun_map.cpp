#include "render/software/sun_map.h"

#include <algorithm>
#include <cmath>

#include "render/scene/collider_drawing.h"
#include "render/scene/convex_polygon.h"
#include "render/vectors/vectors.h"

namespace vw::soft {
namespace {

constexpr int map_band_rows = 32, map_bands = SunMap::side / map_band_rows;
/// Lookups around a point, in units of two texels (`disc` in shaders/light.glsl).
constexpr std::array<glm::vec2, 6> near_places{
    {{-0.326F, -0.406F}, {-0.696F, 0.457F}, {0.962F, -0.195F}, {0.519F, 0.767F}, {0.507F, 0.064F}, {-0.322F, -0.933F}}};
constexpr auto map_width = static_cast<std::size_t>(SunMap::side);

/// Returns the bands that the rows [low, high] touch. The range is empty if a value is NaN or the rows are outside the
/// map.
TileRange bands_of(float low, float high) {
  if (!(high >= 0 && low <= SunMap::side - 1)) return {};
  return {0, static_cast<int>(std::max(low, 0.0F)) / map_band_rows, 0,
          static_cast<int>(std::min(high, SunMap::side - 1.0F)) / map_band_rows};
}

/// Returns the ceiling of a non-negative number. On some targets, std::ceil would be a function call.
int up_to(float x) {
  const int whole = static_cast<int>(x);
  return whole + (static_cast<float>(whole) < x ? 1 : 0);
}
/// Returns the first and the last texel with a centre in [low, high].
std::pair<int, int> texels_in(float low, float high) {
  return {up_to(std::clamp(low - 0.5F, 0.0F, static_cast<float>(SunMap::side))),
          static_cast<int>(std::clamp(high + 0.5F, 0.0F, static_cast<float>(SunMap::side))) - 1};
}

}  // namespace

void SunMap::place_discs(const FrameData& set) {
  discs_.clear();
  for (std::size_t f = 0; f < set.count; ++f) {
    const Figure& figure = set.figures[f];
    if (figure.shape != FigureShape::balls) continue;
    const std::size_t first = discs_.size();
    discs_.resize(first + figure.places.size());
    parallel_for(figure.places.size(), 8192, [&](Range part, std::size_t) {
      for (std::size_t i = part.begin; i < part.end; ++i) {
        const glm::vec3 at = to_map(glm::vec3(figure.places[i]));
        const float radius = casts_shadow(figure, i) ? figure.places[i].w * texels_per_m_ : -1;
        discs_[first + i] = {at.x, at.y, std::isfinite(at.x + at.y + at.z + radius) ? radius : -1, at.z};
      }
    });
  }
}

void SunMap::place_triangles(const FrameData& set) {
  triangles_.clear();
  for (std::size_t f = 0; f < set.count; ++f) {
    const Figure& figure = set.figures[f];
    if (figure.shape != FigureShape::skin) continue;
    for (const VoxelSkin::Quad& quad : figure.skin->quads) {
      const auto at = [&](std::size_t c) {
        return glm::vec3(figure.corners[static_cast<std::size_t>(quad.vertex[c])].place);
      };
      add_triangle(set.cut, at(0), at(1), at(2));
      add_triangle(set.cut, at(0), at(2), at(3));
    }
  }
  for (const auto& t : members_.triangle)
    triangles_.push_back({to_map(members_.place[t[0]]), to_map(members_.place[t[1]]), to_map(members_.place[t[2]])});
  for (const ColliderSnapshot& collider : set.solids) {
    const SurfaceMesh* mesh = surface_of(collider);
    if (mesh == nullptr || !casts_shadow(collider)) continue;
    const glm::mat4 place = matrix_of(collider);
    const auto at = [&](std::uint32_t k) { return glm::vec3(place * glm::vec4(to_glm(mesh->position[k]), 1)); };
    for (const auto& t : mesh->triangle) add_triangle(set.cut, at(t[0]), at(t[1]), at(t[2]));
  }
}

/// Adds the part of a triangle that lies inside all cut planes.
void SunMap::add_triangle(const CutPlanes& cut, const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
  if (!cut.is_open()) {
    triangles_.push_back({to_map(a), to_map(b), to_map(c)});
    return;
  }
  ConvexPolygon polygon{{a, b, c}, 3};
  for (const glm::vec4& plane : cut.planes()) clip(polygon, glm::vec3(plane), plane.w);
  for (std::size_t k = 2; k < polygon.count; ++k)
    triangles_.push_back({to_map(polygon.corner[0]), to_map(polygon.corner[k - 1]), to_map(polygon.corner[k])});
}

void SunMap::draw(const FrameData& set) {
  maps_ = set.shadows;
  softness_ = set.light.softness;
  const auto row = [&](int k) {
    return glm::vec4(maps_.clip[0][k], maps_.clip[1][k], maps_.clip[2][k], maps_.clip[3][k]);
  };
  for (int k = 0; k < 3; ++k) from_world_[static_cast<std::size_t>(k)] = 0.5F * row(k) + glm::vec4(0, 0, 0, 0.5F);
  set.shading_members.expand_for_sun(set.figures, sun_direction(), members_);
  for (std::size_t level = 0; level < maps_.count; ++level) draw_level(set, level);
  ready_ = true;
}

void SunMap::draw_level(const FrameData& set, std::size_t level) {
  const glm::vec4& to = maps_.level[level];
  constexpr auto wide = static_cast<float>(side);
  row_ = {wide * (to.x * from_world_[0] + glm::vec4(0, 0, 0, to.y)),
          wide * (to.x * from_world_[1] + glm::vec4(0, 0, 0, to.z)), from_world_[2]};
  texels_per_m_ = glm::length(glm::vec3(row_[0]));
  place_discs(set);
  place_triangles(set);
  disc_bands_.fill(
      1, map_bands, discs_.size(),
      [&](std::size_t i) {
        const Disc& d = discs_[i];
        return d.radius < 0 ? TileRange{} : bands_of(d.y - d.radius, d.y + d.radius);
      },
      [&](std::size_t i) { return discs_[i]; });
  triangle_bands_.fill(
      1, map_bands, triangles_.size(),
      [&](std::size_t i) {
        const Triangle& t = triangles_[i];
        return bands_of(std::min({t[0].y, t[1].y, t[2].y}), std::max({t[0].y, t[1].y, t[2].y}));
      },
      number_of);
  std::vector<float>& depth = depth_[level];
  depth.resize(map_width * map_width);
  parallel_for(map_bands, 1, [&](Range part, std::size_t) {
    for (std::size_t band = part.begin; band < part.end; ++band) fill_band(depth, band);
  });
}

void SunMap::fill_band(std::vector<float>& depth, std::size_t band) {
  const int low = static_cast<int>(band) * map_band_rows, high = low + map_band_rows - 1;
  std::fill_n(depth.begin() + static_cast<std::ptrdiff_t>(band * map_band_rows * map_width), map_band_rows * map_width,
              1.0F);
  for (const Disc& disc : disc_bands_.in(band)) fill(depth, disc, low, high);
  for (const std::uint32_t i : triangle_bands_.in(band)) fill(depth, triangles_[i], low, high);
}

/// Draws a disc perpendicular to the light into all texels whose centre lies in the disc.
void SunMap::fill(std::vector<float>& depth, const Disc& disc, int low, int high) {
  const auto [first_y, last_y] = texels_in(disc.y - disc.radius, disc.y + disc.radius);
  const int y0 = std::max(low, first_y), y1 = std::min(high, last_y);
  for (int y = y0; y <= y1; ++y) {
    const float dy = static_cast<float>(y) + 0.5F - disc.y,
                half = std::sqrt(std::max(disc.radius * disc.radius - dy * dy, 0.0F));
    const auto [x0, x1] = texels_in(disc.x - half, disc.x + half);
    float* to = &depth[static_cast<std::size_t>(y) * map_width];
    for (int x = x0; x <= x1; ++x) to[x] = std::min(to[x], disc.depth);
  }
}

/// Draws a triangle. To avoid self-shadowing, its depth is offset by twice the slope per texel, which corresponds to
/// glPolygonOffset(2, 4).
void SunMap::fill(std::vector<float>& depth, const Triangle& t, int low, int high) {
  const glm::vec3 u = t[1] - t[0], v = t[2] - t[0];
  const float area = u.x * v.y - u.y * v.x;
  if (!(std::abs(area) > 1e-12F)) return;
  const float slope_x = (u.z * v.y - v.z * u.y) / area, slope_y = (v.z * u.x - u.z * v.x) / area;
  const float offset = 2 * std::max(std::abs(slope_x), std::abs(slope_y)) + 2.4e-7F;
  const float left = std::min({t[0].x, t[1].x, t[2].x}), right = std::max({t[0].x, t[1].x, t[2].x});
  const auto [x0, x1] = texels_in(left, right);
  const auto [first_y, last_y] = texels_in(std::min({t[0].y, t[1].y, t[2].y}), std::max({t[0].y, t[1].y, t[2].y}));
  const int y0 = std::max(low, first_y), y1 = std::min(high, last_y);
  const float inverse = 1 / area;
  for (int y = y0; y <= y1; ++y) {
    const float py = static_cast<float>(y) + 0.5F - t[0].y;
    float* to = &depth[static_cast<std::size_t>(y) * map_width];
    for (int x = x0; x <= x1; ++x) {
      const float px = static_cast<float>(x) + 0.5F - t[0].x;
      const float b = (px * v.y - py * v.x) * inverse, c = (u.x * py - u.y * px) * inverse;
      if (b < 0 || c < 0 || b + c > 1) continue;
      to[x] = std::min(to[x], t[0].z + slope_x * px + slope_y * py + offset);
    }
  }
}

float SunMap::lit_at(const std::vector<float>& map, float x, float y, float depth) {
  const float at_x = std::clamp(x - 0.5F, 0.0F, side - 1.001F), at_y = std::clamp(y - 0.5F, 0.0F, side - 1.001F);
  const auto ix = static_cast<std::size_t>(at_x), iy = static_cast<std::size_t>(at_y);
  const float fx = at_x - static_cast<float>(ix), fy = at_y - static_cast<float>(iy);
  const float* at = &map[iy * map_width + ix];
  const auto lit = [&](std::size_t k) { return depth <= at[k] ? 1.0F : 0.0F; };
  return (1 - fy) * ((1 - fx) * lit(0) + fx * lit(1)) + fy * ((1 - fx) * lit(map_width) + fx * lit(map_width + 1));
}

float shadow_turn(const Projector& projector, const glm::vec3& world) {
  const glm::vec3 view = projector.to_view(world);
  if (!(view.z > 0)) return 0;
  const glm::vec3 at = projector.to_picture(view);
  // OpenGL counts the rows of pixels from below.
  const float x = std::floor(at.x) + 0.5F, y = static_cast<float>(projector.height) - std::floor(at.y) - 0.5F;
  const auto fraction = [](float number) { return number - std::floor(number); };
  return 6.2831853F * fraction(52.9829189F * fraction(x * 0.06711056F + y * 0.00583715F));
}

/// CPU version of sun_visible() in shaders/light.glsl.
float SunMap::visible(const glm::vec3& world, const glm::vec3& along, float turn) const {
  if (!ready_) return 1;
  const auto row = [&](std::size_t k, const glm::vec3& at) { return glm::dot(glm::vec3(from_world_[k]), at); };
  const glm::vec3 aside(row(0, along), row(1, along), row(2, along));
  const glm::vec3 p(row(0, world) + from_world_[0].w, row(1, world) + from_world_[1].w,
                    row(2, world) + from_world_[2].w);
  float sum = 0, left = 1;
  for (std::size_t k = 0; k < maps_.count && left > 0; ++k) {
    const glm::vec4& to = maps_.level[k];
    const float far = std::max(std::abs(p.x * to.x + to.y - 0.5F), std::abs(p.y * to.x + to.z - 0.5F));
    const float share = k + 1 < maps_.count
                            ? left * (1 - smooth_step(ShadowMaps::used - ShadowMaps::blend, ShadowMaps::used, far))
                            : left;
    if (share <= 0) continue;
    sum += share * level_visible(p + aside / to.x, k, turn);
    left -= share;
  }
  return sum;
}

/// CPU version of soft_visible() in shaders/light.glsl, where the method is explained.
float SunMap::level_visible(const glm::vec3& p, std::size_t level, float turn) const {
  const glm::vec4& to = maps_.level[level];
  constexpr auto wide_side = static_cast<float>(side);
  const glm::vec2 at = wide_side * (to.x * glm::vec2(p) + glm::vec2(to.y, to.z));
  if (!(at.x >= 0 && at.y >= 0 && at.x <= wide_side && at.y <= wide_side && p.z >= 0 && p.z <= 1)) return 1;
  const std::vector<float>& map = depth_[level];
  const float widest = 0.02F * maps_.search, scale = wide_side * to.x, texel = 1 / scale;
  constexpr std::size_t taps = 24, search_taps = 12;
  struct Vogel {
    std::array<glm::vec2, taps> at;
    Vogel() {
      for (std::size_t i = 0; i < taps; ++i) {
        const float angle = 2.39996323F * static_cast<float>(i), r = std::sqrt(static_cast<float>(i) + 0.5F);
        at[i] = r * glm::vec2(std::cos(angle), std::sin(angle));
      }
    }
  };
  static const Vogel vogel;
  const float c = std::cos(turn), s = std::sin(turn);
  const auto turned = [&](const glm::vec2& v) { return glm::vec2(c * v.x - s * v.y, s * v.x + c * v.y); };
  const float wide = 2.75F * softness_, search = std::min(widest, 0.3F * wide * maps_.search);
  float sum = 0, blockers = 0;
  const auto depth_at = [&](const glm::vec2& by) {
    const auto index = [](float x) { return static_cast<std::size_t>(std::clamp(x, 0.0F, wide_side - 1)); };
    return map[index(at.y + scale * by.y) * map_width + index(at.x + scale * by.x)];
  };
  for (const glm::vec2& place : near_places) {
    const glm::vec2 by = 2 * texel * place;
    const float depth = depth_at(by);
    if (depth > p.z - 0.44F * glm::length(by)) continue;
    sum += depth;
    ++blockers;
  }
  for (std::size_t i = 0; i < search_taps; ++i) {
    const auto number = static_cast<float>(i);
    const float r = search * (number + 0.5F) / static_cast<float>(search_taps);
    const float depth = depth_at(r / glm::length(vogel.at[i]) * turned(vogel.at[i]));
    if (depth > p.z - 0.44F * r || r > wide * (p.z - depth) + 2 * texel) continue;
    sum += depth;
    ++blockers;
  }
  if (blockers == 0) return 1;
  const float radius = std::clamp(wide * (p.z - sum / blockers), 1.3F * texel, std::max(widest, 1.3F * texel));
  sum = 0;
  for (std::size_t i = 0; i < taps; ++i) {
    const glm::vec2 by = radius / std::sqrt(static_cast<float>(taps)) * turned(vogel.at[i]);
    sum += lit_at(map, at.x + scale * by.x, at.y + scale * by.y, p.z - 0.44F * std::max(glm::length(by) - texel, 0.0F));
  }
  return sum / static_cast<float>(taps);
}

}  // namespace vw::soft
