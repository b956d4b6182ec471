// Voxel bodies that step implicitly, as rules of contact meet them: a push is a fixed load of a whole long substep, so springs of contact are as soft
// as the body bears, and substeps are short enough that nothing runs or sinks in by more than some hundredths of a voxel.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/voxel/voxel_body.h"

namespace vw {

[[nodiscard]] inline bool is_implicit(const VoxelBody& body) { return body.params().integrator == Integrator::implicit_euler; }

/// (w h)^2 of the springs of a contact on a side that steps implicitly and takes them for fixed loads. At 4 they would swing it up, at 2 they still
/// throw nothing off faster than it came; several bodies may press at once, and ContactGive is some tenths short.
inline constexpr double implicit_share = 0.5;

/// One of a pair.
struct ImplicitSide {
  bool slow = false;                   ///< it steps implicitly
  double step = 0;                     ///< its substep [s]
  std::vector<double> give;            ///< of each voxel: VoxelBody::give_way [m/N]
  std::vector<std::uint32_t> pushes;   ///< of each voxel: whether it may be pressed, or how often it is
  std::vector<std::uint32_t> pressed;  ///< scratch
  std::vector<double> given;           ///< scratch
  /// How far those voxels give way whose `pushes` are not 0; the others as if they hung on nothing.
  void ask(VoxelBody& body);
};

/// Where a body is and how it goes, as a whole.
struct Extent {
  Eigen::AlignedBox3d box;
  Vec3 momentum = Vec3::Zero();
  double mass = 0, widest = 0, lightest = 0;
  double heft = 1;  ///< voxels' masses that one of them may have to stop: of a rod that comes down on its end a good part of its length
};
[[nodiscard]] Extent extent_of(const Elements& voxels);
[[nodiscard]] double fastest_of(const Elements& elements, const Vec3& against);

/// Of a stack on the lowest voxels, or of what draws bodies together [m/s^2].
inline constexpr double implicit_pull = 40;
/// Springs of (w h)^2 = s stop what comes with v within v h / sqrt(s), and bear an acceleration g at g h^2 / s: the substep in which that is some
/// hundredths of an edge each.
[[nodiscard]] double unhurried_dt(double edge_m, double heft, double speed_mps);

}  // namespace vw
