#include "render/software/splat_set.h"

#include <algorithm>
#include <cmath>

#include "render/software/disc_table.h"
#include "render/software/light.h"

namespace vw::soft {
namespace {

constexpr std::uint32_t behind_bit = 0x80000000U;
/// Balls never shrink below this, so that far grains do not vanish (shaders/sphere.vert).
constexpr float least_ball_px = 0.6F;

bool is_finite(const glm::vec4& v) { return std::isfinite(v.x + v.y + v.z + v.w); }

/// Where the sights along one axis that touch a ball meet the plane at depth 1; false where it reaches behind the eye.
bool touching(float across, float depth, float radius, float& low, float& high) {
  const float under = depth * depth - radius * radius, root = across * across + under;
  if (!(depth > radius) || root < 0) return false;
  const float half = radius * std::sqrt(root);
  low = (across * depth - half) / under;
  high = (across * depth + half) / under;
  return true;
}

}  // namespace

ScreenSplat disc_on_picture(const glm::vec3& p, float radius_px, const glm::vec3& color, float opacity) {
  ScreenSplat out;
  out.x = p.x;
  out.y = p.y;
  out.q = p.z;
  out.color = color;
  out.opacity = opacity;
  if (radius_px < least_disc_px) {
    out.opacity *= radius_px * radius_px / (least_disc_px * least_disc_px);
    radius_px = least_disc_px;
  }
  out.radius = disc_table().ramp_radius(radius_px, p.x, p.y);
  out.low = glm::vec2(p) - (out.radius + 0.5F);
  out.high = glm::vec2(p) + (out.radius + 0.5F);
  return out;
}

bool SplatSet::box_of(const glm::vec3& view, float radius, Spot& spot) const {
  const Projector& p = projector_;
  if (style_ == ParticleStyle::discs) {
    if (!(view.z > p.near_m && view.z < p.far_m)) return false;
    const glm::vec3 at = p.to_picture(view);
    const float reach = std::max(radius * p.focal_px * at.z, least_disc_px) + 1;
    spot.low = glm::vec2(at) - reach;
    spot.high = glm::vec2(at) + reach;
  } else {
    const float distance = glm::length(view);
    if (!(view.z > 0 && view.z < p.far_m) || distance < p.near_m) return false;
    const float r = std::max(std::min(radius, distance * 0.95F), least_ball_px * distance / p.focal_px);
    glm::vec2 low(0), high(0);
    if (!touching(view.x, view.z, r, low.x, high.x) || !touching(view.y, view.z, r, low.y, high.y)) {
      spot.low = glm::vec2(0);
      spot.high = glm::vec2(static_cast<float>(p.width), static_cast<float>(p.height));
      return true;
    }
    spot.low = {p.middle_x + p.focal_px * low.x - 1.0F, p.middle_y - p.focal_px * high.y - 1.0F};
    spot.high = {p.middle_x + p.focal_px * high.x + 1.0F, p.middle_y - p.focal_px * low.y + 1.0F};
  }
  return spot.high.x >= 0 && spot.high.y >= 0 && spot.low.x < static_cast<float>(p.width) && spot.low.y < static_cast<float>(p.height);
}

void SplatSet::project_part(const Source& source, Range part, const SeeThroughPlanes& planes) {
  const Figure& figure = *source.figure;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    Spot& spot = spots_[source.first + i];
    spot = {};
    const glm::vec4& place = figure.places[i];
    if (!is_finite(place) || (!figure.opacity.empty() && figure.opacity[i] == 0)) continue;
    const glm::vec3 view = projector_.to_view(glm::vec3(place));
    if (!box_of(view, place.w, spot)) {
      spot.low = glm::vec2(1);
      spot.high = glm::vec2(0);
      continue;
    }
    spot.key = ordered_bits(hiding_key(style_, view.z, glm::dot(view, view), place.w)) >> 1U;
    if (planes.any() && planes.hides(glm::vec3(place))) spot.key |= behind_bit;
    spot.id = figure.id[i];
  }
}

