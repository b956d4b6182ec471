// Fields of a world. An edit rebuilds the edited field, and the result equals that of a world created from the edited
// scene.
#include <gtest/gtest.h>

#include "sim/world/parts.h"
#include "tests/support/world_of.h"

namespace vw {
namespace {

using test::set;
using test::world_of;

/// Returns a scene with grains that drift in a mean wind, a vortex and gusts.
Node windy_scene() {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_child(scene, "collider", "plane", "ground");
  Node& grains = add_child(scene, "system", "particles", "grains");
  grains.set("drag_time", 0.05);
  Node& cloud = add_child(grains, "emitter", "box", "cloud");
  cloud.set("position", Vec3(0, 1, 0));
  cloud.set("speed", 0.0);
  cloud.set("rate", 0.0);
  cloud.set("burst", std::int64_t{50});
  Node& layer = add_child(scene, "field", "uniform", "layer");
  layer.set("profile", std::string("log"));
  layer.set("velocity", Vec3(3, 0, 0));
  Node& gusts = add_child(scene, "field", "gust", "gusts");
  gusts.set("times", std::string("random"));
  gusts.set("rate", 3.0);
  add_child(scene, "field", "vortex", "whirl");
  return scene;
}

std::vector<Vec3> drifted(World& world, int steps) {
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(world.step()) << world.health().sentence();
  return world.system(0).elements().position;
}

TEST(WorldFields, AnEditIsAsIfTheWorldHadBeenMadeSo) {
  const auto edited = world_of(windy_scene());
  const auto still = drifted(*world_of(windy_scene()), 40);
  ASSERT_TRUE(edited->apply(SetParameter{"field.whirl.circulation", 4.0}));
  ASSERT_TRUE(edited->apply(SetParameter{"field.layer.profile", std::string("power")}));
  Node scene = windy_scene();
  set(scene, "field.whirl.circulation", 4.0);
  set(scene, "field.layer.profile", std::string("power"));
  const auto made = drifted(*world_of(scene), 40), moved = drifted(*edited, 40);
  EXPECT_EQ(moved, made);
  EXPECT_NE(moved, still);
}

TEST(WorldFields, OneThatIsSwitchedOffBlowsNoMore) {
  Node scene = windy_scene();
  const auto world = world_of(scene);
  for (const char* name : {"layer", "gusts", "whirl"})
    ASSERT_TRUE(world->apply(SetParameter{std::string("field.") + name + ".enabled", false}));
  const auto first = drifted(*world, 1), later = drifted(*world, 20);
  EXPECT_EQ(first, later);
  ASSERT_TRUE(world->apply(SetParameter{"field.layer.enabled", true}));
  EXPECT_NE(drifted(*world, 5), later);
}

TEST(WorldFields, AnEditThatMakesNoFieldChangesNothing) {
  const auto world = world_of(windy_scene()), other = world_of(windy_scene());
  const auto refused = world->apply(SetParameter{"field.layer.roughness", 10.0});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("field.layer.reference_height = 10.0 m: must be greater than roughness"),
            std::string::npos)
      << refused.error().message();
  EXPECT_EQ(std::get<double>(world->scene().find("field", "layer")->value("roughness")), 0.03);
  EXPECT_EQ(drifted(*world, 20), drifted(*other, 20));
}

TEST(WorldFields, AResetAndAMoveOfTheCollidersKeepThemAtWork) {
  const auto world = world_of(windy_scene()), other = world_of(windy_scene());
  drifted(*world, 10);
  ASSERT_TRUE(world->apply(SetParameter{"collider.ground.position", Vec3(0, -1, 0)}));
  drifted(*world, 10);
  ASSERT_TRUE(world->apply(SetParameter{"collider.ground.position", Vec3(0, 0, 0)}));
  ASSERT_TRUE(world->apply(Reset{}));
  EXPECT_EQ(drifted(*world, 20), drifted(*other, 20));
}

/// Returns a scene with tracers one centimetre from a ball, in a turbulent wind that flows around obstacles.
Node ball_in_wind() {
  Node scene = make_node(scene_schema());
  Node& ball = add_child(scene, "collider", "sphere", "ball");
  ball.set("radius", 0.2);
  Node& tracers = add_child(scene, "system", "particles", "tracers");
  tracers.set("drag", std::string("follow"));
  tracers.set("radius", 0.001);
  Node& skin = add_child(tracers, "emitter", "sphere", "skin");
  skin.set("position", Vec3(0, 0, 0));
  skin.set("radius", 0.21);
  skin.set("from", std::string("surface"));
  skin.set("speed", 0.0);
  skin.set("rate", 0.0);
  skin.set("burst", std::int64_t{200});
  Node& wind = add_child(scene, "field", "turbulence", "wind");
  wind.set("mean", Vec3(0, 0, 0));
  wind.set("obstacle_distance", 0.2);
  return scene;
}

/// Takes one step and returns the mean square of the tracers' velocity component normal to the ball's surface, divided
/// by that of the tangential component.
double through(World& world) {
  EXPECT_TRUE(world.step()) << world.health().sentence();
  const Elements& tracers = world.system(0).elements();
  double across = 0, along = 0;
  for (std::size_t i = 0; i < tracers.size(); ++i) {
    const Vec3 n = tracers.position[i].normalized(), v = tracers.velocity[i];
    across += v.dot(n) * v.dot(n);
    along += (v - v.dot(n) * n).squaredNorm();
  }
  return across / along;
}

TEST(WorldFields, FieldsSeeTheWorldsCollidersAfterEditsAndResets) {
  Node ignoring = ball_in_wind();
  set(ignoring, "field.wind.obstacle_distance", 0.0);
  EXPECT_GT(through(*world_of(ignoring)), 0.2);
  const auto world = world_of(ball_in_wind());
  EXPECT_LT(through(*world), 0.02);
  ASSERT_TRUE(world->apply(SetParameter{"field.wind.strength", 0.7}));
  ASSERT_TRUE(world->apply(Reset{}));
  EXPECT_LT(through(*world), 0.02);
  ASSERT_TRUE(world->apply(SetParameter{"collider.ball.position", Vec3(9, 0, 0)}));
  ASSERT_TRUE(world->apply(Reset{}));
  EXPECT_GT(through(*world), 0.2);
}

TEST(WorldFields, OneFieldIsMadeAsTheyAllAre) {
  const Node scene = windy_scene();
  const auto all = build_fields(scene);
  ASSERT_TRUE(all);
  const std::vector<Vec3> x{Vec3(0.3, 1, 0.2)};
  for (const std::string& name : all->names()) {
    auto one = build_field(scene, *scene.find("field", name));
    ASSERT_TRUE(one);
    std::vector<Vec3> from_all(1), from_one{Vec3::Zero()};
    all->sample(FieldQuantity::velocity, name, x, 0.8, from_all);
    (*one)->add_velocity(x, {0.8, nullptr}, from_one);
    EXPECT_EQ(from_all, from_one) << name;
  }
}

TEST(WorldFields, WhatAPictureAsksOfTheAirIsThere) {
  const auto refusal = [](const char* path, const std::string& text) {
    Node scene = windy_scene();
    set(scene, path, text);
    const auto world = World::create(scene);
    return world ? std::string() : world.error().message();
  };
  EXPECT_EQ(refusal("view.air", "whirl"), "");
  EXPECT_EQ(refusal("view.air_quantity", "vorticity_y"), "");
  EXPECT_EQ(refusal("view.air_quantity", "vorticity"), "") << "its length";
  EXPECT_NE(refusal("view.air", "whorl").find("view.air = \"whorl\": must name a field of this scene"),
            std::string::npos);
  EXPECT_NE(refusal("view.air_quantity", "velocity").find("must be one of speed, velocity_x"), std::string::npos);
}

}  // namespace
}  // namespace vw
