// Functions shared by systems whose elements are points without orientation: sums over elements, search for invalid
// rows, and the arrays of snapshot and state that all such systems have.
#pragma once

#include <optional>

#include "sim/base/data/state.h"
#include "sim/snapshot/snapshot.h"
#include "sim/system/system.h"

namespace vw {

/// Mass, energies [J], momenta and centre of mass over all rows. The rows are divided into chunks that depend only on
/// the number of rows, and the chunk sums are added in order. The result therefore does not depend on the number of
/// threads. Allocates no memory. `gravity` is the acceleration of these elements by gravity [m/s^2].
[[nodiscard]] Diagnostics point_sums(const Elements& elements, const Vec3& gravity);
/// First row whose position is not finite, or whose speed is not finite or exceeds `fastest_mps`. Returns nullopt if
/// there is no such row.
[[nodiscard]] std::optional<std::size_t> first_unsound(const Elements& elements, double fastest_mps);
/// Whether all values are finite and positive. Used for state from an untrusted file.
[[nodiscard]] bool all_positive(const std::vector<double>& values);
/// Whether the permanent identities `id` are ascending and less than `next_id`, the identity of the next new element.
/// Used for state from an untrusted file.
[[nodiscard]] bool identities_ascend(const std::vector<std::uint32_t>& id, std::uint32_t next_id);
/// Writes positions, velocities, radii and ids into a snapshot, in single precision.
void show_points(const Elements& elements, SystemSnapshot& out);
/// Visits positions, velocities, masses, radii and ids. The caller visits the impulses, because the array of impulses
/// may be empty.
void visit_points(Elements& elements, StateVisitor& visit);

}  // namespace vw
