// Reference for benchmarks: scalar code for one thread that computes bonds, Poisson effect, weight and a flat ground
// (after Hiller & Lipson, "Dynamic Simulation of Soft Multimaterial 3D-Printed Objects", Soft Robotics 2014). The code
// follows the formulas directly and is independent of sim/system/voxel.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/math.h"

namespace vw::bench {

/// Voxels of one material with damped bonds above a ground that fills the half space y < 0. The integrator is
/// symplectic Euler.
class ReferenceCube {
 public:
  struct Material {
    double youngs = 1e6, density = 1000, poisson = 0, bond_damping = 0.1;
    double contact_damping = 1, mu_static = 0, mu_dynamic = 0;  ///< damping ratio and friction on the ground
  };
  struct Voxel {
    Vec3 position, velocity, angular_velocity, force, moment;
    Quat orientation;
    double volume_stiffness = 0;  ///< stiffness of the Poisson effect, s^2 beta_v (defined in reference_cube.cpp) [N]
    double strain_sum = 0;        ///< sum of the axial strains of the voxel's bonds
    bool held = false;            ///< whether the voxel is sticking (static friction)
  };
  /// Creates one voxel per entry of `cells`. The cells must be in ascending order of y, then z, then x.
  ReferenceCube(const std::vector<std::array<int, 3>>& cells, double edge_m, const Material& material,
                double gravity_mps2);
  void substep(double dt);
  std::vector<Voxel> voxels;

 private:
  struct Bond {
    std::size_t a, b;
    int axis;
  };
  void join(const std::vector<std::array<int, 3>>& cells);
  void add_strains();
  void add_bond_loads(const Bond& bond);
  void add_ground(Voxel& voxel, double dt) const;
  Material material_;
  double edge_, mass_, inertia_, gravity_;
  double axial_, lateral_, twist_, bend_;
  std::vector<Bond> bonds_;
};

}  // namespace vw::bench
