// Interpolation of poses between keyframes: linear, or by cubic curves with continuous velocities.
#include "sim/collision/keyframes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace vw {
namespace {

struct KeyParams {
  double time_s = 0;
  Vec3 position{0, 0, 0};
  Vec3 rotation{0, 0, 0};
};

const ParamTable<KeyParams>& key_params() {
  using P = KeyParams;
  static const ParamTable<P> table{
      Param<P>{.member = &P::time_s,
               .key = "time",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time at which the collider has the pose of this key."},
      Param<P>{.member = &P::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Displacement of the collider from its start position at the time of this key. The components "
                      "are along the axes that the collider has at the start."},
      Param<P>{.member = &P::rotation,
               .key = "rotation",
               .unit = Unit::radian,
               .range = {-100, 100},
               .live = Live::yes,
               .doc =
                   "Orientation of the collider at this key, as a rotation vector relative to its start orientation. "
                   "From one key to the next, the collider rotates by the smaller of the two possible angles."},
  };
  return table;
}

bool same_pose(const Pose& a, const Pose& b) {
  constexpr double rounding = 1e-12;
  return (a.position - b.position).norm() <= rounding * (1 + a.position.norm()) &&
         rotation_vector_of(b.orientation * a.orientation.conjugate()).norm() <= rounding;
}

/// Returns the cubic Hermite interpolation from a to b at s in [0, 1], with the derivatives u and w with respect to s.
Vec3 hermite(const Vec3& a, const Vec3& u, const Vec3& b, const Vec3& w, double s) {
  const double s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * a + (s3 - 2 * s2 + s) * u + (3 * s2 - 2 * s3) * b + (s3 - s2) * w;
}

/// Returns the cubic interpolation between the rotations a and b: a cumulative Bezier curve (Kim, Kim & Shin, "A
/// general construction scheme for unit quaternion curves", 1995). u and w are the angular velocities at a and b, as
/// rotation vectors per interval in the frames of a and b.
Quat hermite(const Quat& a, const Vec3& u, const Quat& b, const Vec3& w, double s) {
  const double r = 1 - s, first = 1 - r * r * r, second = s * s * (3 - 2 * s), third = s * s * s;
  const Vec3 begin = u / 3, end = w / 3;
  const Vec3 middle = rotation_vector_of(rotation_of(-begin) * (a.conjugate() * b) * rotation_of(-end));
  return (a * rotation_of(first * begin) * rotation_of(second * middle) * rotation_of(third * end)).normalized();
}

}  // namespace

KeyTrack::KeyTrack(std::vector<Keyframe> keys, KeyPath path, KeyEnd end)
    : keys_(std::move(keys)), path_(path), end_(end) {
  closed_ = !keys_.empty() && same_pose(keys_.front().pose, keys_.back().pose);
  find_rates();
}

/// Returns the mean velocity and angular velocity between key `piece` and the next key. The angular velocity is the
/// same in the frames of both keys, because the rotation is about a fixed axis.
KeyTrack::Rates KeyTrack::slope(std::size_t piece) const {
  const Keyframe &a = keys_[piece], &b = keys_[piece + 1];
  const double time = b.time_s - a.time_s;
  return {(b.pose.position - a.pose.position) / time,
          rotation_vector_of(a.pose.orientation.conjugate() * b.pose.orientation) / time};
}

/// Computes the rates (velocities) at the keys of a smooth path. The rate at a key is the slope of the parabola through
/// the key and its two neighbours. At the ends of the path, the rate is zero (KeyEnd::hold), that of the periodic path
/// (KeyEnd::loop, equal first and last pose), or the mean rate of the adjacent interval (KeyEnd::loop, different
/// poses).
void KeyTrack::find_rates() {
  const std::size_t n = keys_.size();
  rates_.assign(n, {});
  if (n < 2 || path_ == KeyPath::linear) return;
  const auto blend = [&](std::size_t before, std::size_t after) {
    const double left = keys_[before + 1].time_s - keys_[before].time_s,
                 right = keys_[after + 1].time_s - keys_[after].time_s;
    const Rates a = slope(before), b = slope(after);
    return Rates{(right * a.velocity + left * b.velocity) / (left + right),
                 (right * a.turning + left * b.turning) / (left + right)};
  };
  for (std::size_t i = 1; i + 1 < n; ++i) rates_[i] = blend(i - 1, i);
  if (end_ == KeyEnd::hold) return;
  rates_.front() = closed_ ? blend(n - 2, 0) : slope(0);
  rates_.back() = closed_ ? rates_.front() : slope(n - 2);
}

double KeyTrack::round_of(double time) const {
  return std::floor((time - keys_.front().time_s) / (keys_.back().time_s - keys_.front().time_s));
}

Pose KeyTrack::at(double time) const {
  if (!moves()) return keys_.empty() ? Pose{} : keys_.front().pose;
  if (end_ == KeyEnd::loop) time -= round_of(time) * (keys_.back().time_s - keys_.front().time_s);
  return within(time);
}

bool KeyTrack::moves_within(double from, double span) const {
  return moves() && (end_ == KeyEnd::loop || (from < keys_.back().time_s && from + span > keys_.front().time_s));
}

Pose KeyTrack::reached(double from, double to) const {
  if (!moves() || end_ == KeyEnd::hold || closed_ || round_of(from) == round_of(to)) return at(to);
  return keys_.back().pose;
}

/// Returns the pose at `time`. Before the first key and after the last key, it is the pose of that key.
Pose KeyTrack::within(double time) const {
  if (time <= keys_.front().time_s) return keys_.front().pose;
  if (time >= keys_.back().time_s) return keys_.back().pose;
  const auto next =
      std::upper_bound(keys_.begin(), keys_.end(), time, [](double t, const Keyframe& key) { return t < key.time_s; });
  const auto k = static_cast<std::size_t>(next - keys_.begin()) - 1;
  const Keyframe &a = keys_[k], &b = keys_[k + 1];
  const double duration = b.time_s - a.time_s, share = (time - a.time_s) / duration;
  if (path_ == KeyPath::linear) return between(a.pose, b.pose, share);
  return {hermite(a.pose.position, duration * rates_[k].velocity, b.pose.position, duration * rates_[k + 1].velocity,
                  share),
          hermite(a.pose.orientation, duration * rates_[k].turning, b.pose.orientation,
                  duration * rates_[k + 1].turning, share)};
}

const Schema& keyframe_schema() {
  static const Schema schema{"key", "A pose that the collider has at a given time.", key_params().specs(), {}};
  return schema;
}

Result<std::vector<Keyframe>> read_keyframes(const Node& owner) {
  auto nodes = owner.all("key");
  const auto time_of = [](const Node* node) { return std::get<double>(node->value("time")); };
  std::stable_sort(nodes.begin(), nodes.end(), [&](const Node* a, const Node* b) { return time_of(a) < time_of(b); });
  std::vector<Keyframe> keys;
  for (const Node* node : nodes) {
    const KeyParams p = key_params().read(node->values);
    if (!keys.empty() && !(p.time_s > keys.back().time_s)) {
      return wrong_value(node->line, "key." + node->name + ".time", fmt::format("{} s", p.time_s),
                         "must differ from the times of the other keys");
    }
    keys.push_back({p.time_s, {p.position, rotation_of(p.rotation)}});
  }
  return keys;
}

}  // namespace vw
