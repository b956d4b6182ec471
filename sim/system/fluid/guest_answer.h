// How guests take part in a pressure solve: which rows press on which guest, and how it gives way while the pressures are still being found. Built
// once a substep from the lists; a solve asks for the rates that guests' answers add, and for steps of pressure that know of them.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/guest.h"
#include "sim/system/fluid/sph_workspace.h"
#include "sim/system/fluid/walls.h"

namespace vw {

class GuestAnswer {
 public:
  /// After the lists are built. `owners` of the rows of space.walls (Walls::owners()). Clears the guests' impulses.
  void build(const SphWorkspace& space, std::span<Guest> guests, std::span<const Walls::Owner> owners);
  [[nodiscard]] bool empty() const { return touches_.empty(); }
  /// Rows that answer with far less than `usual`, as they can hardly move, are between walls: where those are parts of guests, what drives the parts
  /// apart becomes part of the rows' own answers. Else pressures would grow without end, and tear the guest. Once, before a solve.
  void loosen(std::span<DensityRow> rows, float usual);

  /// What pressures `kappa` would change the velocities of the guests' samples by in dt [m/s], a row of space.walls each; empty where no guest is.
  void expect(const SphWorkspace& space, std::span<const float> kappa, double dt, Float4s& change) const;
  /// How pressures `kappa` move the guests in dt; adds what that changes in the rows' rates of density.
  void answer(std::span<const float> kappa, double dt, std::span<float> rate);
  /// What the guests' answers made of the last change of kappa: step . G step, as rows' excesses times pressures. What `correct` knows of already.
  [[nodiscard]] double bend() const { return bend_; }
  /// Turns pressures `to` that take each row alone into such as know how all rows together move a guest: a guest far lighter than the water around it
  /// then needs no more iterations, and no shorter substep, than a wall. `gives`: by how much a row's pressure falls where its density would by 1 /
  /// dt^2 at the end of dt, 0 where it has no say; `from`: pressures whose answer `to` has in it already; empty: none. Where a pressure ends below 0
  /// or above `most` it does so for the guest too: else what is cut off would throw a light one.
  void correct(std::span<const float> from, std::span<const float> gives, float most, std::span<float> to) const;
  /// Along the ray of pressures that `kappa` is on: what a whole multiple takes from the guests' energy of motion to first order, and twice what it
  /// gives to second [J]. Of the pressures last answered.
  struct Work {
    double gain = 0, cost = 0;
  };
  [[nodiscard]] Work work(const SphWorkspace& space, std::span<const float> kappa, double dt) const;
  /// All pressures last answered become so many times as much.
  void scale(double share);
  /// The solve has ended with these pressures: hands out impulses, and lets the samples in space.walls move on as their guests now do.
  void finish(SphWorkspace& space, std::span<const float> kappa, double dt);

 private:
  using Six = Eigen::Matrix<double, 6, 1>;  ///< along the axes, and about them
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  /// One row of fluid and one sample: V (V_b / V) grad W [1/m].
  struct Contact {
    std::uint32_t row = 0, wall = 0;
    Vec3 slope = Vec3::Zero();
  };
  /// One row of fluid and one guest: sums of the above and of their moments about the guest's centre.
  struct Touch {
    std::uint32_t row = 0, guest = 0;
    Six lever = Six::Zero();
  };
  /// A row and what its pressure drives parts of guests apart by, as a row's own answer [1/(Pa s^2)].
  struct Give {
    std::uint32_t row = 0;
    float answer = 0;
  };
  struct ChunkContacts {
    std::vector<Contact> contacts;
    std::vector<Touch> touches;
  };
  void find_of_cluster(const SphWorkspace& space, const PairChunk& chunk, const Cluster& cluster, ChunkContacts& out) const;
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
  std::vector<Touch> touches_;      ///< by guest, then by row
  std::vector<Give> gives_;         ///< of rows between parts
  std::vector<std::size_t> start_;  ///< first touch of each guest, and the end
  std::vector<Matrix6> inverse_mass_;
  /// Guests that touch anything, turn by turn: those of a turn share no row, and who shares one with an earlier guest has a later turn than that. So
  /// all of a turn may be dealt with at once, as if each followed the last.
  std::vector<std::uint32_t> by_turn_;
  std::vector<std::size_t> turn_start_;
  std::vector<std::uint32_t> turn_of_row_, turn_of_guest_;  ///< scratch
  std::vector<Six> force_;                                  ///< of the pressures at hand, over 2 V
  std::vector<double> bend_of_;
  double bend_ = 0;
  std::vector<Six> motion_;  ///< what the solve at hand gives each guest: velocity and spin
};

}  // namespace vw
