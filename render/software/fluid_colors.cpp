// Colours of the fluid's surface in FluidSheet: refraction, reflection, absorption, and the view from within the fluid.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "render/fluid/refraction.h"
#include "render/software/fluid_sheet.h"
#include "render/software/light.h"
#include "render/vectors/vectors.h"

namespace vw::soft {
namespace {

// Radius of the averages of calm_normal() for refraction and for reflection [particle spacings].
constexpr float calm_spacings = 5, shiny_spacings = 2;
// Distance that a lookup keeps from an object that it must not show [px].
constexpr float lookup_margin_px = 1.5F;
// Distance between lookups that find small objects [px].
constexpr float lookup_step_px = 1.5F;

/// Index of the pixel at a coordinate that is not beyond the picture. If the coordinate is NaN, because a normal has no
/// direction, the index is 0.
int pixel_of(float at) { return at > 0 ? static_cast<int>(at) : 0; }

}  // namespace

/// Colour of the object that the refracted ray hits (render/fluid/refraction.h).
glm::vec3 FluidSheet::background_at(const SolidPicture& behind, int x, int y, const Spot& spot, float thick) const {
  const glm::vec3 ray = sight(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
  Refraction refraction;
  refraction.place = glm::vec2(ray);
  refraction.half = glm::vec2(static_cast<float>(projector_.width), static_cast<float>(projector_.height)) *
                    (0.5F / projector_.focal_px);
  refraction.most = most_shift_px(projector_.height) / projector_.focal_px;
  refraction.surface = spot.depth;
  refraction.path = path_in_fluid(thick, spacing_m_, ray);
  refraction.enter(ray, calm_normal(x, y, spot, calm_spacings));
  refraction.end_at(walls_.exit_of(projector_.eye + to_world(spot.depth * ray), to_world(refraction.refracted())));
  // Colours are interpolated between four pixels. nearest_at() returns the smallest depth of these pixels and of pixels
  // around them, so that no lookup includes a part of an object in front of the surface.
  struct LookupFootprint {
    int x, y;
    std::array<std::size_t, 4> at;
    glm::vec2 part;
  };
  const auto footprint_of = [&](const glm::vec2& shift) {
    const glm::vec2 last(static_cast<float>(projector_.width) - 1.001F, static_cast<float>(projector_.height) - 1.001F);
    const glm::vec2 to = glm::clamp(glm::vec2(static_cast<float>(x) + shift.x * projector_.focal_px,
                                              static_cast<float>(y) - shift.y * projector_.focal_px),
                                    glm::vec2(0), glm::max(last, 0.0F));
    const int ix = pixel_of(to.x), iy = pixel_of(to.y), jx = std::min(ix + 1, projector_.width - 1),
              jy = std::min(iy + 1, projector_.height - 1);
    return LookupFootprint{ix,
                           iy,
                           {behind.at(ix, iy), behind.at(jx, iy), behind.at(ix, jy), behind.at(jx, jy)},
                           to - glm::vec2(static_cast<float>(ix), static_cast<float>(iy))};
  };
  const auto depth_of = [&](std::size_t i) { return 1 / std::max(behind.q[i], 1 / projector_.far_m); };
  const auto middle_of = [&](const glm::vec2& shift) {
    const LookupFootprint here = footprint_of(shift);
    return here.at[(here.part.x < 0.5F ? 0U : 1U) + (here.part.y < 0.5F ? 0U : 2U)];
  };
  const auto depth_at = [&](const glm::vec2& shift) { return depth_of(middle_of(shift)); };
  const auto nearest_at = [&](const glm::vec2& shift) {
    const LookupFootprint here = footprint_of(shift);
    const int x0 = std::max(here.x - 1, 0), y0 = std::max(here.y - 1, 0),
              x1 = std::min(here.x + 2, projector_.width - 1), y1 = std::min(here.y + 2, projector_.height - 1);
    float q = 1 / projector_.far_m;
    for (const std::size_t i : here.at) q = std::max(q, behind.q[i]);
    for (const std::size_t i : {behind.at(x0, y0), behind.at(x1, y0), behind.at(x0, y1), behind.at(x1, y1)})
      q = std::max(q, behind.q[i]);
    return 1 / q;
  };
  const auto path_at = [&](const glm::vec2& shift) {
    const auto middle = static_cast<int>(middle_of(shift));
    return path_in_fluid(wide_thickness(middle % projector_.width, middle / projector_.width, spot.depth), spacing_m_,
                         ray);
  };
  const float pixel = 1 / projector_.focal_px;
  const glm::vec2 shift = seen_shift(refraction, depth_of(behind.at(x, y)), lookup_margin_px * pixel,
                                     lookup_step_px * pixel, depth_at, nearest_at, path_at);
  if (shift == glm::vec2(0)) return behind.color[behind.at(x, y)];
  const LookupFootprint seen = footprint_of(shift);
  return glm::mix(glm::mix(behind.color[seen.at[0]], behind.color[seen.at[1]], seen.part.x),
                  glm::mix(behind.color[seen.at[2]], behind.color[seen.at[3]], seen.part.x), seen.part.y);
}

/// CPU version of mirrored_scene() in shaders/fluid_surface.frag, where the method is explained.
glm::vec4 FluidSheet::mirrored_at(const SolidPicture& behind, const glm::vec3& world, const glm::vec3& along,
                                  float depth) const {
  const float down = smooth_step(-0.04F, 0, along.y);
  if (down <= 0) return glm::vec4(0);
  constexpr float reach = 100, growth = 1.06F, stride_px = 1.5F;
  const glm::vec3 from = projector_.to_view(world);
  const float rise = glm::dot(along, projector_.forward),
              far = depth * (rise < 0 ? std::min(reach, 0.9F / -rise) : reach);
  const glm::vec3 to = projector_.to_view(world + far * along);
  const glm::vec2 a = projector_.to_picture(from), way = glm::vec2(projector_.to_picture(to)) - a,
                  size(static_cast<float>(projector_.width), static_cast<float>(projector_.height));
  const float q_start = 1 / from.z, q_rise = 1 / to.z - q_start, pixel = 1 / std::max(glm::length(way), 1e-6F);
  float end = 1;
  for (int axis = 0; axis < 2; ++axis)
    if (std::abs(way[axis]) > 1e-6F)
      end = std::min(end, ((way[axis] > 0 ? size[axis] - 1 : 0.0F) - a[axis]) / way[axis]);
  const auto cell_of = [&](float s) {
    const glm::vec2 at = glm::clamp(a + s * way, glm::vec2(0), size - 1.0F);
    return behind.at(pixel_of(at.x), pixel_of(at.y));
  };
  const auto gap_at = [&](float s) {
    return q_start + s * q_rise - std::max(behind.q[cell_of(s)], 1 / projector_.far_m);
  };
  float stride = stride_px * pixel, before = 0, s = stride;
  bool ahead = true;
  for (int i = 0; i < 64 && before < end; ++i) {
    s = std::min(s, end);
    const float gap = gap_at(s);
    if (gap < 0 && ahead) {
      float low = before, high = s, miss = gap;
      for (int k = 0; k < 6; ++k) {
        const float middle = 0.5F * (low + high), rest = gap_at(middle);
        if (rest > 0)
          low = middle;
        else
          high = middle, miss = rest;
      }
      if (miss > -0.01F * (q_start + high * q_rise)) {
        const glm::vec2 at = a + high * way, from_border = glm::min(at, size - at) / size;
        return glm::vec4(behind.color[cell_of(high)], 1) *
               (down * smooth_step(0, 0.08F, std::min(from_border.x, from_border.y)));
      }
    }
    ahead = gap >= 0;
    before = s;
    stride *= growth;
    s += stride;
  }
  return glm::vec4(0);
}

/// CPU version of shaders/fluid_surface.frag.
glm::vec3 FluidSheet::color_at(const Scenery& scenery, const SolidPicture& behind, int x, int y,
                               const Spot& spot) const {
  const LightEnvironment& light = scenery.set.light;
  const glm::vec3 n = spot.wall_share < 1 ? to_world(calm_normal(x, y, spot, shiny_spacings)) : spot.normal;
  const glm::vec3 world = projector_.eye + spot.from_eye, albedo = unpack_linear(tint_near(x, y));
  LitPoint point;
  point.normal = n;
  point.albedo = albedo;
  point.to_eye = -glm::normalize(spot.from_eye);
  point.open = 0.8F + 0.2F * n.y;
  point.gloss = 0.6F;
  point.sun_share = scenery.sun_map.visible(world + 0.5F * spacing_m_ * scenery.sun, n * scenery.sun_map.offset_m(),
                                            shadow_turn(scenery.projector, world));
  if (is_channel_) return shoulder(lit_with(point, scenery.sun, light));
  const float thick = thickness_at(x, y) + 1.5F * spacing_m_;
  const glm::vec3 seen = background_at(behind, x, y, spot, wide_thickness(x, y, spot.depth));
  const glm::vec3 left = glm::pow(glm::clamp(albedo, 0.02F, 0.98F), glm::vec3(thick / clarity_m_));
  const glm::vec3 mirror = glm::normalize(glm::mix(to_world(calm_normal(x, y, spot, calm_spacings)), n, 0.35F));
  const float askew = 1 - std::clamp(glm::dot(mirror, point.to_eye), 0.1F, 1.0F), squared = askew * askew,
              fresnel = 0.02F + 0.98F * squared * squared * askew;
  const float diffuse = std::clamp((glm::dot(n, scenery.sun) + 0.4F) / 1.4F, 0.0F, 1.0F);
  const glm::vec3 scattered = albedo * (light.sun_light * (0.3F * diffuse * point.sun_share) +
                                        glm::mix(light.bounce_light, light.sky_light, 0.5F + 0.5F * n.y) * 0.4F);
  const glm::vec3 mirrored = glm::reflect(-point.to_eye, mirror);
  const glm::vec4 scene = mirrored_at(behind, world + 0.25F * spacing_m_ * n, mirrored, spot.depth);
  const glm::vec3 sky = light.background(std::clamp(sky_place(mirrored), -1.0F, 1.0F));
  const float shine = std::pow(std::clamp(glm::dot(glm::reflect(-point.to_eye, n), scenery.sun), 0.0F, 1.0F), 64.0F);
  const glm::vec3 added = scattered * (1.0F - left) * (1 - fresnel) + fresnel * (1 - scene.w) * sky +
                          light.sun_light * (0.4F * shine * point.sun_share);
  const glm::vec3 c = seen * left * (1 - fresnel) + shoulder(added) + fresnel * glm::vec3(scene);
  // Separate puffs of spray represent the foam of isolated drops (FrameData::add_spray()).
  const float isolated = static_cast<float>(tints_[at(x, y)] >> 24U) / 255;
  // Foam scatters light in all directions, so its shading depends little on the surface normal.
  point.albedo = glm::vec3(0.92F);
  point.normal = glm::normalize(0.4F * n + 0.6F * point.to_eye);
  point.gloss = 0.1F;
  return glm::mix(c, shoulder(lit_with(point, scenery.sun, light)),
                  0.55F * smooth_step(0.05F, 0.8F, (1 - isolated) * map_[at(x, y)].y));
}

glm::vec3 FluidSheet::mixed_color(const Scenery& scenery, const SolidPicture& behind, int x, int y,
                                  const Spot& spot) const {
  if (spot.wall_share <= 0 || spot.wall_share >= 1) return color_at(scenery, behind, x, y, spot);
  Spot on_top = spot, in_wall = spot;
  on_top.wall_share = 0;
  on_top.normal = spot.unbounded;
  on_top.depth = map_[at(x, y)].x;
  on_top.from_eye *= on_top.depth / spot.depth;
  in_wall.wall_share = 1;
  in_wall.normal = spot.wall_normal;
  in_wall.depth = spot.entry;
  in_wall.from_eye *= in_wall.depth / spot.depth;
  return glm::mix(color_at(scenery, behind, x, y, on_top), color_at(scenery, behind, x, y, in_wall), spot.wall_share);
}

glm::vec3 FluidSheet::color_within(const SolidPicture& behind, int x, int y) const {
  const glm::vec3 albedo = unpack_linear(*around_eye_),
                  ray = projector_.ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
  const glm::vec3 left = glm::pow(glm::clamp(albedo, 0.02F, 0.98F), glm::vec3(thickness_at(x, y) / clarity_m_));
  const glm::vec3 scattered =
      albedo * (light_.sun_light * 0.2F +
                glm::mix(light_.bounce_light, light_.sky_light, 0.5F + 0.5F * glm::normalize(ray).y) * 0.4F);
  return behind.color[behind.at(x, y)] * left + shoulder(scattered) * (1.0F - left);
}

/// Blends the fluid over the whole tile, because the eye is inside the fluid.
void FluidSheet::blend_within(const SolidPicture& behind, Tile& tile) const {
  for (int y = 0; y < tile.height; ++y)
    for (int x = 0; x < tile.width; ++x) {
      const glm::vec3 color = color_within(behind, tile.x0 + x, tile.y0 + y);
      const std::size_t to = Tile::cell(x, y);
      if (tile.is_edge(x, y)) {
        blend_edge(tile.edge_at(x, y), std::numeric_limits<float>::max(), color, 1);
        continue;
      }
      tile.red[to] = color.r;
      tile.green[to] = color.g;
      tile.blue[to] = color.b;
    }
}

void FluidSheet::blend(const Scenery& scenery, const SolidPicture& behind, Tile& tile) const {
  if (around_eye_) return blend_within(behind, tile);
  for (int y = 0; y < tile.height; ++y)
    for (int x = 0; x < tile.width; ++x) {
      if (map_[at(tile.x0 + x, tile.y0 + y)].x <= 0) continue;
      const Spot spot = spot_at(tile.x0 + x, tile.y0 + y);
      const float q = 1 / spot.depth, cover = spot.cover;
      const std::size_t to = Tile::cell(x, y);
      const bool is_edge = tile.is_edge(x, y);
      if (cover <= 0 || (!is_edge && !(q > tile.q[to]))) continue;
      const glm::vec3 color = mixed_color(scenery, behind, tile.x0 + x, tile.y0 + y, spot);
      if (is_edge) {
        EdgePixel& edge = tile.edge_at(x, y);
        blend_edge(edge, q, color, cover);
        for (float& there : edge.q) there = std::max(there, q);
      } else {
        tile.red[to] += cover * (color.r - tile.red[to]);
        tile.green[to] += cover * (color.g - tile.green[to]);
        tile.blue[to] += cover * (color.b - tile.blue[to]);
        tile.q[to] = q;
      }
      tile.front[to] = std::max(tile.front[to], q);
    }
}

}  // namespace vw::soft
