// Shared by the rules that couple flocks with other systems: the region that members perceive, the threats that they
// flee from, the positions that goals name, and the collision impulse on a member that cannot avoid an obstacle.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/collision/shape/shape.h"
#include "sim/interaction/rule.h"
#include "sim/system/flock/flock.h"

namespace vw {

/// Parameters of rules that couple a flock with solid objects.
struct FrightParams : RuleParams {
  double fright_reach_m = 0.6;
  double fright_speed_mps = 0.5;
  double restitution = 0.1;
};
/// `what`: name of the other side in the documentation.
[[nodiscard]] ParamTable<FrightParams> fright_table(const std::string& what);

/// Acceleration of either side within a substep that the contact search allows for [m/s^2].
inline constexpr double foreseen_mps2 = 200;

/// Box around the members that contains everything that may affect any of them within the next step. Empty if the flock
/// has no members.
[[nodiscard]] Box3 minded_by(const FlockSystem& flock, double fright_reach_m);

/// Passes to the flock the positions of those bodies of `other` that its goals name. "NAME" is the whole system.
/// "NAME.ELEMENT" is one element, by its name in `names`, or otherwise by its identity number. `age`: time since the
/// rows of `other` were valid [s].
void offer_marks(FlockSystem& flock, const System& other, double age, const std::vector<std::string_view>& names = {});

/// Contact of a pair along its normal. impulse_of() returns the impulse [N s] after which the pair approaches no
/// further than its gap allows, or separates with `restitution` times the approach speed. It is 0 if the pair does not
/// touch within `dt`.
struct Blow {
  double gap_m = 0;         ///< Present gap; negative: overlap.
  double speed_mps = 0;     ///< Relative velocity along the normal; positive: the gap grows.
  double inverse_mass = 1;  ///< Inverse effective mass of the pair [1/kg].
};
[[nodiscard]] inline double impulse_of(const Blow& blow, double dt, double restitution) {
  const double room = std::max(0.0, blow.gap_m) / dt;
  if (blow.speed_mps >= -room) return 0;
  const double parts = restitution > 0 ? -restitution * blow.speed_mps : -room;
  return (parts - blow.speed_mps) / blow.inverse_mass;
}

}  // namespace vw
