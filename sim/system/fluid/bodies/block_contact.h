// Last collision check of a substep between fluid particles and bodies made of blocks (GuestBlock in guest.h). The
// check keeps particles from passing through a sheet of voxels, however thin it is and however fast it moves. Input:
// the displacement of each particle, and the poses and velocities of the blocks. Output: corrected positions of the
// particles, and the momentum that the particles transfer to the blocks.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/fluid/bodies/guest.h"

namespace vw {

class BlockContact {
 public:
  struct Row {
    const Vec3& place;
    Vec3& velocity;
    double mass_kg;
  };

  /// Prepares a step of length dt. The blocks of `guests` have their poses at the start of the step and the velocities
  /// that they would have without the fluid. begin() adds the effect of the guests' impulses to these velocities.
  /// keep_out() keeps particles at least `gap_m` away from the blocks. No particle may move more than `longest_way_m`.
  void begin(std::span<const Guest> guests, double gap_m, double longest_way_m, double dt);
  [[nodiscard]] bool empty() const { return start_.empty(); }
  [[nodiscard]] double fastest() const { return fastest_; }  ///< Largest speed of a block's centre [m/s].
  /// Checks a particle that moved on a straight line from `before` to `x`. If the particle hit blocks, moves `x` out of
  /// all of them. If that fails, moves `x` along with the first block that the particle hit. Returns the number of that
  /// block, counted from 1, or 0 if there was no hit. Thread-safe.
  [[nodiscard]] std::uint32_t keep_out(const Vec3& before, Vec3& x) const;
  /// Computes the inelastic collision of a particle with the block number `met` (result of keep_out()). Conserves the
  /// momentum of particle and block. Call sequentially, after keep_out() of all particles.
  void stop_each_other(std::span<Guest> guests, std::uint32_t met, const Row& row);
  /// Sets the blocks of the guests to their poses at the end of the step and to the velocities at which they moved.
  void finish(std::span<Guest> guests) const;

 private:
  struct Motion {
    Vec3 velocity, spin;
  };
  struct Owner {
    std::uint32_t guest, block;
  };
  /// First intersection of a particle's path with a block, in the block's frame.
  struct Hit {
    std::uint32_t block = 0;
    double share = 2;  ///< Fraction of the path before the contact. Above 1 if there is no contact.
    int face = -1;
    double depth = 0;  ///< Penetration depth of a particle that starts inside [m].
  };
  [[nodiscard]] Hit first_hit(std::span<const std::uint32_t> near, const Vec3& before, const Vec3& x) const;
  void look_at(std::uint32_t block, const Vec3& before, const Vec3& x, Hit& first) const;
  void set_out(const Hit& hit, Vec3& x) const;

  std::vector<GuestBlock> start_, end_;
  std::vector<Motion> motion_;  ///< Velocities of each block, updated by collisions.
  std::vector<Owner> owner_;    ///< Guest of each block, and index of the block in this guest.
  std::vector<Vec3> center_;
  CellGrid grid_;
  double gap_ = 0, dt_ = 0, fastest_ = 0, widest_ = 0;
};

}  // namespace vw