void SplatSet::project(const FrameSet& set, const ViewParams& view, const Selection& selection, const Projector& projector,
                       const SeeThroughPlanes& planes) {
  style_ = view.particle_style;
  projector_ = projector;
  sources_.clear();
  std::size_t count = 0;
  for (std::size_t f = 0; f < set.count; ++f) {
    const Figure& figure = set.figures[f];
    if (figure.look == Look::voxels && figure.skin != nullptr) continue;
    sources_.push_back({&figure, count, selection.system == figure.name ? selection.element : -1});
    count += figure.places.size();
  }
  spots_.resize(count);
  for (const Source& source : sources_)
    parallel_for(source.figure->places.size(), 8192, [&](Range part, std::size_t) { project_part(source, part, planes); });
  const int across = (projector.width + tile_px - 1) / tile_px, down = (projector.height + tile_px - 1) / tile_px;
  bins_.fill(across, down, count, [&](std::size_t i) {
    const Spot& spot = spots_[i];
    if (spot.high.x < spot.low.x) return TileRange{};
    const auto tile_of = [](float x, int tiles) { return static_cast<int>(std::clamp(x, 0.0F, static_cast<float>(tiles * tile_px - 1))) / tile_px; };
    return TileRange{tile_of(spot.low.x, across), tile_of(spot.low.y, down), tile_of(spot.high.x, across), tile_of(spot.high.y, down)};
  });
}

/// As shaders/splat.vert for balls; axes across the line of sight in view axes.
void SplatSet::make_ball(const glm::vec4& place, const SunMap& sun_map, ScreenSplat& out) const {
  const glm::vec3 center = projector_.to_view(glm::vec3(place));
  const float d = std::max(glm::length(center), 1e-6F), pixel = d / projector_.focal_px;
  const float r = std::max(std::min(place.w, d * 0.95F), least_ball_px * pixel);
  const float wide = r * d / std::sqrt(std::max(d * d - r * r, 1e-12F));
  out.radius = r / pixel;
  out.q = 1 / d;
  out.a = center / d;
  const float flat = std::max(std::sqrt(out.a.x * out.a.x + out.a.z * out.a.z), 1e-6F);
  const glm::vec3 e = glm::vec3(out.a.z, 0, -out.a.x) / flat, f = glm::vec3(-out.a.x * out.a.y, flat * flat, -out.a.y * out.a.z) / flat;
  out.e = e * (d / wide);
  out.f = f * (d / wide);
  const auto turned = [&](const glm::vec3& world) {
    const glm::vec3 v(glm::dot(world, projector_.right), glm::dot(world, projector_.up), glm::dot(world, projector_.forward));
    return glm::vec3(glm::dot(v, e), glm::dot(v, f), -glm::dot(v, out.a));
  };
  const glm::vec3 sun = sun_direction();
  out.sun = turned(sun);
  out.vertical = turned({0, 1, 0});
  out.half_way = glm::normalize(out.sun + glm::vec3(0, 0, 1));
  out.visible = sun_map.visible(glm::vec3(place) + r * 1.05F * sun);
}

ScreenSplat SplatSet::make(std::uint32_t at, const SunMap& sun_map) const {
  std::size_t s = sources_.size() - 1;
  while (sources_[s].first > at) --s;
  const Figure& figure = *sources_[s].figure;
  const std::size_t i = at - sources_[s].first;
  const glm::vec4& place = figure.places[i];
  const glm::vec3 color = unpack_linear(figure.colors[i]);
  const float opacity = figure.opacity.empty() ? 1.0F : static_cast<float>(figure.opacity[i]) / 255;
  const bool marked = static_cast<std::int64_t>(i) == sources_[s].selected;
  if (style_ == ParticleStyle::discs) {
    const glm::vec3 p = projector_.to_picture(projector_.to_view(glm::vec3(place)));
    return disc_on_picture(p, place.w * projector_.focal_px * p.z, marked ? glm::mix(color, mark_color, 0.6F) : color, opacity);
  }
  ScreenSplat out;
  out.color = color;
  out.opacity = opacity;
  out.marked = marked ? 1.0F : 0.0F;
  out.low = spots_[at].low;
  out.high = spots_[at].high;
  make_ball(place, sun_map, out);
  return out;
}

std::size_t SplatSet::sort_tile(std::size_t tile, const SunMap& sun_map, SplatOrder& o) const {
  const auto all = bins_.in(tile);
  o.keys.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) o.keys[i] = spots_[all[i]].key;
  constexpr std::size_t few = 256;  // a radix pass costs its buckets
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
    std::stable_sort(first, end, [&](std::uint32_t a, std::uint32_t b) { return spots_[all[a]].id < spots_[all[b]].id; });
    first = end;
  }
  o.sorted.resize(all.size());
  std::size_t behind = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    o.sorted[i] = make(all[o.order[i]], sun_map);
    behind += (o.keys[o.order[i]] & behind_bit) != 0 ? 1 : 0;
  }
  return behind;
}

}  // namespace vw::soft
