// Flocks (Reynolds 1987, 1999): members that see their neighbours, obstacles and enemies, and steer. Input: fields,
// colliders, data of other systems that interactions provide (surroundings.h), impulses. Output: elements, display
// data, channels.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"
#include "sim/system/flock/obstacles/surroundings.h"
#include "sim/system/system.h"

namespace vw {

/// Interface of a flock for interactions, beyond that of systems.
class FlockSystem : public System {
 public:
  [[nodiscard]] virtual const FlockPlan& plan() const = 0;
  [[nodiscard]] virtual const FlockRows& rows() const = 0;
  /// Interactions fill it in prepare() at the start of the flock's substep, when PairContext::age_a is 0. It is cleared
  /// at the end of the substep.
  [[nodiscard]] virtual Surroundings& around() = 0;
  /// Bodies that the flock's goals name.
  [[nodiscard]] virtual std::span<const std::string> wanted_marks() const = 0;
  /// Computes the decisions of all members for the substep [t, t + dt]. Called once per substep: by an interaction's
  /// answer(), or by substep() if none has called it.
  virtual void decide(double t, double dt) = 0;
  /// Own acceleration [m/s^2] of each member in this substep: steering, plus the thrust that compensates the medium's
  /// drag. For members under water the flock does not apply the share that the water bears (FlockWater): the
  /// interaction applies it as an impulse and takes it from the water. The flock applies their weight, the interaction
  /// their buoyancy.
  [[nodiscard]] virtual std::span<const Vec3> thrust() const = 0;
  /// Drag rate [1/s] of a member in a medium with the relative speed `relative_mps`: the deceleration is (v - u) times
  /// this rate.
  [[nodiscard]] virtual double drag_rate(std::size_t row, double relative_mps) const = 0;
  /// Removes these rows at the start of the next step.
  virtual void remove(std::span<const std::uint32_t> rows) = 0;
  /// Adds `count` members of a species around a position at the start of the next step.
  virtual void spawn(std::size_t species, const Vec3& place, std::uint64_t count) = 0;

 protected:
  using System::System;
};

[[nodiscard]] Result<std::unique_ptr<System>> create_flock(const Node& self, const Node& scene);

}  // namespace vw
