// Rigid bodies in water that joints connect to the world: pivots, and forces of water on them.
#include "sim/interaction/fluid/pivot.h"

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

const BodyInertia sample_body{Vec3(0.3, 0.2, -0.1), 2, Vec3(0.02, 0.03, 0.04).asDiagonal()};

/// Returns the motion of the sample body that turns about a point with the given angular velocity.
Eigen::Matrix<double, 6, 1> turning(const Vec3& point, const Vec3& spin) {
  Eigen::Matrix<double, 6, 1> motion;
  motion << spin.cross(sample_body.center - point), spin;
  return motion;
}

TEST(Pivot, OfAFixedBodyHasNoMotion) {
  const auto pivot = pivot_of(sample_body, BodyMotions(6, 0));
  ASSERT_TRUE(pivot);
  EXPECT_TRUE(pivot->inverse_inertia.isZero(0));
}

TEST(Pivot, OfAHingeTurnsAboutItsAxisAlone) {
  const Vec3 point(0.1, -0.2, 0.3), axis = Vec3(1, 2, -2).normalized();
  BodyMotions motions(6, 1);
  motions.col(0) = turning(point, -3 * axis);
  const auto pivot = pivot_of(sample_body, motions);
  ASSERT_TRUE(pivot);
  EXPECT_LT((pivot->point - point).cross(axis).norm(), 1e-12);  // a point of the axis
  const Vec3 arm = sample_body.center - point;
  const double about_axis = axis.dot(sample_body.inertia * axis) + 2 * arm.cross(axis).squaredNorm();
  EXPECT_LT((pivot->inverse_inertia - axis * axis.transpose() / about_axis).norm(), 1e-9);
}

TEST(Pivot, OfABallJointHasTheInertiaAboutIt) {
  const Vec3 point(0.1, -0.2, 0.3), arm = sample_body.center - point;
  BodyMotions motions(6, 3);
  for (int k = 0; k < 3; ++k) motions.col(k) = turning(point, random_direction({3, 5}, static_cast<std::uint64_t>(k)));
  const auto pivot = pivot_of(sample_body, motions);
  ASSERT_TRUE(pivot);
  EXPECT_LT((pivot->point - point).norm(), 1e-9);
  const Mat3 expected = sample_body.inertia + 2 * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  EXPECT_LT((pivot->inverse_inertia * expected - Mat3::Identity()).norm(), 1e-9);
}

TEST(Pivot, IsMissingForSlidersScrewsAndPlanes) {
  BodyMotions slider = BodyMotions::Zero(6, 1);
  slider(0, 0) = 1;
  EXPECT_FALSE(pivot_of(sample_body, slider));
  // A computed null space has rounding errors. They must not count as a rotation about a distant point.
  slider(4, 0) = 1e-12;
  EXPECT_FALSE(pivot_of(sample_body, slider));
  slider.col(0) = turning(Vec3(100, 0, 0), Vec3(0, 0, 0.01));
  EXPECT_TRUE(pivot_of(sample_body, slider));
  BodyMotions screw(6, 1);
  screw.col(0) = turning(Vec3::Zero(), Vec3(0, 0, 1));
  screw(2, 0) += 0.1;
  EXPECT_FALSE(pivot_of(sample_body, screw));
  BodyMotions plane = BodyMotions::Zero(6, 3);
  plane(0, 0) = plane(1, 1) = plane(5, 2) = 1;
  EXPECT_FALSE(pivot_of(sample_body, plane));
  EXPECT_FALSE(pivot_of(sample_body, BodyMotions::Identity(6, 6)));
}

