// Last collision check between fluid and bodies made of blocks (guest.h). Particles must not pass through a sheet of
// voxels, however thin it is and however fast they move. Input: the displacement of a particle, and blocks with their
// motion. Output: particles on the side that they came from; blocks receive the momentum that particles lose.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/fluid/guest.h"

namespace vw {

class BlockContact {
 public:
  struct Row {
    const Vec3& place;
    Vec3& velocity;
    double mass_kg;
  };

  /// Prepares a step of dt. Blocks are at their poses at its start and have the velocities that include the impulses of
  /// this substep. Particles are kept at least `gap_m` away and move at most `longest_way_m`.
  void begin(std::span<const Guest> guests, double gap_m, double longest_way_m, double dt);
  [[nodiscard]] bool empty() const { return start_.empty(); }
  [[nodiscard]] double fastest() const { return fastest_; }  ///< Largest speed of a block's centre [m/s].
  /// Moves a particle that went straight from `before` to `x` out of the first block that it hit. Returns 1 + the
  /// number of that block, or 0. Thread-safe.
  [[nodiscard]] std::uint32_t keep_out(const Vec3& before, Vec3& x) const;
  /// Inelastic collision of a particle with the block that it hit. Conserves their momentum. Call sequentially, after
  /// keep_out().
  void stop_each_other(std::span<Guest> guests, std::uint32_t met, const Row& row);
  /// Sets the blocks of the guests to their poses at the end of the step.
  void finish(std::span<Guest> guests) const;

 private:
  struct Motion {
    Vec3 velocity, spin;
  };
  struct Owner {
    std::uint32_t guest, block;
  };
  /// First intersection of a particle's path, in the block's frame, with a block.
  struct Hit {
    std::uint32_t block = 0;
    double share = 2;  ///< Fraction of the path at contact; above 1: no contact.
    int face = -1;
    double depth = 0;  ///< Penetration depth of a particle that starts inside [m].
  };
  [[nodiscard]] Hit first_hit(std::span<const std::uint32_t> near, const Vec3& before, const Vec3& x) const;
  void look_at(std::uint32_t block, const Vec3& before, const Vec3& x, Hit& first) const;
  void set_out(const Hit& hit, Vec3& x) const;

  std::vector<GuestBlock> start_, end_;
  std::vector<Motion> motion_;  ///< Velocity of each block, updated by collisions.
  std::vector<Owner> owner_;    ///< Guest and block number of each block.
  std::vector<Vec3> center_;
  CellGrid grid_;
  double gap_ = 0, dt_ = 0, fastest_ = 0, widest_ = 0;
};

}  // namespace vw
