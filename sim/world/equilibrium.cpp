#include "sim/world/equilibrium.h"

#include "sim/system/system.h"

namespace vw {

Equilibrium describe_equilibrium(System& system, const StaticSolution& solution) {
  Equilibrium out;
  out.system = system.name();
  out.solution = solution;
  const EquilibriumSolver* solver = system.equilibrium_solver();
  const Elements& e = system.elements();
  out.voxels = e.size();
  double mass = 0;
  for (std::size_t v = 0; v < e.size(); ++v) {
    const Vec3 moved = e.position[v] - solver->rest_position(v);
    if (moved.squaredNorm() > out.displacement.squaredNorm()) out.displacement = moved, out.farthest = v;
    out.center_of_mass += e.mass[v] * e.position[v];
    mass += e.mass[v];
  }
  out.center_of_mass /= mass;
  return out;
}

}  // namespace vw
