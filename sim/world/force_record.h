// What rules give the elements of both their sides over a world step: the difference of the impulses before and after each evaluation. For pictures;
// only rules that were asked for are measured, and nothing is changed by it. What a side hands to its partner by its own solve is not seen there: of
// fluid and body, the body's side tells.
#pragma once

#include <string>
#include <vector>

#include "sim/world/parts.h"

namespace vw {

class ForceRecord {
 public:
  /// Measures the rules of these nodes from the next step on.
  void ask(std::vector<std::string> nodes);
  [[nodiscard]] const std::vector<std::string>& asked() const { return asked_; }
  void forget();

  void begin_step(const WorldParts& parts);
  /// Around each evaluation of rule number `rule`.
  void before(const WorldParts& parts, std::size_t rule);
  void after(const WorldParts& parts, std::size_t rule);

  /// All rules of the world, with the forces of those that were measured: means over the last step, of `dt` [s].
  void write(const WorldParts& parts, double dt, std::vector<RuleSnapshot>& out) const;

 private:
  /// Of a side's elements as they were at its last evaluation.
  struct Side {
    std::vector<std::uint32_t> id;
    std::vector<Vec3> impulse;
    bool any = false;  ///< in this step

    void add(const Elements& elements, const std::vector<Vec3>& before);
    /// The mean over dt by the elements as they are now.
    void mean(const Elements& elements, double dt, std::vector<Vec3f>& out) const;
  };
  struct Measured {
    bool wanted = false;
    Side a, b;
  };

  std::vector<std::string> asked_;
  std::vector<Measured> rules_;  ///< by rule
  std::vector<Vec3> before_a_, before_b_;
};

}  // namespace vw
