// The last guard between fluid and walls: pressures keep particles half a spacing away; what comes much closer all the same (a jet, a corner, a wall
// that moves) is stopped by the contact that every system has (sim/collision/contact). In: obstacles, where rows were and where their velocities
// lead. Out: rows that are on the side they came from. It takes speed toward the wall and gives none, so energy does not grow by it where walls stand
// still. Bodies in the fluid are such walls too, and get what rows lose.
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
  /// Centres come no closer to a surface than this many spacings.
  static constexpr double least_gap = 0.1;

  /// For a substep of dt: obstacles as they are at its start, and guests after what it gave them. They go on by their velocities.
  void begin(std::span<const Collider> colliders, std::span<const Guest> guests, double spacing_m, double dt);
  /// Which rows have walls near by, and which guests, from the pair lists as they were before rows moved; `owners` of the rows of space.walls.
  void look(const SphWorkspace& space, std::span<const Walls::Owner> owners);
  /// Moves one row, by its number in the workspace, that went straight from `before` to `x`, if it met something, and takes from its velocity v what
  /// leads into that; whether it did. Any thread.
  [[nodiscard]] bool keep_out(std::size_t row, const Vec3& before, Vec3& x, Vec3& v);
  /// Then, one after the other: rows that met guests and these stop each other. Calls row_of(row) -> {place, velocity, mass}. Guests' solids go on to
  /// where they are at the end.
  using Row = BlockContact::Row;
  void meet_guests(std::span<Guest> guests, const std::function<Row(std::size_t)>& row_of);

 private:
  void stop_each_other(Guest& guest, Collider& solid, const Row& row) const;
  /// Solids that a row may meet.
  struct Candidates {
    const Barriers* barriers = nullptr;
    double fastest_mps = 0;  ///< there
    bool still = true;       ///< all of them
  };
  /// The obstacles and the guests that are near a row, as long as nothing is so fast that others may come to it.
  struct NearGuests {
    std::uint32_t chunk = 0, begin = 0, end = 0;
  };
  [[nodiscard]] Candidates candidates_of(std::size_t row, const Vec3& before, const Vec3& x, Barriers& some) const;
  void list_guests(const PairChunk& chunk, std::uint32_t number, const Cluster& cluster, std::span<const Walls::Owner> owners);
  [[nodiscard]] bool may_touch(std::size_t row, const Vec3& before, const Vec3& x, const Candidates& near) const;
  [[nodiscard]] bool keep_out_of_walls(std::size_t row, const Vec3& before, const Barriers& barriers, Vec3& x, Vec3& v);

  std::vector<Collider> start_, end_;
  std::vector<std::uint32_t> moving_;                    ///< of start_, but guests
  Barriers barriers_, walls_;                            ///< of all; of the obstacles alone
  std::size_t first_guest_ = 0;                          ///< of start_
  std::vector<std::uint32_t> guest_;                     ///< of each solid
  std::vector<std::uint32_t> solid_;                     ///< of each guest: 1 + its number in guest_; 0: none
  double fastest_guest_mps_ = 0;                         ///< of any place of a solid
  std::vector<NearGuests> near_of_;                      ///< of each row; no solids: empty
  std::vector<std::vector<std::uint32_t>> near_guests_;  ///< by chunk: numbers in start_, ascending
  std::vector<std::uint32_t> met_;  ///< of each row: 1 + the number of the solid that it met, blocks after solids; neither: empty
  BlockContact blocks_;
  std::vector<float> clearance_;  ///< of each row to the next sample of a wall [m]; far: infinite
  double spacing_ = 1, gap_ = 0, dt_ = 0;
  bool has_data_ = false;     ///< shapes whose queries take time
  bool only_planes_ = false;  ///< that have one side
};

}  // namespace vw
