// Vector kernel of the sums over neighbours, for members in the order of cells.
#pragma once

#include "sim/system/flock/steering/neighbours.h"

namespace vw {

/// Members in the order of cells, stored as columns that are padded by `padding` rows, and the grid of cells. The
/// columns are position (x, y, z), velocity (mx, my, mz) and species (kind). The grid has 2^bits[a] cells along axis a,
/// and cell indices wrap around. The cell (x, y, z) has the index c = (z 2^bits[1] + y) 2^bits[0] + x and contains the
/// members [start[c], start[c + 1]).
struct SightJob {
  static constexpr std::size_t padding = 16;
  const float *x = nullptr, *y = nullptr, *z = nullptr, *mx = nullptr, *my = nullptr, *mz = nullptr;
  const std::uint32_t* kind = nullptr;
  const MemberRecord* record = nullptr;
  std::span<const std::uint32_t> start;
  const int* bits = nullptr;
  std::span<const Sight> sights;
  std::span<const std::uint32_t> cells;  ///< Reach of each species in cells.
  Seen* out = nullptr;                   ///< Sums of the members in the order of cells.
};

/// Computes the sums of the members in `range`, an index range in the order of cells.
void look_in_lanes(const SightJob& job, Range range);

/// A neighbour that a member sees.
struct Candidate {
  float squared = 0;
  std::uint32_t at = 0;  ///< Index of the neighbour's record.
};
/// Adds one neighbour to the sums. This function is the scalar version of the vector kernel.
void add_seen(const Sight& sight, const MemberRecord& self, const MemberRecord& other, Seen& seen);
/// Adds the nearest of the candidates to the sums, at most sight.nearest of them. Candidates at equal distances are
/// ordered by row.
void add_nearest(const Sight& sight, const MemberRecord& self, const MemberRecord* records,
                 std::span<Candidate> candidates, Seen& seen);

}  // namespace vw
