#include "render/follow.h"

#include <algorithm>
#include <charconv>

#include "render/vectors/vectors.h"

namespace vw {
namespace {

const SystemSnapshot* system_named(const Snapshot& snapshot, const std::string& name) {
  const auto found = std::ranges::find(snapshot.systems, name, &SystemSnapshot::name);
  return found == snapshot.systems.end() ? nullptr : &*found;
}

/// Returns the position of the system's centre of mass. If `follow` is "system.id", returns the position of the element
/// with this id.
std::optional<glm::vec3> place_of(const SystemSnapshot& system, const std::string& follow) {
  const std::size_t dot = follow.find('.');
  Vec3f place = system.center_of_mass.cast<float>();
  if (system.position.empty()) return std::nullopt;
  if (dot != std::string::npos) {
    std::uint32_t id = 0;
    const char* const end = follow.data() + follow.size();
    if (const auto read = std::from_chars(follow.data() + dot + 1, end, id); read.ec != std::errc() || read.ptr != end)
      return std::nullopt;
    const auto row = static_cast<std::size_t>(std::ranges::find(system.id, id) - system.id.begin());
    if (row >= system.position.size()) return std::nullopt;
    place = system.position[row];
  }
  return place.allFinite() ? std::optional(to_glm(place)) : std::nullopt;
}

}  // namespace

std::optional<glm::vec3> followed_point(const Frame& frame, const std::string& follow) {
  const std::string name = follow.substr(0, follow.find('.'));
  const SystemSnapshot* const newest = system_named(*frame.newest, name);
  const auto now = newest == nullptr ? std::nullopt : place_of(*newest, follow);
  if (!now || frame.previous == nullptr || frame.previous->epoch != frame.newest->epoch) return now;
  const SystemSnapshot* const previous = system_named(*frame.previous, name);
  const auto before = previous == nullptr ? std::nullopt : place_of(*previous, follow);
  return before ? glm::mix(nearest_image(*before, *now, newest->period), *now, frame.blend) : *now;
}

bool Follower::move(Camera& camera, const Frame& frame, const std::string& follow) {
  const auto now = follow.empty() || frame.newest == nullptr ? std::nullopt : followed_point(frame, follow);
  if (now && at_ && name_ == follow && epoch_ == frame.newest->epoch) {
    // If the object crosses a periodic boundary, it reappears on the opposite side. The camera jumps with the object.
    camera.eye += *now - *at_;
    camera.target += *now - *at_;
  }
  name_ = follow;
  epoch_ = frame.newest == nullptr ? 0 : frame.newest->epoch;
  at_ = now;
  return now.has_value();
}

}  // namespace vw
