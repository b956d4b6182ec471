// Flocks (Reynolds 1987, 1999): members that see their neighbours, obstacles and enemies, and steer. Flows in: fields, colliders, what rules bring of
// other systems (surroundings.h), impulses. Flows out: elements, looks, channels.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"
#include "sim/system/flock/surroundings.h"
#include "sim/system/system.h"

namespace vw {

/// What rules see of a flock beyond the interface of systems.
class FlockSystem : public System {
 public:
  [[nodiscard]] virtual const FlockPlan& plan() const = 0;
  [[nodiscard]] virtual const FlockRows& rows() const = 0;
  /// Filled by rules in prepare(), when the flock's substep begins (PairContext::age_a of it is 0); emptied when the substep is over.
  [[nodiscard]] virtual Surroundings& around() = 0;
  /// Bodies that its goals name.
  [[nodiscard]] virtual std::span<const std::string> wanted_marks() const = 0;
  /// What every member wants to do in the substep [t, t + dt]: once, in a rule's answer() or, if nobody asked, by substep itself.
  virtual void decide(double t, double dt) = 0;
  /// The acceleration [m/s^2] that each gives itself in this substep, as decided: steering and what holds its speed against the medium's drag. Of
  /// members under water the share that water bears (FlockWater) is not applied by the flock: the rule gives it as an impulse, and takes it from the
  /// water. Their weight is the flock's to apply, their buoyancy the rule's.
  [[nodiscard]] virtual std::span<const Vec3> thrust() const = 0;
  /// Drag rate [1/s] of a member against the medium that moves past it with `relative` [m/s]: (v - u) times this is what slows it down.
  [[nodiscard]] virtual double drag_rate(std::size_t row, double relative_mps) const = 0;
  /// Ends the lives of these rows at the next step's begin.
  virtual void remove(std::span<const std::uint32_t> rows) = 0;
  /// So many members of a species more about a place, as the next step begins.
  virtual void spawn(std::size_t species, const Vec3& place, std::uint64_t count) = 0;

 protected:
  using System::System;
};

[[nodiscard]] Result<std::unique_ptr<System>> create_flock(const Node& self, const Node& scene);

}  // namespace vw
