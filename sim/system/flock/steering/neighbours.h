// Neighbour search of a flock. In each substep, members are sorted into cells, and sums over the visible neighbours of
// each member are computed. Input: positions, headings, speeds and species. Output: one row of sums per member. The
// result does not depend on the vector width or the number of threads.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"

namespace vw {

/// Perception of one species: how far members see, and which neighbours they take into account.
struct Sight {
  float reach_m = 1;
  float cosine = -2;          ///< Cosine of half the angle of the cone of vision. -2 means all directions.
  float spacing_m = 0;        ///< Distance below which a neighbour causes separation [m].
  std::uint32_t nearest = 0;  ///< Number of nearest neighbours that are taken into account. 0 means all.
  /// Species with which members align and cohere, including their own species. Bit s stands for species s.
  std::uint32_t flock_bits = 1;
  std::uint32_t apart_bits = 1;  ///< Species from which members separate. Bit s stands for species s.
};

/// Sums over the neighbours that a member sees.
struct Seen {
  /// Separation vector: sum of vectors away from each neighbour whose species is in Sight::apart_bits and whose
  /// distance r is less than the spacing s. The length of each vector is 1 - r / s.
  Vec3f push = Vec3f::Zero();
  Vec3f motion = Vec3f::Zero();  ///< Sum of the velocities of the `count` neighbours, relative to the member [m/s].
  Vec3f offset = Vec3f::Zero();  ///< Sum of the positions of the `count` neighbours, relative to the member [m].
  std::uint32_t count = 0;       ///< Number of visible neighbours whose species is in Sight::flock_bits.
  float same_place = 0;          ///< Number of visible neighbours at exactly the position of the member.
  float nearest_m = 0;           ///< Distance to the nearest visible neighbour [m], or infinity if there is none.
};

/// Properties of the members, one array per property, with one entry per row.
struct FlockColumns {
  std::span<const Vec3> position, heading;
  std::span<const double> speed;
  std::span<const std::uint8_t> species;
};

/// Single-precision copy of a member for the kernels. The position is relative to Neighbours::origin_.
struct MemberRecord {
  float x = 0, y = 0, z = 0;
  float hx = 0, hy = 0, hz = 0, speed = 0;
  std::uint32_t who = 0;  ///< Row of the member in the low bits, species in the high bits.
  static constexpr int row_bits = 27;
  [[nodiscard]] std::uint32_t row() const { return who & ((1U << row_bits) - 1); }
  [[nodiscard]] std::uint32_t species() const { return who >> row_bits; }
  [[nodiscard]] Vec3f place() const { return {x, y, z}; }
  [[nodiscard]] Vec3f heading() const { return {hx, hy, hz}; }
  [[nodiscard]] Vec3f motion() const { return {speed * hx, speed * hy, speed * hz}; }
};

/// Returns the square of x with the sign of x. Signed squares are ordered in the same way as the numbers themselves.
[[nodiscard]] inline float signed_square(float x) { return x * std::abs(x); }
/// Whether a member sees another member at `offset` from its own position: the other member must be within reach and in
/// the cone of vision around the heading. The vector kernel uses the same criterion.
[[nodiscard]] inline bool sees(const Sight& sight, const Vec3f& heading, const Vec3f& offset) {
  const float squared = offset.x() * offset.x() + (offset.y() * offset.y() + offset.z() * offset.z());
  const float ahead = heading.x() * offset.x() + (heading.y() * offset.y() + heading.z() * offset.z());
  return squared < sight.reach_m * sight.reach_m && signed_square(ahead) >= signed_square(sight.cosine) * squared;
}

class Neighbours {
 public:
  /// Sorts members into cells and computes the sums of each member. The width of a cell is the reach of the most
  /// numerous species.
  void look(const FlockColumns& members, std::span<const Sight> sights);
  /// Computes the sums by testing all pairs, without cells or vector code. This function is the reference for tests and
  /// benchmarks.
  void look_plainly(const FlockColumns& members, std::span<const Sight> sights);

  [[nodiscard]] std::size_t size() const { return seen_.size(); }
  /// Sums over the neighbours of the member in row `row`.
  [[nodiscard]] const Seen& seen(std::size_t row) const { return seen_[slot_[row]]; }
  /// Prefetches the sums of a row. Sums are stored in the order of cells, so loops over rows should prefetch a few rows
  /// ahead.
  void fetch(std::size_t row) const {
    if (row >= slot_.size()) return;
    const Seen& one = seen_[slot_[row]];
    __builtin_prefetch(&one);
    __builtin_prefetch(&one.nearest_m);
  }

  /// Calls visit(record) once for every member at most `reach_m` from `place`, and for some members farther away. Call
  /// this function after look().
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
  int bits_[3] = {2, 2, 2};  ///< Each axis a has 2^bits_[a] cells. Cell indices wrap around.
  std::vector<Eigen::AlignedBox3d> boxes_;
  std::vector<std::uint32_t> members_of_, reach_cells_;  ///< Number of members and reach in cells, per species.
  std::vector<std::uint32_t> cell_, slot_;  ///< Cell of each row, and index of each row in the order of cells.
  std::vector<std::uint32_t> start_;        ///< Index of each cell's first member. The last entry is the member count.
  std::vector<MemberRecord> record_;        ///< Records of the members in the order of cells.
  std::vector<float> x_, y_, z_, mx_, my_, mz_;
  std::vector<std::uint32_t> kind_;  ///< Bit of each member's species, 1 << species. All columns are padded.
  std::vector<Seen> seen_;
};

template <class F>
void Neighbours::near(const Vec3& place, double reach_m, F visit) const {
  if (record_.empty() || !place.allFinite()) return;
  std::int64_t first[3], last[3], size[3];
  for (int a = 0; a < 3; ++a) {
    size[a] = std::int64_t{1} << bits_[a];
    // Positions in records are rounded, so the range is enlarged by `hair`. If the range covers a whole axis, each cell
    // along that axis is visited once.
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
