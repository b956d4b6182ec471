// Path of each body's centre of mass since the start of the world. If a path exceeds its capacity, every second point
// is removed, so that a path of limited size covers a run of any length. The input is every snapshot that is drawn or
// recorded. This class contains CPU data only.
#pragma once

#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

#include "sim/snapshot/snapshot.h"

namespace vw {

class Trails {
 public:
  static constexpr std::size_t limit = 2048;  ///< maximum number of points of a path
  /// Records the snapshot if at least `spacing_s_` has passed since the last point. If the systems are not those of
  /// the last call (Snapshot::parts_number), all paths are discarded. If time has gone back, later points are
  /// discarded.
  void note(const Snapshot& snapshot);
  [[nodiscard]] std::size_t count() const { return paths_.size(); }
  /// Points of a system's path [m]. Empty if the system is not a single body.
  [[nodiscard]] const std::vector<glm::vec3>& path(std::size_t system) const { return paths_[system]; }

 private:
  void thin();
  std::vector<double> times_;
  std::vector<std::vector<glm::vec3>> paths_;  ///< indexed by system; no path has more points than times_
  std::uint64_t parts_number_ = 0;
  double spacing_s_ = 0;  ///< minimum time between two points [s]
};

}  // namespace vw
