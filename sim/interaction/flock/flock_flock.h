// Coupling of two flocks. Members of the two flocks avoid each other. One flock may hunt the other, and a goal of one
// flock may follow members of the other.
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

/// At the start of a flock's substep, the rule passes the nearby members of the other flock to the steering: as spheres
/// to avoid, as hunters, or as prey. The flock reacts according to the parameters of its own species. No forces act
/// between members.
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
