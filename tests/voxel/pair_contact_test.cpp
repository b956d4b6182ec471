// Contact of two voxels that no bond joins, compared with the mechanics of impact and friction.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/system/voxel/contact/pair_contact.h"
#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

constexpr double block_edge = 0.01, block_youngs = 1e6;

VoxelClass ball_of(double density, double contact_damping, double mu_static = 0, double mu_dynamic = 0) {
  VoxelClass c;
  c.youngs = block_youngs;
  c.mass = density * block_edge * block_edge * block_edge;
  c.inertia = c.mass * block_edge * block_edge / 6;
  c.contact_stiffness = block_youngs * block_edge;
  c.contact_damping = 2 * contact_damping * std::sqrt(c.mass * c.contact_stiffness);
  c.surface = {0, mu_static, mu_dynamic};
  return c;
}

/// Two single voxels in free space. The test advances them like an explicit substep.
struct TwoBalls {
  VoxelClass material_a, material_b;
  PairVoxel a, b;
  std::size_t touched = 0;  ///< number of substeps in contact

  TwoBalls(const VoxelClass& first, const VoxelClass& second) : material_a(first), material_b(second) {
    a = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), block_edge / 2, &material_a};
    b = {Vec3(block_edge, 0, 0), Vec3::Zero(), Vec3::Zero(), block_edge / 2, &material_b};
  }
  TwoBalls(const TwoBalls&) = delete;
  TwoBalls& operator=(const TwoBalls&) = delete;

  [[nodiscard]] double reduced_mass() const {
    return material_a.mass * material_b.mass / (material_a.mass + material_b.mass);
  }
  [[nodiscard]] double frequency() const { return std::sqrt(pair_stiffness(material_a, material_b) / reduced_mass()); }
  void step(double dt) {
    PairPush push;
    touched += pair_contact(a, b, dt, push) ? 1 : 0;
    const auto kick = [&](PairVoxel& ball, const Vec3& force, const Vec3& moment) {
      ball.velocity += dt / ball.material->mass * force;
      ball.angular_velocity += dt / ball.material->inertia * moment;
      ball.position += dt * ball.velocity;
    };
    kick(a, push.force, push.moment_a);
    kick(b, -push.force, push.moment_b);
  }
  [[nodiscard]] double energy() const {
    const double depth = std::max(0.0, block_edge - (b.position - a.position).norm());
    const auto kinetic = [](const PairVoxel& v) {
      return 0.5 * v.material->mass * v.velocity.squaredNorm() +
             0.5 * v.material->inertia * v.angular_velocity.squaredNorm();
    };
    return kinetic(a) + kinetic(b) + 0.5 * pair_stiffness(material_a, material_b) * depth * depth;
  }
  [[nodiscard]] Vec3 momentum() const { return a.material->mass * a.velocity + b.material->mass * b.velocity; }
  [[nodiscard]] Vec3 angular_momentum() const {
    const auto of = [](const PairVoxel& v) {
      return Vec3(v.material->mass * v.position.cross(v.velocity) + v.material->inertia * v.angular_velocity);
    };
    return of(a) + of(b);
  }
  /// Makes steps until the voxels separate again. The steps must be short enough to resolve the contact.
  void meet(double dt) {
    for (int i = 0; i < 1000000 && (touched == 0 || (b.position - a.position).norm() < block_edge); ++i) step(dt);
  }
};

TEST(PairContact, HeadOnWithoutDampingLosesNothing) {
  TwoBalls pair(ball_of(1000, 0), ball_of(3000, 0));
  pair.a.velocity = Vec3(1, 0, 0);
  const double dt = 0.005 / pair.frequency();
  const Vec3 momentum = pair.momentum();
  pair.meet(dt);
  EXPECT_GT(pair.touched, 100U);
  // During the contact, symplectic Euler changes the energy by a relative amount of w dt / 2 (w: angular frequency of
  // the contact). The contact begins and ends inside a substep, which changes the speed by a relative amount of (w
  // dt)^2 / 2.
  expect_case("voxel", "Two voxels head-on, undamped: relative speed after over before",
              (pair.b.velocity - pair.a.velocity).x(), 1, 1e-4);
  EXPECT_LT((pair.momentum() - momentum).norm(), 1e-14 * momentum.norm());
  EXPECT_EQ(pair.a.angular_velocity, Vec3(Vec3::Zero()));  // a central impact causes no rotation
}

