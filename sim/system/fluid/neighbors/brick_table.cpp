#include "sim/system/fluid/neighbors/brick_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr int axis_bits = 21;
constexpr std::int64_t half_cells = std::int64_t{1} << axis_bits;
/// Half-cell index of the origin. This index lies at two thirds of the range, far from multiples of large powers of
/// two. Keys around the origin therefore differ in few bits, which makes the radix sort shorter.
constexpr std::int64_t origin_half_cell = 0x155550;

/// Table that spreads seven bits by inserting two zeros after each bit.
constexpr auto spread_bits = [] {
  std::array<std::uint32_t, 128> all{};
  for (unsigned v = 0; v < 128; ++v)
    for (unsigned b = 0; b < 7; ++b) all[v] |= (v >> b & 1U) << (3 * b);
  return all;
}();
std::uint64_t interleave(std::uint64_t v) {
  return spread_bits[v & 127U] | std::uint64_t{spread_bits[v >> 7U & 127U]} << 21U |
         std::uint64_t{spread_bits[v >> 14U]} << 42U;
}

/// Index along the Hilbert curve of each of a brick's 512 half cells. The table is indexed by the interleaved bits of
/// the half cell's coordinates.
constexpr auto curve = [] {
  std::array<std::uint16_t, 512> all{};
  for (unsigned m = 0; m < 512; ++m) {
    std::array<unsigned, 3> at{};
    for (unsigned b = 0; b < 9; ++b) at[b % 3] |= (m >> b & 1U) << (b / 3);
    all[m] = static_cast<std::uint16_t>(along_curve(at, 3));
  }
  return all;
}();

std::int32_t gather_bits(std::uint64_t v) {
  v &= 0x1249249249249249U;
  v = (v | v >> 2U) & 0x10c30c30c30c30c3U;
  v = (v | v >> 4U) & 0x100f00f00f00f00fU;
  v = (v | v >> 8U) & 0x1f0000ff0000ffU;
  v = (v | v >> 16U) & 0x1f00000000ffffU;
  return static_cast<std::int32_t>((v | v >> 32U) & 0x1fffffU);
}

constexpr unsigned digit_bits = 9;
constexpr std::size_t digits = std::size_t{1} << digit_bits;
constexpr std::size_t sort_grain = 4096;

/// Bits in which keys differ, and whether any key is lower than its predecessor.
struct KeysSeen {
  std::uint64_t differs = 0, unsorted = 0;
  KeysSeen& operator+=(const KeysSeen& other) {
    differs |= other.differs, unsorted |= other.unsorted;
    return *this;
  }
};

}  // namespace

std::uint64_t place_key(const CellFrame& frame, const Vec3& point) {
  std::uint64_t key = 0;
  const double scale = 2 / frame.cell_m;
  for (int a = 0; a < 3; ++a) {
    const double at = scale * (point[a] - frame.origin[a]) + static_cast<double>(origin_half_cell);
    const double bounded = at >= 0 ? std::min(at, static_cast<double>(half_cells - 1)) : 0.0;  // NaN gives 0
    key |= interleave(static_cast<std::uint64_t>(static_cast<std::int64_t>(bounded))) << static_cast<unsigned>(a);
  }
  return (key & ~std::uint64_t{511}) | curve[key & 511U];
}

Vec3 brick_corner(const CellFrame& frame, const std::array<std::int32_t, 3>& place) {
  Vec3 corner = frame.origin;
  for (int a = 0; a < 3; ++a)
    corner[a] += 0.5 * frame.cell_m *
                 static_cast<double>(8 * std::int64_t{place[static_cast<std::size_t>(a)]} - origin_half_cell);
  return corner;
}

