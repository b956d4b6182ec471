// Values that are not finite numbers. Only sources of this folder include this file.
#pragma once

#include <limits>

namespace vw::elementary {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace vw::elementary
