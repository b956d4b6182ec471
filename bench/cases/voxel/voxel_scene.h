// Scenes of voxel bodies for benchmarks, and the cells that the shapes fill.
#pragma once

#include <array>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/base/error.h"

namespace vw::bench {

enum class CubeShape { dense, hollow, sparse };  ///< in the same order as the words of the argument "shape"

/// Returns whether a cell of a cube of n^3 cells is filled. A `hollow` cube is a shell of one voxel. A `sparse` cube
/// has connected struts along every third line of cells. For n >= 10 the struts fill 26 to 35 % of the cells.
[[nodiscard]] bool is_filled(CubeShape shape, int n, int x, int y, int z);
[[nodiscard]] std::vector<std::array<int, 3>> cells_of(CubeShape shape, int n);
/// Returns the number of pairs of filled cells with a common face.
[[nodiscard]] double bond_count(CubeShape shape, int n);

/// The benchmark cube. Its voxels have edges of 5 mm, a density of 1000 kg/m^3 and a damping ratio of 0.1. By default
/// it lies on the ground, under gravity and without wind.
struct CubeScene {
  int n = 20;
  CubeShape shape = CubeShape::dense;
  double youngs_pa = 1e6;
  double poisson = 0.35;
  bool self_contact = false;
  bool implicit = false;
  double spin = 0;          ///< initial angular velocity about an oblique axis [rad/s]
  double speed_mps = 0;     ///< initial upward speed [m/s]
  double height_m = 0;      ///< initial height above the ground [m]
  double dt_s = 1.0 / 120;  ///< step of the world [s]
};
inline constexpr double cube_edge_m = 0.005;
[[nodiscard]] Result<Node> make_scene(const CubeScene& cube);

}  // namespace vw::bench
