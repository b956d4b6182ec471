// Who sees whom in a flock: members sorted into cells each substep, and of each the sums over those that it sees. In: places, headings, speeds and
// species. Out: a row of sums a member. Float lanes of any width and any number of threads give the same bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"

namespace vw {

/// How one species sees: which others count, and how near.
struct Sight {
  float reach_m = 1;
  float cosine = -2;             ///< of half the cone's angle; -2: all round
  float spacing_m = 0;           ///< nearer ones push
  std::uint32_t nearest = 0;     ///< only so many; 0: all
  std::uint32_t flock_bits = 1;  ///< species (bit s) that it goes with: its own at least
  std::uint32_t apart_bits = 1;  ///< species that it keeps off
};

/// Sums over those that a member sees.
struct Seen {
  Vec3f push = Vec3f::Zero();    ///< away from those nearer than the spacing: each a vector of length 1 - distance / spacing
  Vec3f motion = Vec3f::Zero();  ///< their motion less its own [m/s], of its flock
  Vec3f offset = Vec3f::Zero();  ///< where they are, less where it is [m], of its flock
  std::uint32_t count = 0;       ///< of its flock
  float same_place = 0;          ///< how many are where it is itself
  float nearest_m = 0;           ///< distance of the nearest; infinity: it sees nobody
};

/// The members as one column each, row by row.
struct FlockColumns {
  std::span<const Vec3> position, heading;
  std::span<const double> speed;
  std::span<const std::uint8_t> species;
};

/// A member as the lanes have it: its place less Neighbours::origin().
struct MemberRecord {
  float x = 0, y = 0, z = 0;
  float hx = 0, hy = 0, hz = 0, speed = 0;
  std::uint32_t who = 0;  ///< row, and species in the highest bits
  static constexpr int row_bits = 27;
  [[nodiscard]] std::uint32_t row() const { return who & ((1U << row_bits) - 1); }
  [[nodiscard]] std::uint32_t species() const { return who >> row_bits; }
  [[nodiscard]] Vec3f place() const { return {x, y, z}; }
  [[nodiscard]] Vec3f heading() const { return {hx, hy, hz}; }
  [[nodiscard]] Vec3f motion() const { return {speed * hx, speed * hy, speed * hz}; }
};

/// x |x|: squares that can be compared as what they are squares of.
[[nodiscard]] inline float signed_square(float x) { return x * std::abs(x); }
/// Whether one sees another whose place is `offset` from its own: within reach, and in the cone about its heading. What lanes decide by, too.
[[nodiscard]] inline bool sees(const Sight& sight, const Vec3f& heading, const Vec3f& offset) {
  const float squared = offset.x() * offset.x() + (offset.y() * offset.y() + offset.z() * offset.z());
  const float ahead = heading.x() * offset.x() + (heading.y() * offset.y() + heading.z() * offset.z());
  return squared < sight.reach_m * sight.reach_m && signed_square(ahead) >= signed_square(sight.cosine) * squared;
}

class Neighbours {
 public:
  /// Sorts members into cells as wide as the most numerous species sees, and sums what each sees.
  void look(const FlockColumns& members, std::span<const Sight> sights);
  /// The same without cells or lanes, each member asking every other: what it means, for tests and benchmarks.
  void look_plainly(const FlockColumns& members, std::span<const Sight> sights);

  [[nodiscard]] std::size_t size() const { return seen_.size(); }
  /// What the member of a row sees.
  [[nodiscard]] const Seen& seen(std::size_t row) const { return seen_[slot_[row]]; }
  /// Sums lie in the order of cells: whoever goes through the rows asks for those soon to be read.
  void fetch(std::size_t row) const {
    if (row >= slot_.size()) return;
    const Seen& one = seen_[slot_[row]];
    __builtin_prefetch(&one);
    __builtin_prefetch(&one.nearest_m);
  }

  /// After look: calls visit(record) for every member that is at most `reach_m` from a place, and for some more; nobody twice.
  template <class F>
  void near(const Vec3& place, double reach_m, F visit) const;

 private:
  void find_origin(std::span<const Vec3> position);
  void choose_cells(const FlockColumns& members, std::span<const Sight> sights);
  void sort(const FlockColumns& members);
  void make_columns();
  [[nodiscard]] MemberRecord record_of(const FlockColumns& members, std::size_t row) const;

  Vec3 origin_ = Vec3::Zero(), size_ = Vec3::Zero();  ///< the middle of all places, and the box about them
  double cells_per_m_ = 1;
  int bits_[3] = {2, 2, 2};  ///< cells an axis: 2^bits; beyond, they are counted from the first again
  std::vector<Eigen::AlignedBox3d> boxes_;
  std::vector<std::uint32_t> members_of_, reach_cells_;  ///< of each species; how many cells away it sees
  std::vector<std::uint32_t> cell_, slot_;               ///< of each row: its cell, and its place in the order of cells
  std::vector<std::uint32_t> start_;                     ///< the first of each cell, and the end
  std::vector<MemberRecord> record_;                     ///< in the order of cells
  std::vector<float> x_, y_, z_, mx_, my_, mz_;
  std::vector<std::uint32_t> kind_;  ///< 1 << species; all columns some rows longer than there are members
  std::vector<Seen> seen_;
};

template <class F>
void Neighbours::near(const Vec3& place, double reach_m, F visit) const {
  if (record_.empty() || !place.allFinite()) return;
  std::int64_t first[3], last[3], size[3];
  for (int a = 0; a < 3; ++a) {
    size[a] = std::int64_t{1} << bits_[a];
    // Places in records are rounded: a hair more. An axis that it sees all of is gone along once.
    const double at = place[a] - origin_[a], hair = 1e-5 * (reach_m + std::abs(at)), low = std::floor((at - reach_m - hair) * cells_per_m_),
                 count = std::floor((at + reach_m + hair) * cells_per_m_) - low + 1;
    const bool whole = !(count < static_cast<double>(size[a]) && std::abs(low) < 1e15);
    first[a] = whole ? 0 : static_cast<std::int64_t>(low);
    last[a] = first[a] + (whole ? size[a] : static_cast<std::int64_t>(count));
  }
  for (std::int64_t z = first[2]; z < last[2]; ++z)
    for (std::int64_t y = first[1]; y < last[1]; ++y)
      for (std::int64_t x = first[0]; x < last[0]; ++x) {
        const auto cell = static_cast<std::size_t>(((z & (size[2] - 1)) << bits_[1] | (y & (size[1] - 1))) << bits_[0] | (x & (size[0] - 1)));
        for (std::uint32_t k = start_[cell]; k < start_[cell + 1]; ++k) visit(record_[k]);
      }
}

}  // namespace vw
