#include "render/air/air_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/scene/frame_data.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

constexpr std::size_t most_bands = 300'000, no_sheet = std::numeric_limits<std::size_t>::max();

/// Factors for width and opacity along a line. The width grows in the flow direction. A streamline fades out at both
/// ends, a pathline or streakline only at its old end.
struct Taper {
  float width, opacity;
};
Taper taper(float share, bool path) {
  if (path) return {0.35F + 0.65F * share, glm::smoothstep(0.0F, 0.5F, share)};
  return {0.45F + 0.55F * share, glm::smoothstep(0.0F, 0.1F, share) * (1 - glm::smoothstep(0.95F, 1.0F, share))};
}

/// Diffuse reflection of a thin line. A line is brightest where it is perpendicular to the light (M. Zoeckler, D.
/// Stalling, H.-C. Hege, "Interactive visualization of 3D-vector fields using illuminated stream lines", 1996).
float thread_light(const glm::vec3& along) {
  const float on = glm::dot(along, sun_direction());
  return 0.66F + 0.34F * std::sqrt(std::max(1 - on * on, 0.0F));
}

/// Returns the length [m] of the last part of a pathline that the marker has not yet reached at the interpolated time.
/// The function projects the marker of the previous snapshot onto the newest line. The result is the arc length from
/// the projected point to the new end, times (1 - blend). If the old marker is not close to the newest line, the result
/// is 0.
float way_to_go(const FieldLines& lines, const FieldLines* before, std::size_t line, float blend) {
  constexpr std::size_t most_steps = 64;
  if (before == nullptr || blend >= 1 || before->start.size() != lines.start.size()) return 0;
  const std::size_t old_end = before->start[line + 1], first = lines.start[line], end = lines.start[line + 1];
  if (old_end <= before->start[line] || old_end > before->point.size()) return 0;
  const Vec3f& marker = before->point[old_end - 1];
  float way = 0, best_way = 0, best_gap = std::numeric_limits<float>::max();
  for (std::size_t i = end - 1; i > first && end - i <= most_steps; --i) {
    const Vec3f step = lines.point[i - 1] - lines.point[i];
    const float length = step.norm(),
                share =
                    length > 0 ? std::clamp((marker - lines.point[i]).dot(step) / (length * length), 0.0F, 1.0F) : 0;
    const float gap = (lines.point[i] + share * step - marker).norm();
    if (gap < best_gap) best_gap = gap, best_way = way + share * length;
    way += length;
  }
  return best_gap <= 0.1F * best_way ? (1 - blend) * best_way : 0;
}

}  // namespace

void AirLines::build(const Scene& scene) {
  bands_.clear();
  layers_.clear();
  const FieldLines *streams = nullptr, *paths = nullptr;
  if (scene.previous != nullptr) streams = &scene.previous->streamlines, paths = &scene.previous->pathlines;
  add_rims(scene);
  if (scene.newest.streamlines.across.empty()) add_lines(scene, scene.newest.streamlines, streams, false);
  add_lines(scene, scene.newest.pathlines, paths, true);
  add_lines(scene, scene.newest.streaklines, nullptr, true);
  add_ways(scene);
  sort(scene);
}

void AirLines::add_lines(const Scene& scene, const FieldLines& lines, const FieldLines* before, bool paths) {
  if (lines.start.size() < 2 || lines.speed.size() != lines.point.size() || lines.start.back() > lines.point.size())
    return;
  const std::size_t stride = lines.point.size() / most_bands + 1;
  const float scale = static_cast<float>(scene.map.size() - 1) / std::max(scene.range.max - scene.range.min, 1e-30F);
  for (std::size_t l = 0; l + 1 < lines.start.size(); ++l) {
    const std::size_t first = lines.start[l], end = lines.start[l + 1];
    if (end < first + 2) continue;
    run_.clear();
    for (std::size_t i = first; i < end; i = i + 1 < end ? std::min(i + stride, end - 1) : end) {
      const float t =
          std::clamp((lines.speed[i] - scene.range.min) * scale, 0.0F, static_cast<float>(scene.map.size() - 1));
      if (!std::isfinite(t) || !lines.point[i].allFinite()) break;
      run_.push_back({to_glm(lines.point[i]), scene.map[static_cast<std::size_t>(t + 0.5F)], 1, 1});
    }
    if (run_.size() < 2) continue;
    if (paths)
      trim(way_to_go(lines, before, l, scene.blend));
    else if (before != nullptr && before->start.size() == lines.start.size() &&
             before->start[l + 1] <= before->point.size())
      blend_with(*before, l, scene.blend);
    round_corners();
    dress(scene, paths);
    add_run(scene, no_sheet);
  }
}

