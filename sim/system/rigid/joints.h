// Joints between rigid bodies, or of one with the world: what the kinds of slot `joint` of a rigid system declare, and the impulses that hold them.
#pragma once

#include <utility>
#include <vector>

#include "sim/base/node.h"
#include "sim/base/state.h"
#include "sim/system/rigid/rigid_scene.h"

namespace vw {

/// The schemas of slot `joint`, by name: ball, distance, fixed, hinge, rope, slider.
[[nodiscard]] const std::vector<const Schema*>& joint_schemas();

class RigidJoints {
 public:
  /// Joints of a system's node between its bodies as they start. Errors name line and key: a body that is not there.
  [[nodiscard]] static Result<RigidJoints> make(const Node& self, std::span<const RigidBody> bodies);
  /// Takes over what may change while they live.
  void configure(const Node& self);

  [[nodiscard]] bool empty() const;
  /// Bodies that are joined: who sleeps and wakes together. no_body: the world.
  [[nodiscard]] std::span<const std::pair<std::size_t, std::size_t>> links() const;
  /// Whether two bodies that a joint joins meet each other all the same.
  [[nodiscard]] bool may_touch(std::size_t a, std::size_t b) const;

  /// At the start of a substep, with velocities that have everything but contact and joints: what each joint asks for.
  void begin(const RigidScene& scene);
  /// One round: changes velocities so that the joints hold. Returns the largest change of a velocity [m/s].
  [[nodiscard]] double solve(const RigidScene& scene);
  /// After the bodies have moved: takes out what the joints have drifted by, without making velocity of it.
  void straighten(const RigidScene& scene);

  void visit_state(StateVisitor& visit);
  /// `rows`: the bodies as they stand.
  void snapshot(std::span<const RigidBody> bodies, const Elements& rows, std::vector<JointMark>& out) const;
};

}  // namespace vw