TEST(PairContact, DampedRestitutionFollowsTheFormula) {
  // A spring and damper that cannot pull separate when the force becomes zero (Schwager & Poeschel 2007). The
  // coefficient of restitution is e = exp(-b / w (pi - atan(2 b w / (w^2 - b^2)))) with b = zeta w0 and w^2 = w0^2 -
  // b^2, for b < w0 / sqrt(2). Here w0 is the undamped angular frequency. The damping ratio zeta of the pair is half
  // the mean damping ratio of the two voxels.
  for (const double damping : {0.2, 0.6, 1.0}) {
    TwoBalls pair(ball_of(1000, damping), ball_of(1000, damping));
    pair.a.velocity = Vec3(0.5, 0, 0);
    const double w0 = pair.frequency(), b = 0.5 * damping * w0, w = std::sqrt(w0 * w0 - b * b);
    const double expected = std::exp(-b / w * (pi - std::atan2(2 * b * w, w * w - b * b)));
    pair.meet(0.001 / w0);
    expect_case("voxel",
                "Two voxels head-on, contact damping " + std::to_string(damping).substr(0, 3) + ": restitution",
                (pair.b.velocity - pair.a.velocity).x() / 0.5, expected, 0.002);
  }
}

TEST(PairContact, StiffnessesActInSeries) {
  VoxelClass soft = ball_of(1000, 0), stiff = ball_of(1000, 0);
  stiff.contact_stiffness *= 3;
  EXPECT_DOUBLE_EQ(pair_stiffness(soft, stiff), 1.5 * soft.contact_stiffness);
  EXPECT_DOUBLE_EQ(pair_stiffness(soft, soft), soft.contact_stiffness);
  soft.contact_stiffness = stiff.contact_stiffness = 0;
  EXPECT_EQ(pair_stiffness(soft, stiff), 0);
}

TEST(PairContact, ObliqueSpinningRubbingPairsKeepMomentumAndNeverGainEnergy) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    TwoBalls pair(ball_of(1000, 0.5, 0.8, 0.5), ball_of(i % 2 == 0 ? 1000 : 200, 0.5, 0.8, 0.5));
    pair.b.half_edge = i % 3 == 0 ? 0.3 * block_edge : 0.5 * block_edge;
    pair.b.position = 0.9 * (pair.a.half_edge + pair.b.half_edge) * random_vector(5, 4 * i).normalized();
    pair.a.velocity = random_vector(5, 4 * i + 1);
    pair.a.angular_velocity = 100 * random_vector(5, 4 * i + 2);
    pair.b.angular_velocity = 100 * random_vector(5, 4 * i + 3);
    PairPush push;
    const bool touches = pair_contact(pair.a, pair.b, 1e-5, push);
    const Vec3 r = pair.b.position - pair.a.position;
    // The moments must balance the couple of the forces. The force must never be attractive.
    EXPECT_LT((push.moment_a + push.moment_b - r.cross(push.force)).norm(),
              1e-14 * (push.force.norm() * r.norm() + 1e-300));
    EXPECT_LE(push.force.dot(r), 1e-14 * push.force.norm() * r.norm());
    if (!touches) continue;
    const Vec3 momentum = pair.momentum(), spin = pair.angular_momentum();
    const double scale = pair.a.material->mass * (pair.a.velocity.norm() + block_edge * 100);
    pair.b.half_edge = 0.5 * block_edge;  // energy() requires equal edges
    const double dt = 0.02 / pair.frequency();
    const double before = pair.energy();
    for (int k = 0; k < 400; ++k) {
      pair.step(dt);
      // In symplectic Euler, the energy of a spring oscillates by a relative amount of w dt / 2.
      EXPECT_LT(pair.energy(), before * (1 + 0.01)) << i << " " << k;
    }
    EXPECT_LT((pair.momentum() - momentum).norm(), 1e-12 * scale);
    EXPECT_LT((pair.angular_momentum() - spin).norm(), 1e-12 * scale * block_edge);
  }
}

TEST(PairContact, FrictionFollowsTheCone) {
  TwoBalls pair(ball_of(1000, 0, 0.8, 0.5), ball_of(1000, 0, 0.8, 0.5));
  pair.b.position = Vec3(0.9 * block_edge, 0, 0);
  const double normal = pair_stiffness(pair.material_a, pair.material_b) * 0.1 * block_edge, dt = 1e-5;
  // Static friction can remove half of this slip speed within one substep.
  const double held = 2 * 0.8 * normal * dt / pair.reduced_mass();
  PairPush push;
  for (const double speed : {0.5 * held, 0.9 * held}) {
    pair.a.velocity = Vec3(0, 0, speed);
    ASSERT_TRUE(pair_contact(pair.a, pair.b, dt, push));
    // The expected force is half of the force that would stop the slip at once, because a voxel may press on several
    // others.
    EXPECT_NEAR(push.force.z(), -0.5 * pair.reduced_mass() * speed / dt, 1e-12 * normal);
  }
  for (const double speed : {1.1 * held, 100 * held}) {
    pair.a.velocity = Vec3(0, 0, speed);
    ASSERT_TRUE(pair_contact(pair.a, pair.b, dt, push));
    EXPECT_NEAR(push.force.z(), -0.5 * normal, 1e-12 * normal) << "mu_d N";
    EXPECT_NEAR(push.force.x(), -normal, 1e-12 * normal);
  }
}

}  // namespace
}  // namespace vw::test
