// Difference of two snapshots at the same time, as a channel that can be shown as a colour: the distance between an
// element of run A and the same element of run B. Elements are matched by the name of the system and their row.
#pragma once

#include <string>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// Name of the channel that add_pair_difference() adds.
inline constexpr const char* pair_distance_channel = "distance between A and B";

struct PairDifference {
  std::size_t systems = 0;   ///< number of systems that have the channel
  float largest_m = 0;       ///< largest distance of all elements [m]
  std::string missing = {};  ///< sentence that explains why a system has no channel; empty if all systems have it
};

/// Adds the channel to the systems that both snapshots have with the same number of elements. Along a periodic axis,
/// the distance is that to the nearest image.
PairDifference add_pair_difference(Snapshot& a, Snapshot& b);

}  // namespace vw
