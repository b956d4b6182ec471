// Guests in the viscous solve: friction on their skins drags them along, and they answer as rigid bodies while velocities are still being found, so
// that a light body in honey is as stable as a heavy one. A guest's unknowns y are its change of motion W y, W W^T = V M^-1: so what is held has
// none.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/guest.h"
#include "sim/system/fluid/sph_workspace.h"
#include "sim/system/fluid/viscosity_sweeps.h"
#include "sim/system/fluid/walls.h"

namespace vw {

class GuestSkin {
 public:
  /// Takes the samples' velocities over, and finds which rows touch which guest; colliders have `wall_friction`. A row meets a guest at one point,
  /// which moves as the guest would there: `toward` says where, of the way from the row to the guest's samples. At the row (0) what is given has no
  /// moment of its own, and the two keep their angular momentum; at the samples a ball of five spacings would feel half its friction.
  void build(const SphWorkspace& space, std::span<Guest> guests, std::span<const Walls::Owner> owners, std::span<const float> viscosity,
             double wall_friction, double toward);
  /// Velocities of the wall rows; w: share of the viscosity that the skin feels; of guests' none, since begin(), apply() and finish() drag.
  [[nodiscard]] const Float4s& motion() const { return motion_; }
  /// The same for a direction of the solve, in which colliders do not move.
  [[nodiscard]] const Float4s& direction_motion() const { return direction_motion_; }

  /// Whether any guest feels the fluid.
  [[nodiscard]] bool touches() const { return !touches_.empty(); }

  // The guests' part of a solve by conjugate gradients, see ViscositySolver. All per volume V, as the rows' part.

  /// Adds to minus the derivative of each row's force by its velocity.
  void add_diagonal(std::span<SymmetricBlock> diagonal) const;
  /// Adds what guests' motion drags the rows with to `force` [N/m^3], at these velocities of the rows: in the beginning.
  void begin(std::span<const Float4> velocity, double dt, std::span<Float4> force);
  /// Returns <residual, inverse of the diagonal blocks * residual>.
  double precondition();
  /// The operator on direction, for this direction of the rows, whose `force` it adds to; returns their product.
  double apply(std::span<const Float4> rows_direction, double dt, std::span<Float4> force);
  void advance(double along);
  void turn(double keep);
  /// The rows have ended with these velocities: changes space.motion, gives impulses to the samples, and lets those in space.walls move on as their
  /// guests then do.
  void finish(SphWorkspace& space, std::span<const Float4> velocity, double dt);

 private:
  using Six = Eigen::Matrix<double, 6, 1>;  ///< along the axes, and about them
  using Block = Eigen::Matrix<double, 6, 6>;
  /// A sample that a row feels.
  struct Contact {
    std::uint32_t wall = 0, touch = 0;
    double weight = 0;  ///< [N s/m^4]
  };
  /// A row and a guest.
  struct Touch {
    std::uint32_t row = 0, guest = 0;
    std::uint32_t nearest = 0;     ///< of the guest's samples
    double most = 0, weight = 0;   ///< of that one; of all of them
    Vec3 arm = Vec3::Zero();       ///< from the guest's centre to where they meet
    Vec3 beyond = Vec3::Zero();    ///< from the samples, by their weights, to there
    Vec3 velocity = Vec3::Zero();  ///< of the guest there, as it will be without friction
  };
  struct Unknown {
    Block root = Block::Zero();  ///< W
    Block inverse = Block::Zero();
    Six value = Six::Zero(), residual = Six::Zero(), ahead = Six::Zero(), direction = Six::Zero(), image = Six::Zero();
    Six along = Six::Zero();  ///< W times the direction, or in the end the value
  };
  void find_touches(const SphWorkspace& space, std::span<const float> viscosity, double toward);
  void add_contact(const SphWorkspace& space, std::uint32_t row, std::uint32_t wall, double weight, std::size_t first_of_row);
  void place(const SphWorkspace& space, double toward, Touch& touch) const;
  void find_roots();
  void give_couple(const Touch& touch, const Vec3& couple);

  std::span<Guest> guests_;
  std::span<const Walls::Owner> owners_;
  double volume_m3_ = 1;
  std::vector<Touch> touches_;  ///< by row
  std::vector<Contact> contacts_;
  std::vector<Vec3> given_;             ///< to each touch's guest, by weight [m]
  std::vector<std::uint32_t> samples_;  ///< wall rows that are guests'
  std::vector<Unknown> unknowns_;
  Float4s motion_, direction_motion_;
};

}  // namespace vw
