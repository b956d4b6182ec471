#include "app/cli/figure/camera_path.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glm/gtc/constants.hpp>

#include "sim/base/data/parameter.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"

namespace vw::cli {
namespace {

const ParamTable<CameraKey>& key_params() {
  using K = CameraKey;
  static const ParamTable<K> table{
      Param<K>{.member = &K::time_s,
               .key = "time",
               .unit = Unit::second,
               .range = {0, 1e6},
               .doc = "Time of the video at which the camera reaches this key."},
      Param<K>{
          .member = &K::eye, .key = "eye", .unit = Unit::meter, .range = {-1e6, 1e6}, .doc = "Position of the camera."},
      Param<K>{.member = &K::target,
               .key = "target",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Point that the camera looks at."},
      Param<K>{.member = &K::fov_deg,
               .key = "fov_deg",
               .unit = Unit::degree,
               .range = {0, 120},
               .doc = "Vertical field of view. 0 means the field of view of the scene."}};
  return table;
}

const Schema& camera_path_schema() {
  static const Schema key{"key", "A position of the camera.", key_params().specs(), {}};
  static const Schema path{
      "camera_path", "Positions of the camera in a video.", {}, {Slot{"key", true, {&key}, "Keys."}}};
  return path;
}

glm::vec3 single_precision(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

/// Interpolated values: target, direction to the eye, and `rest`. The components of `rest` are the logarithm of the
/// distance, and the field of view.
struct PathPoint {
  glm::vec3 target, direction;
  glm::vec2 rest;
};
PathPoint operator+(const PathPoint& a, const PathPoint& b) {
  return {a.target + b.target, a.direction + b.direction, a.rest + b.rest};
}
PathPoint operator*(float f, const PathPoint& a) { return {f * a.target, f * a.direction, f * a.rest}; }

PathPoint point_of(const CameraKey& key, const Camera& base) {
  const glm::vec3 target = single_precision(key.target), way = single_precision(key.eye) - target;
  const float distance = glm::length(way);
  return {
      target, way / distance, {std::log(distance), key.fov_deg > 0 ? static_cast<float>(key.fov_deg) : base.fov_deg}};
}

}  // namespace

Result<CameraPath> CameraPath::open(const std::string& file) {
  constexpr std::uint64_t largest = 1U << 20U;
  const auto text = read_file(file, largest);
  if (!text) return Unexpected(text.error());
  return parse(*text, file);
}

Result<CameraPath> CameraPath::parse(const std::string& text, const std::string& file) {
  const auto root = read_toml_node(text, file, camera_path_schema());
  if (!root) return Unexpected(root.error());
  CameraPath path;
  for (const Node* node : root->all("key")) {
    const CameraKey key = key_params().read(node->values);
    if (!path.keys_.empty() && key.time_s <= path.keys_.back().time_s)
      return wrong_file(file, node->line,
                        fmt::format("key.time = {:g} s: must be after the time of the preceding key, {:g} s",
                                    key.time_s, path.keys_.back().time_s));
    // The camera has single precision, in which two points far from the origin may coincide.
    const glm::vec3 way = single_precision(key.eye) - single_precision(key.target);
    if (!((key.eye - key.target).norm() > 1e-6) || !(glm::length(way) > 0))
      return wrong_file(file, node->line, "key.eye: must differ from key.target");
    path.keys_.push_back(key);
  }
  if (path.keys_.empty()) return wrong_file(file, "has no [[key]], so the camera has no path");
  return path;
}

Camera CameraPath::at(double time_s, const Camera& base) const {
  const auto after = std::ranges::upper_bound(keys_, time_s, {}, &CameraKey::time_s);
  const auto next = std::min(static_cast<std::size_t>(after - keys_.begin()), keys_.size() - 1);
  const std::size_t last = next > 0 && time_s < keys_.back().time_s ? next - 1 : next;
  const PathPoint from = point_of(keys_[last], base), to = point_of(keys_[next], base);
  const auto seconds = static_cast<float>(keys_[next].time_s - keys_[last].time_s);
  const float t = seconds > 0 ? std::clamp(static_cast<float>(time_s - keys_[last].time_s) / seconds, 0.0F, 1.0F) : 0;
  // The slope at a key is that of the line through the neighbouring keys (Catmull & Rom 1974). At both ends of the
  // path, the slope is zero.
  const auto slope = [&](std::size_t key) -> PathPoint {
    if (key == 0 || key + 1 == keys_.size()) return 0.0F * from;
    const auto span = static_cast<float>(keys_[key + 1].time_s - keys_[key - 1].time_s);
    return (1 / span) * (point_of(keys_[key + 1], base) + -1.0F * point_of(keys_[key - 1], base));
  };
  const float t2 = t * t, t3 = t2 * t;
  const PathPoint here = (2 * t3 - 3 * t2 + 1) * from + ((t3 - 2 * t2 + t) * seconds) * slope(last) +
                         (3 * t2 - 2 * t3) * to + ((t3 - t2) * seconds) * slope(next);
  Camera camera = base;
  const float length = glm::length(here.direction);
  // An interpolation between opposite directions passes through zero. Near zero, the camera uses the direction of the
  // nearer key.
  const glm::vec3 direction = length > 1e-3F ? here.direction / length : (t < 0.5F ? from : to).direction;
  camera.target = here.target;
  camera.eye = here.target + std::exp(here.rest.x) * direction;
  camera.fov_deg = std::clamp(here.rest.y, 1.0F, 120.0F);
  return camera;
}

Camera CameraMotion::at(double video_s, const Camera& base) const {
  Camera camera = path.empty() ? base : path.at(video_s, base);
  if (turn_s > 0) {
    const double turns = video_s / turn_s;
    camera.orbit(static_cast<float>(2 * glm::pi<double>() * (turns - std::floor(turns))), 0);
  }
  return camera;
}

}  // namespace vw::cli
