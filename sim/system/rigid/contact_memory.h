// What contacts bore in the last substep: the next one begins with it, so that what stands needs a few rounds alone. It is state.
#pragma once

#include <span>
#include <vector>

#include "sim/base/state.h"
#include "sim/system/rigid/rigid_contact.h"

namespace vw {

class ContactMemory {
 public:
  static constexpr std::uint32_t no_mark = 0xffffffff;

  /// What contacts bore that are now sorted by `a` and `other`, in place of what was known of bodies that are awake.
  void keep(std::span<const RigidContact> contacts, const RigidScene& scene);
  /// Contacts of one pair begin with what the nearest places of theirs bore.
  void recall(std::span<RigidContact> pair, const RigidScene& scene) const;
  /// After bodies fell asleep or woke: their rows go where they belong.
  void sort_out(const RigidScene& scene);
  /// At the start of a world step: no row has a mark.
  void forget_marks();
  /// Calls visit(a, other, place in a's frame, force [N] on a) for each contact among those that sleep.
  template <class F>
  void each_asleep(F visit) const {
    for (std::size_t i = 0; i < asleep_.a.size(); ++i) visit(asleep_.a[i], asleep_.other[i], asleep_.place[i], asleep_.force[i]);
  }

  void visit_state(StateVisitor& visit);
  /// What is wrong with rows that a file gave.
  [[nodiscard]] std::string problem(std::size_t bodies) const;
  void state_restored(std::size_t bodies);

 private:
  struct Rows {
    std::vector<std::uint32_t> a, other;
    std::vector<Vec3> place;  ///< in a's frame, from its centre of mass
    std::vector<Vec3> force;  ///< on a [N]
    std::vector<std::uint32_t> mark;
    void clear();
    void add(const Rows& from, std::size_t i);
    void visit_state(StateVisitor& visit, const char* prefix);
  };
  void find_first(std::size_t bodies);

  Rows awake_, asleep_;
  Rows all_;                        // scratch
  std::vector<std::size_t> order_;  // scratch
  std::vector<std::size_t> first_;  ///< row of awake_ of each body, and the end
};

}  // namespace vw
