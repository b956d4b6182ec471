#include "sim/system/rigid/contacts/body_pairs.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t boxes_a_chunk = 64;
/// In addition to the motion in the substep, the box of a body exceeds the body by this fraction of the body's reach,
/// so that bodies that almost touch are found too.
constexpr double margin_share = 0.01;

/// Returns the half extents of a shape along the world's axes. Writes the centre of the shape's bounding box, relative
/// to the shape's origin, to `middle`.
Vec3 half_extent(const Shape& shape, const Quat& q, Vec3& middle) {
  middle.setZero();
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) return Vec3::Constant(sphere->radius_m);
  const Box3 box = bounds(shape);
  middle = q * box.center();
  return q.toRotationMatrix().cwiseAbs() * (0.5 * box.sizes());
}

}  // namespace

void BodyPairs::prepare(std::span<const RigidBody> bodies) {
  double least = std::numeric_limits<double>::infinity();
  for (const RigidBody& body : bodies) least = std::min(least, body.reach_m);
  classes_.clear();
  class_of_.clear();
  std::vector<int> size;  // For each body: log2(reach / smallest reach), rounded down.
  for (const RigidBody& body : bodies)
    size.push_back(static_cast<int>(std::floor(elementary::log2(body.reach_m / least) + 1e-9)));
  std::vector<int> sizes = size;
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  classes_.resize(sizes.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    class_of_.push_back(
        static_cast<std::uint32_t>(std::lower_bound(sizes.begin(), sizes.end(), size[i]) - sizes.begin()));
    classes_[class_of_.back()].members.push_back(static_cast<std::uint32_t>(i));
  }
  boxes_.resize(bodies.size());
}

void BodyPairs::build_boxes(const RigidScene& scene) {
  const Elements& rows = *scene.rows;
  parallel_for(boxes_.size(), boxes_a_chunk, [&](Range part, std::size_t) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const RigidBody& body = scene.bodies[i];
      const double moves = scene.dt * (rows.velocity[i].norm() + body.reach_m * rows.angular_velocity[i].norm());
      BodyBox& box = boxes_[i];
      box.margin = moves + margin_share * body.reach_m;
      Vec3 middle;
      box.half = half_extent(body.shape, rows.orientation[i], middle) + Vec3::Constant(box.margin);
      box.middle = body.shape_at(rows.position[i], rows.orientation[i]).position + middle;
    }
  });
}

void BodyPairs::build(const RigidScene& scene) {
  build_boxes(scene);
  // The cells of the grid of a class must be as wide as the largest extent of the bodies in this class and in all
  // smaller classes, because bodies of smaller classes search this grid too.
  double largest = 0;
  for (Class& one : classes_) {
    one.any_awake = false;
    one.middles.clear();
    for (const std::uint32_t i : one.members) {
      largest = std::max(largest, boxes_[i].half.maxCoeff());
      one.middles.push_back(boxes_[i].middle);
      one.any_awake = one.any_awake || !scene.sleeps(i);
    }
    one.grid.build(one.middles, 2 * largest);
  }
}

void BodyPairs::partners(const RigidScene& scene, std::size_t body, std::vector<std::uint32_t>& out) const {
  out.clear();
  const bool sleeps = scene.sleeps(body);
  const std::size_t own = class_of_[body];
  for (std::size_t c = sleeps ? own + 1 : own; c < classes_.size(); ++c) {
    const Class& one = classes_[c];
    if (sleeps && !one.any_awake) continue;
    one.grid.near(boxes_[body].middle, [&](std::uint32_t k) {
      const std::uint32_t other = one.members[k];
      const bool other_sleeps = scene.sleeps(other);
      if (c == own && other <= body && !other_sleeps) return;
      if (sleeps && other_sleeps) return;
      if (meet(body, other)) out.push_back(other);
    });
  }
  std::sort(out.begin(), out.end());
}

}  // namespace vw
