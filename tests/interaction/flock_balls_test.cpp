// Flocks among voxel bodies and particles. No member may enter a voxel, a shark of voxels must frighten a school, and a
// collision must give both sides opposite impulses.
#include <gtest/gtest.h>

#include "tests/interaction/flock_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns the largest depth [m] of the centre of any member inside a voxel, measured to the nearest face of the voxel.
/// The value is negative if all centres are outside.
double deepest(World& world) {
  const Elements& voxels = rows_of(world, "shark");
  double most = -1e30;
  for (const Vec3& x : rows_of(world, "school").position)
    for (std::size_t v = 0; v < voxels.size(); ++v) {
      const Vec3 local = voxels.orientation[v].conjugate() * (x - voxels.position[v]);
      most = std::max(most, voxels.radius[v] - local.cwiseAbs().maxCoeff());
    }
  return most;
}

/// Returns a school about the origin and a shark of voxels that approaches it along x.
Node shark_at_school(double speed, std::int64_t count = 100) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  FlockSetup school;
  school.count = count;
  school.size = Vec3(0.6, 0.5, 0.6);
  add_flock(scene, school);
  set_species(scene, "school", "length", 0.08);
  set_species(scene, "school", "spacing", 0.12);
  set_species(scene, "school", "min_speed", 0.1);
  set_species(scene, "school", "cruise_speed", 0.3);
  set(scene, "system.school.home_center", Vec3(0, 0, 0));
  set(scene, "system.school.home_size", Vec3(2, 1.5, 2));
  add_voxels(scene, "shark", Vec3(12, 4, 4), Vec3(-1.2, -0.06, -0.06), 1e5);
  set(scene, "system.shark.voxel_size", 0.03);
  set(scene, "system.shark.velocity", Vec3(speed, 0, 0));
  return scene;
}

TEST(FlockVoxels, FleesFromASharkOfVoxelsAndNobodyIsEverInside) {
  const auto near = [](World& world) {
    const Vec3 shark = middle_of(world, "shark");
    std::size_t count = 0;
    for (const Vec3& x : rows_of(world, "school").position) count += (x - shark).norm() < 0.35 ? 1 : 0;
    return count;
  };
  const auto hunted = with_rules(shark_at_school(1.5));
  Node scene = shark_at_school(1.5);
  add_default_interactions(scene);
  set(scene, "interaction.flock_voxel_body.enabled", false);
  const auto unaware = world_of(scene);
  std::size_t close[2] = {0, 0};
  double most = -1e30;
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(hunted->step()) << hunted->health().sentence();
    ASSERT_TRUE(unaware->step());
    most = std::max(most, deepest(*hunted));
    close[0] += near(*hunted), close[1] += near(*unaware);
  }
  EXPECT_LT(most, 0);
  EXPECT_LT(2 * close[0], close[1]);
}

TEST(FlockVoxelsValidation, VoxelsGetWhatTheyGiveToMembers) {
  // Fish outside water have no propulsion, so the momentum of the pair must be conserved.
  Node scene = shark_at_school(2, 60);
  set_species(scene, "school", "medium", std::string("water"));
  set(scene, "system.school.swarm.start.speed", 0.5);
  const auto world = with_rules(scene);
  ASSERT_TRUE(world->step());
  const Vec3 before = momentum_of(*world, "school");
  double most = -1e30;
  const double error = momentum_error_of(*world);
  most = std::max(most, deepest(*world));
  EXPECT_GT((momentum_of(*world, "school") - before).norm(), 0.1 * before.norm());
  EXPECT_LT(most, 0);
  expect_case(flock_subject, "60 members and a voxel body that hits them: momentum after 1,000 steps, of sum m|v|",
              error, 0, 1e-6);
}

TEST(FlockVoxels, GoalsFollowTheBodyAndOneOfItsVoxels) {
  for (const std::string name : {"shark", "shark.17"}) {
    Node scene = shark_at_school(-0.3);
    set_species(scene, "school", "home", 0.0);
    set_species(scene, "school", "goal", 2.0);
    add_child(child_of(scene, "school"), "goal", "body", "it");
    set(scene, "system.school.goal.it.body", name);
    const auto world = with_rules(scene);
    run(*world, 4);
    // The shark has moved 1.2 m. Without a goal, the school would be 3 m away at this time.
    EXPECT_LT((middle_of(*world, "school") - middle_of(*world, "shark")).norm(), 1.3) << name;
  }
}

TEST(FlockVoxels, SameBitsOnAnyNumberOfThreadsAndFromASavedState) {
  EXPECT_EQ(ends_of(shark_at_school(2, 600), 0.15, 0.15, {1, 2, 3, 8}).size(), 1U);
}

TEST(FlockParticles, BounceOffGrainsOnlyWhereThatIsAskedFor) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  FlockSetup school;
  school.count = 40;
  school.medium = "water";
  school.size = Vec3(0.2, 0.2, 0.2);
  school.speed = 1;
  add_flock(scene, school);
  Node& grains = add_child(scene, "system", "particles", "grains");
  add_child(grains, "emitter", "box", "source");
  for (const auto& [key, value] : std::initializer_list<std::pair<const char*, Value>>{{"rate", 0.0},
                                                                                       {"burst", std::int64_t{100}},
                                                                                       {"lifetime", 0.0},
                                                                                       {"speed", 0.0},
                                                                                       {"position", Vec3(0.5, 0, 0)},
                                                                                       {"size", Vec3(0.3, 0.3, 0.3)}})
    set(scene, std::string("system.grains.emitter.source.") + key, value);
  set(scene, "system.grains.mass", 0.05);
  set(scene, "system.grains.radius", 0.02);
  const auto unasked = with_rules(scene);
  run(*unasked, 1);
  EXPECT_EQ(momentum_of(*unasked, "grains"), Vec3(0, 0, 0));
  add_child(scene, "interaction", "flock_particles", "meet");
  const auto world = with_rules(scene);
  ASSERT_TRUE(world->step());
  const Motion before = motion_of(*world);
  run(*world, 1);
  EXPECT_GT(momentum_of(*world, "grains").x(), 0.05 * before.size);
  EXPECT_LT((motion_of(*world).momentum - before.momentum).norm(), 1e-12 * before.size);
}

}  // namespace
}  // namespace vw::test
