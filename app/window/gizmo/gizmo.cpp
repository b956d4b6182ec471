#include "app/window/gizmo/gizmo.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace vw {
namespace {

using Kind = GizmoConstraint::Kind;

glm::vec3 float_of(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}
Vec3 double_of(const glm::vec3& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

Vec3 line_of_sight(const GizmoPicture& picture, const Vec3& at) {
  return (at - double_of(picture.camera.drawn().eye)).normalized();
}

/// Intersection of a ray with the plane through `at` with the given normal.
std::optional<Vec3> on_plane(const Ray& ray, const Vec3& at, const Vec3& normal) {
  const Vec3 origin = double_of(ray.origin), direction = double_of(ray.direction);
  const double across = direction.dot(normal);
  if (std::abs(across) < 1e-3) return std::nullopt;
  const double distance = (at - origin).dot(normal) / across;
  if (distance < 0) return std::nullopt;
  return origin + distance * direction;
}

/// Finds the point of the axis through `at` that is nearest to the ray. Returns its signed distance from `at`.
double along_axis(const Ray& ray, const Vec3& at, const Vec3& axis) {
  const Vec3 direction = double_of(ray.direction).normalized(), between = at - double_of(ray.origin);
  const double cosine = axis.dot(direction), across = 1 - cosine * cosine;
  if (across < 1e-6) return 0;
  return (cosine * direction.dot(between) - axis.dot(between)) / across;
}

double rounded_to(double value, double step) { return std::round(value / step) * step; }

float distance_to_segment(glm::vec2 point, glm::vec2 a, glm::vec2 b) {
  const glm::vec2 along = b - a;
  const float length2 = glm::dot(along, along);
  const float t = length2 > 0 ? std::clamp(glm::dot(point - a, along) / length2, 0.0F, 1.0F) : 0;
  return glm::distance(point, a + t * along);
}

std::vector<glm::vec2> circle_px(glm::vec2 center, float radius) {
  std::vector<glm::vec2> points;
  constexpr int sides = 48;
  for (int i = 0; i <= sides; ++i) {
    const float angle = 2 * static_cast<float>(pi) * static_cast<float>(i) / sides;
    points.push_back(center + radius * glm::vec2{std::cos(angle), std::sin(angle)});
  }
  return points;
}

constexpr std::array<char, 3> axis_names{'x', 'y', 'z'};

/// Axis along which a typed number moves an object: that of the constraint, or the first axis of the plane.
int typed_axis(const GizmoConstraint& constraint) {
  if (constraint.kind == Kind::axis) return constraint.axis;
  return constraint.kind == Kind::plane && constraint.axis == 0 ? 1 : 0;
}

std::string constraint_text(const GizmoConstraint& constraint, std::string_view preposition) {
  const auto i = static_cast<std::size_t>(constraint.axis);
  if (constraint.kind == Kind::axis) return fmt::format(" {} {}", preposition, axis_names[i]);
  if (constraint.kind == Kind::plane)
    return fmt::format(" in the plane of {} and {}", axis_names[i == 0 ? 1 : 0], axis_names[i == 2 ? 1 : 2]);
  return {};
}

}  // namespace

bool is_inside(glm::vec2 point, const std::vector<glm::vec2>& polygon) {
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++)
    if ((polygon[i].y > point.y) != (polygon[j].y > point.y) &&
        point.x <
            (polygon[j].x - polygon[i].x) * (point.y - polygon[i].y) / (polygon[j].y - polygon[i].y) + polygon[i].x)
      inside = !inside;
  return inside;
}

glm::vec2 GizmoPicture::project(const Vec3& place) const {
  const glm::vec4 clip = camera.projection(size.x / size.y) * camera.view() * glm::vec4(float_of(place), 1);
  return {0.5F * (1 + clip.x / clip.w) * size.x, 0.5F * (1 - clip.y / clip.w) * size.y};
}

bool GizmoPicture::is_visible(const Vec3& place) const { return (camera.view() * glm::vec4(float_of(place), 1)).z < 0; }

