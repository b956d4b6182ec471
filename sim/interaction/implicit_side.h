// Contact with voxel bodies that step implicitly. Such a body takes a contact force as a constant load over its whole,
// long substep. Contact springs are therefore only as stiff as is stable under that load, and substeps are so short
// that bodies move into each other or sink in by a few hundredths of a voxel edge at most.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/voxel/voxel_body.h"

namespace vw {

[[nodiscard]] inline bool is_implicit(const VoxelBody& body) {
  return body.params().integrator == Integrator::implicit_euler;
}

/// (w h)^2 of the contact springs on a side that steps implicitly and takes contact forces as constant loads. At 4 the
/// motion becomes unstable. Up to 2 nothing rebounds faster than it arrived. The lower value leaves a margin for
/// several bodies that press at once, and for the error of ContactCompliance (some tenths).
inline constexpr double implicit_share = 0.5;

/// One side of a pair of systems.
struct ImplicitSide {
  bool slow = false;  ///< The side steps implicitly.
  double step = 0;    ///< Its substep [s].
  std::vector<double>
      give;  ///< Compliance of each voxel to a contact force, from VoxelBody::contact_compliance() [m/N].
  /// For each voxel: whether it may be pressed, or the number of contacts that press on it.
  std::vector<std::uint32_t> pushes;
  std::vector<std::uint32_t> pressed;  ///< Scratch.
  std::vector<double> given;           ///< Scratch.
  /// Computes `give`: for voxels with non-zero `pushes` from the body's response, for all others as if they were
  /// unattached.
  void ask(VoxelBody& body);
};

/// Size and motion of a body as a whole.
struct Extent {
  Eigen::AlignedBox3d box;
  Vec3 momentum = Vec3::Zero();
  double mass = 0, widest = 0, lightest = 0;
  /// Mass, in voxel masses, that a single voxel may have to stop. For a rod that lands on its end this is a large part
  /// of its length.
  double mass_ratio = 1;
};
[[nodiscard]] Extent extent_of(const Elements& voxels);
[[nodiscard]] double fastest_of(const Elements& elements, const Vec3& against);

/// Acceleration assumed for contacts with implicit bodies [m/s^2]: the weight of a stack on its lowest voxels, or
/// forces that pull bodies together.
inline constexpr double implicit_pull = 40;
/// Longest substep [s] in which contact springs with (w h)^2 = s let a body sink in by only a few hundredths of an
/// edge. Such springs stop a body of speed v within v h / sqrt(s), and carry an acceleration g at the depth g h^2 / s.
/// `mass_ratio`: see Extent.
[[nodiscard]] double implicit_contact_dt(double edge_m, double mass_ratio, double speed_mps);

}  // namespace vw
