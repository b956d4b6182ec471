// Flocks (Reynolds 1987, 1999): members see their neighbours, obstacles and hunters, and steer accordingly. Input:
// fields, colliders, impulses, and data of other systems that interactions provide (surroundings.h). Output: elements,
// display data and channels.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"
#include "sim/system/flock/obstacles/surroundings.h"
#include "sim/system/system.h"

namespace vw {

/// Interface of a flock for interactions, in addition to the interface of all systems.
class FlockSystem : public System {
 public:
  [[nodiscard]] virtual const FlockPlan& plan() const = 0;
  [[nodiscard]] virtual const FlockRows& rows() const = 0;
  /// Data that interactions provide for one substep. Interactions write the data in prepare() at the start of the
  /// flock's substep (when PairContext::age_a is 0). The flock clears the data at the end of the substep.
  [[nodiscard]] virtual Surroundings& around() = 0;
  /// Names of the bodies that the flock's goals refer to.
  [[nodiscard]] virtual std::span<const std::string> wanted_marks() const = 0;
  /// Computes the steering decisions of all members for the substep [t, t + dt]. Interactions may call this function in
  /// Interaction::answer(). Further calls in a substep have no effect. If no interaction has called it, substep()
  /// computes the decisions.
  virtual void decide(double t, double dt) = 0;
  /// Acceleration [m/s^2] by which each member propels itself in this substep: steering, plus the thrust that
  /// compensates the drag of the medium. For a member whose medium is water, the flock itself applies only the weight.
  /// The interaction with the water applies the fraction FlockWater::share of this acceleration as an impulse, and the
  /// opposite impulse to the water. The interaction also applies buoyancy and drag.
  [[nodiscard]] virtual std::span<const Vec3> thrust() const = 0;
  /// Drag rate [1/s] of a member that moves with the speed `relative_mps` relative to the medium. The deceleration is
  /// this rate times the velocity relative to the medium.
  [[nodiscard]] virtual double drag_rate(std::size_t row, double relative_mps) const = 0;

 protected:
  using System::System;
};

[[nodiscard]] Result<std::unique_ptr<System>> create_flock(const Node& self, const Node& scene);

}  // namespace vw
