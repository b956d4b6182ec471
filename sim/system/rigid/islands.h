// Bodies that push each other, by contacts and joints, fall into islands: each is solved and falls asleep on its own.
#pragma once

#include <span>
#include <vector>

#include "sim/system/rigid/joints.h"
#include "sim/system/rigid/rigid_contact.h"

namespace vw {

class Islands {
 public:
  /// Of all bodies that are awake, by their first body.
  void build(const RigidScene& scene, std::span<const RigidContact> contacts, const RigidJoints& joints);

  [[nodiscard]] std::size_t count() const { return first_body_.empty() ? 0 : first_body_.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> bodies(std::size_t island) const { return run(body_, first_body_, island); }
  /// Groups of joints.
  [[nodiscard]] std::span<const std::uint32_t> groups(std::size_t island) const { return run(group_, first_group_, island); }
  /// Contacts in the order of islands, within each in theirs.
  [[nodiscard]] std::span<const std::uint32_t> contacts() const { return contact_; }
  /// Those of an island, as a range of contacts().
  [[nodiscard]] Range contacts_of(std::size_t island) const { return {first_contact_[island], first_contact_[island + 1]}; }

 private:
  [[nodiscard]] static std::span<const std::uint32_t> run(std::span<const std::uint32_t> all, std::span<const std::size_t> first, std::size_t i) {
    return all.subspan(first[i], first[i + 1] - first[i]);
  }
  std::uint32_t root(std::uint32_t body);
  void unite(std::size_t a, std::size_t b);
  /// Numbers of those [0, count) that are of an island, island by island: island_of(k), or none.
  template <class IslandOf>
  void sort_by_island(std::size_t count, IslandOf island_of, std::vector<std::uint32_t>& out, std::vector<std::size_t>& first);

  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> number_;  ///< of each body's island
  std::uint32_t islands_ = 0;
  std::vector<std::uint32_t> body_, contact_, group_;
  std::vector<std::size_t> first_body_, first_contact_, first_group_;
  std::vector<std::size_t> next_;  // scratch
};

}  // namespace vw
