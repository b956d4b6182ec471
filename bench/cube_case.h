// A benchmark of one voxel cube: its world, its speed, and the scalar reference code beside it.
#pragma once

#include "bench/measure.h"
#include "bench/peak.h"
#include "bench/voxel_scene.h"

namespace vw::bench {

/// A world that has taken its first step, with the cost of creating it.
struct CubeWorld {
  std::unique_ptr<World> world;
  double create_s = 0;      ///< scene check, lattice, bonds and skin
  double first_step_s = 0;  ///< includes the eigenvalue estimate that bounds the step
  Figures memory;           ///< bytes_per_voxel and resident_bytes_per_voxel, if the system provides them
};
[[nodiscard]] Result<CubeWorld> make_cube_world(const CubeScene& cube);

/// Measured steps of the world and, beside each window of them, a window of the scalar reference code (on one thread)
/// on the same cube.
struct CubeRun {
  WorldRun world;
  Windows reference;
};
[[nodiscard]] Result<CubeRun> run_beside_reference(const CubeScene& cube, World& world, std::int64_t milliseconds);
/// Largest distance [m] between a voxel of the engine and the same voxel of the reference code after one world step
/// from the same start.
[[nodiscard]] Result<double> difference_from_reference(const CubeScene& cube);

/// All results of a run as rates and figures.
[[nodiscard]] Outcome tell(const CubeScene& cube, const CubeWorld& made, const CubeRun& run, const Peak& peak);

}  // namespace vw::bench
