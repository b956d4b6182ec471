// Mouse interaction: a spring between an element and a point, and single impulses. Both act through the systems'
// impulse arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/data/state.h"
#include "sim/system/system.h"

namespace vw {

/// The spring of a mouse grab. It consists of plain numbers, because it belongs to the state.
struct GrabSpring {
  std::uint64_t active = 0;
  std::uint64_t system = 0;  ///< index of the system in name order
  std::int64_t element = 0;  ///< permanent id of the element (Elements::id), not a row
  Vec3 target = Vec3::Zero();
  double stiffness_npm = 0;
  double force_n = 0;  ///< magnitude of the force in the last substep [N], for display
  void visit_state(StateVisitor& visit);
};

/// row_of() returns the row of the element with a permanent id, or -1 if the element no longer exists. identity_of()
/// returns the permanent id of the element in a row.
[[nodiscard]] std::int64_t row_of(const Elements& elements, std::int64_t identity);
[[nodiscard]] std::int64_t identity_of(const Elements& elements, std::int64_t row);

/// Stiffness [N/m] and damping [N s/m] that limit_spring() allows.
struct SpringLimits {
  double stiffness_npm = 0;
  double damping_nspm = 0;
};
/// Limits a spring of `stiffness_npm` on an element of mass `m` in a body of mass `body` [kg], so that it is stable
/// with the substep `dt` [s]. Symplectic Euler with damping evaluated at the old velocity is stable if dt^2 K + 2 dt C
/// < 4 M, where K is the total stiffness, C the total damping and M the mass of an element. `used` is the substep
/// divided by the stable substep of the body. It determines which fraction of this stability limit the body's own bonds
/// use.
[[nodiscard]] SpringLimits limit_spring(double stiffness_npm, double m, double body, double dt, double used);

/// Adds the impulse of the spring over one substep `dt` [s] to the grabbed element. Releases the spring if the element
/// no longer exists.
void pull(GrabSpring& spring, Elements& elements, double dt, double stable_dt);

/// Impulses that act in the next step, as parallel arrays of plain numbers.
struct PendingPushes {
  std::vector<std::uint64_t> system;
  std::vector<std::int64_t> element;  ///< permanent ids (Elements::id), not rows: rows may change before the step
  std::vector<Vec3> impulse;
  std::vector<double> radius_m;
  void add(std::uint64_t system_index, std::int64_t identity, const Vec3& impulse_ns, double radius);
  void clear();
  void remove(std::size_t push);
  /// Replaces the index i of each system by now[i]. Pushes on a system for which now[i] is `removed` are deleted.
  void renumber(std::span<const std::size_t> now, std::size_t removed);
  void visit_state(StateVisitor& visit);
};

/// Distributes `impulse` [N s] over the elements within `radius_m` of `element` in proportion to their masses, so that
/// all of them gain the same velocity.
void push(Elements& elements, std::int64_t element, const Vec3& impulse, double radius_m);

}  // namespace vw
