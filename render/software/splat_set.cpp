#include "render/software/splat_set.h"

#include <algorithm>
#include <cmath>

#include "render/scene/puffs.h"
#include "render/software/disc_table.h"
#include "render/software/light.h"
#include "render/vectors/vectors.h"

namespace vw::soft {
namespace {

/// Minimum radius of a ball [px], which keeps distant grains visible (shaders/sphere.vert).
constexpr float least_ball_px = 0.6F;

/// Computes the extent of a ball in the picture along one axis: the positions at which the tangent rays intersect the
/// plane at depth 1. Returns false if the ball extends behind the eye.
bool touching(float across, float depth, float radius, float& low, float& high) {
  const float under = depth * depth - radius * radius, root = across * across + under;
  if (!(depth > radius) || root < 0) return false;
  const float half = radius * std::sqrt(root);
  low = (across * depth - half) / under;
  high = (across * depth + half) / under;
  return true;
}

}  // namespace

ScreenDisc disc_on_picture(const glm::vec3& p, float radius_px, const glm::vec3& color, float opacity) {
  if (radius_px < least_disc_px) {
    opacity *= radius_px * radius_px / (least_disc_px * least_disc_px);
    radius_px = least_disc_px;
  }
  return {p.x, p.y, disc_table().ramp_radius(radius_px, p.x, p.y), p.z, color, opacity};
}

/// Computes the bounding box of a particle [px]. Returns false if the particle is not visible.
bool SplatSet::pixels_of(const glm::vec3& view, float radius, bool soft, glm::vec2& low, glm::vec2& high) const {
  const Projector& p = projector_;
  const auto wide = static_cast<float>(p.width), tall = static_cast<float>(p.height);
  if (soft || style_ == ParticleStyle::discs) {
    if (!(view.z > p.near_m && view.z < p.far_m)) return false;
    const glm::vec3 at = p.to_picture(view);
    const float reach = std::max(radius * p.focal_px * at.z, soft ? least_puff_px : least_disc_px) + 0.75F;
    low = glm::vec2(at) - reach;
    high = glm::vec2(at) + reach;
  } else {
    const float distance = glm::length(view);
    if (!(view.z > 0 && view.z < p.far_m) || distance < p.near_m) return false;
    const float r = std::max(std::min(radius, distance * 0.95F), least_ball_px * distance / p.focal_px);
    glm::vec2 from(0), to(0);
    if (touching(view.x, view.z, r, from.x, to.x) && touching(view.y, view.z, r, from.y, to.y)) {
      low = glm::vec2(p.middle_x + p.focal_px * from.x, p.middle_y - p.focal_px * to.y) - 0.75F;
      high = glm::vec2(p.middle_x + p.focal_px * to.x, p.middle_y - p.focal_px * from.y) + 0.75F;
    } else {
      low = glm::vec2(0);
      high = glm::vec2(wide, tall);
    }
  }
  return high.x >= 0 && high.y >= 0 && low.x < wide && low.y < tall;
}

void SplatSet::project_part(const Figure& figure, std::size_t first, Range part, const SunMap& sun_map,
                            const SplatRanks& ranks) {
  const auto tile_of = [](float x, int pixels) {
    return static_cast<std::uint16_t>(static_cast<int>(std::clamp(x, 0.0F, static_cast<float>(pixels - 1))) / tile_px);
  };
  const glm::vec3 sun = sun_direction();
  for (std::size_t i = part.begin; i < part.end; ++i) {
    Box& box = boxes_[first + i];
    box = {};
    const glm::vec4& place = figure.places[i];
    const std::uint32_t opacity = figure.opacity.empty() ? 255 : figure.opacity[i];
    if (!is_finite(place) || place.w < 0 || opacity == 0) continue;
    const glm::vec3 view = projector_.to_view(glm::vec3(place));
    if (figure.soft && !(puff_presence(view.z, place.w) > 0)) continue;
    glm::vec2 low(0), high(0);
    if (!pixels_of(view, place.w, figure.soft, low, high)) continue;
    box = {tile_of(low.x, projector_.width), tile_of(low.y, projector_.height), tile_of(high.x, projector_.width),
           tile_of(high.y, projector_.height)};
    SplatSeed& seed = seeds_[first + i];
    seed = {view,         place.w, (figure.colors[i] & 0x00FFFFFFU) | opacity << 24U, 0,
            figure.id[i], 0xFFFF,  static_cast<std::uint16_t>(figure.soft ? 2 : 0)};
    seed.key = ranks.key(hiding_key(style_, view.z, glm::dot(view, view), place.w), glm::vec3(place), figure.is_spray);
    if (figure.soft)
      seed.visible = static_cast<std::uint16_t>(
          sun_map.visible(glm::vec3(place)) * static_cast<float>(figure.colors[i] >> 24U) / 255 * 65535 + 0.5F);
    else if (style_ == ParticleStyle::balls)
      seed.visible =
          static_cast<std::uint16_t>(sun_map.visible(glm::vec3(place) + place.w * 1.05F * sun) * 65535 + 0.5F);
  }
}

void SplatSet::project(const FrameData& set, const ViewParams& view, const Selection& selection,
                       const Projector& projector, const SunMap& sun_map, const SplatRanks& ranks,
                       const glm::vec4& ground) {
  style_ = view.particle_style;
  light_ = set.light;
  projector_ = projector;
  ground_ = ground;
  const auto is_splat = [](const Figure& figure) { return figure.shape == FigureShape::balls; };
  std::size_t count = 0;
  for (std::size_t f = 0; f < set.count; ++f)
    if (is_splat(set.figures[f])) count += set.figures[f].places.size();
  seeds_.resize(count);
  boxes_.resize(count);
  std::size_t first = 0;
  for (std::size_t f = 0; f < set.count; ++f) {
    const Figure& figure = set.figures[f];
    if (!is_splat(figure)) continue;
    parallel_for(figure.places.size(), 8192,
                 [&](Range part, std::size_t) { project_part(figure, first, part, sun_map, ranks); });
    if (const auto at = static_cast<std::size_t>(selection.element);
        selection.system == figure.name && at < figure.places.size())
      seeds_[first + at].kind |= 1;
    first += figure.places.size();
  }
  bins_.fill((projector.width + tile_px - 1) / tile_px, (projector.height + tile_px - 1) / tile_px, count,
             [&](std::size_t i) {
               const Box& box = boxes_[i];
               return TileRange{box.x0, box.y0, box.x1, box.y1};
             },
             [&](std::size_t i) { return seeds_[i]; });
}

ScreenDisc SplatSet::make_disc(const SplatSeed& seed) const {
  const glm::vec3 p = projector_.to_picture(seed.view), color = unpack_linear(seed.color);
  return disc_on_picture(p, seed.radius * projector_.focal_px * p.z,
                         (seed.kind & 1) != 0 ? glm::mix(color, mark_color, 0.6F) : color,
                         static_cast<float>(seed.color >> 24U) / 255);
}

/// Converts a particle to a ball with the formula of shaders/splat.vert. The axes of the disc are in view axes.
ScreenBall SplatSet::make_ball(const SplatSeed& seed) const {
  const float d = std::max(glm::length(seed.view), 1e-6F), pixel = d / projector_.focal_px;
  const float r = std::max(std::min(seed.radius, d * 0.95F), least_ball_px * pixel);
  const float wide = r * d / std::sqrt(std::max(d * d - r * r, 1e-12F));
  ScreenBall out;
  out.color = unpack_linear(seed.color);
  out.opacity = static_cast<float>(seed.color >> 24U) / 255;
  out.marked = seed.kind & 1;
  out.visible = static_cast<float>(seed.visible) / 65535;
  out.radius = r / pixel;
  out.q = 1 / d;
  out.a = seed.view / d;
  const float flat = std::max(std::sqrt(out.a.x * out.a.x + out.a.z * out.a.z), 1e-6F);
  const glm::vec3 e = glm::vec3(out.a.z, 0, -out.a.x) / flat,
                  f = glm::vec3(-out.a.x * out.a.y, flat * flat, -out.a.y * out.a.z) / flat;
  out.e = e * (d / wide);
  out.f = f * (d / wide);
  const auto turned = [&](const glm::vec3& world) {
    const glm::vec3 v(glm::dot(world, projector_.right), glm::dot(world, projector_.up),
                      glm::dot(world, projector_.forward));
    return glm::vec3(glm::dot(v, e), glm::dot(v, f), -glm::dot(v, out.a));
  };
  out.sun = turned(sun_direction());
  out.vertical = turned({0, 1, 0});
  out.half_way = glm::normalize(out.sun + glm::vec3(0, 0, 1));
  static_cast<void>(pixels_of(seed.view, seed.radius, false, out.low, out.high));
  return out;
}

/// Converts a particle to a puff with the formula of shaders/splat.vert.
ScreenPuff SplatSet::make_puff(const SplatSeed& seed) const {
  const Projector& p = projector_;
  const glm::vec3 at = p.to_picture(seed.view), sun = sun_direction(), n(ground_);
  const float visible = static_cast<float>(seed.visible) / 65535;
  ScreenPuff out{at.x, at.y,         seed.radius * p.focal_px * at.z,
                 at.z, glm::vec3(0), static_cast<float>(seed.color >> 24U) / 255};
  out.opacity *= puff_presence(seed.view.z, seed.radius);
  if (out.radius < least_puff_px) {
    out.opacity *= out.radius * out.radius / (least_puff_px * least_puff_px);
    out.radius = least_puff_px;
  }
  out.color = shoulder(unpack_linear(seed.color) * (light_.sun_light * (0.42F * visible) +
                                                    glm::mix(light_.bounce_light, light_.sky_light, 0.62F) * 0.7F));
  if ((seed.kind & 1) != 0) out.color = glm::mix(out.color, mark_color, 0.6F);
  out.slope = 0.3F * visible * glm::vec2(glm::dot(sun, p.right), -glm::dot(sun, p.up));
  const float height =
      glm::dot(n, p.eye + seed.view.x * p.right + seed.view.y * p.up + seed.view.z * p.forward) - ground_.w;
  out.fade = glm::vec3(height, seed.radius * glm::dot(n, p.right), -seed.radius * glm::dot(n, p.up)) /
             (puff_fade * seed.radius);
  return out;
}

/// Appends a splat. If `joins` is set and the last run has the same kind, the splat is added to that run.
void SplatSet::add_run(SortedSplats& o, const SplatSeed& seed, bool joins) const {
  using Kind = SortedSplats::Kind;
  const Kind kind = (seed.kind & 2) != 0 ? Kind::puff : style_ == ParticleStyle::discs ? Kind::disc : Kind::ball;
  const std::size_t at = kind == Kind::puff ? o.puffs.size() : kind == Kind::disc ? o.discs.size() : o.balls.size();
  if (kind == Kind::puff)
    o.puffs.push_back(make_puff(seed));
  else if (kind == Kind::disc)
    o.discs.push_back(make_disc(seed));
  else
    o.balls.push_back(make_ball(seed));
  if (joins && !o.runs.empty() && o.runs.back().kind == kind)
    o.runs.back().end = at + 1;
  else
    o.runs.push_back({kind, at, at + 1});
}

void SplatSet::sort_tile(std::size_t tile, const SplatRanks& ranks, SortedSplats& o) const {
  const auto all = bins_.in(tile);
  o.keys.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) o.keys[i] = all[i].key;
  // For at most this number of splats, std::sort is faster than a radix sort, which has to clear and sum its buckets.
  constexpr std::size_t few = 256;
  if (all.size() <= few) {
    o.order.resize(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) o.order[i] = static_cast<std::uint32_t>(i);
    std::sort(o.order.begin(), o.order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return o.keys[a] != o.keys[b] ? o.keys[a] > o.keys[b] : a < b; });
  } else {
    order_from_large(o.keys, o.scratch, o.order);
  }
  const auto same = [&](std::uint32_t a, std::uint32_t b) { return o.keys[a] == o.keys[b]; };
  for (auto first = std::adjacent_find(o.order.begin(), o.order.end(), same); first != o.order.end();
       first = std::adjacent_find(first, o.order.end(), same)) {
    const auto end = std::find_if(first, o.order.end(), [&](std::uint32_t k) { return !same(k, *first); });
    std::stable_sort(first, end, [&](std::uint32_t a, std::uint32_t b) { return all[a].id < all[b].id; });
    first = end;
  }
  o.discs.clear(), o.balls.clear(), o.puffs.clear(), o.runs.clear();
  o.runs_before.clear();
  for (const std::uint32_t from : o.order) {
    const std::size_t rank = ranks.rank_of(o.keys[from]);
    const bool joins = o.runs_before.size() == rank + 1;
    while (o.runs_before.size() <= rank) o.runs_before.push_back(o.runs.size());
    add_run(o, all[from], joins);
  }
  while (o.runs_before.size() <= ranks.count()) o.runs_before.push_back(o.runs.size());
}

}  // namespace vw::soft