Ray GizmoPicture::ray(glm::vec2 pixel) const {
  return camera.ray(pixel.x, pixel.y, static_cast<int>(size.x), static_cast<int>(size.y));
}

double GizmoPicture::metres_per_px(const Vec3& place) const {
  const Camera drawn = camera.drawn();
  const float depth = -(drawn.view() * glm::vec4(float_of(place), 1)).z;
  return static_cast<double>(2 * drawn.half_height(size.x / size.y) * depth / size.y);
}

std::vector<GizmoHandle> gizmo_handles(GizmoMode mode, const GizmoFrame& frame, const GizmoPicture& picture,
                                       float arm) {
  std::vector<GizmoHandle> handles;
  if (!picture.is_visible(frame.at)) return handles;
  const glm::vec2 center = picture.project(frame.at);
  const double arm_m = static_cast<double>(arm) * picture.metres_per_px(frame.at);
  const Vec3 sight = line_of_sight(picture, frame.at);
  const auto pixel = [&](const Vec3& beside) { return picture.project(frame.at + arm_m * beside); };
  if (mode == GizmoMode::rotate) {
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 normal = frame.axes.col(axis), u = frame.axes.col((axis + 1) % 3), v = frame.axes.col((axis + 2) % 3);
      GizmoHandle ring{{Kind::axis, axis}, {}, false};
      // Only the half of the ring that faces the eye is drawn, unless the ring is seen almost face-on.
      const bool is_whole = std::abs(normal.dot(sight)) > 0.98;
      constexpr int sides = 64;
      std::vector<glm::vec2> run;
      for (int i = 0; i <= 2 * sides; ++i) {
        const double angle = 2 * pi * i / sides;
        const Vec3 point = std::cos(angle) * u + std::sin(angle) * v;
        const bool is_shown = is_whole || point.dot(sight) < 0.02;
        if (is_shown) run.push_back(pixel(point));
        if ((!is_shown || i == 2 * sides) && !run.empty()) {
          if (run.size() > ring.line.size()) ring.line = run;
          run.clear();
        }
        if (is_whole && i == sides) {
          ring.line = run;
          break;
        }
      }
      handles.push_back(std::move(ring));
    }
    handles.push_back({{}, circle_px(center, 1.15F * arm), false});
    return handles;
  }
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 along = frame.axes.col(axis);
    if (std::abs(along.dot(sight)) > 0.99) continue;
    handles.push_back({{Kind::axis, axis}, {pixel(0.18 * along), pixel(along)}, false});
  }
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 u = frame.axes.col((axis + 1) % 3), v = frame.axes.col((axis + 2) % 3);
    if (std::abs(frame.axes.col(axis).dot(sight)) < 0.15) continue;
    constexpr double near = 0.32, far = 0.52;
    handles.push_back({{Kind::plane, axis},
                       {pixel(near * u + near * v), pixel(far * u + near * v), pixel(far * u + far * v),
                        pixel(near * u + far * v), pixel(near * u + near * v)},
                       true});
  }
  handles.push_back({{}, circle_px(center, 0.12F * arm), true});
  return handles;
}

std::optional<GizmoConstraint> handle_at(const std::vector<GizmoHandle>& handles, glm::vec2 pointer, float reach_px) {
  const GizmoHandle* best = nullptr;
  float least = reach_px;
  int best_rank = 0;
  for (const GizmoHandle& handle : handles) {
    const int rank = handle.is_filled ? handle.constraint.kind == Kind::free ? 2 : 1 : 0;
    float distance = reach_px + 1;
    for (std::size_t i = 0; i + 1 < handle.line.size(); ++i)
      distance = std::min(distance, distance_to_segment(pointer, handle.line[i], handle.line[i + 1]));
    if (handle.is_filled) distance = is_inside(pointer, handle.line) ? 0 : reach_px + 1;
    if (distance > reach_px || (best != nullptr && (rank < best_rank || (rank == best_rank && distance >= least))))
      continue;
    best = &handle;
    least = distance;
    best_rank = rank;
  }
  return best == nullptr ? std::nullopt : std::optional(best->constraint);
}

