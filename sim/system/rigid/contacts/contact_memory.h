// Warm start of the contact solver: the contact forces of the last substep are the initial values of the next substep,
// so that bodies at rest need few iterations. The forces are part of the saved state.
#pragma once

#include <span>
#include <vector>

#include "sim/base/data/state.h"
#include "sim/system/rigid/contacts/rigid_contact.h"

namespace vw {

class ContactMemory {
 public:
  static constexpr std::uint32_t no_mark = 0xffffffff;

  /// Stores the forces of the contacts that press. `contacts` must be sorted by `a` and `other`. The new rows replace
  /// all stored rows of awake bodies.
  void keep(std::span<const RigidContact> contacts, const RigidScene& scene);
  /// Initializes the contacts of one pair with the forces of the nearest stored contact points of that pair.
  void recall(std::span<RigidContact> pair, const RigidScene& scene) const;
  /// Moves the rows of bodies that fell asleep from awake_ to asleep_, and the rows of bodies that woke from asleep_ to
  /// awake_.
  void sort_out(const RigidScene& scene);
  /// Sets Rows::mark, the index of a contact's display record, to no_mark in every row. Call at the start of a world
  /// step, when the display records are deleted.
  void forget_marks();
  /// Number of contacts of awake bodies that pressed in the last substep. The number follows from the saved state, so a
  /// resumed world has the same number.
  [[nodiscard]] std::size_t awake_contacts() const { return awake_.a.size(); }
  /// Calls visit(a, other, contact point in a's frame, force on a [N]) for each contact of sleeping bodies.
  template <class F>
  void each_asleep(F visit) const {
    for (std::size_t i = 0; i < asleep_.a.size(); ++i)
      visit(asleep_.a[i], asleep_.other[i], asleep_.place[i], asleep_.force[i]);
  }

  /// Calls visit(a, other) for each contact of awake and sleeping bodies.
  template <class F>
  void each_pair(F visit) const {
    for (const Rows* rows : {&awake_, &asleep_})
      for (std::size_t i = 0; i < rows->a.size(); ++i) visit(rows->a[i], rows->other[i]);
  }

  /// Takes over the rows of another system's memory, all as rows of awake bodies. Body i of that system is body now[i],
  /// or is gone if now[i] is -1. Call state_restored() afterwards.
  void take_over(const ContactMemory& former, std::span<const std::int64_t> now);
  /// Replaces the index i of each obstacle by now[i]. Removes the rows of obstacles for which now[i] is
  /// System::no_collider. Call state_restored() afterwards.
  void renumber_obstacles(std::span<const std::size_t> now);

  void visit_state(StateVisitor& visit);
  /// Returns a description of the first fault in rows read from a file, or an empty string if there is none.
  [[nodiscard]] std::string problem(std::size_t bodies) const;
  void state_restored(std::size_t bodies);

 private:
  struct Rows {
    std::vector<std::uint32_t> a, other;
    std::vector<Vec3> place;  ///< Contact point in a's frame, relative to its centre of mass [m].
    std::vector<Vec3> force;  ///< Force on a [N].
    std::vector<std::uint32_t> mark;
    void clear();
    void add(const Rows& from, std::size_t i);
    void visit_state(StateVisitor& visit, const char* prefix);
  };
  void find_first(std::size_t bodies);
  void order_all();

  Rows awake_, asleep_;
  Rows all_;                        // Scratch.
  std::vector<std::size_t> order_;  // Scratch.
  /// For each body: index of its first row in awake_. One more entry marks the end.
  std::vector<std::size_t> first_;
};

}  // namespace vw
