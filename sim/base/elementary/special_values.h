// Values that are not finite numbers. Included by sources of this folder only.
#pragma once

#include <limits>

namespace vw::elementary {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace vw::elementary
