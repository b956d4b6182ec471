// The path of each body's centre of mass since the world's start, thinned so that a run of any length keeps its whole course in bounded memory.
// Plain CPU data; fed with every snapshot that is drawn.
#pragma once

#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

#include "sim/snapshot/snapshot.h"

namespace vw {

class Trails {
 public:
  static constexpr std::size_t limit = 2048;  ///< points of a path
  /// Takes the snapshot when it is far enough after the last one. Starts over at another epoch or another number of systems; where time has run
  /// back, what lay after it is forgotten.
  void note(const Snapshot& snapshot);
  [[nodiscard]] std::size_t count() const { return paths_.size(); }
  /// [m]; empty for what is no body.
  [[nodiscard]] const std::vector<glm::vec3>& path(std::size_t system) const { return paths_[system]; }

 private:
  void thin();
  std::vector<double> times_;
  std::vector<std::vector<glm::vec3>> paths_;  ///< by system; as long as times_, or empty
  std::uint64_t epoch_ = 0;
  double spacing_s_ = 0;  ///< least time between points
};

}  // namespace vw
