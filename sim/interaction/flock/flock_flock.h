// Coupling of two flocks: their members avoid each other, one flock may hunt the other, and goals may follow members of
// the other flock.
#pragma once

#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/interaction/flock/flock_side.h"

namespace vw {

enum class Hunter { none, a, b };
struct FlockFlockParams : RuleParams {
  Hunter hunter = Hunter::none;
  bool eats = false;
};
[[nodiscard]] const ParamTable<FlockFlockParams>& flock_flock_params();

/// At the start of a flock's substep, the rule passes the nearby members of the other flock to the flock's steering, as
/// spheres to avoid, as hunters, or as prey. The flock reacts with the reach and weights of its own species. Members
/// exert no forces on each other.
class FlockFlock final : public RuleOf<FlockFlockParams> {
 public:
  explicit FlockFlock(const Node& self) : RuleOf(flock_flock_params(), self) {}

  void prepare(System& a, System& b, const PairContext& context) override;
  void apply(System& a, System& b, const PairContext& context) override;

 private:
  enum class Role { equal, hunts, hunted };
  [[nodiscard]] Role role_of(const System& flock, const System& other, bool first) const;
  void tell(FlockSystem& flock, const FlockSystem& other, double age, Role role) const;
  void eat(const FlockSystem& hunters, FlockSystem& hunted);

  CellGrid grid_;
  std::vector<std::uint32_t> eaten_;
};

[[nodiscard]] const Schema& flock_flock_schema();

}  // namespace vw
