// Mouse interaction: a spring between an element and a point, and single impulses. Both act through the systems'
// impulse arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/state.h"
#include "sim/system/system.h"

namespace vw {

/// An active spring. Plain numbers, because it is part of the state.
struct GrabSpring {
  std::uint64_t active = 0;
  std::uint64_t system = 0;  ///< index of the system in name order
  std::int64_t element = 0;  ///< persistent id of the element (Elements::id), not a row
  Vec3 target = Vec3::Zero();
  double stiffness_npm = 0;
  double force_n = 0;  ///< force in the last substep, for display
  void visit_state(StateVisitor& visit);
};

/// row_of(): row of the element with a persistent id, or -1 if it no longer exists. identity_of(): persistent id of a
/// row.
[[nodiscard]] std::int64_t row_of(const Elements& elements, std::int64_t identity);
[[nodiscard]] std::int64_t identity_of(const Elements& elements, std::int64_t row);

/// Stiffness and damping that are applied in place of the requested stiffness.
struct SpringLimits {
  double stiffness_npm = 0;
  double damping_nspm = 0;
};
/// Limits a spring of `stiffness_npm` on an element of mass `m` in a body of mass `body`. Symplectic Euler with damping
/// evaluated at the old velocity is stable while dt^2 K + 2 dt C < 4 M. The body's own bonds use the fraction `used` =
/// substep / stable substep of that budget.
[[nodiscard]] SpringLimits limit_spring(double stiffness_npm, double m, double body, double dt, double used);

/// Adds the spring's impulse over one substep to its element. Releases the spring if the element no longer exists.
void pull(GrabSpring& spring, Elements& elements, double dt, double stable_dt);

/// Impulses that wait for the next step, as parallel arrays of plain numbers.
struct PendingPushes {
  std::vector<std::uint64_t> system;
  std::vector<std::int64_t> element;
  std::vector<Vec3> impulse;
  std::vector<double> radius_m;
  void add(std::uint64_t system_index, std::int64_t element_index, const Vec3& impulse_ns, double radius);
  void clear();
  void visit_state(StateVisitor& visit);
};

/// Distributes `impulse` over the elements within `radius_m` of the element in proportion to mass, so that all gain the
/// same velocity.
void push(Elements& elements, std::int64_t element, const Vec3& impulse, double radius_m);

}  // namespace vw
