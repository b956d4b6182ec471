// Scenes of voxel bodies for benchmarks, and which cells their shapes fill.
#pragma once

#include <array>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/node.h"

namespace vw::bench {

enum class CubeShape { dense, hollow, sparse };  ///< in the order of the words of the argument "shape"

/// Cells of a cube of n^3, ascending (y, z, x). Hollow: a shell of one voxel. Sparse: struts along every third line of cells, connected; 26 to 35 %
/// full.
[[nodiscard]] bool is_filled(CubeShape shape, int n, int x, int y, int z);
[[nodiscard]] std::vector<std::array<int, 3>> cells_of(CubeShape shape, int n);
/// Pairs of filled cells that share a face.
[[nodiscard]] double bond_count(CubeShape shape, int n);

/// Issue 3's cube: edge 5 mm, rho = 1000, zeta = 0.1, gravity, at rest on the ground; no wind.
struct CubeScene {
  int n = 20;
  CubeShape shape = CubeShape::dense;
  double youngs_pa = 1e6;
  double poisson = 0.35;
  bool self_contact = false;
  bool implicit = false;
  double spin = 0;          ///< about a skew axis, at the start [rad/s]
  double speed_mps = 0;     ///< upwards, at the start
  double height_m = 0;      ///< above the ground, at the start
  double dt_s = 1.0 / 120;  ///< of the world
};
inline constexpr double cube_edge_m = 0.005;
[[nodiscard]] Result<Node> make_scene(const CubeScene& cube);

}  // namespace vw::bench
