// Motion of the voxels of a deformable body for the pressure solve of a fluid. The solve includes the rigid motion of a
// body, but not its deformation: the voxels respond to the pressures only in the next substep. Water that follows a
// deformation acts as an added mass: the load on the voxels is proportional to the last change of their velocity. If
// the added mass exceeds the mass of the moving part, such a load makes the velocity change its sign at every substep
// (Causin, Gerbeau & Nobile 2005, "Added-mass effect in the design of partitioned algorithms for fluid-structure
// problems"). The fluid therefore receives the present rigid motion of the body and a low-pass filtered deformation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/system.h"

namespace vw {

/// One connected part of a body.
struct DeformingPiece {
  std::span<const std::uint32_t> voxels;
  /// The held voxels of the piece, whose motion is prescribed. If there are any, they define the frame of the piece.
  std::span<const std::uint32_t> held;
  /// Weight of the newest positions in the exponential mean, above 0 and at most 1, from gain_for().
  double gain = 1;
};

/// Returns the gain for a piece. `added_mass_ratio`: largest mass of water that moves with a deformation of the piece,
/// divided by the mass of the piece. With gain g and ratio r, a deformation without elasticity grows per substep by a
/// factor y with y^2 + (g - 1 + g r / 2) y + g r / 2 = 0. The deformation is stable for g r < 2. The result is 1 / r,
/// but at most 1.
[[nodiscard]] double gain_for(double added_mass_ratio);

/// Filter of the deformation of one body. It keeps an exponential mean of the positions and orientations of all voxels
/// in the frame of their piece. A free piece has the frame of the rigid motion with the momentum and the angular
/// momentum of its voxels, and the filter does not change this motion. A piece with held voxels has the frame of these
/// voxels.
class DeformationFilter {
 public:
  /// Updates the filter with the positions of all voxels at the start of a substep of the fluid. `center`: positions of
  /// the voxels at that time [m]. `dt`: length of this substep [s]. Each voxel must belong to one of the pieces. At the
  /// first call, and after the number of voxels changed, the filtered positions are the present ones.
  void follow(const Elements& elements, std::span<const Vec3> center, std::span<const DeformingPiece> pieces,
              double dt);
  /// Filtered positions [m], orientations, velocities [m/s] and angular velocities [1/s] of all voxels, from the last
  /// call of follow().
  [[nodiscard]] const std::vector<Vec3>& center() const { return center_; }
  [[nodiscard]] const std::vector<Quat>& orientation() const { return orientation_; }
  [[nodiscard]] const std::vector<Vec3>& velocity() const { return velocity_; }
  [[nodiscard]] const std::vector<Vec3>& spin() const { return spin_; }
  /// Adds impulses to the voxels of a piece. In one substep of the fluid, the impulses reduce the difference between
  /// the present and the filtered deformation velocities by a fifth. Without this damping, the delay of the filter
  /// would drive vibrations that last a few substeps of the fluid. Slow deformations pass the filter and are hardly
  /// damped. For a free piece, the sum of the impulses is zero up to rounding, and the sum of their moments is small.
  /// Call in each substep of the body. `share`: the length of that substep divided by the length of the fluid's
  /// substep, times the submerged fraction of the piece.
  void damp(Elements& elements, const DeformingPiece& piece, double share) const;
  void forget();
  void visit_state(StateVisitor& visit);

 private:
  void follow_piece(const Elements& elements, std::span<const Vec3> center, const DeformingPiece& piece, double dt);

  std::vector<Vec3> center_;
  std::vector<Quat> orientation_;
  std::vector<Vec3> velocity_, spin_;
  std::vector<Vec3> deforming_, bending_;  ///< `velocity_` and `spin_` without the motion of the frame.
};

}  // namespace vw
