#include "sim/interaction/flock/flock_rigid.h"

#include <algorithm>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t steering_grain = 1024;

/// Margin of the contact search, as a multiple of the radius of the largest member near a body. Members move fast
/// relative to their size. With this margin, the lists of candidate pairs remain valid for several steps.
constexpr double margin_radii = 4;

/// Contact law of the rule: there are no contact springs. Every contact, even a slow one, is a frictionless collision.
class Blows final : public ProbeContact::Laws {
 public:
  explicit Blows(double restitution) {
    law_.restitution = restitution;
    law_.contact.mu_static = law_.contact.mu_dynamic = 0;
    law_.fastest_mps = -1e30;
  }
  [[nodiscard]] ProbeLaw of(std::size_t row, std::size_t body, double mass_kg) const override {
    return (void)row, (void)body, (void)mass_kg, law_;
  }

 private:
  ProbeLaw law_;
};

/// Returns the predicted mean velocity of a body over the flock's substep. A body is assumed to fall freely if its
/// speed exceeds twice the speed that gravity adds in one substep of the body. Slower bodies may rest on something.
Vec3 foreseen_velocity(const Standing& body, const RigidSystem& rigid, const PairContext& context) {
  const Vec3 pull = rigid.gravity_scale() * context.gravity;
  const bool falls = body.velocity.norm() > 2 * context.step_b * pull.norm();
  return falls ? Vec3(body.velocity + 0.5 * (context.step_a + context.step_b) * pull) : body.velocity;
}

}  // namespace

const ParamTable<FrightParams>& flock_rigid_params() {
  static const auto table = fright_table("rigid bodies");
  return table;
}

const Schema& flock_rigid_schema() {
  static const Schema schema{
      "flock_rigid",
      "Flocks avoid rigid bodies, flee from approaching ones and bounce off those that they hit.",
      flock_rigid_params().specs(),
      {},
      "Flocks and rigid bodies"};
  return schema;
}

void FlockRigid::prepare(System& a, System& b, const PairContext& context) {
  if (context.age_a > 0) return;
  auto& flock = static_cast<FlockSystem&>(a);
  const auto& rigid = static_cast<const RigidSystem&>(b);
  const Box3 minded = minded_by(flock, params_.fright_reach_m);
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < rigid.bodies().size(); ++i) {
    const RigidBody& body = rigid.bodies()[i];
    names.push_back(body.name);
    const Standing now = standing(rigid, i, context.age_b);
    if (minded.isEmpty() || !now.center.allFinite() || minded.exteriorDistance(now.center) > body.reach_m) continue;
    const Pose pose = body.shape_at(now.center, now.orientation);
    FlockSolid& solid = flock.around().solids.emplace_back();
    solid.shape = body.shape;
    solid.position = pose.position, solid.orientation = pose.orientation;
    solid.velocity = foreseen_velocity(now, rigid, context) + now.spin.cross(pose.position - now.center);
    solid.angular_velocity = now.spin;
    solid.fright_m = params_.fright_reach_m, solid.fright_mps = params_.fright_speed_mps;
  }
  offer_marks(flock, rigid, context.age_b, names);
  find_near(flock, rigid, context);
}

/// Finds the members that may touch a body. A body is represented by its bounding
/// sphere, enlarged by the distance that body and member may move in the substep.
void FlockRigid::find_near(const FlockSystem& flock, const RigidSystem& rigid, const PairContext& context) {
  const Elements &members = flock.elements(), &bodies = rigid.elements();
  struct Ball {
    Vec3 place;
    double radius_m;
  };
  std::vector<Ball> balls;
  Box3 box;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const double reach = rigid.bodies()[k].reach_m;
    const double way = context.step_a * (bodies.velocity[k].norm() + reach * bodies.angular_velocity[k].norm() +
                                         foreseen_mps2 * context.step_a);
    balls.push_back({bodies.position[k] + context.age_b * bodies.velocity[k], reach + way});
    box.extend(Vec3(balls.back().place - Vec3::Constant(balls.back().radius_m)));
    box.extend(Vec3(balls.back().place + Vec3::Constant(balls.back().radius_m)));
  }
  may_touch_.assign(members.size(), 0);
  parallel_for(members.size(), steering_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const double own =
          members.radius[i] + context.step_a * (members.velocity[i].norm() + foreseen_mps2 * context.step_a);
      const Vec3& place = members.position[i];
      if (box.isEmpty() || !(box.squaredExteriorDistance(place) <= own * own)) continue;
      const auto meets = [&](const Ball& ball) {
        return (ball.place - place).squaredNorm() <= (ball.radius_m + own) * (ball.radius_m + own);
      };
      may_touch_[i] = std::any_of(balls.begin(), balls.end(), meets) ? 1 : 0;
    }
  });
  near_.clear();
  for (std::size_t i = 0; i < members.size(); ++i)
    if (may_touch_[i] != 0) near_.push_back(static_cast<std::uint32_t>(i));
}

void FlockRigid::apply(System& a, System& b, const PairContext& context) {
  if (near_.empty()) return contact_.skip(context.age_a, context.age_b);
  Probes probes;
  probes.rows = &a.elements();
  probes.row = near_;
  probes.age = context.age_a;
  double widest = 0;
  for (const std::uint32_t i : near_) widest = std::max(widest, a.elements().radius[i]);
  const ProbeContact::Moment moment{&static_cast<const RigidSystem&>(b), context.age_b, context.step_b, context.dt,
                                    margin_radii * widest};
  contact_.apply(probes, a.elements(), b.elements(), moment, Blows(params_.restitution));
}

void FlockRigid::visit_state(StateVisitor& visit) {
  contact_.visit_state(visit);
  if (!params_.enabled) forget();  // The state may have been saved while the rule was enabled.
}

}  // namespace vw
