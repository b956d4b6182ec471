// Two flocks: their members keep clear of each other, one may hunt the other, and goals may follow the other's members.
#pragma once

#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/interaction/flock_side.h"

namespace vw {

enum class Hunter { none, a, b };
struct FlockFlockParams : RuleParams {
  Hunter hunter = Hunter::none;
  bool eats = false;
};
[[nodiscard]] const ParamTable<FlockFlockParams>& flock_flock_params();

/// As a flock's substep begins it is told those of the other that are about it: as balls to keep clear of, or as what hunts it or is hunted. What
/// follows from that is steering, by its species' own reach and weights: members push themselves, not each other.
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
