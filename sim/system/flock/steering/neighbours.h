// Neighbour search of a flock: members are sorted into cells in each substep, and sums over the visible neighbours are
// computed for each. Input: positions, headings, speeds and species. Output: a row of sums for each member. The result
// does not depend on the vector width or the number of threads.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"

namespace vw {

/// Perception of one species: which other members it sees, and how far.
struct Sight {
  float reach_m = 1;
  float cosine = -2;             ///< Cosine of half the cone's angle; -2: all directions.
  float spacing_m = 0;           ///< Neighbours nearer than this cause separation.
  std::uint32_t nearest = 0;     ///< Largest number of neighbours, nearest first; 0: all.
  std::uint32_t flock_bits = 1;  ///< Species (bit s) with which it flocks; includes its own.
  std::uint32_t apart_bits = 1;  ///< Species from which it keeps its distance.
};

/// Sums over the neighbours that a member sees.
struct Seen {
  /// Separation: sum of vectors away from neighbours nearer than the spacing, each of length 1 - distance / spacing.
  Vec3f push = Vec3f::Zero();
  Vec3f motion = Vec3f::Zero();  ///< Sum of the flock's velocities relative to its own [m/s].
  Vec3f offset = Vec3f::Zero();  ///< Sum of the flock's positions relative to its own [m].
  std::uint32_t count = 0;       ///< Number of neighbours of its flock.
  float same_place = 0;          ///< Number of neighbours at exactly its own position.
  float nearest_m = 0;           ///< Distance of the nearest neighbour [m]; infinite: it sees none.
};

/// Members as columns.
struct FlockColumns {
  std::span<const Vec3> position, heading;
  std::span<const double> speed;
  std::span<const std::uint8_t> species;
};

/// A member as the vector kernels use it; its position is relative to Neighbours::origin().
struct MemberRecord {
  float x = 0, y = 0, z = 0;
  float hx = 0, hy = 0, hz = 0, speed = 0;
  std::uint32_t who = 0;  ///< Row, and the species in the highest bits.
  static constexpr int row_bits = 27;
  [[nodiscard]] std::uint32_t row() const { return who & ((1U << row_bits) - 1); }
  [[nodiscard]] std::uint32_t species() const { return who >> row_bits; }
  [[nodiscard]] Vec3f place() const { return {x, y, z}; }
  [[nodiscard]] Vec3f heading() const { return {hx, hy, hz}; }
  [[nodiscard]] Vec3f motion() const { return {speed * hx, speed * hy, speed * hz}; }
};

/// x |x|: orders numbers of either sign like the numbers themselves.
[[nodiscard]] inline float signed_square(float x) { return x * std::abs(x); }
/// Whether a member sees another one at `offset` from its own position: within reach, and in the cone around its
/// heading. The vector lanes use the same criterion.
[[nodiscard]] inline bool sees(const Sight& sight, const Vec3f& heading, const Vec3f& offset) {
  const float squared = offset.x() * offset.x() + (offset.y() * offset.y() + offset.z() * offset.z());
  const float ahead = heading.x() * offset.x() + (heading.y() * offset.y() + heading.z() * offset.z());
  return squared < sight.reach_m * sight.reach_m && signed_square(ahead) >= signed_square(sight.cosine) * squared;
}

class Neighbours {
 public:
  /// Sorts members into cells whose width is the sight of the most numerous species, and computes the sums for each
  /// member.
  void look(const FlockColumns& members, std::span<const Sight> sights);
  /// Computes the same sums by testing all pairs, without cells or vector lanes. Reference for tests and benchmarks.
  void look_plainly(const FlockColumns& members, std::span<const Sight> sights);

  [[nodiscard]] std::size_t size() const { return seen_.size(); }
  /// Sums of the member in a row.
  [[nodiscard]] const Seen& seen(std::size_t row) const { return seen_[slot_[row]]; }
  /// Prefetches the sums of a row. They are stored in the order of cells, so loops over rows should prefetch some rows
  /// ahead.
  void fetch(std::size_t row) const {
    if (row >= slot_.size()) return;
    const Seen& one = seen_[slot_[row]];
    __builtin_prefetch(&one);
    __builtin_prefetch(&one.nearest_m);
  }

  /// Call after look(): calls visit(record) once for every member at most `reach_m` from a place, and for some members
  /// farther away.
  template <class F>
  void near(const Vec3& place, double reach_m, F visit) const;

 private:
  void find_origin(std::span<const Vec3> position);
  void choose_cells(const FlockColumns& members, std::span<const Sight> sights);
  void sort(const FlockColumns& members);
  void make_columns();
  [[nodiscard]] MemberRecord record_of(const FlockColumns& members, std::size_t row) const;

  Vec3 origin_ = Vec3::Zero(), size_ = Vec3::Zero();  ///< Centre and size of the bounding box of all positions.
  double cells_per_m_ = 1;
  int bits_[3] = {2, 2, 2};  ///< Cells per axis: 2^bits. Beyond them cell numbers wrap around.
  std::vector<Eigen::AlignedBox3d> boxes_;
  std::vector<std::uint32_t> members_of_, reach_cells_;  ///< For each species: number of members, and sight in cells.
  std::vector<std::uint32_t> cell_, slot_;  ///< For each row: its cell, and its position in the order of cells.
  std::vector<std::uint32_t> start_;        ///< First member of each cell, and one entry for the end.
  std::vector<MemberRecord> record_;        ///< In the order of cells.
  std::vector<float> x_, y_, z_, mx_, my_, mz_;
  std::vector<std::uint32_t> kind_;  ///< 1 << species. All columns are padded by some rows.
  std::vector<Seen> seen_;
};

template <class F>
void Neighbours::near(const Vec3& place, double reach_m, F visit) const {
  if (record_.empty() || !place.allFinite()) return;
  std::int64_t first[3], last[3], size[3];
  for (int a = 0; a < 3; ++a) {
    size[a] = std::int64_t{1} << bits_[a];
    // Positions in records are rounded, so the range is enlarged slightly. If the range covers a whole axis, each cell
    // is visited once.
    const double at = place[a] - origin_[a], hair = 1e-5 * (reach_m + std::abs(at)),
                 low = std::floor((at - reach_m - hair) * cells_per_m_),
                 count = std::floor((at + reach_m + hair) * cells_per_m_) - low + 1;
    const bool whole = !(count < static_cast<double>(size[a]) && std::abs(low) < 1e15);
    first[a] = whole ? 0 : static_cast<std::int64_t>(low);
    last[a] = first[a] + (whole ? size[a] : static_cast<std::int64_t>(count));
  }
  for (std::int64_t z = first[2]; z < last[2]; ++z)
    for (std::int64_t y = first[1]; y < last[1]; ++y)
      for (std::int64_t x = first[0]; x < last[0]; ++x) {
        const auto cell = static_cast<std::size_t>(((z & (size[2] - 1)) << bits_[1] | (y & (size[1] - 1))) << bits_[0] |
                                                   (x & (size[0] - 1)));
        for (std::uint32_t k = start_[cell]; k < start_[cell + 1]; ++k) visit(record_[k]);
      }
}

}  // namespace vw
