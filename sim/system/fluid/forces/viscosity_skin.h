// Guests (coupled bodies, guest.h) in the viscous solve. Friction at their surfaces drags the guests along. The guests'
// rigid motion is part of the solve, so a light body in honey is as stable as a heavy body. The six unknowns y of a
// guest give its change of motion W y with W W^T = V M^-1, where M is the guest's mass matrix and V the volume of a
// particle. The unknowns of a fixed body have no effect, because its W is zero.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/bodies/guest.h"
#include "sim/system/fluid/forces/viscosity_sweeps.h"
#include "sim/system/fluid/rows/sph_workspace.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

class BodyFriction {
 public:
  /// Copies the samples' velocities and finds the contacts between particles and guests. `wall_friction`: fraction of
  /// the viscosity that acts at colliders. A particle touches a guest at one point, which moves with the guest's rigid
  /// motion. `toward` is the position of that point on the line from the particle (0) to the guest's samples (1). With
  /// 0, the force has no moment about the particle, and the pair conserves its angular momentum. With 1, the friction
  /// on a sphere five spacings across would be half of the correct value.
  void build(const SphWorkspace& space, std::span<Guest> guests, std::span<const Walls::Owner> owners,
             std::span<const float> viscosity, double wall_friction, double toward);
  /// Velocities of the wall samples. w: fraction of the viscosity that acts at the wall. It is 0 for guests, because
  /// begin(), apply() and finish() add the friction of guests.
  [[nodiscard]] const Float4s& motion() const { return motion_; }
  /// Velocities of the wall samples for a search direction of the solve, in which colliders do not move. For w, see
  /// motion().
  [[nodiscard]] const Float4s& direction_motion() const { return direction_motion_; }

  /// Whether any guest is in contact with the fluid.
  [[nodiscard]] bool touches() const { return !touches_.empty(); }

  // The guests' part of the conjugate gradients in ViscositySolver. All quantities are per volume V, as the quantities
  // of the particles are.

  /// Adds the guests' friction to the diagonal blocks. The block of a particle is minus the derivative of the force on
  /// the particle with respect to the particle's velocity.
  void add_diagonal(std::span<SymmetricBlock> diagonal) const;
  /// Starts a solve: adds the friction of the guests for the particle velocities `velocity` to `force` [N/m^3] and
  /// computes the initial residual.
  void begin(std::span<const Float4> velocity, double dt, std::span<Float4> force);
  /// Applies the preconditioner (inverse of the diagonal blocks). Returns the inner product of the residual and the
  /// preconditioned residual.
  double precondition();
  /// Applies the guests' part of the operator to the search direction. `rows_direction` is the particles' part of the
  /// direction. Adds the friction forces on the particles to `force` and returns the guests' part of the inner product
  /// of the direction and the operator times the direction.
  double apply(std::span<const Float4> rows_direction, double dt, std::span<Float4> force);
  /// Takes a step of length `along` along the search direction.
  void advance(double along);
  /// Sets the search direction to the preconditioned residual plus `keep` times the previous search direction.
  void turn(double keep);
  /// Ends the solve with the particle velocities `velocity`: changes space.motion, adds impulses to the samples, and
  /// updates the samples' velocities in space.walls.
  void finish(SphWorkspace& space, std::span<const Float4> velocity, double dt);

 private:
  /// Motion or load of a guest: linear part along the world axes, then angular part about the world axes.
  using Six = Eigen::Matrix<double, 6, 1>;
  using Block = Eigen::Matrix<double, 6, 6>;
  /// Contact of a particle with a sample.
  struct Contact {
    std::uint32_t wall = 0, touch = 0;
    double weight = 0;  ///< Friction coefficient [N s/m^4].
  };
  /// Contact of a particle with a guest.
  struct Touch {
    std::uint32_t row = 0, guest = 0;
    std::uint32_t nearest = 0;    ///< Number of the guest's sample with the largest weight.
    double most = 0, weight = 0;  ///< Largest weight of a sample, and sum of the weights of all samples.
    Vec3 arm = Vec3::Zero();      ///< From the guest's centre to the contact point [m].
    Vec3 beyond = Vec3::Zero();   ///< From the weighted mean of the samples to the contact point [m].
    /// Velocity of the guest at the contact point at the end of the substep without friction [m/s].
    Vec3 velocity = Vec3::Zero();
  };
  struct Unknown {
    Block root = Block::Zero();  ///< Matrix W.
    Block inverse = Block::Zero();
    Six value = Six::Zero(), residual = Six::Zero(), ahead = Six::Zero(), direction = Six::Zero(), image = Six::Zero();
    Six along = Six::Zero();  ///< W times the search direction. In finish(), W times the solution.
  };
  void find_touches(const SphWorkspace& space, std::span<const float> viscosity, double toward);
  void add_contact(const SphWorkspace& space, std::uint32_t row, std::uint32_t wall, double weight,
                   std::size_t first_of_row);
  void place(const SphWorkspace& space, double toward, Touch& touch) const;
  void find_roots();
  void give_couple(const Touch& touch, const Vec3& couple);

  std::span<Guest> guests_;
  std::span<const Walls::Owner> owners_;
  double volume_m3_ = 1;
  std::vector<Touch> touches_;  ///< Sorted by particle.
  std::vector<Contact> contacts_;
  std::vector<Vec3> given_;  ///< Impulse per volume of each touch on its guest, divided by the touch's weight [m].
  std::vector<std::uint32_t> samples_;  ///< Wall samples of guests.
  std::vector<Unknown> unknowns_;
  Float4s motion_, direction_motion_;
};

}  // namespace vw