/// Sets the width, opacity and shading of the points in `run_`.
void AirLines::dress(const Scene& scene, bool paths) {
  const float width_m = 2.2e-3F * std::max((scene.newest.box_max - scene.newest.box_min).norm(), 1e-6F);
  float whole = 0, way = 0;
  for (std::size_t i = 1; i < run_.size(); ++i) whole += glm::length(run_[i].place - run_[i - 1].place);
  for (std::size_t i = 0; i < run_.size(); ++i) {
    LinePoint& p = run_[i];
    if (i > 0) way += glm::length(run_[i].place - run_[i - 1].place);
    const Taper shape = taper(whole > 0 ? way / whole : 1, paths);
    const float pixel = scene.pixel * std::max(glm::length(p.place - scene.eye), 1e-6F);
    p.half_px = std::clamp(0.5F * width_m / pixel, 0.7F, 2.4F) * shape.width + band_rim_px;
    p.opacity = shape.opacity;
  }
  light_up();
}

/// Shades the colours of the points in `run_`.
void AirLines::light_up() {
  for (std::size_t i = 0; i < run_.size(); ++i) {
    const glm::vec3 along = run_[std::min(i + 1, run_.size() - 1)].place - run_[i > 0 ? i - 1 : 0].place;
    run_[i].color = srgb_of(thread_light(unit_or(along, glm::vec3(0, 1, 0))) * light_of(run_[i].color));
  }
}

void AirLines::add_ways(const Scene& scene) {
  std::size_t first = 0;
  for (const std::size_t end : scene.ways_end) {
    run_.assign(scene.ways.begin() + static_cast<std::ptrdiff_t>(first),
                scene.ways.begin() + static_cast<std::ptrdiff_t>(end));
    first = end;
    if (bands_.size() > most_bands) break;
    round_corners();
    light_up();
    add_run(scene, no_sheet);
  }
}

/// Shortens the line `run_` at its end by the arc length `way` [m].
void AirLines::trim(float way) {
  while (way > 0 && run_.size() > 2) {
    LinePoint &last = run_.back(), &earlier = run_[run_.size() - 2];
    const float step = glm::length(last.place - earlier.place);
    if (step > way) {
      last.place = glm::mix(last.place, earlier.place, way / step);
      return;
    }
    way -= step;
    run_.pop_back();
  }
}

/// Interpolates between the previous and the current shape of a line. Points correspond if they divide the arc length
/// in equal ratios. If the shapes differ by more than 20 % of the length, the line remains unchanged.
void AirLines::blend_with(const FieldLines& before, std::size_t line, float blend) {
  constexpr float alike = 0.2F;
  const auto old = std::span(before.point).subspan(before.start[line], before.start[line + 1] - before.start[line]);
  float whole = 0, old_whole = 0, gap = 0;
  for (std::size_t i = 1; i < old.size(); ++i) old_whole += (old[i] - old[i - 1]).norm();
  for (std::size_t i = 1; i < run_.size(); ++i) whole += glm::length(run_[i].place - run_[i - 1].place);
  if (old.size() < 2 || !(whole > 0) || !(std::abs(whole - old_whole) < alike * whole)) return;
  std::vector<glm::vec3> places;
  std::size_t k = 1;
  float way = 0, old_way = 0;
  for (std::size_t i = 0; i < run_.size(); ++i) {
    if (i > 0) way += glm::length(run_[i].place - run_[i - 1].place);
    const float wanted = way / whole * old_whole;
    float step = (old[k] - old[k - 1]).norm();
    while (k + 1 < old.size() && old_way + step < wanted) old_way += step, ++k, step = (old[k] - old[k - 1]).norm();
    const glm::vec3 was = glm::mix(to_glm(old[k - 1]), to_glm(old[k]),
                                   step > 0 ? std::clamp((wanted - old_way) / step, 0.0F, 1.0F) : 0.0F);
    gap = std::max(gap, glm::length(was - run_[i].place));
    places.push_back(glm::mix(was, run_[i].place, blend));
  }
  if (!(gap < alike * whole)) return;
  for (std::size_t i = 0; i < run_.size(); ++i) run_[i].place = places[i];
}

