#include "sim/system/rigid/islands.h"

#include <algorithm>
#include <numeric>

namespace vw {
namespace {

constexpr std::uint32_t none = 0xffffffff;

}  // namespace

std::uint32_t Islands::root(std::uint32_t body) {
  while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
  return body;
}

void Islands::unite(std::size_t a, std::size_t b) {
  if (a == no_body || b == no_body) return;
  const std::uint32_t one = root(static_cast<std::uint32_t>(a)), two = root(static_cast<std::uint32_t>(b));
  parent_[std::max(one, two)] = std::min(one, two);
}

template <class IslandOf>
void Islands::sort_by_island(std::size_t count, IslandOf island_of, std::vector<std::uint32_t>& out,
                             std::vector<std::size_t>& first) {
  first.assign(islands_ + 1, 0);
  for (std::size_t k = 0; k < count; ++k)
    if (const std::uint32_t island = island_of(k); island != none) ++first[island + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  next_.assign(first.begin(), first.end());
  out.resize(first.back());
  for (std::size_t k = 0; k < count; ++k)
    if (const std::uint32_t island = island_of(k); island != none) out[next_[island]++] = static_cast<std::uint32_t>(k);
}

void Islands::build(const RigidScene& scene, std::span<const RigidContact> contacts, const RigidJoints& joints) {
  const std::size_t n = scene.bodies.size();
  parent_.resize(n);
  std::iota(parent_.begin(), parent_.end(), 0U);
  for (const RigidContact& c : contacts) unite(c.a, c.b);
  for (const auto& [a, b] : joints.links()) unite(a, b);
  number_.assign(n, none);
  islands_ = 0;
  for (std::uint32_t i = 0; i < n; ++i)
    if (!scene.sleeps(i)) number_[i] = root(i) == i ? islands_++ : number_[root(i)];
  sort_by_island(
      n, [&](std::size_t i) { return number_[i]; }, body_, first_body_);
  sort_by_island(
      contacts.size(), [&](std::size_t k) { return number_[contacts[k].a]; }, contact_, first_contact_);
  sort_by_island(
      joints.groups(), [&](std::size_t g) { return number_[joints.bodies_of(g).front()]; }, group_, first_group_);
}

}  // namespace vw