double snap_step_m(const GizmoFrame& frame, const GizmoPicture& picture) {
  const double least = 12 * picture.metres_per_px(frame.at);
  if (!(least > 0) || !std::isfinite(least)) return 1;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double mantissa : {1.0, 2.0, 5.0})
    if (mantissa * power >= least) return mantissa * power;
  return 10 * power;
}

GizmoDrag::GizmoDrag(GizmoMode mode, GizmoConstraint constraint, GizmoFrame frame, GizmoPicture picture,
                     glm::vec2 pointer)
    : mode_(mode),
      constraint_(constraint),
      frame_(std::move(frame)),
      picture_(std::move(picture)),
      start_(pointer),
      pointer_(pointer) {}

void GizmoDrag::constrain(GizmoConstraint constraint) {
  if (mode_ == GizmoMode::rotate) constraint.kind = Kind::axis;  // a rotation cannot be restricted to a plane
  constraint_ = constraint == constraint_ ? GizmoConstraint{} : constraint;
}

void GizmoDrag::type(char character) {
  if (character == '-') is_negative_ = !is_negative_;
  const bool is_digit = character >= '0' && character <= '9';
  const bool is_point = character == '.' && digits_.find('.') == std::string::npos;
  if ((is_digit || is_point) && digits_.size() < 12) digits_ += character;
}

void GizmoDrag::erase_character() {
  if (!digits_.empty())
    digits_.pop_back();
  else
    is_negative_ = false;
}

std::optional<double> GizmoDrag::typed() const {
  if (digits_.empty() || digits_ == ".") return std::nullopt;
  const double value = std::strtod(digits_.c_str(), nullptr);
  return is_negative_ ? -value : value;
}

Vec3 GizmoDrag::dragged_m() const {
  if (const auto number = typed()) return *number * frame_.axes.col(typed_axis(constraint_));
  const Ray from = picture_.ray(start_), to = picture_.ray(pointer_);
  const double step = snap_step_m(frame_, picture_);
  const bool is_aligned = frame_.axes.isIdentity(1e-12);
  // If the gizmo has the axes of the world, the resulting position snaps to a grid. Otherwise, the displacement snaps.
  const auto snapped = [&](double shift, int i) {
    if (!snaps_) return shift;
    return is_aligned ? rounded_to(frame_.at[i] + shift, step) - frame_.at[i] : rounded_to(shift, step);
  };
  if (constraint_.kind == Kind::axis)
    return snapped(along_axis(to, frame_.at, axis()) - along_axis(from, frame_.at, axis()), constraint_.axis) * axis();
  const Vec3 normal = constraint_.kind == Kind::plane
                          ? axis()
                          : double_of(glm::normalize(picture_.camera.target - picture_.camera.eye));
  const auto then = on_plane(from, frame_.at, normal), now = on_plane(to, frame_.at, normal);
  if (!then || !now) return Vec3::Zero();
  Vec3 shift = frame_.axes.transpose() * (*now - *then);
  for (int i = 0; i < 3; ++i)
    shift[i] = constraint_.kind == Kind::plane && i == constraint_.axis ? 0 : snapped(shift[i], i);
  return frame_.axes * shift;
}

Vec3 GizmoDrag::rotation_axis() const {
  return constraint_.kind == Kind::axis ? axis() : Vec3(-line_of_sight(picture_, frame_.at));
}

