// Discrete contact law. Forces use the mean of the velocities before and after a step, so the scheme is of second order
// in w dt (w: angular frequency of the contact). In the substep in which a contact begins, forces act only for the time
// since the first touch.
#include "sim/interaction/particles/grain_contact.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/collision/contact/response.h"

namespace vw {
namespace {

/// Impulse of the spring and duration of the dashpot along the normal, in the present substep.
struct Squeeze {
  double spring_ns = 0;  ///< Impulse of the spring [N s].
  double damped_s = 0;   ///< Time for which the dashpot acts [s].
  double since_s = 0;    ///< Time since the last evaluation, or since the contact began if that is later [s].
};

/// Returns the result of the first evaluation of a contact. The overlap consists of two parts. The first part arose
/// within the last dt, at the approach speed |v_n|, while no contact force acted. The second part existed before and is
/// not resisted (`give_m`). With the present time t = 0, this evaluation covers the window [-dt/2, dt/2], and the
/// contact began at the time -tau. For the impulse of the spring, the depth is assumed to grow at the speed |v_n| from
/// then on.
Squeeze begin(const GrainLaw& law, const GrainPair& pair, double dt, GrainTouch& touch) {
  const double approach = std::max(0.0, -pair.velocity.dot(pair.normal));
  const double explained = std::min(pair.depth, approach * dt * (1 + 1e-6));
  touch = {};
  touch.touching = true;
  touch.give_m = pair.depth - explained;
  if (explained <= 0) return {0, dt, 0};
  const double tau = std::min(dt, explained / approach), window = tau + 0.5 * dt;
  return {0.5 * law.stiffness_npm * approach * window * window, window, tau};
}

/// Rotates the tangential spring with the contact normal, and extends it by the tangential motion in the time `span_s`.
void carry_slip(const Vec3& normal, const Vec3& tangential, double span_s, Vec3& slip) {
  const Vec3 across = slip - slip.dot(normal) * normal;
  const double before = slip.norm(), after = across.norm();
  slip = after > 0.5 * before ? Vec3(before / after * across) : across;
  slip += span_s * tangential;
}

/// Returns the change of the relative velocity in the last substep by causes other than this contact (weight, floor,
/// other grains). A dashpot needs the velocity in the middle of the substep, which depends on this change. If the
/// change were ignored, the dashpot of a contact at rest would act on a motion that does not exist, and the springs
/// under a weight would be compressed too far. At rest, the change balances the impulse of the spring. A larger change
/// results from an impact that is already over, so the result is limited to that impulse.
Vec3 from_elsewhere(const GrainPair& pair, const GrainTouch& touch, double spring_ns) {
  Vec3 own = touch.impulse / pair.mass_kg;
  if (pair.tangential_kg > 0)
    own += (1 / pair.tangential_kg - 1 / pair.mass_kg) * (touch.impulse - touch.impulse.dot(pair.normal) * pair.normal);
  const Vec3 change = pair.velocity - touch.velocity - own;
  const double size = change.norm(), most = spring_ns / pair.mass_kg;
  return size > most ? Vec3(most / size * change) : change;
}

/// Returns the tangential impulse of a contact. The friction cone limits the extension of the spring. `middle` is the
/// tangential velocity in the middle of the step, without this impulse.
Vec3 shear(const GrainLaw& law, const GrainPair& pair, const Vec3& middle, double normal_ns, double damper, double dt,
           GrainTouch& touch) {
  const double mass = pair.tangential_kg > 0 ? pair.tangential_kg : pair.mass_kg;
  Vec3 impulse = -dt / (1 + 0.5 * damper * dt / mass) * (law.shear_npm * touch.slip + damper * middle);
  // A sliding contact keeps sliding until dynamic friction can stop it. A sticking contact sticks until the tangential
  // impulse exceeds static friction.
  const double holds = touch.sliding ? law.mu_dynamic : std::max(law.mu_static, law.mu_dynamic);
  const double share = friction_factor(impulse.norm(), normal_ns, holds, law.mu_dynamic);
  touch.sliding = share < 1;
  if (!touch.sliding) return impulse;
  impulse *= share;
  // Friction limits the extension of the spring (Cundall & Strack 1979).
  touch.slip = -1 / (law.shear_npm * dt) * impulse;
  return impulse;
}

/// Returns the impulse that removes excess energy when a contact ends. A contact may have added energy to the pair,
/// because its start and end were rounded to substeps, or because an initial overlap was released.
Vec3 settle_work(const GrainPair& pair, double work_j) {
  const double leaves = pair.velocity.dot(pair.normal);
  if (!(work_j > 0) || !(leaves > 0)) return Vec3::Zero();
  // The new separation speed v' follows from m (v^2 - v'^2) / 2 = work.
  const double kept = std::sqrt(std::max(0.0, leaves * leaves - 2 * work_j / pair.mass_kg));
  return -pair.mass_kg * (leaves - kept) * pair.normal;
}

}  // namespace

void GrainLaw::set_stiffness(double npm, double shear_ratio) {
  stiffness_npm = npm, shear_npm = shear_ratio * npm;
  root_stiffness = std::sqrt(stiffness_npm), root_shear = std::sqrt(shear_npm);
}

double restitution_of(double zeta) {
  const double z2 = zeta * zeta;
  if (std::abs(z2 - 1) < 1e-9) return elementary::exp(-2.0);
  if (z2 > 1) {
    const double s = std::sqrt(z2 - 1);
    return elementary::exp(-zeta / s * elementary::log((zeta + s) / (zeta - s)));
  }
  const double s = std::sqrt(1 - z2);
  const double turned =
      z2 < 0.5 ? pi - elementary::atan2(2 * zeta * s, 1 - 2 * z2) : elementary::atan2(2 * zeta * s, 2 * z2 - 1);
  return elementary::exp(-zeta / s * turned);
}

double damping_ratio_of(double restitution) {
  if (restitution >= 1) return 0;
  const double wanted = std::max(restitution, 0.05);
  double low = 0, high = 2;  // restitution_of(2) = 0.048 is below the smallest `wanted`.
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (restitution_of(middle) > wanted ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

void press(const GrainLaw& law, const GrainPair& pair, double dt, double relax, GrainTouch& touch) {
  const bool before = touch.touching;
  if (before) touch.work_j += 0.5 * touch.impulse.dot(pair.velocity);
  if (!(pair.depth > 0)) {
    const Vec3 last = before ? settle_work(pair, touch.work_j) : Vec3(Vec3::Zero());
    touch = {};
    touch.impulse = last;
    return;
  }
  if (before) touch.give_m = std::min(relax * touch.give_m, pair.depth);
  Squeeze squeeze{law.stiffness_npm * (pair.depth - touch.give_m) * dt, dt, dt};
  if (!before) squeeze = begin(law, pair, dt, touch);
  const double v_n = pair.velocity.dot(pair.normal);
  const Vec3 tangential = pair.velocity - v_n * pair.normal;
  // The constant of a dashpot is `root` times the square root of the constant of its spring.
  const double root = 2 * law.zeta * std::sqrt(pair.mass_kg);
  const double damper = root * law.root_stiffness * squeeze.damped_s;
  const Vec3 other = before ? from_elsewhere(pair, touch, squeeze.spring_ns) : Vec3(Vec3::Zero());
  const double other_n = other.dot(pair.normal);
  const double normal_ns =
      std::max(0.0, (squeeze.spring_ns - damper * (v_n + 0.5 * other_n)) / (1 + 0.5 * damper / pair.mass_kg));
  carry_slip(pair.normal, tangential, squeeze.since_s, touch.slip);
  const Vec3 middle = tangential + 0.5 * (other - other_n * pair.normal);
  const double turn_root = pair.tangential_kg > 0 ? 2 * law.zeta * std::sqrt(pair.tangential_kg) : root;
  touch.impulse = normal_ns * pair.normal + shear(law, pair, middle, normal_ns, turn_root * law.root_shear, dt, touch);
  touch.velocity = pair.velocity;
  touch.work_j += 0.5 * touch.impulse.dot(pair.velocity);
}

}  // namespace vw
