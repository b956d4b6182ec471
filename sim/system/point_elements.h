// What systems of point elements (no orientation of their own) share: sums, the first row that went wrong, the picture's and the state's columns.
#pragma once

#include <optional>

#include "sim/base/state.h"
#include "sim/snapshot/snapshot.h"
#include "sim/system/system.h"

namespace vw {

/// Mass, energies [J], momenta and centre of mass over all rows, in fixed parts that are added in order: the same bits at any number of threads, and
/// nothing is allocated. `gravity` [m/s^2] is what acts on these elements.
[[nodiscard]] Diagnostics point_sums(const Elements& elements, const Vec3& gravity);
/// The first row with a position that is not finite or a speed that is not at most `fastest_mps`.
[[nodiscard]] std::optional<std::size_t> first_unsound(const Elements& elements, double fastest_mps);
/// Of state from a file that may be hostile: whether all are finite and above zero.
[[nodiscard]] bool all_positive(const std::vector<double>& values);
/// Likewise whether lasting identities ascend and are below the next one to give.
[[nodiscard]] bool identities_ascend(const std::vector<std::uint32_t>& id, std::uint32_t next_id);
/// Positions, velocities, radii and ids into a picture, in single precision.
void show_points(const Elements& elements, SystemSnapshot& out);
/// The columns that every row has. Impulses are the caller's to visit: they may be absent.
void visit_points(Elements& elements, StateVisitor& visit);

}  // namespace vw
