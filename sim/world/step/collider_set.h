// The colliders of a world and their motion. A collider is stationary, moves at constant velocity or along keyframes,
// or is carried by an element of a system. The class is built from the colliders' nodes and reads the carrier elements
// at the start of each step. It computes the poses and velocities of the colliders in any substep. The velocity of a
// collider in a substep is the mean velocity between the poses at the ends of the substep. A collider that is advanced
// with its velocity thus arrives at the pose of the next substep.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/collision/collider_kinds.h"
#include "sim/system/system.h"

namespace vw {

class ColliderSet {
 public:
  ColliderSet() = default;
  /// Builds the set without attaching colliders to carriers. Shapes loaded from files are reused from `before` if
  /// possible.
  [[nodiscard]] static Result<ColliderSet> build(const Node& scene, const ColliderSet* before = nullptr);
  /// Attaches carried colliders to their carrier elements. This function is called at the start of the world. If a
  /// state will be loaded (`awaits_state`), a carrier element need not exist yet, because colliders may be added during
  /// a run.
  [[nodiscard]] Result<void> attach(std::span<const std::unique_ptr<System>> systems, bool awaits_state = false);
  /// Attaches carried colliders during a run. `kept` and `kept_systems` give the former names of colliders and systems
  /// by their present names. A collider in `kept` whose carrier is in `kept_systems` and is still the same system gets
  /// the attachment that it had in `before`. The others are attached to the present poses of their carrier elements.
  /// `identities` contains the new identities of the elements of systems (System::continue_from). If a carrier element
  /// no longer exists, its collider stays at rest.
  [[nodiscard]] Result<void> attach_again(std::span<const std::unique_ptr<System>> systems, const ColliderSet& before,
                                          const std::map<std::string, std::string>& kept,
                                          const std::map<std::string, std::string>& kept_systems,
                                          const std::map<std::string, std::vector<std::int64_t>>& identities,
                                          bool awaits_state = false);
  /// Replaces the colliders after a live edit of their nodes. Attachments are kept.
  void take_over(ColliderSet edited);

  [[nodiscard]] const std::vector<Collider>& as_declared() const { return colliders_; }
  [[nodiscard]] std::size_t size() const { return colliders_.size(); }
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  /// Returns the index of the collider of this name, or `none`.
  [[nodiscard]] std::size_t index_of(const std::string& name) const;
  /// Returns the name of the system that carries collider i, or an empty text.
  [[nodiscard]] const std::string& carrier_name(std::size_t i) const { return motions_[i].carrier; }
  /// Returns the pose of collider i at a step boundary at `time` [s].
  [[nodiscard]] Pose pose(std::size_t i, double time) const;
  /// Pose and velocity of collider i at any time of the current step. Between steps, carriers count as at rest.
  struct Motion {
    Pose pose;
    Vec3 velocity = Vec3::Zero();          ///< velocity of the collider's origin [m/s]
    Vec3 angular_velocity = Vec3::Zero();  ///< angular velocity in world axes [rad/s]
  };
  [[nodiscard]] Motion motion(std::size_t i, double time) const;
  /// Returns the surface mesh for drawing, in the collider's frame. It is built once for each shape. Returns null for a
  /// plane.
  [[nodiscard]] const std::shared_ptr<const SurfaceMesh>& picture(std::size_t i) const;
  [[nodiscard]] std::size_t files_read() const { return shapes_.size(); }  ///< number of shapes loaded from files
  /// Returns the warnings about the files of shapes, one sentence each.
  [[nodiscard]] std::vector<std::string> notes() const { return shapes_.notes(); }

  /// Extrapolates the pose of each carrier element, with its present velocity, to the end of the step that begins now.
  /// A carried collider thus moves without jumps, and its distance from the exact pose of the element is at most
  /// acceleration * dt^2.
  void begin_step(std::span<const std::unique_ptr<System>> systems, double time, double dt);
  void end_step();
  /// Writes the poses at `from` and the mean velocities over [from, to] of all colliders into `out`, which must contain
  /// copies of as_declared(). Both times [s] must lie within the current step.
  void place(double from, double to, std::span<Collider> out) const;
  /// Moves carried colliders to the present poses of their carriers. Must be called if elements were moved otherwise
  /// than by a step.
  void catch_up(std::span<const std::unique_ptr<System>> systems);

  /// meets() returns whether the system may collide with collider i. It returns false if the system carries the
  /// collider. has_passengers() returns whether the system carries any collider.
  [[nodiscard]] bool meets(std::size_t i, std::size_t system) const;
  [[nodiscard]] bool has_passengers(std::size_t system) const;
  /// Returns whether all colliders that the system may collide with stay at rest during the current step.
  [[nodiscard]] bool still_for(std::size_t system) const;
  /// Returns the colliders that the system may collide with, in their poses at a step boundary at `time` [s].
  [[nodiscard]] std::vector<Collider> met_by(std::size_t system, double time) const;

  /// Visits the state: the attachments of carried colliders. Visits nothing if no collider is carried.
  void visit_state(StateVisitor& visit);
  /// Returns a description of the first invalid value of a state that was just read, or an empty text.
  [[nodiscard]] std::string state_problem() const;

 private:
  [[nodiscard]] Pose aim(std::size_t row, std::span<const std::unique_ptr<System>> systems, double dt) const;
  [[nodiscard]] Result<void> attach_one(std::size_t i, std::span<const std::unique_ptr<System>> systems,
                                        bool awaits_state);
  void keep_attachment(std::size_t i, const ColliderSet& before, std::size_t old,
                       std::span<const std::unique_ptr<System>> systems);
  [[nodiscard]] Pose ridden(std::size_t row, const Pose& carrier, const Pose& free) const;
  [[nodiscard]] Motion from_to(std::size_t i, double from, double to) const;

  std::vector<Collider> colliders_;  ///< in the order of their names, in the poses that their nodes declare
  std::vector<ColliderMotion> motions_;
  std::vector<std::size_t> carrier_;  ///< index of each collider's carrier system, or `none`
  std::vector<std::size_t> row_;      ///< row of each collider in the arrays below, or `none`
  ShapeStore shapes_;
  mutable std::vector<std::shared_ptr<const SurfaceMesh>> pictures_;

  // State: one row for each carried collider, in the order of names.
  std::vector<std::int64_t> element_;  ///< permanent id (Elements::id) of the carrier element
  std::vector<Vec3> home_position_, ride_position_;
  /// Pose of the carrier element: `home_*` when the collider was attached, `ride_*` at the start of the current step.
  std::vector<Quat> home_orientation_, ride_orientation_;

  std::vector<Pose> aim_;  ///< extrapolated pose of the carrier element at the end of the current step
  double step_time_ = 0, step_dt_ = 1;
  bool under_way_ = false;  ///< whether a step is in progress; aim_ is valid only then
};

}  // namespace vw
