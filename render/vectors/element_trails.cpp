#include "render/vectors/element_trails.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/labels/color_map.h"
#include "render/vectors/vector_colors.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

/// Limits: maximum and minimum number of points per trail, and maximum number of points of all trails.
constexpr std::size_t most_points = 120, least_points = 8, most_of_all = 1'000'000;
/// Minimum distance in the picture between two drawn points [px].
constexpr float apart_px = 12;

/// Returns the hash of an element. If the limits allow fewer trails than there are elements, choose() gives trails to
/// the elements with the smallest weighted hashes. The hash depends on the element alone, so elements that appear or
/// disappear do not change the hashes of other elements.
std::uint32_t draw_of(std::size_t system, std::uint32_t id) {
  std::uint64_t x = (static_cast<std::uint64_t>(system) << 32U | id) + 0x9E3779B97F4A7C15U;
  x = (x ^ x >> 30U) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27U) * 0x94D049BB133111EBU;
  return static_cast<std::uint32_t>(x >> 32U);
}

std::uint32_t id_of(const SystemSnapshot& system, std::size_t row) {
  return row < system.id.size() ? system.id[row] : static_cast<std::uint32_t>(row);
}

/// Filter of elements by "system" or "system.id". An empty list selects all elements.
class TrailSelection {
 public:
  explicit TrailSelection(const std::vector<std::string>& names) : names_(names) {}
  [[nodiscard]] bool all_of(const std::string& system) const {
    return names_.empty() || std::ranges::find(names_, system) != names_.end();
  }
  [[nodiscard]] bool any_of(const std::string& system) const {
    return all_of(system) ||
           std::ranges::any_of(names_, [&](const std::string& name) { return name.starts_with(system + "."); });
  }
  [[nodiscard]] bool has(const std::string& system, std::uint32_t id) const {
    return all_of(system) || std::ranges::find(names_, system + "." + std::to_string(id)) != names_.end();
  }

 private:
  const std::vector<std::string>& names_;
};

float interval_s(const ViewParams& view) {
  const std::size_t points =
      std::clamp(most_of_all / static_cast<std::size_t>(view.trail_limit), least_points, most_points);
  return static_cast<float>(view.trail_s) / static_cast<float>(points);
}

}  // namespace

void ElementTrails::note(const Snapshot& snapshot, const ViewParams& view) {
  std::vector<std::string> systems;
  for (const SystemSnapshot& system : snapshot.systems) systems.push_back(system.name);
  const auto limit = static_cast<std::size_t>(view.trail_limit);
  if (!view.trails || snapshot.epoch != epoch_ || systems != systems_ || last_s_ < 0) {
    *this = {};
    if (!view.trails) return;
    epoch_ = snapshot.epoch;
    systems_ = std::move(systems);
    start_s_ = snapshot.time_s;
  }
  const bool is_new = snapshot.time_s != last_s_;
  if (!is_new && limit == limit_ && view.trail_systems == wanted_) return;
  limit_ = limit;
  wanted_ = view.trail_systems;
  const auto now = static_cast<float>(snapshot.time_s - start_s_);
  // Step times are sums of dt with rounding errors, so an interval that is 10 % too short is accepted.
  const bool is_due = last_s_ < 0 || snapshot.time_s < sampled_s_ ||
                      snapshot.time_s - sampled_s_ >= 0.9 * static_cast<double>(interval_s(view));
  forget(now - static_cast<float>(view.trail_s) - interval_s(view),
         snapshot.time_s < last_s_ ? now : std::numeric_limits<float>::max());
  find_rows(snapshot);
  choose(snapshot, view);
  if (is_due) {
    for (Track& track : tracks_)
      if (track.row >= 0) add_point(track, snapshot.systems[track.system], now);
    sampled_s_ = snapshot.time_s;
    ++samples_;
  }
  last_s_ = snapshot.time_s;
}

/// Removes all points older than `from_s` except the newest of them, and all points at or after `until_s`. Then removes
/// the tracks of elements that no longer exist and whose trails have faded out.
void ElementTrails::forget(float from_s, float until_s) {
  for (Track& track : tracks_) {
    std::erase_if(track.points, [&](const Point& p) { return p.after_s >= until_s; });
    const auto first = std::ranges::find_if(track.points, [&](const Point& p) { return p.after_s >= from_s; });
    if (first - track.points.begin() > 1) track.points.erase(track.points.begin(), first - 1);
  }
  std::erase_if(tracks_, [&](const Track& track) {
    return track.row < 0 && (track.points.empty() || track.points.back().after_s < from_s);
  });
}

