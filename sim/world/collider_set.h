// The obstacles of a world and how they move: still, at constant velocity, by keys, or on the back of an element of a system.
// In: their nodes, and the carriers' elements at the start of each step. Out: colliders posed for any part of a step, whose velocities are those with
// which they get from pose to pose, so that whoever moves one on by its velocity finds it where the next part of the step does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/collision/collider_kinds.h"
#include "sim/system/system.h"

namespace vw {

class ColliderSet {
 public:
  ColliderSet() = default;
  /// Everything but the ties to carriers. Shapes of files are taken from `before`, as far as it has them.
  [[nodiscard]] static Result<ColliderSet> build(const Node& scene, const ColliderSet* before = nullptr);
  /// Ties what is carried to elements as they are at the start of the world.
  [[nodiscard]] Result<void> attach(std::span<const std::unique_ptr<System>> systems);
  /// The same colliders after a live edit of their nodes: ties stay.
  void take_over(ColliderSet edited);

  [[nodiscard]] const std::vector<Collider>& as_declared() const { return colliders_; }
  [[nodiscard]] std::size_t size() const { return colliders_.size(); }
  /// Where collider i is at a step boundary at that time.
  [[nodiscard]] Pose pose(std::size_t i, double time) const;
  /// Where collider i is, and how it moves on, at any time of the step under way; between steps as pose(), its carrier taken to stand still.
  struct Motion {
    Pose pose;
    Vec3 velocity = Vec3::Zero();          ///< of its origin [m/s]
    Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
  };
  [[nodiscard]] Motion motion(std::size_t i, double time) const;
  /// For a picture, in the collider's own frame; made once for each shape, null of a plane.
  [[nodiscard]] const std::shared_ptr<const SurfaceMesh>& picture(std::size_t i) const;
  [[nodiscard]] std::size_t files_read() const { return shapes_.size(); }           ///< shapes that came from files
  [[nodiscard]] std::vector<std::string> notes() const { return shapes_.notes(); }  ///< on those files, a sentence each

  /// Where the step that starts now will take what is carried: to where its element goes at its present velocity. So a carried collider is never more
  /// than acceleration dt^2 beside its element, and moves without a jump.
  void begin_step(std::span<const std::unique_ptr<System>> systems, double time, double dt);
  void end_step();
  /// Poses and velocities of all for the part [from, to] of the step, into copies of as_declared().
  void place(double from, double to, std::span<Collider> out) const;
  /// What was carried is where its element is: after elements were moved by hand.
  void catch_up(std::span<const std::unique_ptr<System>> systems);

  /// Whether system `index` may meet collider i, which it does not where it carries it; and whether it carries any.
  [[nodiscard]] bool meets(std::size_t i, std::size_t system) const;
  [[nodiscard]] bool has_passengers(std::size_t system) const;
  /// Whether all that the system meets stand still in the step that began.
  [[nodiscard]] bool still_for(std::size_t system) const;
  /// What the system meets, as it stands at a step boundary at that time.
  [[nodiscard]] std::vector<Collider> met_by(std::size_t system, double time) const;

  /// What is carried, and by what since when. Nothing where nothing is.
  void visit_state(StateVisitor& visit);
  /// What is wrong with a state that was just read, or empty.
  [[nodiscard]] std::string state_problem() const;

 private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  [[nodiscard]] Pose aim(std::size_t row, std::span<const std::unique_ptr<System>> systems, double dt) const;
  [[nodiscard]] Result<void> attach_one(std::size_t i, std::span<const std::unique_ptr<System>> systems);
  [[nodiscard]] Pose ridden(std::size_t row, const Pose& carrier, const Pose& free) const;
  [[nodiscard]] Motion from_to(std::size_t i, double from, double to) const;

  std::vector<Collider> colliders_;  ///< as their nodes say, in the order of their names
  std::vector<ColliderMotion> motions_;
  std::vector<std::size_t> carrier_;  ///< system of each, or nobody
  std::vector<std::size_t> row_;      ///< of each in the rows below, or nobody
  ShapeStore shapes_;
  mutable std::vector<std::shared_ptr<const SurfaceMesh>> pictures_;

  // State: a row for each that is carried, in the order of names.
  std::vector<std::int64_t> element_;  ///< lasting identity
  std::vector<Vec3> home_position_, ride_position_;
  std::vector<Quat> home_orientation_, ride_orientation_;  ///< of its element: when they were tied, and as this step takes it to be

  std::vector<Pose> aim_;  ///< of its element at the end of the step under way
  double step_time_ = 0, step_dt_ = 1;
  bool under_way_ = false;  ///< a step is: aim_ holds
};

}  // namespace vw
