// The last guard between fluid and bodies made of blocks (guest.h): rows may not pass through a sheet of voxels, however thin it is and however fast
// it comes. In: where a row was and where it is led, blocks with their motion. Out: rows on the side they came from; what they lose, blocks get.
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

  /// For a step of dt: blocks as they are at its start, as fast as they are after what their guests were given. Rows come no nearer than `gap_m` and
  /// go no farther than `longest_way_m`.
  void begin(std::span<const Guest> guests, double gap_m, double longest_way_m, double dt);
  [[nodiscard]] bool empty() const { return start_.empty(); }
  [[nodiscard]] double fastest() const { return fastest_; }  ///< of their centres [m/s]
  /// Moves a row that went straight from `before` to `x` out of what it met: 1 + the number of that block, or 0. Any thread.
  [[nodiscard]] std::uint32_t keep_out(const Vec3& before, Vec3& x) const;
  /// Then, one after the other: a row and the block that it met stop each other, inelastic, with the momentum that they had.
  void stop_each_other(std::span<Guest> guests, std::uint32_t met, const Row& row);
  /// Blocks of the guests go on to where they are at the end.
  void finish(std::span<Guest> guests) const;

 private:
  struct Motion {
    Vec3 velocity, spin;
  };
  struct Owner {
    std::uint32_t guest, block;
  };
  /// The part of a way in a block's own frame that it may not take.
  struct Hit {
    std::uint32_t block = 0;
    double share = 2;  ///< of the way, when it touches; above 1: never
    int face = -1;
    double depth = 0;  ///< of a row that is inside already [m]
  };
  [[nodiscard]] Hit first_hit(std::span<const std::uint32_t> near, const Vec3& before, const Vec3& x) const;
  void look_at(std::uint32_t block, const Vec3& before, const Vec3& x, Hit& first) const;
  void set_out(const Hit& hit, Vec3& x) const;

  std::vector<GuestBlock> start_, end_;
  std::vector<Motion> motion_;  ///< of each block, changing as rows meet it
  std::vector<Owner> owner_;    ///< of each block
  std::vector<Vec3> center_;
  CellGrid grid_;
  double gap_ = 0, dt_ = 0, fastest_ = 0, widest_ = 0;
};

}  // namespace vw
