#include "sim/system/rigid/rigid_contact.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

constexpr double same_way = 0.95;         ///< cosine between normals of one patch
constexpr std::size_t most_of_patch = 4;  ///< contacts that hold a flat patch as well as all of them
constexpr double settled_share = 5e-4;    ///< depth of a body's reach that is left alone
constexpr double settled_mps = 1e-7;      ///< impulses that change less are found
constexpr double push_share = 0.25;       ///< of the rest that a substep takes away

Vec3 to_world(const Pose& pose, const Vec3& local) { return pose.position + pose.orientation * local; }
Vec3 to_local(const Pose& pose, const Vec3& world) { return pose.orientation.conjugate() * (world - pose.position); }

SurfaceQuery in_world(const SurfaceQuery& there, const Pose& pose) { return {there.distance, pose.orientation * there.normal}; }

/// What a feeler finds.
struct Felt {
  Vec3 normal{0, 1, 0};
  double gap = 0;
};
/// Where a corner lies on the edge of what it feels, the nearest face is anyone's guess: there the normal is asked for a little further into the body
/// that feels, whose middle is `middle`. `ask`: distance and normal at a place.
template <class Ask>
Felt feel(const Ask& ask, const Vec3& point, double radius, const Vec3& middle, double little) {
  const SurfaceQuery there = ask(point);
  if (radius > 0 || std::abs(there.distance) > little) return {there.normal, there.distance - radius};
  const Vec3 inward = little * (middle - point).normalized();
  const SurfaceQuery inner = ask(point + inward);
  if (!(inner.distance > 0)) return {there.normal, there.distance};
  return {inner.normal, inner.distance - inner.normal.dot(inward)};
}

constexpr double little_share = 0.02;  ///< of a body's reach: how far that is

}  // namespace

void RigidContacts::prepare(std::span<const RigidBody> bodies) {
  feelers_.clear();
  first_feeler_.assign(1, 0);
  for (const RigidBody& body : bodies) {
    add_feelers(body.shape, feelers_);
    first_feeler_.push_back(feelers_.size());
  }
}

/// How far a body may come in the substep, and a little more.
double RigidContacts::margin_of(const RigidScene& scene, std::size_t body) const {
  const Elements& rows = *scene.rows;
  const double reach = scene.bodies[body].reach_m;
  return scene.dt * (rows.velocity[body].norm() + reach * rows.angular_velocity[body].norm()) + 0.01 * reach;
}

void RigidContacts::find(const RigidScene& scene) {
  contacts_.clear();
  const Elements& rows = *scene.rows;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    for (const Collider& collider : scene.colliders) meet_collider(scene, i, collider);
    for (std::size_t j = i + 1; j < scene.bodies.size(); ++j) {
      const double reach = scene.bodies[i].reach_m + scene.bodies[j].reach_m + margin_of(scene, i) + margin_of(scene, j);
      if ((rows.position[i] - rows.position[j]).squaredNorm() <= reach * reach) meet_body(scene, i, j);
    }
  }
}

void RigidContacts::meet_collider(const RigidScene& scene, std::size_t body, const Collider& collider) {
  const RigidBody& self = scene.bodies[body];
  const Vec3& x = scene.rows->position[body];
  const double speed = collider.velocity_at(x).norm() + collider.angular_velocity.norm() * self.reach_m;
  const double margin = margin_of(scene, body) + scene.dt * speed;
  if (!comes_within(collider, x, self.reach_m + margin)) return;
  const Pose pose = self.shape_at(x, scene.rows->orientation[body]);
  met_.clear();
  const auto add = [&](const Vec3& point, const Vec3& normal, double gap) {
    Contact contact;
    contact.a = body, contact.point = point, contact.normal = normal, contact.gap = gap;
    contact.surface_velocity = collider.velocity_at(point);
    contact.pair = combine(self.surface, collider.surface);
    met_.push_back(contact);
  };
  for (std::size_t f = first_feeler_[body]; f < first_feeler_[body + 1]; ++f) {
    const Vec3 point = to_world(pose, feelers_[f].place);
    const double radius = feelers_[f].radius_m;
    const auto ask = [&](const Vec3& at) { return query_near(collider, at, radius + margin); };
    const Felt felt = feel(ask, point, radius, x, little_share * self.reach_m);
    if (felt.gap < margin) add(point - radius * felt.normal, felt.normal, felt.gap);
  }
  // The obstacle's corners on the body's faces; files' shapes have too many.
  other_.clear();
  if (!collider.two_sided && !std::holds_alternative<std::shared_ptr<const Geometry>>(collider.shape)) add_feelers(collider.shape, other_);
  for (const Feeler& feeler : other_) {
    const Vec3 point = to_world({collider.position, collider.orientation}, feeler.place);
    const auto ask = [&](const Vec3& at) { return in_world(query(self.shape, to_local(pose, at), feeler.radius_m + margin), pose); };
    const Felt felt = feel(ask, point, feeler.radius_m, collider.position, little_share * self.reach_m);
    if (felt.gap < margin) add(point - (feeler.radius_m + felt.gap) * felt.normal, -felt.normal, felt.gap);
  }
  keep_few(1e-3 * self.reach_m);
}

