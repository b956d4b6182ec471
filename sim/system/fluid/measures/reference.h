// Reference implementation of the fluid's pair sums: written directly from the formulas, in double precision, one
// particle at a time, with a neighbour vector per particle. It shares only the kernel functions with the optimised
// code. It is used in tests and benchmarks.
#pragma once

#include <vector>

#include "sim/base/math.h"
#include "sim/system/fluid/rows/sph_kernel.h"

namespace vw {

class ReferenceSph {
 public:
  double spacing_m = 0.02;
  SphKernel kernel = SphKernel::wendland;
  std::vector<Vec3> x, v;
  std::vector<double> rest_density;
  std::vector<Vec3> wall;  ///< Wall samples at rest, each with volume d^3.

  std::vector<double> density, answer, virial, kappa;

  void find_neighbours();
  void sum_densities();
  /// Returns the rates of relative density for velocities `u` [1/s].
  [[nodiscard]] std::vector<double> rates(const std::vector<Vec3>& u) const;
  /// Returns the velocities that `u` become after the pressures `k` (p / density^2) have acted for dt.
  [[nodiscard]] std::vector<Vec3> pushed(const std::vector<Vec3>& u, const std::vector<double>& k, double dt) const;
  /// Advances by one substep of textbook DFSPH: relaxed Jacobi iterations from zero pressure until the mean error is at
  /// most `error`, but at most 100 iterations. Returns the number of iterations.
  int step_dfsph(double dt, const Vec3& gravity, double error);
  /// Advances by one substep of WCSPH with Tait's law.
  void step_wcsph(double dt, const Vec3& gravity, double stiffness_pa);

  std::vector<std::vector<std::size_t>> near, near_walls;

 private:
  [[nodiscard]] double reach() const { return 2 * spacing_m; }
  [[nodiscard]] double volume() const { return spacing_m * spacing_m * spacing_m; }
  [[nodiscard]] double shape(const Vec3& apart) const;
  /// Returns V grad W [1/m], with the volume V of a particle and the kernel W.
  [[nodiscard]] Vec3 slope(const Vec3& apart) const;
  double factor_ = 1;
};

}  // namespace vw
