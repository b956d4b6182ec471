// Two-way coupling of guests within a pressure solve (Gissler et al. 2019; see guest.h). Built once per substep from
// the neighbour lists: contacts of fluid particles with guests and their 6-vectors of force and moment. During a solve
// it returns the density rates that the guests' rigid motion causes, and it corrects pressure steps for that motion.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/guest.h"
#include "sim/system/fluid/sph_workspace.h"
#include "sim/system/fluid/walls.h"

namespace vw {

class BodyCoupling {
 public:
  /// Builds the contacts after the neighbour lists. `owners`: owner of each row of space.walls (Walls::owners()).
  /// Clears the guests' impulses.
  void build(const SphWorkspace& space, std::span<Guest> guests, std::span<const Walls::Owner> owners);
  [[nodiscard]] bool empty() const { return touches_.empty(); }
  /// Handles trapped particles, once before a solve. A particle whose diagonal entry is far below `usual` can hardly
  /// move because it lies between walls. If these walls are parts of deformable guests, the mobility of the parts is
  /// added to the particle's diagonal. Otherwise its pressure would grow without bound and tear the guest.
  void soften_trapped(std::span<DensityRow> rows, float usual);

  /// Velocity changes of the guests' samples that the pressures `kappa` would cause in dt [m/s], one row per row of
  /// space.walls. Empty if there are no guests.
  void expect(const SphWorkspace& space, std::span<const float> kappa, double dt, Float4s& change) const;
  /// Computes the guests' motion under the pressures `kappa` in dt and adds the resulting change to the rows' density
  /// rates.
  void answer(std::span<const float> kappa, double dt, std::span<float> rate);
  /// Curvature s . G s of the guests' response G along the last pressure step s. correct() already accounts for it.
  [[nodiscard]] double curvature() const { return curvature_; }
  /// Corrects the pressures `to`, found for each row alone, for the common motion of each guest under all rows. A guest
  /// far lighter than the water around it then needs no more iterations and no shorter substep than a wall. `gives`:
  /// pressure change of each row per unit of density error / dt^2, 0 for rows that do not take part. `from`: pressures
  /// whose effect on the guests is already contained in `to`; empty: none. The bounds [0, most] hold for the corrected
  /// pressures inside the equation, because clamping them afterwards would push a light guest away.
  void correct(std::span<const float> from, std::span<const float> gives, float most, std::span<float> to) const;
  /// Terms of the optimal factor along the ray of `kappa` (as fit_over() in dfsph.cpp), for the pressures of the last
  /// answer() [J]. gain: energy that these pressures take from the guests' motion, to first order. cost: twice the
  /// energy that they add, to second order.
  struct Work {
    double gain = 0, cost = 0;
  };
  [[nodiscard]] Work work(const SphWorkspace& space, std::span<const float> kappa, double dt) const;
  /// Multiplies the loads and motions of the last answer() by `share`.
  void scale(double share);
  /// Ends the solve with the pressures `kappa`: adds impulses to the guests and updates the velocities of their samples
  /// in space.walls.
  void finish(SphWorkspace& space, std::span<const float> kappa, double dt);

 private:
  using Six = Eigen::Matrix<double, 6, 1>;  ///< Linear part along the world axes, then angular part about them.
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  /// Contact of one fluid particle with one sample: V (V_b / V) grad W [1/m].
  struct Contact {
    std::uint32_t row = 0, wall = 0;
    Vec3 slope = Vec3::Zero();
  };
  /// Contact of one fluid particle with one guest: sums of the slopes and of their moments about the guest's centre.
  /// One row of the Jacobian.
  struct Touch {
    std::uint32_t row = 0, guest = 0;
    Six lever = Six::Zero();
  };
  /// Addition to the diagonal entry of a trapped particle, for the parts of guests that its pressure drives apart
  /// [1/(Pa s^2)].
  struct Give {
    std::uint32_t row = 0;
    float answer = 0;
  };
  struct ChunkContacts {
    std::vector<Contact> contacts;
    std::vector<Touch> touches;
  };
  void find_of_cluster(const SphWorkspace& space, const PairChunk& chunk, const Cluster& cluster,
                       ChunkContacts& out) const;
  [[nodiscard]] double give_of(std::span<const Contact> contacts) const;
  void add_touch(const SphWorkspace& space, const Contact& contact, std::size_t first, std::vector<Touch>& out) const;
  void sort_by_guest();
  void find_turns(std::size_t rows);
  template <class F>
  void in_turns(F f) const;
  struct Balance;
  [[nodiscard]] Vec3 arm_of(const SphWorkspace& space, std::uint32_t wall) const;
  [[nodiscard]] Matrix6 inverse_mass(const Guest& guest) const;

  std::span<Guest> guests_;
  std::span<const Walls::Owner> owners_;
  double volume_m3_ = 0, lattice_factor_ = 1;
  std::vector<ChunkContacts> chunks_;
  std::vector<Touch> touches_;      ///< Sorted by guest, then by row.
  std::vector<Give> gives_;         ///< Trapped particles.
  std::vector<std::size_t> start_;  ///< First touch of each guest, then the total number of touches.
  std::vector<Matrix6> inverse_mass_;
  /// Guests with contacts, grouped by level. Guests of one level share no particle. A guest that shares a particle with
  /// an earlier guest has a higher level. The guests of a level can thus run in parallel with the same result as a
  /// sequential loop over all guests.
  std::vector<std::uint32_t> by_turn_;
  std::vector<std::size_t> turn_start_;
  std::vector<std::uint32_t> turn_of_row_, turn_of_guest_;  ///< scratch
  std::vector<Six> force_;  ///< Load of the current pressures on each guest, divided by 2 V.
  std::vector<double> bend_of_;
  double curvature_ = 0;
  std::vector<Six> motion_;  ///< Change of linear and angular velocity of each guest in the current solve.
};

}  // namespace vw
