// What the rules of flocks with others share: how far members mind what is no member, what frightens them, the places that goals name, and the
// blow of a member that cannot get out of the way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/collision/shape/shape.h"
#include "sim/interaction/rule.h"
#include "sim/system/flock/flock.h"

namespace vw {

/// Of rules that bring something solid to a flock.
struct FrightParams : RuleParams {
  double fright_reach_m = 0.6;
  double fright_speed_mps = 0.5;
  double restitution = 0.1;
};
/// `what`: what the other side is called in the documents.
[[nodiscard]] ParamTable<FrightParams> fright_table(const std::string& what);

/// Speed-up of either side within a substep that touches are foreseen with [m/s^2].
inline constexpr double foreseen_mps2 = 200;

/// A box about the members that holds whatever may matter to any of them within the next step; empty without members.
[[nodiscard]] Box3 minded_by(const FlockSystem& flock, double fright_reach_m);

/// Tells the flock where those bodies of `other` are that its goals name: "NAME", the whole; "NAME.ELEMENT", one by its name of `names`, or else by
/// its lasting number. `age`: time since the rows of `other` were valid [s].
void offer_marks(FlockSystem& flock, const System& other, double age, const std::vector<std::string_view>& names = {});

/// Two that come to touch: what one is hit with along the normal so that they arrive with no more than the room between them, or part with
/// `restitution` of the speed at which they met.
struct Blow {
  double gap_m = 0;         ///< now; negative: they overlap
  double speed_mps = 0;     ///< along the normal, at which the gap grows
  double inverse_mass = 1;  ///< of the two together [1/kg]
};
[[nodiscard]] inline double impulse_of(const Blow& blow, double dt, double restitution) {
  const double room = std::max(0.0, blow.gap_m) / dt;
  if (blow.speed_mps >= -room) return 0;
  const double parts = restitution > 0 ? -restitution * blow.speed_mps : -room;
  return (parts - blow.speed_mps) / blow.inverse_mass;
}

}  // namespace vw