/// Subdivides the segments next to each corner sharper than 0.1 rad. The new points lie on a cubic through all given
/// points. At these points, the tangents have the directions of Catmull & Rom (1974).
void AirLines::round_corners() {
  constexpr float least_turn = 0.1F;
  constexpr int most_parts = 6;
  const auto at = [&](std::size_t i) { return run_[std::min(i, run_.size() - 1)].place; };
  const auto turn = [&](std::size_t i) {
    if (i == 0 || i + 1 >= run_.size()) return 0.0F;
    const glm::vec3 u = at(i) - at(i - 1), v = at(i + 1) - at(i);
    return std::atan2(glm::length(glm::cross(u, v)), glm::dot(u, v));
  };
  rounded_.clear();
  for (std::size_t i = 0; i + 1 < run_.size(); ++i) {
    const int parts = std::clamp(static_cast<int>(std::max(turn(i), turn(i + 1)) / least_turn) + 1, 1, most_parts);
    const glm::vec3 a = at(i), b = at(i + 1), step = b - a;
    // Both slopes are scaled to the length of this segment. If a slope were scaled to a much longer adjacent segment,
    // the curve would overshoot.
    const float length = glm::length(step);
    glm::vec3 from = length * unit_or(b - at(i > 0 ? i - 1 : 0), glm::vec3(0)),
              to = length * unit_or(at(i + 2) - a, glm::vec3(0));
    if (i == 0) from = 2.0F * step - to;  // at an end of the line, the cubic reduces to a parabola
    if (i + 2 == run_.size()) to = 2.0F * step - from;
    for (int k = 0; k < parts; ++k) {
      LinePoint p = run_[i];
      const float t = static_cast<float>(k) / static_cast<float>(parts), u = 1 - t;
      p.place = u * u * (1 + 2 * t) * a + t * u * u * from + t * t * (3 - 2 * t) * b - t * t * u * to;
      p.color = glm::mix(p.color, run_[i + 1].color, t);
      p.half_px = glm::mix(p.half_px, run_[i + 1].half_px, t);
      p.opacity = glm::mix(p.opacity, run_[i + 1].opacity, t);
      rounded_.push_back(p);
    }
  }
  rounded_.push_back(run_.back());
  run_.swap(rounded_);
}

/// Adds a thin pale frame around each slice plane.
void AirLines::add_rims(const Scene& scene) {
  constexpr int parts = 24;
  const auto sheets = scene.sheets.sheets();
  for (std::size_t s = 0; s < sheets.size(); ++s)
    for (std::size_t side = 0; side < 4; ++side) {
      constexpr auto round = std::to_array<glm::vec2>({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}});
      run_.clear();
      for (int k = 0; k <= parts; ++k) {
        const glm::vec2 at = glm::mix(round[side], round[side + 1], static_cast<float>(k) / parts);
        run_.push_back({lifted(sheets[s].point(at), scene.eye, 1.5F * sheet_lift / scene.distance_factor),
                        glm::vec3(0.93F), 0.5F + band_rim_px, 0.75F});
      }
      add_run(scene, s);
    }
}

/// Adds the segments between consecutive points of the line `run_`, except segments with an end that a cut plane hides.
/// `on_sheet`: index of the sheet on which the line lies, or no_sheet.
void AirLines::add_run(const Scene& scene, std::size_t on_sheet) {
  const auto packed = [](const LinePoint& p) {
    return (pack_color(p.color) & 0x00FFFFFFU) | static_cast<std::uint32_t>(255 * p.opacity + 0.5F) << 24U;
  };
  const auto side_at = [&](std::size_t i) {
    const glm::vec3 &p = run_[i].place,
                    along = run_[std::min(i + 1, run_.size() - 1)].place - run_[i > 0 ? i - 1 : 0].place;
    return unit_or(glm::cross(along, scene.eye - p), glm::vec3(0, 1, 0));
  };
  glm::vec3 side = side_at(0);
  for (std::size_t i = 0; i + 1 < run_.size(); ++i) {
    const LinePoint &a = run_[i], &b = run_[i + 1];
    const glm::vec3 next = side_at(i + 1);
    if (!(scene.cut.is_open() && (scene.cut.hides(a.place) || scene.cut.hides(b.place)))) {
      bands_.push_back({{a.place, a.half_px}, {b.place, b.half_px}, side, packed(a), next, packed(b)});
      const glm::vec3 middle = 0.5F * (a.place + b.place);
      layers_.push_back(on_sheet == no_sheet ? scene.sheets.layer_of(middle) : scene.sheets.layer_on(on_sheet, middle));
    }
    side = next;
  }
}

void AirLines::sort(const Scene& scene) {
  const std::size_t bits = scene.sheets.bits(), layers = scene.sheets.layers();
  keys_.resize(bands_.size());
  ends_.assign(layers, 0);
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    const glm::vec3 off = 0.5F * (glm::vec3(bands_[i].from) + glm::vec3(bands_[i].to)) - scene.eye;
    const auto far_first = static_cast<std::uint32_t>(layers - 1 - layers_[i]);
    keys_[i] = ordered_bits(glm::dot(off, off)) >> bits;
    if (bits > 0) keys_[i] |= far_first << (32 - bits);
    ++ends_[layers_[i]];
  }
  for (std::size_t k = 1; k < layers; ++k) ends_[k] += ends_[k - 1];
  order_from_large(keys_, scratch_, order_);
  sorted_.resize(bands_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) sorted_[i] = bands_[order_[i]];
}

}  // namespace vw
