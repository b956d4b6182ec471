// Voxels welded to rigid bodies: stiffness compared with a clamped beam, and conservation of momentum.
#include <gtest/gtest.h>

#include "sim/system/rigid/rigid.h"
#include "sim/system/voxel/voxel_body.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns a beam of 20 x 2 x 2 voxels of 1 cm along x, starting at x = 0. The root of the beam is welded to a rigid
/// box between x = -0.1 and 0. The scene is in free space.
Node beam_on_box() {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_voxels(scene, "beam", Vec3(20, 2, 2), Vec3(0, -0.01, -0.01), 1e6);
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.1, 0.1, 0.1));
  set(scene, thing + "position", Vec3(-0.05, 0, 0));
  add_child(scene, "interaction", "weld", "weld");
  set(scene, "interaction.weld.a", std::string("bodies"));
  set(scene, "interaction.weld.b", std::string("beam"));
  return scene;
}

/// Returns the mean height [m] of the four voxels at the free end of the beam.
double tip_of(World& world) {
  const Elements& e = rows_of(world, "beam");
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (e.position[i].x() > 0.19) sum += e.position[i].y(), ++count;
  EXPECT_EQ(count, 4);
  return sum / count;
}

TEST(Weld, AWeldedCantileverSagsAsAClampedOne) {
  // The beam has either a fixed root or a root that is welded to a free box of one tonne. With gravity, the box would
  // fall, so the load is a force on the tip.
  std::array<double, 2> sag{};
  for (const bool welded : {false, true}) {
    Node scene = beam_on_box();
    add_child(child_of(scene, "beam"), "region", "region", "tip");
    set(scene, "system.beam.region.tip.min", Vec3(0.96, 0, 0));
    set(scene, "system.beam.region.tip.fixed", false);
    set(scene, "system.beam.region.tip.force", Vec3(0, -0.01, 0));
    set(scene, "material.stuff.bond_damping", 1.0);
    set(scene, "material.stuff.global_damping", 0.02);
    set(scene, thing + "mass", 1e6);
    if (!welded) {
      set(scene, "interaction.weld.enabled", false);
      add_child(child_of(scene, "beam"), "region", "region", "root");
      set(scene, "system.beam.region.root.max", Vec3(0.04, 1, 1));
    }
    const auto world = with_rules(scene);
    run(*world, 4);
    double fastest = 0;
    for (const Vec3& v : rows_of(*world, "beam").velocity) fastest = std::max(fastest, v.norm());
    EXPECT_LT(fastest, 2e-5) << welded;
    sag[welded ? 1 : 0] = -tip_of(*world);
  }
  EXPECT_GT(sag[0], 1e-3);
  expect_case("interaction", "cantilever of voxels welded to a rigid box: sag of its tip, clamped", sag[1], sag[0],
              0.02, "m");
}

/// Returns the beam and a box of the given density, thrown with a rotation.
Node thrown(const char* integrator, double density) {
  Node scene = beam_on_box();
  set(scene, thing + "density", density);
  set(scene, thing + "velocity", Vec3(0.3, 0.5, -0.2));
  set(scene, thing + "angular_velocity", Vec3(2, 3, 5));
  set(scene, "system.beam.integrator", std::string(integrator));
  return scene;
}

/// Returns the largest distance [m] of a welded voxel from its rest position on the box.
double drift_of(World& world) {
  const Elements &beam = rows_of(world, "beam"), &box = rows_of(world, "bodies");
  double most = 0;
  for (std::size_t i = 0; i < beam.size(); ++i) {
    const Vec3 rest = static_cast<const VoxelBody&>(*world.find_system("beam")).rest_position(i);
    if (rest.x() > 0.01) continue;
    const Vec3 now = box.orientation[0].conjugate() * (beam.position[i] - box.position[0]);
    most = std::max(most, (now - rest - Vec3(0.05, 0, 0)).norm());
  }
  return most;
}

