// The particle spacing that most tests of fluids use.
#pragma once

namespace vw::test {

inline constexpr double dx = 0.02;  ///< Particle spacing [m].

}  // namespace vw::test
