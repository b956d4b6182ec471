// Last collision check between fluid and walls. Pressures keep particles half a spacing away from walls. Particles that
// come much closer all the same (a jet, a corner, a moving wall) are stopped by the contact response that all systems
// share (sim/collision/contact). Input: colliders, and the positions of particles before and after the move. Output:
// particles on the side that they came from. The response removes velocity into the wall and adds none, so it adds no
// energy where walls stand still. Bodies in the fluid are such walls too; they receive the momentum that particles
// lose.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sim/collision/contact/detection.h"
#include "sim/system/fluid/block_contact.h"
#include "sim/system/fluid/sph_workspace.h"
#include "sim/system/fluid/walls.h"

namespace vw {

class WallContact {
 public:
  /// Minimum distance of particle centres to a surface, in spacings.
  static constexpr double least_gap = 0.1;

  /// Prepares a substep of dt. Colliders have their poses at its start; the guests' velocities include the impulses of
  /// this substep. Both continue with constant velocity.
  void begin(std::span<const Collider> colliders, std::span<const Guest> guests, double spacing_m, double dt);
  /// Finds the walls and guests near each particle from the neighbour lists of the positions before the move. `owners`:
  /// owner of each row of space.walls.
  void look(const SphWorkspace& space, std::span<const Walls::Owner> owners);
  /// Checks one particle (row of the workspace) that moved on a straight line from `before` to `x`. If it hit
  /// something, corrects x, removes the velocity component into the obstacle from v, and returns true. Thread-safe for
  /// different rows.
  [[nodiscard]] bool keep_out(std::size_t row, const Vec3& before, Vec3& x, Vec3& v);
  /// Inelastic collision of the particles that hit guests with these guests, one after the other. Call after keep_out()
  /// of all rows. row_of(row) returns {position, velocity, mass}. Sets the guests' solids to their poses at the end of
  /// the substep.
  using Row = BlockContact::Row;
  void meet_guests(std::span<Guest> guests, const std::function<Row(std::size_t)>& row_of);

 private:
  void stop_each_other(Guest& guest, Collider& solid, const Row& row) const;
  /// Solids that a particle may hit.
  struct Candidates {
    const Barriers* barriers = nullptr;
    double fastest_mps = 0;  ///< Speed of the fastest of them at the particle's position.
    bool still = true;       ///< None of them moves.
  };
  /// Range of near_guests_[chunk] that holds the guests near a particle. Complete as long as no guest moves fast enough
  /// to arrive from farther away.
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
  Barriers barriers_, walls_;          ///< Barriers of all solids; of the colliders alone.
  std::size_t first_guest_ = 0;        ///< Index of the first guest in start_.
  std::vector<std::uint32_t> guest_;   ///< Guest number of each guest with a solid.
  std::vector<std::uint32_t> solid_;   ///< For each guest: 1 + its index in guest_, or 0 without a solid.
  double fastest_guest_mps_ = 0;       ///< Speed of the fastest point of any guest's solid [m/s].
  std::vector<NearGuests> near_of_;    ///< One entry per particle; empty without solids.
  /// For each chunk: indices in start_, ascending within a range.
  std::vector<std::vector<std::uint32_t>> near_guests_;
  /// For each particle: 1 + number of the solid that it hit, with blocks numbered after solids; 0 for none. Empty
  /// without solids and blocks.
  std::vector<std::uint32_t> met_;
  BlockContact blocks_;
  /// Distance of each particle to the nearest wall sample [m]; infinite if none is in reach.
  std::vector<float> clearance_;
  double spacing_ = 1, gap_ = 0, dt_ = 0;
  bool has_data_ = false;     ///< Shapes with expensive queries.
  bool only_planes_ = false;  ///< All barriers are one-sided planes.
};

}  // namespace vw
