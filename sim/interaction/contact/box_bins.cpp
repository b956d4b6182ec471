#include "sim/interaction/contact/box_bins.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace vw {
namespace {

constexpr double most_cells = 64;  ///< A box that covers more cells than this is kept in the list `large_`.

bool is_sound(const Box3& box) { return !box.isEmpty() && box.min().allFinite() && box.max().allFinite(); }

}  // namespace

BoxBins::Cell BoxBins::cell_of(const Vec3& p) const {
  const auto number = [&](double x) {
    return static_cast<std::int64_t>(std::clamp(std::floor(x / cell_m_), -9e15, 9e15));
  };
  return {number(p.x()), number(p.y()), number(p.z())};
}

std::size_t BoxBins::bin_of(const Cell& cell) const {
  std::uint64_t hash = 0x9E3779B97F4A7C15U;
  for (const std::int64_t c : {cell.x, cell.y, cell.z})
    hash = (hash ^ static_cast<std::uint64_t>(c)) * 0xD6E8FEB86659FD93U, hash ^= hash >> 32U;
  return hash & (start_.size() - 2);
}

void BoxBins::list(std::uint32_t box) {
  const Cell low = cell_of(boxes_[box].min()), high = cell_of(boxes_[box].max());
  const auto across = [](std::int64_t a, std::int64_t b) { return static_cast<double>(b - a) + 1; };
  if (across(low.x, high.x) * across(low.y, high.y) * across(low.z, high.z) > most_cells) {
    large_.push_back(box);
    return;
  }
  for (std::int64_t z = low.z; z <= high.z; ++z)
    for (std::int64_t y = low.y; y <= high.y; ++y)
      for (std::int64_t x = low.x; x <= high.x; ++x) listed_.push_back({{x, y, z}, box});
}

void BoxBins::build(std::span<const Box3> boxes) {
  boxes_.assign(boxes.begin(), boxes.end());
  large_.clear(), listed_.clear(), entries_.clear(), start_.clear(), extent_.clear();
  for (const Box3& box : boxes_)
    if (is_sound(box)) extent_.push_back(box.sizes().maxCoeff());
  if (extent_.empty()) return;
  const auto middle = extent_.begin() + static_cast<std::ptrdiff_t>(extent_.size() / 2);
  std::nth_element(extent_.begin(), middle, extent_.end());
  cell_m_ = std::max(*middle, 1e-9);
  for (std::uint32_t i = 0; i < boxes_.size(); ++i)
    if (is_sound(boxes_[i])) list(i);
  if (listed_.empty()) return;
  start_.assign(std::bit_ceil(2 * listed_.size()) + 1, 0);
  for (const Entry& entry : listed_) ++start_[bin_of(entry.cell) + 1];
  for (std::size_t bin = 1; bin < start_.size(); ++bin) start_[bin] += start_[bin - 1];
  entries_.resize(listed_.size());
  for (auto entry = listed_.rbegin(); entry != listed_.rend(); ++entry)
    entries_[--start_[bin_of(entry->cell) + 1]] = *entry;
  // Each bin was filled backwards, so start_[i + 1] is now the index of the first entry of bin i. The removal of
  // start_[0] moves this index to start_[i].
  start_.erase(start_.begin()), start_.push_back(static_cast<std::uint32_t>(entries_.size()));
}

}  // namespace vw