/// A gate across a tank at x = 0, with water 0.2 m deep at its left.
Node gate(double density) {
  Node scene = tank(0.02, Vec3(0.6, 0.2, 0.2));
  child_of(scene, "water").children.clear();
  add_fill(scene, "lake", Vec3(-0.15, 0.1, 0), Vec3(0.3, 0.2, 0.2));
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.06, 0.396, 0.196));
  set(scene, thing + "position", Vec3(0.03, 0.2, 0));
  set(scene, thing + "density", density);
  set(scene, "system.bodies.sleep", false);
  return scene;
}
void add_joint(Node& scene, const std::string& kind, const std::string& name, const Vec3& anchor) {
  add_child(child_of(scene, "bodies"), "joint", kind, name);
  set(scene, "system.bodies.joint." + name + ".a", std::string("thing"));
  set(scene, "system.bodies.joint." + name + ".anchor", anchor);
}

TEST(RigidBodies, TellWhichMotionsTheirJointsToTheWorldPermit) {
  const auto motions_of = [](const Node& scene) {
    const auto world = world_of(scene);
    return static_cast<const RigidSystem&>(*world->find_system("bodies")).permitted_motions(0);
  };
  Node scene = without(gate(100), "water");
  EXPECT_FALSE(motions_of(scene));
  Node hinged = scene;
  add_joint(hinged, "hinge", "pivot", Vec3(0.03, 0, 0));
  const auto one = motions_of(hinged);
  ASSERT_TRUE(one);
  ASSERT_EQ(one->cols(), 1);
  const Vec3 velocity = one->col(0).head<3>(), spin = one->col(0).tail<3>();
  EXPECT_LT(spin.normalized().cross(Vec3::UnitZ()).norm(), 1e-9);
  EXPECT_LT((velocity - spin.cross(Vec3(0, 0.2, 0))).norm(), 1e-9 * velocity.norm());
  add_joint(hinged, "distance", "rod", Vec3(0.03, 0.38, 0));
  set(hinged, "system.bodies.joint.rod.anchor_b", Vec3(0.53, 0.38, 0));
  EXPECT_EQ(motions_of(hinged)->cols(), 0);
  Node ball = scene, fixed = scene, slider = scene;
  add_joint(ball, "ball", "pivot", Vec3(0.03, 0, 0));
  add_joint(fixed, "fixed", "pivot", Vec3(0.03, 0, 0));
  add_joint(slider, "slider", "rail", Vec3(0.03, 0, 0));
  EXPECT_EQ(motions_of(ball)->cols(), 3);
  EXPECT_EQ(motions_of(fixed)->cols(), 0);
  EXPECT_EQ(motions_of(slider)->cols(), 1);
}

/// Returns the mean force [N] in a rod at a height of 0.38 m that keeps a gate upright. A hinge holds the lower edge of
/// the gate.
double force_in_rod(double density) {
  Node scene = gate(density);
  add_joint(scene, "hinge", "pivot", Vec3(0.03, 0, 0));
  add_joint(scene, "distance", "rod", Vec3(0.03, 0.38, 0));
  set(scene, "system.bodies.joint.rod.anchor_b", Vec3(0.53, 0.38, 0));
  const auto world = with_rules(std::move(scene));
  run(*world, 1);
  double force = 0;
  constexpr int looks = 60;
  for (int i = 0; i < looks; ++i) {
    EXPECT_TRUE(world->step()) << world->health().sentence();
    std::vector<JointMark> marks;
    SystemSnapshot picture;
    world->find_system("bodies")->snapshot(picture);
    for (const JointMark& mark : joints_of(picture))
      if (mark.name == "rod") force += mark.force_n / looks;
  }
  return force;
}

TEST(FluidRigidValidation, AGateFeelsThePressureOfTheWaterWhateverItsMass) {
  const double expected = 1000 * 9.81 * 0.2 * 0.2 * 0.2 * 0.2 / 6 / 0.38;  // moment of the pressures about the hinge
  for (const double density : {50.0, 1000.0}) {
    const double force = std::abs(force_in_rod(density));
    record_case("water",
                "gate of density " + std::to_string(static_cast<int>(density)) + " on a hinge: force in its rod", force,
                expected, 0.1, "N");
    EXPECT_NEAR(force, expected, 0.1 * expected) << density;
  }
}

}  // namespace
}  // namespace vw::test
