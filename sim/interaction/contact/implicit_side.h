// Contact with voxel bodies that step implicitly. Such a body applies a contact force as a constant load over its
// whole, long substep. Contact springs are therefore limited to the stiffness that is stable under such a load.
// Substeps are limited so that bodies penetrate each other by a few hundredths of a voxel edge at most.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/voxel/voxel_body.h"

namespace vw {

[[nodiscard]] inline bool is_implicit(const VoxelBody& body) {
  return body.params().integrator == Integrator::implicit_euler;
}

/// (w h)^2 of the contact springs on a side that steps implicitly, where w is the angular frequency of the contact and
/// h the substep. Contact forces act as constant loads over a substep. If (w h)^2 is 4 or more, the motion is unstable.
/// If it is at most 2, no element rebounds faster than it arrived. The value 0.5 leaves a margin for several bodies
/// that press at once, and for the relative error of ContactCompliance (a few tenths).
inline constexpr double implicit_share = 0.5;

/// Data of one side of a pair of systems.
struct ImplicitSide {
  bool slow = false;  ///< Whether the side steps implicitly.
  double step = 0;    ///< Substep of the side [s].
  /// Compliance of each voxel to a contact force, from VoxelBody::contact_compliance() [m/N].
  std::vector<double> give;
  /// Input of ask(): for each voxel, non-zero if a contact may press on the voxel. After ask(), a rule may store the
  /// number of contacts that press on each voxel.
  std::vector<std::uint32_t> pushes;
  std::vector<std::uint32_t> pressed;  ///< Scratch memory.
  std::vector<double> given;           ///< Scratch memory.
  /// Computes `give`. Voxels with non-zero `pushes` get the compliance of the body at that voxel. All other voxels get
  /// the compliance of a voxel that is not attached to others.
  void ask(VoxelBody& body);
};

/// Size and motion of a body as a whole.
struct Extent {
  Eigen::AlignedBox3d box;
  Vec3 momentum = Vec3::Zero();
  /// Mass of the body [kg], largest radius of a voxel [m], and smallest mass of a voxel [kg].
  double mass = 0, widest = 0, lightest = 0;
  /// Number of voxel masses that a single voxel may have to stop. For a rod that lands on its end, this is a large
  /// fraction of the voxels along its length.
  double mass_ratio = 1;
};
[[nodiscard]] Extent extent_of(const Elements& voxels);
/// Largest speed of an element relative to the velocity `against` [m/s].
[[nodiscard]] double fastest_of(const Elements& elements, const Vec3& against);

/// Acceleration assumed for contacts with implicit bodies [m/s^2]. It covers the weight of a stack on its lowest
/// voxels, and forces that pull bodies together.
inline constexpr double implicit_pull = 40;
/// Longest substep h [s] in which a body penetrates contact springs by only a few hundredths of an edge. The springs
/// have (w h)^2 = s, where w is the angular frequency of the contact. They stop a body of speed v within the distance
/// v h / sqrt(s). Under an acceleration g, the penetration depth is g h^2 / s. `mass_ratio` is Extent::mass_ratio.
[[nodiscard]] double implicit_contact_dt(double edge_m, double mass_ratio, double speed_mps);

}  // namespace vw
