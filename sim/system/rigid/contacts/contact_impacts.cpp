// Propagation of impacts through bodies in contact, as in Newton's cradle. Impacts are resolved as a sequence of
// stages. In each stage, all approaching contacts bounce at once by Newton's law of restitution, as if there were no
// other contacts. The contacts that approach afterwards form the next stage. Impacts on jointed bodies whose velocities
// and positions belong to the same time (joint_energy.cpp) are resolved here too, before the first half of the gravity
// impulse.
#include <algorithm>
#include <cmath>

#include "sim/system/rigid/contacts/contact_rounds.h"

namespace vw {
namespace {

constexpr int most_stages = 100;
/// Largest number of sweeps over the contacts of one stage. Convergence is slow if the four contact points of a flat
/// patch share an impulse.
constexpr int most_sweeps = 400;
/// A stage has converged if velocities change by less than this fraction of the approach speed.
constexpr double found_share = 1e-9;
/// Islands with more contacts than this are treated as piles: the impact stages are skipped, and all contacts bounce at
/// once in the contact solver.
constexpr std::size_t most_rows = 600;
/// Largest number of updates that the impacts of one island may take in a substep. An update changes the velocities at
/// one contact. A projection onto the joints counts as eight updates per body. If lossless bodies are wedged in a
/// narrow hollow, every stage causes another stage, and each stage converges slowly. Once the limit is reached,
/// contacts that still approach do not bounce, which dissipates energy. Newton's cradle takes less than a thousandth of
/// this number.
constexpr std::size_t most_updates = 100'000;
constexpr std::size_t updates_per_jointed_body = 8;

}  // namespace

/// Impacts of one island. The stages change the velocities at the start of the substep. At the end, the velocity
/// changes are added to the current velocities.
class ContactRounds::Impacts {
 public:
  Impacts(ContactRounds& rounds, const RigidScene& scene, std::span<const std::uint32_t> bodies,
          std::span<RigidContact> contacts, std::span<const std::uint32_t> order)
      : rounds_(rounds),
        scene_(scene),
        bodies_(bodies),
        contacts_(contacts),
        order_(order),
        motion_{scene.velocity_then, scene.spin_then} {}

  /// Finds the elastic contacts (coefficient of restitution above 0) that approach faster than `slowest_bounce_mps` and
  /// whose gap closes within this substep. Returns the largest approach speed of these contacts [m/s].
  double find() {
    hits_.clear();
    double fastest = 0;
    for (const std::uint32_t k : order_) {
      const RigidContact& c = contacts_[k];
      const double then = approach(c, motion_);
      if (!(c.pair.restitution > 0) || !(then < -scene_.slowest_bounce_mps) || c.gap + scene_.dt * approach_now(c) > 0)
        continue;
      hits_.push_back(k);
      fastest = std::max(fastest, -then);
    }
    return fastest;
  }

  /// Returns whether one of the bodies of the contacts in hits_ has another elastic contact: one with the same partner,
  /// or one that may close within this substep. `fastest` is the largest approach speed of the contacts in hits_ [m/s].
  [[nodiscard]] bool goes_on(double fastest) const {
    for (const std::uint32_t k : order_) {
      const RigidContact& c = contacts_[k];
      if (!(c.pair.restitution > 0) || std::find(hits_.begin(), hits_.end(), k) != hits_.end()) continue;
      for (const std::uint32_t h : hits_) {
        const RigidContact& hit = contacts_[h];
        const bool is_same_pair = c.a == hit.a && c.b == hit.b && c.other == hit.other;
        const auto is_of = [&](std::size_t body) { return body != no_body && (body == hit.a || body == hit.b); };
        if ((is_of(c.a) || is_of(c.b)) && (is_same_pair || c.gap <= scene_.dt * fastest)) return true;
      }
    }
    return false;
  }

  /// Returns whether a contact in hits_ involves a jointed body whose velocity and position belong to the same time.
  /// Such a body must bounce before the first half of the gravity impulse, so that its energy is conserved.
  [[nodiscard]] bool is_synchronous(const RigidJoints& joints) const {
    return std::any_of(hits_.begin(), hits_.end(),
                       [&](std::uint32_t k) { return joints.is_synchronous(contacts_[k]); });
  }

  void run(std::span<const std::uint32_t> groups, RigidJoints& joints) {
    double fastest = find();
    if (hits_.empty() || !(goes_on(fastest) || is_synchronous(joints))) return;
    for (const std::uint32_t body : bodies_)
      velocity_before_.push_back(motion_.velocity[body]), spin_before_.push_back(motion_.spin[body]);
    for (const std::uint32_t group : groups) joints.begin_impact(scene_, group);
    for (int stage = 0; stage < most_stages && !hits_.empty(); ++stage, fastest = find()) {
      const bool is_last = is_spent();
      bounce(fastest, groups, joints);
      if (is_last) break;
    }
    Elements& rows = *scene_.rows;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const std::uint32_t body = bodies_[i];
      rows.velocity[body] += motion_.velocity[body] - velocity_before_[i];
      // If no other impulse has changed the angular velocity of the body, the result is assigned instead of adding the
      // change. This avoids a rounding error. A group of bodies counts as conservative only if its angular velocities
      // are exactly equal to the angular velocities at the start of the substep.
      if (rows.angular_velocity[body] == spin_before_[i])
        rows.angular_velocity[body] = motion_.spin[body];
      else
        rows.angular_velocity[body] += motion_.spin[body] - spin_before_[i];
    }
  }