void ElementTrails::find_rows(const Snapshot& snapshot) {
  std::vector<std::unordered_map<std::uint32_t, std::size_t>> missing(snapshot.systems.size());
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    Track& track = tracks_[t];
    const SystemSnapshot& system = snapshot.systems[track.system];
    const auto row = static_cast<std::size_t>(track.row);
    if (track.row >= 0 && row < system.position.size() && id_of(system, row) == track.id) continue;
    if (track.row >= 0 || !track.points.empty()) missing[track.system].emplace(track.id, t);
    track.row = -1;
  }
  for (std::size_t s = 0; s < missing.size(); ++s)
    for (std::size_t row = 0; !missing[s].empty() && row < snapshot.systems[s].position.size(); ++row)
      if (const auto found = missing[s].find(id_of(snapshot.systems[s], row)); found != missing[s].end()) {
        tracks_[found->second].row = static_cast<std::int64_t>(row);
        missing[s].erase(found);
      }
}

/// Removes tracks that the view no longer selects. Adds tracks if there are fewer than the limit.
void ElementTrails::choose(const Snapshot& snapshot, const ViewParams& view) {
  const TrailSelection wanted(view.trail_systems);
  std::erase_if(tracks_, [&](const Track& track) { return !wanted.has(systems_[track.system], track.id); });
  // Weight the hash with the number of elements in the system, so that each system gets a similar number of trails.
  const auto draw = [&](const Track& track) {
    const std::uint64_t lot = draw_of(track.system, track.id);
    return std::pair(track.row < 0, lot * snapshot.systems[track.system].position.size());
  };
  const auto before = [&](const Track& a, const Track& b) { return draw(a) < draw(b); };
  const auto there =
      static_cast<std::size_t>(std::ranges::count_if(tracks_, [](const Track& track) { return track.row >= 0; }));
  if (there < limit_) {
    std::vector<std::unordered_map<std::uint32_t, bool>> taken(systems_.size());
    for (const Track& track : tracks_)
      if (track.row >= 0) taken[track.system].emplace(track.id, true);
    std::vector<Track> others;
    for (std::size_t s = 0; s < snapshot.systems.size(); ++s) {
      const SystemSnapshot& system = snapshot.systems[s];
      if (!wanted.any_of(system.name) || taken[s].size() == system.position.size()) continue;
      const bool all = wanted.all_of(system.name);
      for (std::size_t row = 0; row < system.position.size(); ++row)
        if (const std::uint32_t id = id_of(system, row); (all || wanted.has(system.name, id)) && !taken[s].contains(id))
          others.push_back({s, id, static_cast<std::int64_t>(row), {}});
    }
    const std::size_t more = std::min(limit_ - there, others.size());
    std::ranges::nth_element(others, others.begin() + static_cast<std::ptrdiff_t>(more == others.size() ? 0 : more),
                             before);
    others.resize(more);
    std::ranges::move(others, std::back_inserter(tracks_));
  }
  // Up to `limit_` further tracks are kept, so that trails of removed elements can fade out.
  const std::size_t most = there > limit_ ? limit_ : 2 * limit_;
  if (tracks_.size() <= most) return;
  std::ranges::nth_element(tracks_, tracks_.begin() + static_cast<std::ptrdiff_t>(most), before);
  tracks_.resize(most);
}

void ElementTrails::add_point(Track& track, const SystemSnapshot& system, float now) {
  const auto row = static_cast<std::size_t>(track.row);
  Point point{system.position[row], row < system.velocity.size() ? system.velocity[row] : Vec3f(Vec3f::Zero()), now,
              samples_, false};
  if (!point.place.allFinite() || !point.velocity.allFinite()) return;
  if (!track.points.empty()) {
    const glm::vec3 before = to_glm(track.points.back().place);
    point.is_apart = nearest_image(before, to_glm(point.place), system.period) != before;
  }
  track.points.push_back(point);
}

