// Sensors measure quantities at the end of every step.
#include "sim/control/sensor.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/control/control_scene.h"

namespace vw {
namespace {

using test::error_of;
using test::free_row;
using test::signal_of;
using test::take_steps;
using test::world_of_text;

/// Returns a ball that falls freely from rest at the height 100 m, with g = 10 m/s^2 and a time step of 10 ms.
std::string falling_ball(const std::string& more) {
  return R"(format = 1
[world]
gravity = [0, -10, 0]
dt = 0.01
[[system]]
kind = "rigid"
name = "balls"
[[system.body]]
kind = "sphere"
name = "ball"
position = [0, 100, 0]
[[collider]]
kind = "plane"
name = "ground"
)" + more;
}
std::string sensor(const std::string& name, const std::string& quantity, const std::string& more = {}) {
  return "[[sensor]]\nname = \"" + name + "\"\nsystem = \"balls\"\nquantity = \"" + quantity + "\"\n" + more;
}

TEST(Sensors, MeasureValueRateAndIntegral) {
  const auto world = world_of_text(falling_ball(
      sensor("height", "height") + sensor("fall", "height", "output = \"rate\"\n") +
      sensor("drop", "velocity_y", "output = \"integral\"\n") + sensor("clearance", "gap", "collider = \"ground\"\n")));
  EXPECT_NEAR(signal_of(*world, "sensor.height"), 100, 1e-9) << "measured at the start";
  take_steps(*world, 100);
  // Symplectic Euler has an error of first order in dt: g t dt / 2 = 0.05 m for the height.
  EXPECT_NEAR(signal_of(*world, "sensor.height"), 95, 0.06);
  EXPECT_NEAR(signal_of(*world, "sensor.fall"), -10, 0.11);
  EXPECT_NEAR(signal_of(*world, "sensor.drop"), -5, 0.06);
  EXPECT_NEAR(signal_of(*world, "sensor.clearance"), signal_of(*world, "sensor.height") - 0.1, 1e-4);
}

TEST(Sensors, TheFilterIsOfFirstOrder) {
  // The response of the filter to a ramp a t from the value 0 is a (t - tau (1 - exp(-t / tau))).
  const auto world = world_of_text(falling_ball(sensor("speed", "velocity_y", "filter = 0.5\n")));
  take_steps(*world, 100);
  EXPECT_NEAR(signal_of(*world, "sensor.speed"), -10 * (1 - 0.5 * (1 - std::exp(-2.0))), 0.06);
}

TEST(Sensors, KeepTheirValueWhileThereIsNothingToMeasure) {
  const auto world = world_of_text(falling_ball(sensor("other", "velocity_y", "element = 7\n")));
  take_steps(*world, 3);
  EXPECT_EQ(signal_of(*world, "sensor.other"), 0);
}

TEST(Sensors, MeasureForcesOfRulesWithoutASubscriber) {
  // A ball at rest on another system presses with its weight.
  const auto world = world_of_text(R"(format = 1
[[collider]]
kind = "plane"
name = "ground"
[[system]]
kind = "rigid"
name = "floor"
[[system.body]]
kind = "box"
name = "slab"
size = [2, 0.2, 2]
position = [0, 0.1, 0]
[[system]]
kind = "rigid"
name = "load"
[[system.body]]
kind = "sphere"
name = "ball"
mass = 2
position = [0, 0.7, 0]
[[sensor]]
name = "weight"
system = "load"
quantity = "vector_y"
vector = "rigid_rigid"
filter = 0.1
)");
  take_steps(*world, 240);
  EXPECT_NEAR(signal_of(*world, "sensor.weight"), 2 * 9.81, 0.05 * 2 * 9.81);
}

TEST(Sensors, AControllerHoldsAMotorAtTheWantedAngle) {
  const auto world = world_of_text(R"toml(format = 1
[[system]]
kind = "rigid"
name = "machine"
[[system.body]]
kind = "box"
name = "arm"
size = [0.4, 0.1, 0.1]
position = [0.2, 1, 0]
[[system.joint]]
kind = "hinge"
name = "pivot"
a = "arm"
anchor = [0, 1, 0]
axis = [0, 0, 1]
motor = "speed"
motor_speed = 0
motor_most = 1000
[[sensor]]
name = "angle"
system = "machine"
quantity = "joint_angle"
joint = "pivot"
[[actuator]]
kind = "formula"
name = "controller"
targets = ["system.machine.joint.pivot.motor_speed"]
formula = "5*(0.6 - angle)"
)toml");
  take_steps(*world, 240);
  EXPECT_NEAR(signal_of(*world, "sensor.angle"), 0.6, 0.01);
}

TEST(Sensors, MistakesNameTheSensor) {
  EXPECT_NE(error_of(falling_ball(sensor("a", "joint_angle"))).find("sensor.a.joint"), std::string::npos);
  EXPECT_NE(error_of(falling_ball(sensor("a", "channel", "channel = \"sped\"\n"))).find("sensor.a.channel"),
            std::string::npos);
  EXPECT_NE(error_of(falling_ball("[[sensor]]\nname = \"a\"\nsystem = \"bals\"\n")).find("balls"), std::string::npos);
  EXPECT_NE(error_of(falling_ball(sensor("sin", "height"))).find("name that formulas can contain"), std::string::npos);
  EXPECT_NE(error_of(falling_ball(sensor("t", "height"))).find("name that formulas can contain"), std::string::npos);
  EXPECT_NE(error_of(falling_ball(sensor("a-b", "height") + sensor("a_b", "height"))).find("must differ"),
            std::string::npos);
  EXPECT_NE(error_of(falling_ball(sensor("a", "signal", "channel = \"sensor.a\"\n"))).find("sensor.a.quantity"),
            std::string::npos);
}

TEST(Sensors, CommandsWithUnknownNamesAreRefused) {
  const auto world = world_of_text(falling_ball(sensor("height", "height")));
  take_steps(*world, 3);
  const Node before = world->scene();
  const std::uint64_t hash = world->hash();
  Node copy = before;
  Node& speed = add_child(copy, "sensor", "sensor", "speed");
  speed.set("system", std::string("balls"));
  speed.set("quantity", std::string("channel"));
  speed.set("channel", std::string("sped"));
  const std::vector<NodeChange> addition{{.node = speed}};
  ChangeNodes command = change_command(before, addition);
  for (const bool resets : {false, true}) {
    command.resets = resets;
    const auto refused = world->apply(command);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message().find(
                  "sensor.speed.channel = \"sped\": must name a channel of balls (did you mean \"speed\"?)"),
              std::string::npos)
        << refused.error().message();
    EXPECT_TRUE(same_node(world->scene(), before));
    EXPECT_EQ(world->hash(), hash);
  }
  take_steps(*world, 3);
  speed.set("channel", std::string("speed"));
  ASSERT_TRUE(test::change(*world, {.node = speed}));
  EXPECT_NEAR(signal_of(*world, "sensor.speed"), 0.6, 1e-6);
}

