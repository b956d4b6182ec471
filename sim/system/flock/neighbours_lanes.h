// The sums over neighbours by lanes, for members in the order of cells.
#pragma once

#include "sim/system/flock/neighbours.h"

namespace vw {

/// Members as columns in the order of cells, `padding` rows longer than there are members, and the cells: 2^bits along each axis, counted from the
/// first again beyond. Cell (x, y, z) holds [start[c], start[c + 1]), c = ((z 2^bits[1]) + y) 2^bits[0] + x.
struct SightJob {
  static constexpr std::size_t padding = 16;
  const float *x = nullptr, *y = nullptr, *z = nullptr, *mx = nullptr, *my = nullptr, *mz = nullptr;
  const std::uint32_t* kind = nullptr;
  const MemberRecord* record = nullptr;
  std::span<const std::uint32_t> start;
  const int* bits = nullptr;
  std::span<const Sight> sights;
  std::span<const std::uint32_t> cells;  ///< of each species: how many cells away it sees
  Seen* out = nullptr;                   ///< in the same order
};

/// Of members [begin, end) in the order of cells.
void look_in_lanes(const SightJob& job, Range range);

/// One that a member sees, and adding it: what lanes do in vectors.
struct Candidate {
  float squared = 0;
  std::uint32_t at = 0;  ///< in the order of records
};
void add_seen(const Sight& sight, const MemberRecord& self, const MemberRecord& other, Seen& seen);
/// Adds the nearest of some candidates, their order among equals by rows.
void add_nearest(const Sight& sight, const MemberRecord& self, const MemberRecord* records, std::span<Candidate> candidates, Seen& seen);

}  // namespace vw