double GizmoDrag::turned_rad() const {
  if (const auto number = typed()) return *number * pi / 180;
  const Vec3 about = rotation_axis();
  double angle = 0;
  const auto then = on_plane(picture_.ray(start_), frame_.at, about);
  const auto now = on_plane(picture_.ray(pointer_), frame_.at, about);
  const bool is_seen_flat = std::abs(about.dot(line_of_sight(picture_, frame_.at))) < 0.15;
  if (then && now && !is_seen_flat) {
    const Vec3 a = *then - frame_.at, b = *now - frame_.at;
    angle = std::atan2(a.cross(b).dot(about), a.dot(b));
  } else {
    // The plane of rotation is seen edge-on: moving the pointer across the axis by 80 px rotates by one radian.
    const glm::vec2 center = picture_.project(frame_.at);
    const glm::vec2 tip = picture_.project(frame_.at + 50 * picture_.metres_per_px(frame_.at) * about);
    const glm::vec2 along = glm::length(tip - center) > 1 ? glm::normalize(tip - center) : glm::vec2{0, -1};
    const glm::vec2 across{-along.y, along.x};
    angle = static_cast<double>(glm::dot(pointer_ - start_, across)) / 80;
  }
  return snaps_ ? rounded_to(angle, snap_angle_rad) : angle;
}

double GizmoDrag::scaled() const {
  // A factor of 0 is the beginning of a number such as 0.5. Until its other digits are typed, the size stays.
  if (const auto number = typed()) return *number == 0 ? 1 : *number;
  const glm::vec2 center = picture_.project(frame_.at);
  double factor = 1;
  if (constraint_.kind == Kind::axis) {
    const double then = along_axis(picture_.ray(start_), frame_.at, axis());
    const double now = along_axis(picture_.ray(pointer_), frame_.at, axis());
    const double least = 8 * picture_.metres_per_px(frame_.at);
    factor = std::abs(then) > least ? now / then : 1 + (now - then) / (80 * picture_.metres_per_px(frame_.at));
  } else {
    const float least = 8, then = glm::distance(start_, center), now = glm::distance(pointer_, center);
    factor = then > 2 * least ? static_cast<double>(now / then)
                              : 1 + static_cast<double>(pointer_.x - start_.x - (pointer_.y - start_.y)) / 100;
  }
  factor = std::clamp(factor, 1e-3, 1e3);
  return snaps_ ? std::max(rounded_to(factor, snap_factor), snap_factor) : factor;
}

PoseChange GizmoDrag::change() const {
  PoseChange change;
  switch (mode_) {
    case GizmoMode::move: change.translation = dragged_m(); break;
    case GizmoMode::rotate: change.rotation = turned_rad() * rotation_axis(); break;
    case GizmoMode::scale: {
      const double factor = std::max(std::abs(scaled()), 1e-6);
      for (int i = 0; i < 3; ++i) {
        const bool is_scaled =
            constraint_.kind == Kind::free || (constraint_.kind == Kind::axis) == (i == constraint_.axis);
        if (is_scaled) change.factors[i] = factor;
      }
      break;
    }
  }
  const bool is_finite = change.translation.allFinite() && change.rotation.allFinite() && change.factors.allFinite();
  return is_finite ? change : PoseChange{};
}

std::string GizmoDrag::sentence() const {
  const std::string number = has_number() ? (is_negative_ ? "-" : "") + digits_ : std::string();
  switch (mode_) {
    case GizmoMode::move: {
      const Vec3 shift = frame_.axes.transpose() * dragged_m();
      if (constraint_.kind == Kind::axis || has_number()) {
        const GizmoConstraint shown{Kind::axis, typed_axis(constraint_)};
        return fmt::format("Move{}: {} m", constraint_text(shown, "along"),
                           number.empty() ? fmt::format("{:.4g}", shift[shown.axis]) : number);
      }
      return fmt::format("Move{}: {:.4g}, {:.4g}, {:.4g} m", constraint_text(constraint_, "along"), shift.x(),
                         shift.y(), shift.z());
    }
    case GizmoMode::rotate:
      return fmt::format("Rotate{}: {}\xC2\xB0", constraint_text(constraint_, "about"),
                         number.empty() ? fmt::format("{:.1f}", turned_rad() * 180 / pi) : number);
    case GizmoMode::scale:
      return fmt::format("Scale{}: {}", constraint_text(constraint_, "along"),
                         number.empty() ? fmt::format("{:.3f}", scaled()) : number);
  }
  return {};
}

}  // namespace vw
