// The members of a flock: one row each, in the order of birth.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/state.h"
#include "sim/system/system.h"

namespace vw {

struct FlockRows {
  Elements elements;                  ///< points with a ball about them: no orientation there
  std::vector<Vec3> heading;          ///< unit: where the nose points
  std::vector<double> speed;          ///< [m/s] of its own motion along that, relative to the medium
  std::vector<double> bank;           ///< about it [rad]; positive: the right side is down
  std::vector<double> beat;           ///< phase of tail or wings [rad]
  std::vector<double> born;           ///< [s]
  std::vector<double> lifetime;       ///< [s]; 0: for ever
  std::vector<std::uint8_t> species;  ///< index into the plan's
  std::vector<std::uint32_t> way;     ///< the point of a path that it makes for
  [[nodiscard]] std::size_t size() const { return elements.size(); }
};

}  // namespace vw