/// Returns the range from 0 to the 95th percentile of the speeds along the trails, smoothed in time.
ValueRange ElementTrails::speeds(double time_s, float now) {
  values_.clear();
  for (const Track& track : tracks_)
    for (const Point& point : track.points)
      if (point.after_s <= now) values_.push_back(point.velocity.norm());
  const float end = values_.empty() ? 1 : percentile(values_, 0.95);
  return follow_range(range_, "trails", {0, std::max(end, 1e-9F)}, time_s);
}

void ElementTrails::build(const Scene& scene) {
  points_.clear();
  ends_.clear();
  legend_ = {};
  if (!scene.view.trails || tracks_.empty()) return;
  const auto now = static_cast<float>(scene.time_s - start_s_);
  ValueRange range;
  if (scene.view.trail_color == VectorColor::magnitude) {
    range = speeds(scene.time_s, now);
    legend_ = {"trails: speed", "m/s", range.min, range.max, speed_map(), {}};
  }
  for (const Track& track : tracks_)
    if (!track.points.empty() && scene.figures[track.system].shape != FigureShape::hidden)
      add_way(scene, track, range, now);
}

/// Returns the stride of the drawn samples, a power of two. The stride applies to the index of the sample since the
/// start, so that the drawn points stay the same when old samples are removed.
std::uint32_t ElementTrails::stride_of(const Scene& scene, const Track& track) {
  float way = 0;
  for (std::size_t i = 1; i < track.points.size(); ++i)
    if (!track.points[i].is_apart) way += (track.points[i].place - track.points[i - 1].place).norm();
  const glm::vec3 middle = to_glm(track.points[track.points.size() / 2].place);
  const float pixel = scene.pixel * std::max(glm::length(middle - scene.eye), 1e-6F),
              spacing_px = way / (pixel * static_cast<float>(track.points.size()));
  std::uint32_t stride = 1;
  while (stride < 16 && 2 * static_cast<float>(stride) * spacing_px < apart_px) stride *= 2;
  return stride;
}

/// Adds the trail of one element. The trail ends at the element's interpolated position in the picture.
void ElementTrails::add_way(const Scene& scene, const Track& track, const ValueRange& range, float now) {
  const ColorMap& map = speed_map();
  const auto length_s = static_cast<float>(scene.view.trail_s);
  const SystemSnapshot& system = scene.newest.systems[track.system];
  const auto color_of = [&](const glm::vec3& velocity) {
    const float speed = glm::length(velocity);
    if (scene.view.trail_color == VectorColor::system) return system_tint(track.system);
    if (scene.view.trail_color == VectorColor::direction)
      return speed > 0 ? direction_color(velocity / speed) : glm::vec3(0.6F);
    return map[static_cast<std::size_t>(std::clamp(speed / range.max, 0.0F, 1.0F) * static_cast<float>(map.size() - 1) +
                                        0.5F)];
  };
  const auto close = [&] {
    if (way_.size() > 1) {
      points_.insert(points_.end(), way_.begin(), way_.end());
      ends_.push_back(points_.size());
    }
    way_.clear();
  };
  const auto add = [&](const glm::vec3& place, const glm::vec3& velocity, float after_s) {
    const float youth = std::clamp(1 - (now - after_s) / length_s, 0.0F, 1.0F);
    const LinePoint point{place, color_of(velocity), 0.4F + 0.8F * youth + band_rim_px,
                          glm::smoothstep(0.0F, 0.6F, youth)};
    if (way_.empty() || glm::length(place - way_.back().place) > 0) way_.push_back(point);
  };
  way_.clear();
  const std::uint32_t stride = stride_of(scene, track);
  for (std::size_t i = 0; i < track.points.size() && track.points[i].after_s <= now; ++i) {
    const Point& p = track.points[i];
    if (p.is_apart) close();
    const bool is_end = i + 1 == track.points.size() || track.points[i + 1].is_apart || way_.empty();
    if (is_end || p.number % stride == 0) add(to_glm(p.place), to_glm(p.velocity), p.after_s);
  }
  const Figure& figure = scene.figures[track.system];
  const auto row = static_cast<std::size_t>(track.row);
  if (track.row >= 0 && row < figure.places.size() && !way_.empty()) {
    const glm::vec3 head(figure.places[row]), last = way_.back().place;
    const bool is_near = nearest_image(last, head, system.period) == last;
    if (is_near && is_finite(head) && is_finite(figure.velocity[row])) add(head, figure.velocity[row], now);
  }
  close();
}

}  // namespace vw
