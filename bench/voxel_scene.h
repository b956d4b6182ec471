// Scenes of voxel bodies for benchmarks, and the cells that their shapes fill.
#pragma once

#include <array>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/node.h"

namespace vw::bench {

enum class CubeShape { dense, hollow, sparse };  ///< in the order of the words of the argument "shape"

/// Whether a cell of a cube of n^3 cells is filled. Hollow: a shell one voxel thick. Sparse: connected struts along
/// every third line of cells, 26 to 35 % filled.
[[nodiscard]] bool is_filled(CubeShape shape, int n, int x, int y, int z);
[[nodiscard]] std::vector<std::array<int, 3>> cells_of(CubeShape shape, int n);
/// Number of pairs of filled cells that share a face.
[[nodiscard]] double bond_count(CubeShape shape, int n);

/// The benchmark cube: edge 5 mm, rho = 1000 kg/m^3, zeta = 0.1, with gravity, at rest on the ground, without wind.
struct CubeScene {
  int n = 20;
  CubeShape shape = CubeShape::dense;
  double youngs_pa = 1e6;
  double poisson = 0.35;
  bool self_contact = false;
  bool implicit = false;
  double spin = 0;          ///< initial angular velocity about an oblique axis [rad/s]
  double speed_mps = 0;     ///< initial upward speed
  double height_m = 0;      ///< initial height above the ground
  double dt_s = 1.0 / 120;  ///< step of the world
};
inline constexpr double cube_edge_m = 0.005;
[[nodiscard]] Result<Node> make_scene(const CubeScene& cube);

}  // namespace vw::bench
