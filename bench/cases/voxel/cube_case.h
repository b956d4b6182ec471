// A benchmark of one voxel cube: its world, the speed of the world, and the speed of the scalar reference code.
#pragma once

#include "bench/cases/voxel/voxel_scene.h"
#include "bench/measure.h"
#include "bench/peak.h"

namespace vw::bench {

/// A world after its first step, and the costs of its creation.
struct CubeWorld {
  std::unique_ptr<World> world;
  double create_s = 0;      ///< time for scene check, lattice, bonds and skin [s]
  double first_step_s = 0;  ///< time of the first step, including the eigenvalue estimate that bounds the step [s]
  Figures memory;           ///< bytes_per_voxel and resident_bytes_per_voxel, if the operating system provides them
};
[[nodiscard]] Result<CubeWorld> make_cube_world(const CubeScene& cube);

/// Measured windows of world steps. After each window, a window of the scalar reference code for the same cube is
/// measured on one thread.
struct CubeRun {
  WorldRun world;
  Windows reference;
};
[[nodiscard]] Result<CubeRun> run_beside_reference(const CubeScene& cube, World& world, std::int64_t milliseconds);
/// Returns the largest distance [m] between corresponding voxels of the engine and of the reference code, after one
/// world step from the same state.
[[nodiscard]] Result<double> difference_from_reference(const CubeScene& cube);

/// Converts all results of a run to rates and figures.
[[nodiscard]] Outcome tell(const CubeScene& cube, const CubeWorld& made, const CubeRun& run, const Peak& peak);

}  // namespace vw::bench
