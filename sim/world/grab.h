// The mouse's hands: a spring between an element and a point, and single pushes. Both act through the systems' impulse rows.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/state.h"
#include "sim/system/system.h"

namespace vw {

/// A spring in force. Plain numbers, because it is part of the state.
struct GrabSpring {
  std::uint64_t active = 0;
  std::uint64_t system = 0;  ///< index in name order
  std::int64_t element = 0;  ///< lasting identity (Elements::id), not a row
  Vec3 target = Vec3::Zero();
  double stiffness_npm = 0;
  double force_n = 0;  ///< of the last substep, for the picture
  void visit_state(StateVisitor& visit);
};

/// Row of the element with a lasting identity, or -1 when it is gone; and the identity of a row.
[[nodiscard]] std::int64_t row_of(const Elements& elements, std::int64_t identity);
[[nodiscard]] std::int64_t identity_of(const Elements& elements, std::int64_t row);

/// Spring constant and damping that are applied in place of what was asked for.
struct SpringLimits {
  double stiffness_npm = 0;
  double damping_nspm = 0;
};
/// Limits a spring of `stiffness_npm` on an element of mass `m` in a body of mass `body`, for symplectic Euler with damping at the old velocity:
/// stable while dt^2 K + 2 dt C < 4 M (SPEC 1, time step). The body's own bonds use up `used` = substep / stable substep of that budget.
[[nodiscard]] SpringLimits limit_spring(double stiffness_npm, double m, double body, double dt, double used);

/// Adds the spring's impulse over one substep to its element; lets go when the element is gone.
void pull(GrabSpring& spring, Elements& elements, double dt, double stable_dt);

/// Pushes that wait for the next step, as parallel rows of plain numbers.
struct PendingPushes {
  std::vector<std::uint64_t> system;
  std::vector<std::int64_t> element;
  std::vector<Vec3> impulse;
  std::vector<double> radius_m;
  void add(std::uint64_t system_index, std::int64_t element_index, const Vec3& impulse_ns, double radius);
  void clear();
  void visit_state(StateVisitor& visit);
};

/// Shares `impulse` over the elements within `radius_m` of the element in proportion to mass: all gain the same velocity.
void push(Elements& elements, std::int64_t element, const Vec3& impulse, double radius_m);

}  // namespace vw
