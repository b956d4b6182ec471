// Integrals over the elements of a system: mass, energies, momenta, centre of mass.
#pragma once

#include <cstddef>

#include "sim/base/math.h"

namespace vw {

struct Diagnostics {
  std::size_t count = 0;
  double mass = 0;                                 ///< [kg]
  double kinetic = 0, potential = 0, elastic = 0;  ///< Energies [J]. The gravitational potential is 0 at y = 0.
  Vec3 momentum = Vec3::Zero();                    ///< [kg m/s]
  /// Angular momentum about the origin [kg m^2/s]. It includes the rotation of each element about its own centre.
  Vec3 angular_momentum = Vec3::Zero();
  Vec3 center_of_mass = Vec3::Zero();
};

}  // namespace vw
