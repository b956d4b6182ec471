// One measured cube: its world, how fast it steps, and the plain scalar code beside it.
#pragma once

#include "bench/measure.h"
#include "bench/peak.h"
#include "bench/voxel_scene.h"

namespace vw::bench {

/// A world that has taken its first step, and what making it took.
struct CubeWorld {
  std::unique_ptr<World> world;
  double create_s = 0;      ///< scene checked, lattice, bonds, skin
  double first_step_s = 0;  ///< with the spectrum that bounds the step
  Figures memory;           ///< bytes_per_voxel, resident_bytes_per_voxel, as far as the system tells
};
[[nodiscard]] Result<CubeWorld> make_cube_world(const CubeScene& cube);

/// The world's steps, and beside each window of them one of the plain scalar code (on one thread) on the same cube.
struct CubeRun {
  WorldRun world;
  Windows reference;
};
[[nodiscard]] Result<CubeRun> run_beside_reference(const CubeScene& cube, World& world, std::int64_t milliseconds);
/// Largest distance [m] between a voxel of the engine and the same one of the plain code after one world step from the same start.
[[nodiscard]] Result<double> difference_from_reference(const CubeScene& cube);

/// Everything that is known of a run, as rates and figures.
[[nodiscard]] Outcome tell(const CubeScene& cube, const CubeWorld& made, const CubeRun& run, const Peak& peak);

}  // namespace vw::bench