void RigidContacts::meet_body(const RigidScene& scene, std::size_t a, std::size_t b) {
  const Elements& rows = *scene.rows;
  const double margin = margin_of(scene, a) + margin_of(scene, b);
  met_.clear();
  // Feelers of `feels` at the surface of `met`; the contact is told as of a.
  const auto sense = [&](std::size_t feels, std::size_t met, double sign) {
    const Pose own = scene.bodies[feels].shape_at(rows.position[feels], rows.orientation[feels]);
    const Pose pose = scene.bodies[met].shape_at(rows.position[met], rows.orientation[met]);
    for (std::size_t f = first_feeler_[feels]; f < first_feeler_[feels + 1]; ++f) {
      const Vec3 point = to_world(own, feelers_[f].place);
      const double radius = feelers_[f].radius_m;
      const auto ask = [&](const Vec3& at) { return in_world(query(scene.bodies[met].shape, to_local(pose, at), radius + margin), pose); };
      const Felt felt = feel(ask, point, radius, rows.position[feels], little_share * scene.bodies[feels].reach_m);
      if (!(felt.gap < margin)) continue;
      Contact contact;
      contact.a = a, contact.b = b, contact.gap = felt.gap;
      contact.point = point - (radius + 0.5 * felt.gap) * felt.normal;
      contact.normal = sign * felt.normal;
      contact.pair = combine(scene.bodies[a].surface, scene.bodies[b].surface);
      met_.push_back(contact);
    }
  };
  sense(a, b, 1);
  sense(b, a, -1);
  keep_few(1e-3 * std::min(scene.bodies[a].reach_m, scene.bodies[b].reach_m));
}

/// Of each patch of places whose normals point the same way: the deepest, and those farthest from what is kept already.
void RigidContacts::keep_few(double apart) {
  used_.assign(met_.size(), 0);
  for (;;) {
    std::size_t deepest = no_body;
    for (std::size_t i = 0; i < met_.size(); ++i)
      if (used_[i] == 0 && (deepest == no_body || met_[i].gap < met_[deepest].gap)) deepest = i;
    if (deepest == no_body) return;
    const std::size_t first = contacts_.size();
    const Vec3 normal = met_[deepest].normal;
    contacts_.push_back(met_[deepest]);
    const auto of_patch = [&](std::size_t i) { return used_[i] == 0 && met_[i].normal.dot(normal) > same_way; };
    while (contacts_.size() < first + most_of_patch) {
      std::size_t best = no_body;
      double farthest = apart * apart;
      for (std::size_t i = 0; i < met_.size(); ++i) {
        if (!of_patch(i)) continue;
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t k = first; k < contacts_.size(); ++k) nearest = std::min(nearest, (contacts_[k].point - met_[i].point).squaredNorm());
        if (nearest > farthest) best = i, farthest = nearest;
      }
      if (best == no_body) break;
      contacts_.push_back(met_[best]);
    }
    for (std::size_t i = 0; i < met_.size(); ++i)
      if (of_patch(i)) used_[i] = 1;
    used_[deepest] = 1;
  }
}

// ---- Impulses -------------------------------------------------------------------------------------------------------------------------

Vec3 RigidContacts::relative(const Contact& c, std::span<const Vec3> velocity, std::span<const Vec3> spin, const Elements& rows) const {
  Vec3 v = velocity[c.a] + spin[c.a].cross(c.point - rows.position[c.a]) - c.surface_velocity;
  if (c.b != no_body) v -= velocity[c.b] + spin[c.b].cross(c.point - rows.position[c.b]);
  return v;
}

double RigidContacts::mass_along(const Contact& c, const Vec3& direction, const Elements& rows) const {
  double inverse = 0;
  for (const std::size_t side : {c.a, c.b}) {
    if (side == no_body) continue;
    const Vec3 turn = (c.point - rows.position[side]).cross(direction);
    inverse += answers_[side].inverse_mass + turn.dot(answers_[side].inverse_inertia * turn);
  }
  return 1 / inverse;
}

void RigidContacts::push(const Contact& c, const Vec3& impulse, const Elements& rows, std::span<Vec3> velocity, std::span<Vec3> spin) const {
  const auto give = [&](std::size_t side, const Vec3& j) {
    velocity[side] += answers_[side].inverse_mass * j;
    spin[side] += answers_[side].inverse_inertia * (c.point - rows.position[side]).cross(j);
  };
  give(c.a, impulse);
  if (c.b != no_body) give(c.b, -impulse);
}

