// Path of each body's centre of mass since the world's start. The points are thinned repeatedly, so that a run of any
// length keeps its complete path in bounded memory. Plain CPU data; input is every snapshot that is drawn or noted.
#pragma once

#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

#include "sim/snapshot/snapshot.h"

namespace vw {

class Trails {
 public:
  static constexpr std::size_t limit = 2048;  ///< maximum number of points of a path
  /// Records the snapshot if enough time has passed since the last point. Starts over if the epoch or the number of
  /// systems changes. If time has gone back, later points are discarded.
  void note(const Snapshot& snapshot);
  [[nodiscard]] std::size_t count() const { return paths_.size(); }
  /// Points of a system's path [m]; empty for systems that are not a single body.
  [[nodiscard]] const std::vector<glm::vec3>& path(std::size_t system) const { return paths_[system]; }

 private:
  void thin();
  std::vector<double> times_;
  std::vector<std::vector<glm::vec3>> paths_;  ///< indexed by system; as long as times_, or empty
  std::uint64_t epoch_ = 0;
  double spacing_s_ = 0;  ///< least time between two points [s]
};

}  // namespace vw