TEST(Weld, KeepsMomentumAndAngularMomentumAndHolds) {
  for (const char* integrator : {"explicit", "implicit"})
    for (const double density : {5.0, 500.0, 8000.0}) {
      SCOPED_TRACE(std::string(integrator) + " " + std::to_string(density));
      const auto world = with_rules(thrown(integrator, density));
      const auto turning = [&] {
        return Vec3(world->diagnostics(0).angular_momentum + world->diagnostics(1).angular_momentum);
      };
      const auto energy = [&] {
        const Diagnostics a = world->diagnostics(0), b = world->diagnostics(1);
        return a.kinetic + a.elastic + b.kinetic + b.elastic;
      };
      const Motion before = motion_of(*world);
      const Vec3 l = turning();
      const double e = energy();
      double drift = 0;
      for (int i = 0; i < 120; ++i) {
        ASSERT_TRUE(world->step()) << world->health().sentence();
        drift = std::max(drift, drift_of(*world));
        ASSERT_LT(energy(), e * (1 + 1e-3)) << i;
      }
      EXPECT_GT(rows_of(*world, "beam").velocity[70].norm(), 0.01);  // the beam moves with the box
      EXPECT_LT((motion_of(*world).momentum - before.momentum).norm(), 1e-9 * before.size);
      EXPECT_LT((turning() - l).norm(), 1e-5 * before.size * 0.2);
      EXPECT_LT(drift, 0.1 * 0.01);  // a tenth of an edge
    }
}

TEST(Weld, GoesOnBitForBitFromASavedStateAtAnyNumberOfThreads) {
  EXPECT_EQ(ends_of(thrown("explicit", 500), 0.1, 0.1, {1, 2}).size(), 1U);
}

TEST(Weld, WhatIsInsideABodyIsHeldAndNotPushedOut) {
  Node scene = beam_on_box();
  set(scene, "system.beam.position", Vec3(-0.04, -0.01, -0.01));
  const auto world = with_rules(scene);
  run(*world, 0.5);
  for (const Vec3& v : rows_of(*world, "beam").velocity) EXPECT_LT(v.norm(), 1e-6);
  EXPECT_LT(rows_of(*world, "bodies").velocity[0].norm(), 1e-6);
}

TEST(Weld, SaysWhatItCannotJoin) {
  Node scene = beam_on_box();
  set(scene, "system.beam.position", Vec3(0.5, 0, 0));
  const auto far = with_rules(scene);
  EXPECT_FALSE(far->step());
  EXPECT_NE(far->health().sentence().find(
                "no voxel of beam is joined, because no voxel is within 0.00505 m of a body of bodies"),
            std::string::npos)
      << far->health().sentence();
}

TEST(Weld, ItsBodyMustBeOneOfTheRigidSystem) {
  Node scene = beam_on_box();
  const auto said = [&](const char* body) {
    set(scene, "interaction.weld.body", std::string(body));
    const auto good = check_references(scene);
    return good ? std::string() : good.error().message();
  };
  const std::string name = scene.find("system", "bodies")->all("body").front()->name;
  EXPECT_EQ(said(""), "");
  EXPECT_EQ(said(name.c_str()), "");
  EXPECT_EQ(said("zz"), "interaction.weld.body = \"zz\": must name a body of bodies");
  EXPECT_EQ(said((name + "-1").c_str()).rfind("interaction.weld.body = ", 0), 0U) << "it has no copies";
  set(scene, "interaction.weld.a", std::string());
  EXPECT_EQ(said("zz"), "interaction.weld.body = \"zz\": must name a body of bodies");
  set(scene, thing + "repeat", Vec3(2, 1, 1));
  set(scene, thing + "repeat_step", Vec3(1, 0, 0));
  EXPECT_EQ(said((name + "-2").c_str()), "");
  for (const std::string& wrong : {name, name + "-3", name + "-0", name + "-02"})
    EXPECT_NE(said(wrong.c_str()), "") << wrong;
}

}  // namespace
}  // namespace vw::test
