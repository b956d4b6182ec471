// Members of a flock. Each member has one row. The rows are in the order of birth.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/data/state.h"
#include "sim/system/system.h"

namespace vw {

struct FlockRows {
  Elements elements;                  ///< Points with a radius and without orientation.
  std::vector<Vec3> heading;          ///< Unit vector of the body's longitudinal axis.
  std::vector<double> speed;          ///< Speed along the heading relative to the medium [m/s].
  std::vector<double> bank;           ///< Rotation about the heading [rad]. Positive values lower the right side.
  std::vector<double> beat;           ///< Phase of the tail or wing beat [rad].
  std::vector<double> born;           ///< Time of birth [s].
  std::vector<double> lifetime;       ///< Lifetime [s]. 0 means unlimited.
  std::vector<std::uint8_t> species;  ///< Index into FlockPlan::species.
  std::vector<std::uint32_t> way;     ///< Index of the path point towards which the member heads.
  [[nodiscard]] std::size_t size() const { return elements.size(); }
};

}  // namespace vw
