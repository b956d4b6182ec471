// Functions shared by the rules that couple flocks with other systems. They compute the region that members perceive,
// the positions of systems and elements that are goals, and the collision impulse on a member that hits an obstacle.
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
/// Returns the parameter table of a rule that couples a flock with solid objects. `what` is inserted into the
/// descriptions of the parameters as the name of these objects.
[[nodiscard]] ParamTable<FrightParams> fright_table(const std::string& what);

/// Acceleration that the contact search assumes for flock members and for the objects they may hit [m/s^2].
inline constexpr double foreseen_mps2 = 200;

/// Returns a box around the flock that contains all objects that may affect a member within the next step. The box is
/// empty if the flock has no members.
[[nodiscard]] Box3 minded_by(const FlockSystem& flock, double fright_reach_m);

/// Passes the positions of those elements of `other` that are goals to the flock. The goal "NAME" is the entire system
/// `other`. The goal "NAME.ELEMENT" is one element, given by its name in `names` or else by its id. `age` is the time
/// since the last substep of `other` [s].
void offer_marks(FlockSystem& flock, const System& other, double age, const std::vector<std::string_view>& names = {});

/// Contact of a pair along its normal.
struct Blow {
  double gap_m = 0;         ///< Present gap [m]. A negative gap is an overlap.
  double speed_mps = 0;     ///< Relative velocity along the normal [m/s]. If it is positive, the gap grows.
  double inverse_mass = 1;  ///< Inverse effective mass of the pair [1/kg].
};
/// Returns the impulse [N s] that changes the relative velocity of a pair. With `restitution` > 0, the pair separates
/// at `restitution` times the approach speed. Otherwise, the gap just closes within `dt` [s]. Returns 0 if the pair
/// does not touch within `dt`.
[[nodiscard]] inline double impulse_of(const Blow& blow, double dt, double restitution) {
  const double room = std::max(0.0, blow.gap_m) / dt;
  if (blow.speed_mps >= -room) return 0;
  const double parts = restitution > 0 ? -restitution * blow.speed_mps : -room;
  return (parts - blow.speed_mps) / blow.inverse_mass;
}

}  // namespace vw