void RigidContacts::begin(const RigidScene& scene) {
  const Elements& rows = *scene.rows;
  answers_.resize(scene.bodies.size());
  for (std::size_t i = 0; i < answers_.size(); ++i) answers_[i] = {1 / scene.bodies[i].mass_kg, scene.bodies[i].inertia.inverse(rows.orientation[i])};
  for (Contact& c : contacts_) {
    // As it came before gravity added this substep's share: so a ball of restitution one rises to where it fell from, neither more nor less.
    const double then = relative(c, scene.velocity_then, scene.spin_then, rows).dot(c.normal);
    const double now = relative(c, rows.velocity, rows.angular_velocity, rows).dot(c.normal);
    const bool arrives = c.gap + scene.dt * now <= 0;
    if (arrives && then < -scene.slowest_bounce_mps) c.bounce_mps = -c.pair.restitution * then;
  }
}

double RigidContacts::press(Contact& c, const RigidScene& scene) const {
  Elements& rows = *scene.rows;
  const double v = relative(c, rows.velocity, rows.angular_velocity, rows).dot(c.normal);
  const double wanted = c.bounce_mps > 0 ? c.bounce_mps : -std::max(c.gap, 0.0) / scene.dt;
  const double mass = mass_along(c, c.normal, rows);
  const double total = std::max(0.0, c.normal_impulse + mass * (wanted - v)), change = total - c.normal_impulse;
  push(c, change * c.normal, rows, rows.velocity, rows.angular_velocity);
  c.normal_impulse = total;
  return std::abs(change) / mass;
}

double RigidContacts::rub(Contact& c, const RigidScene& scene) const {
  Elements& rows = *scene.rows;
  const Vec3 v = relative(c, rows.velocity, rows.angular_velocity, rows);
  const Vec3 slip = v - v.dot(c.normal) * c.normal;
  const double speed = slip.norm();
  Vec3 asked = c.friction_impulse;
  if (speed > 0) asked -= mass_along(c, slip / speed, rows) * slip;
  asked -= asked.dot(c.normal) * c.normal;
  const double size = asked.norm(), mass = mass_along(c, c.normal, rows);
  const Vec3 total = size > 0 ? Vec3(asked * friction_share(c.pair, size, c.normal_impulse, 1 / mass)) : Vec3(Vec3::Zero());
  const Vec3 change = total - c.friction_impulse;
  push(c, change, rows, rows.velocity, rows.angular_velocity);
  c.friction_impulse = total;
  return change.norm() / mass;
}

void RigidContacts::give_impulses(const RigidScene& scene) {
  if (contacts_.empty()) return;
  begin(scene);
  for (int round = 0; round < scene.rounds; ++round) {
    double most = 0;
    for (Contact& c : contacts_) most = std::max(most, rub(c, scene));
    for (Contact& c : contacts_) most = std::max(most, press(c, scene));
    if (most < settled_mps) break;
  }
  const Elements& rows = *scene.rows;
  for (Contact& c : contacts_) c.left_gap = c.gap + scene.dt * relative(c, rows.velocity, rows.angular_velocity, rows).dot(c.normal);
}

void RigidContacts::push_apart(const RigidScene& scene) {
  const auto settled = [&](const Contact& c) { return settled_share * scene.bodies[c.a].reach_m; };
  if (std::none_of(contacts_.begin(), contacts_.end(), [&](const Contact& c) { return c.left_gap < -settled(c); })) return;
  Elements& rows = *scene.rows;
  shift_.assign(scene.bodies.size(), Vec3::Zero());
  turn_.assign(scene.bodies.size(), Vec3::Zero());
  for (int round = 0; round < 4; ++round)
    for (Contact& c : contacts_) {
      Contact still = c;
      still.surface_velocity.setZero();
      const double gap = c.left_gap + relative(still, shift_, turn_, rows).dot(c.normal);
      const double depth = push_share * -(c.left_gap + settled(c)) - (gap - c.left_gap);
      if (depth > 0) push(c, depth * mass_along(c, c.normal, rows) * c.normal, rows, shift_, turn_);
    }
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    rows.position[i] += shift_[i];
    if (!turn_[i].isZero(0)) rows.orientation[i] = (rotation_of(turn_[i]) * rows.orientation[i]).normalized();
  }
}

void RigidContacts::count_touches(std::span<std::uint32_t> out) const {
  std::fill(out.begin(), out.end(), 0U);
  for (const Contact& c : contacts_) {
    if (!(c.normal_impulse > 0)) continue;
    ++out[c.a];
    if (c.b != no_body) ++out[c.b];
  }
}

}  // namespace vw