void KeySort::sort() {
  const std::size_t n = keys.size();
  order.resize(n);
  const KeysSeen seen = ordered_sum(n, sort_grain, KeysSeen{}, [&](Range range) {
    KeysSeen part;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      order[i] = static_cast<std::uint32_t>(i);
      part += {keys[i] ^ keys[0], keys[i] < keys[i == 0 ? 0 : i - 1] ? 1U : 0U};
    }
    return part;
  });
  if (seen.unsorted == 0) return;
  other_keys_.resize(n);
  other_order_.resize(n);
  const std::size_t chunks = chunk_count(n, sort_grain);
  counts_.resize(chunks * digits);
  const auto highest = static_cast<unsigned>(std::bit_width(seen.differs));
  for (unsigned shift = 0; shift < highest; shift += digit_bits) {
    parallel_for(n, sort_grain, [&](Range range, std::size_t chunk) {
      std::uint32_t* count = &counts_[chunk * digits];
      std::fill(count, count + digits, 0U);
      for (std::size_t i = range.begin; i < range.end; ++i) ++count[(keys[i] >> shift) & (digits - 1)];
    });
    std::uint32_t sum = 0;
    for (std::size_t digit = 0; digit < digits; ++digit)
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const std::uint32_t count = counts_[chunk * digits + digit];
        counts_[chunk * digits + digit] = sum;
        sum += count;
      }
    parallel_for(n, sort_grain, [&](Range range, std::size_t chunk) {
      std::uint32_t* next = &counts_[chunk * digits];
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const std::uint32_t to = next[(keys[i] >> shift) & (digits - 1)]++;
        other_keys_[to] = keys[i];
        other_order_[to] = order[i];
      }
    });
    keys.swap(other_keys_);
    order.swap(other_order_);
  }
}

std::size_t BrickTable::slot_of(const std::array<std::int32_t, 3>& place) const {
  const std::uint64_t mixed = static_cast<std::uint64_t>(static_cast<std::uint32_t>(place[0])) * 0x9e3779b97f4a7c15U ^
                              static_cast<std::uint64_t>(static_cast<std::uint32_t>(place[1])) * 0xc2b2ae3d27d4eb4fU ^
                              static_cast<std::uint64_t>(static_cast<std::uint32_t>(place[2])) * 0x165667b19e3779f9U;
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(mixed ^ mixed >> 29U) & mask;
  const auto elsewhere = [&](const Brick& brick) {  // The == of std::array would be a function call.
    return ((brick.place[0] ^ place[0]) | (brick.place[1] ^ place[1]) | (brick.place[2] ^ place[2])) != 0;
  };
  while (slots_[slot] != 0 && elsewhere(bricks_[slots_[slot] - 1])) slot = (slot + 1) & mask;
  return slot;
}

void BrickTable::build(std::span<const std::uint64_t> keys) {
  bricks_.clear();
  for (std::size_t i = 0; i < keys.size();) {
    const std::uint64_t brick_key = keys[i] >> 9U;
    Brick brick;
    brick.place = {gather_bits(brick_key), gather_bits(brick_key >> 1U), gather_bits(brick_key >> 2U)};
    std::size_t cell = 0;
    for (; i < keys.size() && keys[i] >> 9U == brick_key; ++i)
      for (const std::size_t at = (keys[i] >> 3U) & 63U; cell <= at; ++cell)
        brick.start[cell] = static_cast<std::uint32_t>(i);
    for (; cell <= 64; ++cell) brick.start[cell] = static_cast<std::uint32_t>(i);
    bricks_.push_back(brick);
  }
  slots_.assign(std::bit_ceil(2 * bricks_.size() + 2), 0);
  for (std::size_t b = 0; b < bricks_.size(); ++b)
    slots_[slot_of(bricks_[b].place)] = static_cast<std::uint32_t>(b + 1);
}

const Brick* BrickTable::find(const std::array<std::int32_t, 3>& place) const {
  if (slots_.empty()) return nullptr;
  const std::uint32_t number = slots_[slot_of(place)];
  return number == 0 ? nullptr : &bricks_[number - 1];
}

}  // namespace vw
