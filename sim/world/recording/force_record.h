// Records the mean forces that rules exert on the elements of both sides over a world step. The forces are computed
// from the impulses before and after each evaluation of a rule. They are for display: only requested rules are
// recorded, and the state is not changed. Some systems compute the forces of a rule on the other system within their
// own solver; these forces are not recorded. For rules between a fluid and a body, only the forces on the body are
// therefore complete.
#pragma once

#include <string>
#include <vector>

#include "sim/world/parts.h"

namespace vw {

class ForceRecord {
 public:
  /// Requests the forces of all rules whose nodes in the scene have one of these names. The forces are recorded from
  /// the next step on.
  void ask(std::vector<std::string> nodes);
  [[nodiscard]] const std::vector<std::string>& asked() const { return asked_; }
  void forget();

  void begin_step(const WorldParts& parts);
  /// before() and after() must be called before and after each evaluation of rule number `rule`.
  void before(const WorldParts& parts, std::size_t rule);
  void after(const WorldParts& parts, std::size_t rule);

  /// Writes a RuleSnapshot for every rule of the world. The recorded forces are means over the last step of `dt` [s].
  void write(const WorldParts& parts, double dt, std::vector<RuleSnapshot>& out) const;

 private:
  /// Impulses on the elements of one side of a rule, and the elements' ids at the last evaluation.
  struct Side {
    std::vector<std::uint32_t> id;
    std::vector<Vec3> impulse;
    bool any = false;  ///< whether the rule was evaluated in this step

    void add(const Elements& elements, const std::vector<Vec3>& before);
    /// Writes the mean force over `dt` [s] on each element, in the present order of the elements.
    void mean(const Elements& elements, double dt, std::vector<Vec3f>& out) const;
  };
  struct Measured {
    bool wanted = false;
    Side a, b;
  };

  std::vector<std::string> asked_;
  std::vector<Measured> rules_;  ///< one entry for each rule
  std::vector<Vec3> before_a_, before_b_;
};

}  // namespace vw
