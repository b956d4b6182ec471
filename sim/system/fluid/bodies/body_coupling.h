// Two-way coupling of a fluid with guests (bodies of other systems, guest.h) within a pressure solve (Gissler et al.
// 2019). The coupling is built once per substep from the neighbour lists. It holds the contacts of fluid particles with
// guests, each with the force and the moment that a unit of pressure causes. During a solve the class returns the
// density rates that the guests' rigid motion causes, and corrects pressure steps for that motion.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/bodies/guest.h"
#include "sim/system/fluid/rows/sph_workspace.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

class BodyCoupling {
 public:
  /// Builds the contacts from the neighbour lists of `space`. `owners`: owner of each sample in space.walls
  /// (Walls::owners()). Clears the guests' impulses. Both spans must stay valid until finish().
  void build(const SphWorkspace& space, std::span<Guest> guests, std::span<const Walls::Owner> owners);
  [[nodiscard]] bool empty() const { return touches_.empty(); }
  /// Handles trapped particles. Call once before a solve. `usual` is the diagonal entry of the pressure matrix for a
  /// particle in a lattice. A particle whose diagonal entry is far below `usual` can hardly move because it lies
  /// between walls. If these walls are parts of deformable guests, the mobility of the parts is added to the particle's
  /// diagonal entry. Without this addition, the particle's pressure would grow without bound and tear the guest.
  void soften_trapped(std::span<DensityRow> rows, float usual);

  /// Computes the velocity changes [m/s] of the guests' samples that the pressures `kappa` (p / density^2 [Pa]) would
  /// cause in dt. `change` receives one entry for each sample in space.walls. If no particle touches a guest, `change`
  /// is empty.
  void expect(const SphWorkspace& space, std::span<const float> kappa, double dt, Float4s& change) const;
  /// Computes the guests' motion under the pressures `kappa` in dt and adds the resulting change to the particles'
  /// density rates.
  void answer(std::span<const float> kappa, double dt, std::span<float> rate);
  /// Curvature s . G s of the objective along the last pressure step s, as far as it is due to the coupled bodies (the
  /// guests). G is their part of the pressure matrix. Steps from correct() already account for this contribution.
  [[nodiscard]] double curvature() const { return curvature_; }
  /// Corrects the pressures `to`, which were computed for each particle alone, for the common motion of each guest
  /// under the pressures of all particles. A guest far lighter than the water around it then needs no more iterations
  /// and no shorter substep than a wall. `gives`: pressure change of each particle per unit of density error / dt^2, or
  /// 0 for particles that the pressure solver leaves out. `from`: pressures before the iteration that computed `to`, or
  /// an empty span for pressures of 0. The motion of the guests under the pressures `from` is already included in `to`.
  /// The caller then clamps the pressures to [0, most]. The correction takes this clamping into account. Otherwise the
  /// clamping would push a light guest away.
  void correct(std::span<const float> from, std::span<const float> gives, float most, std::span<float> to) const;
  /// Coefficients [J] of the energy -gain s + cost s^2 / 2 that the pressures `kappa`, multiplied by a common factor s,
  /// add to the guests' motion. `kappa` must be the pressures of the last answer(). fit_over() in dfsph.cpp computes
  /// the same coefficients for the fluid.
  struct Work {
    double gain = 0, cost = 0;
  };
  [[nodiscard]] Work work(const SphWorkspace& space, std::span<const float> kappa, double dt) const;
  /// Multiplies the loads and motions of the last answer() by the factor `share`.
  void scale(double share);
  /// Ends the solve with the pressures `kappa`: adds impulses to the guests and updates the velocities of their samples
  /// in space.walls.
  void finish(SphWorkspace& space, std::span<const float> kappa, double dt);

 private:
  /// Motion or load of a guest: linear part along the world axes, then angular part about the world axes.
  using Six = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  /// Contact of one fluid particle with one sample. `slope` is V_b grad W [1/m], with the volume V_b of the sample and
  /// the kernel W.
  struct Contact {
    std::uint32_t row = 0, wall = 0;
    Vec3 slope = Vec3::Zero();
  };
  /// Contact of one fluid particle with one guest: one row of the Jacobian. `lever` holds the sum of the slopes of the
  /// guest's samples and the sum of the slopes' moments about the guest's centre.
  struct Touch {
    std::uint32_t row = 0, guest = 0;
    Six lever = Six::Zero();
  };
  /// Addition to the diagonal entry of a trapped particle [1/(Pa s^2)]. It accounts for the parts of guests that the
  /// particle's pressure drives apart.
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
  std::vector<Touch> touches_;  ///< Contacts of particles with guests, sorted by guest and then by particle.
  std::vector<Give> gives_;     ///< Additions for the trapped particles.
  /// Index in touches_ of each guest's first contact. The last entry is the number of contacts.
  std::vector<std::size_t> start_;
  std::vector<Matrix6> inverse_mass_;
  /// Guests with contacts, grouped by level. Guests of one level share no particle. A guest that shares a particle with
  /// an earlier guest has a higher level than that guest. The guests of one level can therefore be processed in
  /// parallel, with the same result as a sequential loop over all guests.
  std::vector<std::uint32_t> by_turn_;
  std::vector<std::size_t> turn_start_;
  std::vector<std::uint32_t> turn_of_row_, turn_of_guest_;  ///< Scratch of find_turns().
  /// Force and moment of the current pressures on each guest, divided by twice the volume of a particle.
  std::vector<Six> force_;
  std::vector<double> bend_of_;
  double curvature_ = 0;
  std::vector<Six> motion_;  ///< Change of linear and angular velocity of each guest in the current solve.
};

}  // namespace vw
