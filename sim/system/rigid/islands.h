// Islands: sets of awake bodies that contacts and joints connect. Each island is solved and falls asleep on its own.
#pragma once

#include <span>
#include <vector>

#include "sim/system/rigid/contacts/rigid_contact.h"
#include "sim/system/rigid/joints/joints.h"

namespace vw {

class Islands {
 public:
  /// Builds the islands of all awake bodies. Islands are numbered in the order of their first bodies.
  void build(const RigidScene& scene, std::span<const RigidContact> contacts, const RigidJoints& joints);

  [[nodiscard]] std::size_t count() const { return first_body_.empty() ? 0 : first_body_.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> bodies(std::size_t island) const {
    return run(body_, first_body_, island);
  }
  /// Returns the joint groups of an island. A joint group is a set of bodies that joints connect.
  [[nodiscard]] std::span<const std::uint32_t> groups(std::size_t island) const {
    return run(group_, first_group_, island);
  }
  /// Contact indices sorted by island. Within an island, the indices are ascending.
  [[nodiscard]] std::span<const std::uint32_t> contacts() const { return contact_; }
  /// Returns the contacts of an island, as a range of contacts().
  [[nodiscard]] Range contacts_of(std::size_t island) const {
    return {first_contact_[island], first_contact_[island + 1]};
  }

 private:
  [[nodiscard]] static std::span<const std::uint32_t> run(std::span<const std::uint32_t> all,
                                                          std::span<const std::size_t> first, std::size_t i) {
    return all.subspan(first[i], first[i + 1] - first[i]);
  }
  std::uint32_t root(std::uint32_t body);
  void unite(std::size_t a, std::size_t b);
  /// Selects the numbers in [0, count) that belong to an island and writes them to `out`, sorted by island. `first`
  /// receives the index in `out` at which each island begins. `island_of(k)` returns the island of k, or `none`.
  template <class IslandOf>
  void sort_by_island(std::size_t count, IslandOf island_of, std::vector<std::uint32_t>& out,
                      std::vector<std::size_t>& first);

  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> number_;  ///< Island of each body.
  std::uint32_t islands_ = 0;
  std::vector<std::uint32_t> body_, contact_, group_;
  std::vector<std::size_t> first_body_, first_contact_, first_group_;
  std::vector<std::size_t> next_;  // Scratch.
};

}  // namespace vw