TEST(Sensors, NamesOfLoadsNeedAnObstacle) {
  const auto world = world_of_text(R"(format = 1
[[system]]
kind = "fluid"
name = "water"
spacing = 0.05
[[system.fill]]
kind = "box"
name = "pool"
position = [0, 0.1, 0]
size = [0.3, 0.2, 0.3]
[[collider]]
kind = "plane"
name = "ground"
)");
  take_steps(*world, 2);
  Node copy = world->scene();
  Node ball = add_child(copy, "collider", "sphere", "ball");
  ball.set("position", Vec3(0, 5, 0));
  Node load = add_child(copy, "sensor", "sensor", "load");
  load.set("system", std::string("water"));
  load.set("quantity", std::string("total"));
  load.set("channel", std::string("force_on_obstacles_y"));
  EXPECT_FALSE(test::change(*world, {.node = load}));
  const std::vector<NodeChange> both{{.node = ball}, {.node = load}};
  const auto added = world->apply(change_command(world->scene(), both));
  ASSERT_TRUE(added) << added.error().message();
  take_steps(*world, 2);
  EXPECT_FALSE(test::change(*world, {.kind = NodeChange::Kind::remove, .node = ball}));
}

TEST(Sensors, PlotsShowSignals) {
  const Node scene = test::scene_of(falling_ball(sensor("height", "height") +
                                                 "[[plot]]\nname = \"control\"\n[[plot.curve]]\nkind = \"measured\"\n"
                                                 "name = \"h\"\nquantity = \"signal\"\nchannel = \"sensor.height\"\n"));
  auto plots = PlotSet::compile(scene);
  ASSERT_TRUE(plots) << plots.error().message();
  const auto world = test::world_of(scene);
  take_steps(*world, 10);
  Snapshot now;
  world->write_snapshot(now);
  std::vector<double> row;
  plots->measure(now, row);
  ASSERT_EQ(row.size(), 1U);
  EXPECT_NEAR(row[0], 99.95, 0.01);
  EXPECT_NE(error_of(falling_ball("[[plot]]\nname = \"p\"\n[[plot.curve]]\nkind = \"measured\"\nname = \"h\"\n"
                                  "quantity = \"signal\"\nchannel = \"sensor.height\"\n"))
                .find("plot.p.curve.h.channel"),
            std::string::npos);
}

