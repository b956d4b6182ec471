// Contact of voxel bodies with every kind of collider: a soft block is released above each one, with both integrators,
// and must come to rest on its surface.
#include <functional>

#include <gtest/gtest.h>

#include "sim/world/world.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"
#include "tests/support/validation.h"
#include "tests/support/world_of.h"
#include "tests/world/shape_files.h"

namespace vw {
namespace {

using test::Scratch;
using test::set;

/// Returns a soft block of 6 x 3 x 6 cm with its bottom at `height`.
Node block_above(double height, const std::string& integrator) {
  Node scene = make_node(scene_schema());
  Node& soft = add_child(scene, "material", "voxel_material", "soft");
  soft.set("youngs_modulus", 2e5);
  soft.set("global_damping", 0.02);
  add_child(scene, "system", "voxel_body", "block");
  set(scene, "system.block.size", Vec3(6, 3, 6));
  set(scene, "system.block.material", std::string("soft"));
  set(scene, "system.block.position", Vec3(-0.03, height, -0.03));
  set(scene, "system.block.integrator", integrator);
  return scene;
}

struct Rest {
  double speed = 0;  ///< largest speed [m/s]
  /// Smallest gap between a voxel's inscribed ball and the surface, divided by half the edge length. Negative in
  /// contact.
  double gap = 1;
  Vec3 center = Vec3::Zero();
};

Rest come_to_rest(Node scene, const Collider& collider, double time) {
  Rest rest;
  const auto world = test::checked(World::create(std::move(scene)));
  while (world->time() < time)
    if (!world->step()) {
      ADD_FAILURE() << world->health().sentence();
      return rest;
    }
  const Elements& e = world->system(0).elements();
  for (std::size_t v = 0; v < e.size(); ++v) {
    rest.speed = std::max(rest.speed, e.velocity[v].norm());
    rest.gap = std::min(rest.gap, query(collider, e.position[v]).distance / e.radius[v] - 1);
    rest.center += e.position[v] / static_cast<double>(e.size());
  }
  return rest;
}

struct Ground {
  std::string name, kind;
  std::function<void(Node&)> describe;
  double height;  ///< height from which the block is released
};

void expect_rest(const Ground& ground) {
  for (const char* integrator : {"explicit", "implicit"}) {
    Node scene = block_above(ground.height, integrator);
    Node& node = add_child(scene, "collider", ground.kind, "ground");
    ground.describe(node);
    const auto collider = make_collider(node);
    ASSERT_TRUE(collider) << collider.error().message();
    const Rest rest = come_to_rest(std::move(scene), *collider, 1.0);
    const std::string what = std::string("a soft block on ") + ground.name + ", " + integrator;
    test::expect_case("collision", what + ": speed after 1 s", rest.speed, 0, 1e-4, "m/s");
    // The block weighs 1.1 N and rests on at least four voxels. With Young's modulus E and edge length s, the contact
    // stiffness of a voxel is E s = 2 kN/m. The penetration is at most 1.4e-4 m, and half an edge is 5e-3 m.
    EXPECT_LT(rest.gap, 1e-9) << what;
    EXPECT_GT(rest.gap, -0.05) << what;
    EXPECT_LT(std::hypot(rest.center.x(), rest.center.z()), 0.003) << what;
  }
}

TEST(RestOnShapes, AMeshTable) {
  const Scratch scratch;
  const std::string table = scratch.write("table.obj", test::table_obj());
  expect_rest({"a mesh table", "mesh", [&](Node& node) { node.set("source", table); }, 0.105});
}

TEST(RestOnShapes, TheEquilibriumOnAMeshIsFoundAtOnce) {
  const Scratch scratch;
  const std::string table = scratch.write("settle.obj", test::table_obj());
  Node scene = block_above(0.13, "explicit");
  add_child(scene, "collider", "mesh", "ground").set("source", table);
  const auto world = World::create(std::move(scene));
  ASSERT_TRUE(world) << world.error().message();
  const auto settled = (*world)->apply(Settle{"block"});
  ASSERT_TRUE(settled) << settled.error().message();
  const Elements& e = (*world)->system(0).elements();
  double lowest = 1;
  for (const Vec3& x : e.position) lowest = std::min(lowest, x.y());
  EXPECT_NEAR(lowest, 0.105, 2e-4);
  for (int i = 0; i < 24; ++i) ASSERT_TRUE((*world)->step());
  for (const Vec3& v : e.velocity) EXPECT_LT(v.norm(), 1e-3);
}

TEST(RestOnShapes, AGridOfDistances) {
  const Scratch scratch;
  const std::string table = scratch.write("grid.obj", test::table_obj());
  expect_rest({"a distance grid", "distance_grid", [&](Node& node) { node.set("source", table); }, 0.105});
}

TEST(RestOnShapes, AHeightfieldBowl) {
  const Scratch scratch;
  const std::string bowl = scratch.write("bowl.txt", test::bowl_text());
  expect_rest({"a heightfield bowl", "heightfield",
               [&](Node& node) {
                 node.set("source", bowl);
                 node.set("size_x", 0.4);
                 node.set("size_z", 0.4);
               },
               0.006});
}

TEST(RestOnShapes, ACapsule) {
  expect_rest({"a lying capsule", "capsule",
               [](Node& node) {
                 node.set("radius", 0.1);
                 node.set("length", 0.4);
                 node.set("rotation", Vec3(0, 0, pi / 2));
               },
               0.101});
}

TEST(RestOnShapes, ACylinder) {
  expect_rest({"a standing cylinder", "cylinder", [](Node& node) { node.set("radius", 0.1); }, 0.101});
}

TEST(RestOnShapes, ASheetFromAbove) {
  expect_rest({"a plane that is a sheet", "plane", [](Node& node) { node.set("two_sided", true); }, 0.001});
}

}  // namespace
}  // namespace vw
