// Last collision check between fluid and walls. Pressures keep particles half a spacing away from walls. Some particles
// still come much closer, in a jet, in a corner or at a moving wall. The contact response that all systems share
// (sim/collision/contact) stops these particles. Input: colliders, and the positions of particles before and after the
// move. Output: particles on the side of the wall that they came from. The response only removes velocity toward the
// wall, so it adds no energy if the wall stands still. Bodies in the fluid are treated as walls too, and receive the
// momentum that particles lose.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sim/collision/contact/detection.h"
#include "sim/system/fluid/bodies/block_contact.h"
#include "sim/system/fluid/rows/sph_workspace.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

class WallContact {
 public:
  /// Minimum distance of particle centres to a surface, in spacings.
  static constexpr double least_gap = 0.1;

  /// Prepares a substep of dt. Colliders and guests (coupled bodies, guest.h) have their poses at the start of the
  /// substep. The check uses a copy of each guest's solid, whose velocity includes the effect of the guest's impulses.
  /// Colliders and solids move with constant velocity during the substep.
  void begin(std::span<const Collider> colliders, std::span<const Guest> guests, double spacing_m, double dt);
  /// Finds the distance of each particle to the nearest wall sample, and the guests near the particle. Uses the
  /// neighbour lists of the positions before the move. `owners`: owner of each sample in space.walls.
  void look(const SphWorkspace& space, std::span<const Walls::Owner> owners);
  /// Checks one particle that moved on a straight line from `before` to `x`. If the particle hit an obstacle, corrects
  /// x and returns true. If the obstacle is a collider, also removes the velocity component into the collider from v.
  /// If the obstacle is a guest, meet_guests() changes the velocities. `row`: index of the particle in the workspace.
  /// Thread-safe for different particles.
  [[nodiscard]] bool keep_out(std::size_t row, const Vec3& before, Vec3& x, Vec3& v);
  using Row = BlockContact::Row;
  /// Computes the inelastic collisions between guests and the particles that hit them, one after the other. Finally
  /// sets the guests' solids and blocks to their poses at the end of the substep. row_of(row) returns {position,
  /// velocity, mass} of a particle. Call after keep_out() of all particles.
  void meet_guests(std::span<Guest> guests, const std::function<Row(std::size_t)>& row_of);

 private:
  void stop_each_other(Guest& guest, Collider& solid, const Row& row) const;
  /// Solids that a particle may hit.
  struct Candidates {
    const Barriers* barriers = nullptr;
    double fastest_mps = 0;  ///< Upper bound of the speeds of the solids at the particle's position.
    bool still = true;       ///< True if none of the solids moves.
  };
  /// Range of near_guests_[chunk] that holds the guests near a particle. The range is complete as long as no guest
  /// outside it is fast enough to reach the particle.
  struct NearGuests {
    std::uint32_t chunk = 0, begin = 0, end = 0;
  };
  [[nodiscard]] Candidates candidates_of(std::size_t row, const Vec3& before, const Vec3& x, Barriers& some) const;
  void list_guests(const PairChunk& chunk, std::uint32_t number, const Cluster& cluster,
                   std::span<const Walls::Owner> owners);
  [[nodiscard]] bool may_touch(std::size_t row, const Vec3& before, const Vec3& x, const Candidates& near) const;
  [[nodiscard]] bool keep_out_of_walls(std::size_t row, const Vec3& before, const Barriers& barriers, Vec3& x, Vec3& v);

  std::vector<Collider> start_, end_;
  std::vector<std::uint32_t> moving_;  ///< Indices in start_ of moving colliders, without guests.
  Barriers barriers_, walls_;          ///< Barriers of all solids, and barriers of the colliders alone.
  std::size_t first_guest_ = 0;        ///< Index of the first guest in start_.
  std::vector<std::uint32_t> guest_;   ///< Number of each guest that has a solid.
  std::vector<std::uint32_t> solid_;   ///< For each guest: 1 + its index in guest_, or 0 if it has no solid.
  double fastest_guest_mps_ = 0;       ///< Speed of the fastest point of any guest's solid [m/s].
  std::vector<NearGuests> near_of_;    ///< Guests near each particle. Empty if no guest has a solid.
  /// Indices of guests' solids in start_, one list per chunk. The indices for one particle (see NearGuests) are
  /// ascending.
  std::vector<std::vector<std::uint32_t>> near_guests_;
  /// Number, counted from 1, of the guest's solid or block that each particle hit, or 0 if it hit none. Blocks are
  /// numbered after the solids. Empty if guests have neither solids nor blocks.
  std::vector<std::uint32_t> met_;
  BlockContact blocks_;
  /// Distance of each particle to the nearest wall sample in its list [m]. Infinite if the list is empty. If has_data_
  /// is false, 0 replaces every finite distance.
  std::vector<float> clearance_;
  double spacing_ = 1, gap_ = 0, dt_ = 0;
  bool has_data_ = false;     ///< True if there are blocks, or shapes whose distance queries are expensive.
  bool only_planes_ = false;  ///< True if all barriers are one-sided planes.
};

}  // namespace vw
