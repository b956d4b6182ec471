// Guests in the viscous solve: friction on their skins drags them along, and they answer as rigid bodies while velocities are still being found, so
// that a light body in honey is as stable as a heavy one. A guest's unknowns y are its change of motion W y, W W^T = V M^-1: so what is held has
// none.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/guest.h"
#include "sim/system/fluid/sph_workspace.h"
#include "sim/system/fluid/walls.h"

namespace vw {

class GuestSkin {
 public:
  /// Takes the samples' velocities over, and finds the pairs of rows and guests' samples; colliders have `wall_friction`.
  void build(const SphWorkspace& space, std::span<Guest> guests, std::span<const Walls::Owner> owners, std::span<const float> viscosity,
             double wall_friction);
  /// Velocities of the wall rows; w: share of the viscosity that the skin feels.
  [[nodiscard]] const Float4s& motion() const { return motion_; }
  /// Those that the guests' direction alone gives.
  [[nodiscard]] const Float4s& direction_motion() const { return direction_motion_; }

  /// Whether any guest feels the fluid.
  [[nodiscard]] bool touches() const { return !contacts_.empty(); }

  // The guests' part of a solve by conjugate gradients, see ViscositySolver. All per volume V, as the rows' part.

  /// At these velocities of the rows, guests as they were.
  void begin(std::span<const Float4> velocity, double dt);
  /// Returns <residual, inverse of the diagonal blocks * residual>.
  double precondition();
  /// The operator on direction, for this direction of the rows; returns their product.
  double apply(std::span<const Float4> rows_direction, double dt);
  void advance(double along);
  void turn(double keep);
  /// Velocities as solved for, into motion(); guests' samples no longer drag in sweeps over it, since finish() does, to the last bits of both sides.
  void settle();
  /// The rows have ended with these velocities: changes space.motion, gives impulses to the samples, and lets those in space.walls move on as their
  /// guests then do.
  void finish(SphWorkspace& space, std::span<const Float4> velocity, double dt);

 private:
  using Six = Eigen::Matrix<double, 6, 1>;  ///< along the axes, and about them
  using Block = Eigen::Matrix<double, 6, 6>;
  struct Contact {
    std::uint32_t row = 0, wall = 0;
    double weight = 0;  ///< [N s/m^4]
  };
  struct Unknown {
    Block root = Block::Zero();  ///< W
    Block inverse = Block::Zero();
    Six value = Six::Zero(), residual = Six::Zero(), ahead = Six::Zero(), direction = Six::Zero(), image = Six::Zero();
  };
  void find_contacts(const SphWorkspace& space, std::span<const float> viscosity);
  void find_roots();
  [[nodiscard]] std::size_t guest_of(const Contact& contact) const { return static_cast<std::size_t>(owners_[contact.wall].guest); }
  void add_motion(bool of_value, Float4s& out) const;

  std::span<Guest> guests_;
  std::span<const Walls::Owner> owners_;
  double volume_m3_ = 1;
  std::vector<Contact> contacts_;
  std::vector<std::uint32_t> samples_;  ///< wall rows that are guests'
  std::vector<Vec3> arm_;               ///< of each wall row that is a guest's, from its centre
  std::vector<Unknown> unknowns_;
  Float4s motion_, direction_motion_;
};

}  // namespace vw