TEST(Sensors, FollowEditsOfGravityAndOfObstacles) {
  const auto world = world_of_text(
      falling_ball("[[collider]]\nkind = \"sphere\"\nname = \"moon\"\nradius = 1\nposition = [50, 100, 0]\n" +
                   sensor("height", "height") + sensor("clearance", "gap", "collider = \"moon\"\n")));
  take_steps(*world, 1);
  EXPECT_NEAR(signal_of(*world, "sensor.height"), 100, 0.01);
  EXPECT_NEAR(signal_of(*world, "sensor.clearance"), 50 - 1 - 0.1, 0.01);
  ASSERT_TRUE(world->apply(SetParameter{"world.gravity", Vec3(0, 10, 0)}));
  ASSERT_TRUE(world->apply(SetParameter{"collider.moon.radius", 3.0}));
  take_steps(*world, 1);
  EXPECT_NEAR(signal_of(*world, "sensor.height"), -100, 0.01);
  EXPECT_NEAR(signal_of(*world, "sensor.clearance"), 50 - 3 - 0.1, 0.01);
}

TEST(Sensors, ContinueWhenTheSystemIsRenamed) {
  const auto world =
      world_of_text(falling_ball(sensor("drop", "velocity_y", "output = \"integral\"\n") + sensor("way", "distance")));
  take_steps(*world, 50);
  const double drop = signal_of(*world, "sensor.drop"), way = signal_of(*world, "sensor.way");
  EXPECT_GT(way, 1);
  const std::vector<NodeChange> renaming{
      {.kind = NodeChange::Kind::rename, .node = *world->scene().find("system", "balls"), .new_name = "spheres"}};
  ChangeNodes command = change_command(world->scene(), renaming);
  for (const char* name : {"drop", "way"})
    command.values.push_back({"sensor." + std::string(name) + ".system", std::string("spheres")});
  ASSERT_TRUE(world->apply(command));
  EXPECT_EQ(signal_of(*world, "sensor.drop"), drop);
  EXPECT_EQ(signal_of(*world, "sensor.way"), way);
}

TEST(Sensors, ContinueWhenTheirJointIsRenamed) {
  const auto world = world_of_text(R"toml(format = 1
[[system]]
kind = "rigid"
name = "machine"
[[system.body]]
kind = "box"
name = "arm"
size = [0.4, 0.1, 0.1]
position = [0.2, 1, 0]
[[system.joint]]
kind = "hinge"
name = "pivot"
a = "arm"
anchor = [0, 1, 0]
axis = [0, 0, 1]
[[sensor]]
name = "turned"
system = "machine"
quantity = "joint_angle"
joint = "pivot"
output = "integral"
)toml");
  take_steps(*world, 20);
  const double turned = signal_of(*world, "sensor.turned");
  EXPECT_GT(std::abs(turned), 1e-3);
  const std::vector<NodeChange> renaming{{.kind = NodeChange::Kind::rename,
                                          .parent = "system.machine",
                                          .node = *find_node(world->scene(), "system.machine.joint.pivot"),
                                          .new_name = "elbow"}};
  ChangeNodes command = change_command(world->scene(), renaming);
  command.values.push_back({"sensor.turned.joint", std::string("elbow")});
  ASSERT_TRUE(world->apply(command));
  EXPECT_EQ(signal_of(*world, "sensor.turned"), turned);
}

TEST(Sensors, ContinueWhenOtherNodesChange) {
  const auto world = world_of_text(falling_ball(
      sensor("drop", "velocity_y", "output = \"integral\"\n") + sensor("fall", "height", "output = \"rate\"\n") +
      sensor("slow", "velocity_y", "filter = 0.5\n") + sensor("speed", "velocity_y")));
  take_steps(*world, 50);
  const double before = signal_of(*world, "sensor.drop"), rate = signal_of(*world, "sensor.fall"),
               slow = signal_of(*world, "sensor.slow");
  Node copy = world->scene();
  Node& extra = add_child(copy, "collider", "sphere", "far");
  extra.set("position", Vec3(90, 0, 0));
  ASSERT_TRUE(test::change(*world, {.node = extra}));
  EXPECT_EQ(signal_of(*world, "sensor.drop"), before);
  EXPECT_LT(rate, -4);
  EXPECT_EQ(signal_of(*world, "sensor.fall"), rate);
  EXPECT_EQ(signal_of(*world, "sensor.slow"), slow) << "must not take the value of the sensor without a filter";
  take_steps(*world, 50);
  EXPECT_NEAR(signal_of(*world, "sensor.drop"), -5, 0.06);
}

}  // namespace
}  // namespace vw
