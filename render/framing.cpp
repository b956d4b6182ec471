#include "render/framing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/vectors/vectors.h"

namespace vw {
namespace {

/// The camera starts to move when the subject extends beyond `border_share`, or when the middle of the subject is
/// farther than `off_center_share` from the middle of the picture. Both are fractions of half the width or height of
/// the picture. The camera stops when the distance of the eye from its goal plus `settling_s` times the speed of the
/// eye is below `settled_share` times the distance between eye and target.
constexpr float border_share = 0.92F, off_center_share = 0.3F, settled_share = 0.01F;
/// Largest distance between eye and target, as a multiple of the initial distance.
constexpr float farthest_factor = 3;
/// Time constant of the damped motion [s].
constexpr float settling_s = 0.35F;

/// Axes of a camera without roll.
struct ViewAxes {
  glm::vec3 right, up, forward;
};

ViewAxes axes_of(const Camera& camera) {
  const glm::mat3 m = glm::transpose(glm::mat3(camera.view()));
  return {m[0], m[1], -m[2]};
}

/// Smallest and largest tangents of the directions to points, and the smallest and largest depth along the line of
/// sight. The silhouette of a ball of radius r at the depth d is approximated by tangents of +- r / d.
struct Spread {
  glm::vec2 min{std::numeric_limits<float>::max()}, max{std::numeric_limits<float>::lowest()};
  float nearest = std::numeric_limits<float>::max(), farthest = 0;
};

Spread spread_of(const SubjectPoints& points, const glm::vec3& eye, const ViewAxes& axes) {
  Spread out;
  for (std::size_t i = 0; i < points.position.size(); ++i) {
    const glm::vec3 off = to_glm(points.position[i]) - eye;
    const float depth = glm::dot(off, axes.forward);
    out.nearest = std::min(out.nearest, depth - points.radius[i]);
    out.farthest = std::max(out.farthest, depth + points.radius[i]);
    if (!(depth > 0)) continue;
    const glm::vec2 at(glm::dot(off, axes.right), glm::dot(off, axes.up));
    out.min = glm::min(out.min, (at - points.radius[i]) / depth);
    out.max = glm::max(out.max, (at + points.radius[i]) / depth);
  }
  return out;
}

/// Moves a value towards a goal like a critically damped spring with the time constant `settling_s` (T. Lowe,
/// "Critically damped ease-in/ease-out smoothing", Game Programming Gems 4, 2004; here the exact solution). During the
/// time step, the goal has moved to `goal` at the constant velocity `drift`. The equation is solved in the frame that
/// moves with the goal, so that the value does not lag behind a moving goal.
void approach(glm::vec3& value, glm::vec3& speed, const glm::vec3& goal, const glm::vec3& drift, float seconds) {
  const float rate = 2 / settling_s, left = std::exp(-rate * seconds);
  const glm::vec3 off = value - (goal - seconds * drift), off_speed = speed - drift, slope = off_speed + rate * off;
  value = goal + (off + seconds * slope) * left;
  speed = drift + (off_speed - rate * seconds * slope) * left;
}

/// Replaces `out` by the points of the subjects of all the snapshots. The drift is the mean of their drifts.
void subjects_points(std::span<const Snapshot* const> snapshots, SubjectPoints& out) {
  out.clear();
  SubjectPoints one;
  for (const Snapshot* snapshot : snapshots) {
    subject_points(*snapshot, one);
    out.position.insert(out.position.end(), one.position.begin(), one.position.end());
    out.radius.insert(out.radius.end(), one.radius.begin(), one.radius.end());
    out.drift_mps += one.drift_mps / static_cast<float>(snapshots.size());
  }
}

/// Median of the points' coordinates along an axis, weighted by the squared radius of each point.
float weighted_median(const SubjectPoints& points, Eigen::Index axis) {
  std::vector<std::pair<float, float>> order;  // coordinate and weight
  float total = 0;
  for (std::size_t i = 0; i < points.position.size(); ++i) {
    const float weight = points.radius[i] * points.radius[i] + std::numeric_limits<float>::min();
    order.emplace_back(points.position[i][axis], weight);
    total += weight;
  }
  std::ranges::sort(order);
  float sum = 0;
  for (const auto& [coordinate, weight] : order)
    if ((sum += weight) >= 0.5F * total) return coordinate;
  return order.back().first;
}

/// Moves the camera like frame_points(), but to a target distance of at most `most` [m]. If the points do not fit, the
/// points farthest from their median are left out.
void frame_nearest_points(Camera& camera, const SubjectPoints& points, float aspect, float most) {
  const Camera before = camera;
  frame_points(camera, points, aspect);
  if (camera.target_distance() <= most) return;
  const Vec3f middle(weighted_median(points, 0), weighted_median(points, 1), weighted_median(points, 2));
  std::vector<std::pair<float, std::size_t>> order;
  for (std::size_t i = 0; i < points.position.size(); ++i)
    order.emplace_back((points.position[i] - middle).squaredNorm(), i);
  std::ranges::sort(order);
  std::size_t fitting = 1, too_many = order.size();
  SubjectPoints kept;
  const auto frame_first = [&](std::size_t count) {
    kept.clear();
    for (std::size_t k = 0; k < count; ++k) {
      kept.position.push_back(points.position[order[k].second]);
      kept.radius.push_back(points.radius[order[k].second]);
    }
    camera = before;
    frame_points(camera, kept, aspect);
  };
  while (too_many - fitting > 1) {
    const std::size_t half = fitting + (too_many - fitting) / 2;
    frame_first(half);
    (camera.target_distance() <= most ? fitting : too_many) = half;
  }
  frame_first(fitting);
}

}  // namespace

std::optional<PictureArea> area_in_picture(const SubjectPoints& points, const Camera& camera, float aspect) {
  if (points.position.empty()) return std::nullopt;
  const Camera drawn = camera.drawn();
  const Spread spread = spread_of(points, drawn.eye, axes_of(drawn));
  if (!(spread.nearest > 0)) return std::nullopt;
  const float tan_y = drawn.half_height(aspect);
  const glm::vec2 half(tan_y * std::max(aspect, 1e-3F), tan_y);
  return PictureArea{spread.min / half, spread.max / half};
}

void frame_points(Camera& camera, const SubjectPoints& points, float aspect, float share) {
  if (points.position.empty()) return;
  const Camera drawn = camera.drawn();
  const ViewAxes axes = axes_of(drawn);
  const float tan_y = drawn.half_height(aspect);
  const glm::vec2 half(tan_y * std::max(aspect, 1e-3F), tan_y);
  Bounds3 box{glm::vec3(std::numeric_limits<float>::max()), glm::vec3(std::numeric_limits<float>::lowest())};
  for (std::size_t i = 0; i < points.position.size(); ++i) {
    box.min = glm::min(box.min, to_glm(points.position[i]) - points.radius[i]);
    box.max = glm::max(box.max, to_glm(points.position[i]) + points.radius[i]);
  }
  // Start at a distance from which all points are in front of the eye, then correct place and distance alternately.
  // Both corrections assume one depth for all points. The nearest points look largest, so this depth lies between that
  // of the nearest point and that of the middle.
  const float size = std::max(box.radius(), 1e-6F);
  float distance = size + 2 * size / std::min(half.x, half.y);
  glm::vec3 middle = box.center();
  for (int round = 0; round < 60; ++round) {
    const Spread spread = spread_of(points, middle - distance * axes.forward, axes);
    if (!(spread.nearest > 1e-3F * distance)) {
      distance += 1e-2F * distance - std::min(spread.nearest, 0.0F);
      continue;
    }
    const glm::vec2 center = 0.5F * (spread.min + spread.max);
    const float depth = 0.5F * (std::min(spread.nearest, distance) + distance);
    middle += depth * (center.x * axes.right + center.y * axes.up);
    const glm::vec2 covered = 0.5F * (spread.max - spread.min) / half;
    const float wanted = std::max(std::max(covered.x, covered.y) / share, 1e-6F);
    distance += std::max(0.8F * (wanted - 1) * depth, -0.7F * spread.nearest);
  }
  const Spread spread = spread_of(points, middle - distance * axes.forward, axes);
  const glm::vec3 eye = middle - distance * axes.forward;
  const float depth = std::max(0.5F * (spread.nearest + spread.farthest), 1e-6F);
  camera.target = eye + depth * axes.forward;
  camera.eye = camera.is_orthographic ? camera.target - depth / (drawn.distance_factor) * axes.forward : eye;
}

void frame_subject(Camera& camera, const Snapshot& snapshot, float aspect) {
  const Snapshot* const only[] = {&snapshot};
  frame_subjects(camera, only, aspect);
}

void frame_subjects(Camera& camera, std::span<const Snapshot* const> snapshots, float aspect) {
  SubjectPoints points;
  subjects_points(snapshots, points);
  if (points.position.empty()) return camera.frame(scene_bounds(*snapshots.front()), aspect);
  frame_points(camera, points, aspect);
}

void frame_still(Camera& camera, std::span<const Snapshot* const> snapshots, float aspect) {
  constexpr float farthest = 1.5F;
  const float before_m = glm::length(camera.eye - camera.target);
  frame_subjects(camera, snapshots, aspect);
  const glm::vec3 to_eye = camera.eye - camera.target;
  camera.eye = camera.target + to_eye * std::min(1.0F, farthest * before_m / glm::length(to_eye));
}

void AutoCamera::begin(const Camera& camera) {
  is_active_ = true;
  is_moving_ = false;
  least_distance_ = camera.target_distance();
  eye_ = camera.eye;
  target_ = camera.target;
  eye_speed_ = target_speed_ = glm::vec3(0);
}

bool AutoCamera::move(Camera& camera, const Snapshot& newest, float aspect, float seconds) {
  const Snapshot* const only[] = {&newest};
  return move(camera, only, aspect, seconds);
}

bool AutoCamera::move(Camera& camera, std::span<const Snapshot* const> newest, float aspect, float seconds) {
  is_active_ = holds(camera);
  if (!is_active_) return false;
  subjects_points(newest, points_);
  if (points_.position.empty() || !(seconds > 0)) return false;
  const auto area = area_in_picture(points_, camera, aspect);
  const bool leaves = !area || glm::any(glm::lessThan(area->min, glm::vec2(-border_share))) ||
                      glm::any(glm::greaterThan(area->max, glm::vec2(border_share)));
  const glm::vec2 off_center = area ? glm::abs(area->center()) : glm::vec2(0);
  if (leaves || std::max(off_center.x, off_center.y) > off_center_share) is_moving_ = true;
  if (!is_moving_) return false;
  Camera goal = camera;
  frame_nearest_points(goal, points_, aspect, farthest_factor * least_distance_);
  if (const float near = goal.target_distance(); near < least_distance_)
    goal.eye = goal.target + least_distance_ / std::max(near, 1e-9F) * (goal.eye - goal.target);
  const glm::vec3 drift = to_glm(points_.drift_mps);
  approach(camera.eye, eye_speed_, goal.eye, drift, seconds);
  approach(camera.target, target_speed_, goal.target, drift, seconds);
  const float distance = goal.target_distance(),
              off = glm::length(camera.eye - goal.eye) + settling_s * glm::length(eye_speed_);
  if (off < settled_share * distance) {
    is_moving_ = false;
    eye_speed_ = target_speed_ = glm::vec3(0);
  }
  eye_ = camera.eye;
  target_ = camera.target;
  return true;
}

}  // namespace vw
