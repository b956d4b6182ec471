// Contact with voxel bodies that step implicitly. Such a body treats a contact force as a constant load over its long
// substep. The stiffness of contact springs must be low enough to be stable under such a load. The substep must be so
// short that bodies penetrate each other by at most a few hundredths of a voxel edge.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/voxel/voxel_body.h"

namespace vw {

[[nodiscard]] inline bool is_implicit(const VoxelBody& body) {
  return body.params().integrator == Integrator::implicit_euler;
}

/// Value of (w h)^2 of contact springs on an implicit side (w: angular frequency of the contact, h: substep). The
/// contact force is constant over a substep. Up to (w h)^2 = 2, no element rebounds faster than it arrived; from 4 on,
/// the motion is unstable. The value 0.5 leaves a margin for several bodies that press at once and for the relative
/// error of ContactCompliance (a few tenths).
inline constexpr double implicit_share = 0.5;

/// Data of one side of a pair of systems.
struct ImplicitSide {
  bool slow = false;  ///< Whether the side steps implicitly.
  double step = 0;    ///< Substep of the side [s].
  /// Compliance of each voxel: displacement per contact force, from VoxelBody::contact_compliance() [m/N].
  std::vector<double> give;
  /// Input of ask(): non-zero for each voxel on which a contact may press. After ask(), a rule may store the number of
  /// contacts that press on each voxel here.
  std::vector<std::uint32_t> pushes;
  std::vector<std::uint32_t> pressed;  ///< Scratch memory.
  std::vector<double> given;           ///< Scratch memory.
  /// Computes `give`. A voxel with non-zero `pushes` gets the compliance of the body at that voxel. All other voxels
  /// get the compliance of a single, unattached voxel.
  void ask(VoxelBody& body);
};

/// Extent, mass and momentum of a voxel body.
struct Extent {
  Eigen::AlignedBox3d box;
  Vec3 momentum = Vec3::Zero();
  /// Mass of the body [kg], largest radius of a voxel [m], and smallest mass of a voxel [kg].
  double mass = 0, widest = 0, lightest = 0;
  /// Upper bound of the mass that a single voxel may have to stop, in voxel masses. For a rod, which may land on its
  /// end, the bound is about a quarter of the number of voxels along the rod.
  double mass_ratio = 1;
};
[[nodiscard]] Extent extent_of(const Elements& voxels);
/// Returns the largest speed of an element relative to a frame that moves with the velocity `against` [m/s].
[[nodiscard]] double fastest_of(const Elements& elements, const Vec3& against);

/// Acceleration that contacts with implicit bodies must withstand [m/s^2]. It covers
/// the weight of a stack on its lowest voxels, and forces that pull bodies together.
inline constexpr double implicit_pull = 40;
/// Returns the longest substep h [s] with which bodies compress contact springs by only a few hundredths of an edge.
/// The springs have (w h)^2 = s (w: angular frequency of the contact). They stop a body of speed v within the distance
/// v h / sqrt(s). Under an acceleration g, they are compressed by g h^2 / s. `mass_ratio` is Extent::mass_ratio.
[[nodiscard]] double implicit_contact_dt(double edge_m, double mass_ratio, double speed_mps);

}  // namespace vw
