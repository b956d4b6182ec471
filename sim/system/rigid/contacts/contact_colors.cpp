#include "sim/system/rigid/contacts/contact_colors.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t colors = 64;  ///< Number of groups: 63 colours, and the last group, which has no colour.

}  // namespace

void ContactColors::sort(std::span<const RigidContact> contacts, std::span<std::uint32_t> order, std::size_t bodies) {
  used_.resize(bodies);
  found_.clear(), color_.clear();
  first_.assign(colors + 1, 0);
  for (const std::uint32_t k : order) {
    used_[contacts[k].a] = 0;
    if (contacts[k].b != no_body) used_[contacts[k].b] = 0;
  }
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const RigidContact& c = contacts[order[begin]];
    while (end < order.size() && contacts[order[end]].a == c.a && contacts[order[end]].other == c.other) ++end;
    const std::uint64_t taken = used_[c.a] | (c.b != no_body ? used_[c.b] : 0);
    const auto color = std::min<std::size_t>(static_cast<std::size_t>(std::countr_one(taken)), colors - 1);
    used_[c.a] |= std::uint64_t{1} << color;
    if (c.b != no_body) used_[c.b] |= std::uint64_t{1} << color;
    found_.push_back({begin, end});
    color_.push_back(static_cast<std::uint8_t>(color));
    ++first_[color + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  pairs_.resize(found_.size());
  next_.assign(first_.begin(), first_.end());
  for (std::size_t p = 0; p < found_.size(); ++p) pairs_[next_[color_[p]]++] = found_[p];
  unsorted_.assign(order.begin(), order.end());
  std::size_t at = 0;
  for (Pair& pair : pairs_) {
    const std::size_t begin = at;
    for (std::size_t k = pair.begin; k < pair.end; ++k) order[at++] = unsorted_[k];
    pair = {begin, at};
  }
}

std::size_t ContactColors::chunks(std::size_t grain) const {
  std::size_t all = 0;
  for (std::size_t color = 0; color < count(); ++color)
    if (const std::size_t size = pairs(color).size(); size > 0) all += is_shared(color) ? chunk_count(size, grain) : 1;
  return all;
}

}  // namespace vw