 private:
  [[nodiscard]] double approach(const RigidContact& c, const Motion& motion) const {
    const std::vector<Vec3>& at = scene_.rows->position;
    Vec3 v = motion.velocity[c.a] + motion.spin[c.a].cross(c.point - at[c.a]) - c.surface_velocity;
    if (c.b != no_body) v -= motion.velocity[c.b] + motion.spin[c.b].cross(c.point - at[c.b]);
    return v.dot(c.normal);
  }
  /// Returns the current normal velocity of a contact [m/s], including the impulses of this substep and of the impact
  /// stages so far.
  [[nodiscard]] double approach_now(const RigidContact& c) const {
    const double now = approach(c, {scene_.rows->velocity, scene_.rows->angular_velocity});
    return velocity_before_.empty() ? now : now + approach(c, motion_) - approach_before(c);
  }
  [[nodiscard]] double approach_before(const RigidContact& c) const {
    const std::vector<Vec3>& at = scene_.rows->position;
    const auto of = [&](std::size_t body) -> Vec3 {
      const auto i = static_cast<std::size_t>(std::lower_bound(bodies_.begin(), bodies_.end(), body) - bodies_.begin());
      return velocity_before_[i] + spin_before_[i].cross(c.point - at[body]);
    };
    Vec3 v = of(c.a) - c.surface_velocity;
    if (c.b != no_body) v -= of(c.b);
    return v.dot(c.normal);
  }

  [[nodiscard]] double kinetic_j() const {
    double sum = 0;
    for (const std::uint32_t body : bodies_) {
      const RigidBody& it = scene_.bodies[body];
      const Vec3& spin = motion_.spin[body];
      sum += 0.5 * (it.mass_kg * motion_.velocity[body].squaredNorm() +
                    spin.dot(it.inertia.tensor(scene_.rows->orientation[body]) * spin));
    }
    return sum;
  }
  [[nodiscard]] bool is_spent() const { return updates_ > most_updates; }
  void restore(std::span<const Vec3> velocity, std::span<const Vec3> spin) {
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      motion_.velocity[bodies_[i]] = velocity[i], motion_.spin[bodies_[i]] = spin[i];
  }

  /// Resolves one stage. Newton's law with friction may add energy (Kane & Levinson 1985, "Dynamics: Theory and
  /// Applications"). Sweeps that have not converged may add energy too. If the bodies gain energy although no obstacle
  /// in the stage moves, they bounce with the largest fraction of their coefficients of restitution that adds no
  /// energy. Once most_updates are spent, the bodies do not bounce at all.
  void bounce(double fastest, std::span<const std::uint32_t> groups, RigidJoints& joints) {
    constexpr double rounding = 1e-9;
    constexpr int halvings = 12;
    const auto is_still = [&](std::uint32_t k) { return contacts_[k].surface_velocity.isZero(0); };
    const bool is_bounded = std::all_of(hits_.begin(), hits_.end(), is_still);
    std::vector<Vec3> velocity, spin;
    double most = 0;
    if (is_bounded) {
      for (const std::uint32_t body : bodies_)
        velocity.push_back(motion_.velocity[body]), spin.push_back(motion_.spin[body]);
      most = (1 + rounding) * kinetic_j();
    }
    bounce_by(is_spent() ? 0 : 1, fastest, groups, joints);
    if (is_bounded && kinetic_j() > most) {
      double share = 0;
      for (double step = 0.5; step > std::ldexp(0.75, -halvings) && !is_spent(); step *= 0.5) {
        restore(velocity, spin);
        bounce_by(share + step, fastest, groups, joints);
        if (kinetic_j() <= most) share += step;
      }
      restore(velocity, spin);
      bounce_by(share, fastest, groups, joints);
    }
    for (std::size_t i = 0; i < hits_.size(); ++i) {
      RigidContact& contact = contacts_[hits_[i]];
      contact.impact_impulse += rows_[i].press * rows_[i].normal + rows_[i].friction;
      contact.has_bounced = true;
    }
  }

  /// Applies Newton's law to all contacts of the stage at once, together with the joint constraints. The coefficients
  /// of restitution are multiplied by `share`.
  void bounce_by(double share, double fastest, std::span<const std::uint32_t> groups, RigidJoints& joints) {
    rows_.clear();
    for (const std::uint32_t k : hits_) {
      Row row = rounds_.row_of(scene_, joints, contacts_[k]);
      row.press = 0, row.friction.setZero();
      row.wanted = -share * contacts_[k].pair.restitution * approach(contacts_[k], motion_);
      rows_.push_back(row);
    }
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      double most = 0;
      for (Row& row : rows_) most = std::max(most, rounds_.work(row, motion_));
      for (const std::uint32_t group : groups)
        most = std::max(most, joints.project_impact(scene_, group, motion_.velocity, motion_.spin));
      updates_ += rows_.size() + (groups.empty() ? 0 : updates_per_jointed_body * bodies_.size());
      if (most < found_share * fastest) break;
    }
  }

  ContactRounds& rounds_;
  const RigidScene& scene_;
  std::span<const std::uint32_t> bodies_;
  std::span<RigidContact> contacts_;
  std::span<const std::uint32_t> order_;
  Motion motion_;
  std::vector<std::uint32_t> hits_;
  std::vector<Row> rows_;
  std::size_t updates_ = 0;
  std::vector<Vec3> velocity_before_, spin_before_;
};

void ContactRounds::resolve_impacts(const RigidScene& scene, const Islands& islands, std::size_t island,
                                    RigidJoints& joints, std::span<RigidContact> contacts) {
  const Range part = islands.contacts_of(island);
  if (part.size() < (islands.groups(island).empty() ? 2 : 1) || part.size() > most_rows) return;
  Impacts impacts(*this, scene, islands.bodies(island), contacts, std::span(order_).subspan(part.begin, part.size()));
  impacts.run(islands.groups(island), joints);
}

}  // namespace vw
