// The yardstick: SPEC 1's bonds as plain scalar code for one thread, written straight from the formulas and independent of sim/system/voxel.
#pragma once

#include <vector>

#include "sim/base/math.h"

namespace vw::bench {

/// A cube of n^3 voxels of one material with damped bonds; symplectic Euler, nothing else acts.
class ReferenceCube {
 public:
  struct Material {
    double youngs = 1e6, density = 1000, bond_damping = 0.1;
  };
  struct Voxel {
    Vec3 position, velocity, angular_velocity, force, moment;
    Quat orientation;
  };
  ReferenceCube(int n, double edge_m, const Material& material);
  void substep(double dt);
  std::vector<Voxel> voxels;

 private:
  struct Bond {
    std::size_t a, b;
    int axis;
  };
  void add_bond_loads(const Bond& bond);
  double edge_, mass_, inertia_, damping_;
  double axial_, lateral_, twist_, bend_;
  std::vector<Bond> bonds_;
};

}  // namespace vw::bench
