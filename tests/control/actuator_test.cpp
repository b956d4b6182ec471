// Actuators set parameters of a running world.
#include "sim/control/actuator.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/system/voxel/voxel_body.h"
#include "sim/world/session.h"
#include "sim/world/state/scene_version.h"
#include "tests/control/control_scene.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

using test::error_of;
using test::free_row;
using test::hashes_of;
using test::scene_of;
using test::set;
using test::signal_of;
using test::take_steps;
using test::world_of;
using test::world_of_text;

std::string actuator(const std::string& kind, const std::string& more,
                     const std::string& target = "system.row.muscle.all.strain") {
  return "[[actuator]]\nkind = \"" + kind + "\"\nname = \"drive\"\ntargets = [\"" + target + "\"]\n" + more;
}
const std::string whole_muscle = "[[system.muscle]]\nname = \"all\"\n";

double prescribed_strain(World& world) {
  return dynamic_cast<const VoxelBody&>(*world.find_system("row")).muscles().strain_of(0, 1);
}

TEST(Actuators, AMuscleFollowsAWave) {
  const auto world = world_of_text(
      free_row(whole_muscle + actuator("wave", "amplitude = 0.1\noffset = 0.02\nfrequency = 1.5\nphase = 0.1\n")));
  for (int i = 1; i <= 100; ++i) {
    take_steps(*world, 1);
    const double t = 0.01 * i;
    EXPECT_NEAR(prescribed_strain(*world), 0.02 + 0.1 * std::sin(2 * pi * (1.5 * t + 0.1)), 1e-12) << t;
  }
  EXPECT_NEAR(signal_of(*world, "actuator.drive"), prescribed_strain(*world), 1e-15);
}

TEST(Actuators, AWaveContinuesWithoutAJumpWhenItsFrequencyChanges) {
  const auto world = world_of_text(free_row(whole_muscle + actuator("wave", "amplitude = 0.1\nfrequency = 1\n")));
  take_steps(*world, 37);
  ASSERT_TRUE(world->apply(SetParameter{"actuator.drive.frequency", 3.0}));
  take_steps(*world, 13);
  EXPECT_NEAR(prescribed_strain(*world), 0.1 * std::sin(2 * pi * (0.37 + 3 * 0.13)), 1e-12);
}

TEST(Actuators, AWaveFadesIn) {
  const auto world = world_of_text(
      free_row(whole_muscle + actuator("wave", "wave = \"square\"\namplitude = 0.1\nfrequency = 0.1\nfade_in = 1\n")));
  take_steps(*world, 25);
  EXPECT_NEAR(prescribed_strain(*world), 0.025, 1e-12);
}

TEST(Actuators, TheTargetHasItsOwnValueBeforeTheStartAndAfterTheEnd) {
  const auto world = world_of_text(free_row("[[system.muscle]]\nname = \"all\"\nstrain = 0.03\n" +
                                            actuator("manual", "value = 0.1\nstart = 0.1\nend = 0.2\n")));
  take_steps(*world, 9);
  EXPECT_EQ(prescribed_strain(*world), 0.03);
  EXPECT_TRUE(std::isnan(signal_of(*world, "actuator.drive")));
  take_steps(*world, 3);
  EXPECT_EQ(prescribed_strain(*world), 0.1);
  take_steps(*world, 10);
  EXPECT_EQ(prescribed_strain(*world), 0.03);
  EXPECT_EQ(std::get<double>(find_node(world->scene(), "system.row.muscle.all")->value("strain")), 0.03)
      << "the scene keeps the own value";
  EXPECT_TRUE(world->edits().empty());
}

TEST(Actuators, ATableIsReadInStraightLinesOrInSteps) {
  const std::string rows = "times = [0, 0.1, 0.3]\nvalues = [0, 0.1, -0.1]\n";
  const auto lines = world_of_text(free_row(whole_muscle + actuator("table", rows)));
  take_steps(*lines, 5);
  EXPECT_NEAR(prescribed_strain(*lines), 0.05, 1e-12);
  take_steps(*lines, 15);
  EXPECT_NEAR(prescribed_strain(*lines), 0.0, 1e-12);
  take_steps(*lines, 30);
  EXPECT_NEAR(prescribed_strain(*lines), -0.1, 1e-12) << "the last value remains";
  const auto steps = world_of_text(free_row(whole_muscle + actuator("table", rows + "line = \"steps\"\n")));
  take_steps(*steps, 15);
  EXPECT_NEAR(prescribed_strain(*steps), 0.1, 1e-12);
  const auto repeated = world_of_text(free_row(whole_muscle + actuator("table", rows + "repeat = true\n")));
  take_steps(*repeated, 35);
  EXPECT_NEAR(prescribed_strain(*repeated), 0.05, 1e-12) << "0.05 s after the repetition at 0.3 s";
}

TEST(Actuators, ATableComesFromACsvFile) {
  const test::Scratch scratch;
  scratch.write("gait.csv", "time,strain\n0,0\n0.1,0.1\n# a comment\n\n0.2;0.05\n");
  const std::string text = free_row(whole_muscle + actuator("table", "source = \"gait.csv\"\n"));
  const auto scene = load_scene_text(text, "scene.toml", scratch.path(""));
  ASSERT_TRUE(scene) << scene.error().message();
  const Node& table = *scene->root.find("actuator", "drive");
  EXPECT_EQ(std::get<NumberList>(table.value("values")), (NumberList{0, 0.1, 0.05}));
  EXPECT_EQ(std::get<std::string>(table.value("source")), "") << "the tree is self-contained";
  for (const auto& [content, message] :
       std::vector<std::pair<std::string, std::string>>{{"0,1\nx,2\n", "gait.csv:2: \"x,2\""},
                                                        {"0,1\n0,2\n", "gait.csv:2: the time 0 s follows 0 s"},
                                                        {"0\n", "gait.csv:1:"},
                                                        {"0;1\n1;2,5\n", "gait.csv:2: \"1;2,5\""},
                                                        {"0,5;1,25\n1,5;2\n", "gait.csv:"},
                                                        {"0,nan\n", "gait.csv:1:"},
                                                        {"0,1e13\n", "actuator.drive.values = "},
                                                        {"a,b\n", "contains no row"},
                                                        {"", "contains no row"}}) {
    scratch.write("gait.csv", content);
    const auto wrong = load_scene_text(text, "scene.toml", scratch.path(""));
    ASSERT_FALSE(wrong) << content;
    EXPECT_NE(wrong.error().message().find(message), std::string::npos) << wrong.error().message();
  }
}

TEST(Actuators, AFormulaWithoutAValueStopsTheWorldBeforeTheStep) {
  const auto world = world_of_text(free_row(whole_muscle + actuator("formula", "formula = \"0.1*sqrt(0.055 - t)\"\n")));
  take_steps(*world, 5);
  const auto before = world->hash();
  EXPECT_FALSE(world->step());
  EXPECT_EQ(world->hash(), before);
  EXPECT_NE(world->health().sentence().find("actuator.drive: the formula has no finite value at t = 0.06 s"),
            std::string::npos)
      << world->health().sentence();
  ASSERT_TRUE(world->apply(SetParameter{"actuator.drive.formula", std::string("0.01")}));
  EXPECT_TRUE(world->step()) << "an edit lets the world go on";
}

TEST(Actuators, ValuesAreLimitedToTheRangeOfTheTarget) {
  const auto world = world_of_text(free_row(whole_muscle + actuator("manual", "value = -7\nstart = 1000\n")));
  ASSERT_TRUE(world->apply(SetParameter{"system.row.muscle.all.response", 1000.0}));
  ASSERT_TRUE(world->apply(SetParameter{"actuator.drive.start", 0.0}));
  take_steps(*world, 1);
  EXPECT_NEAR(prescribed_strain(*world), -0.8 * (1 - std::exp(-1e-5)), 1e-12);
}

TEST(Actuators, EveryKindOfPartIsDriven) {
  const std::string scene = R"(format = 1
[[collider]]
kind = "plane"
name = "ground"
[[collider]]
kind = "box"
name = "lid"
position = [9, 9, 9]
[[field]]
kind = "uniform"
name = "breeze"
[[material]]
name = "soft"
[[system]]
kind = "voxel_body"
name = "cube"
size = [2, 2, 2]
material = "soft"
position = [0, 0.5, 0]
[[system]]
kind = "particles"
name = "rain"
[[system.emitter]]
kind = "box"
name = "cloud"
position = [0, 2, 0]
rate = 0
[[system]]
kind = "rigid"
name = "machine"
[[system.body]]
kind = "box"
name = "arm"
position = [3, 2, 0]
[[system.joint]]
kind = "hinge"
name = "pivot"
a = "arm"
anchor = [3, 2, 0]
motor = "target"
motor_most = 1000
)";
  const auto parameters = std::vector<std::pair<std::string, double>>{
      {"world.gravity.y", -3},
      {"material.soft.youngs_modulus", 2e5},
      {"field.breeze.velocity.x", 4},
      {"system.rain.emitter.cloud.rate", 400},
      {"system.machine.joint.pivot.motor_target", 0.5},
      {"collider.ground.mu_dynamic", 0.1},
  };
  std::string text = scene;
  int number = 0;
  Node tree = scene_of(scene);
  for (const auto& [path, value] : parameters) {
    const bool known = find_parameter(tree, path).has_value() || path.ends_with(".x") || path.ends_with(".y");
    ASSERT_TRUE(known) << path;
    text += "[[actuator]]\nkind = \"manual\"\nname = \"drive" + std::to_string(number++) + "\"\ntargets = [\"" + path +
            "\"]\nvalue = " + std::to_string(value) + "\n";
  }
  ASSERT_EQ(error_of(text), "");
  const auto driven = world_of_text(text);
  // A world in which the same parameters are edited by hand before the first step must have the same motion.
  const auto edited = world_of_text(scene);
  for (const auto& [path, value] : parameters) {
    if (path == "world.gravity.y") {
      ASSERT_TRUE(edited->apply(SetParameter{"world.gravity", Vec3(0, value, 0)}));
    } else if (path == "field.breeze.velocity.x") {
      Vec3 mean = std::get<Vec3>(find_node(edited->scene(), "field.breeze")->value("velocity"));
      mean.x() = value;
      ASSERT_TRUE(edited->apply(SetParameter{"field.breeze.velocity", mean}));
    } else {
      ASSERT_TRUE(edited->apply(SetParameter{path, value})) << path;
    }
  }
  for (int i = 0; i < 60; ++i) {
    take_steps(*driven, 1), take_steps(*edited, 1);
    for (const char* system : {"cube", "rain", "machine"}) {
      const Elements &a = driven->find_system(system)->elements(), &b = edited->find_system(system)->elements();
      ASSERT_EQ(a.size(), b.size()) << system;
      for (std::size_t v = 0; v < a.size(); ++v) ASSERT_EQ(a.position[v], b.position[v]) << system << " step " << i;
    }
  }
  EXPECT_GT(driven->find_system("rain")->elements().size(), 100U);
}

TEST(Actuators, ASnapshotHasThePlacesOfDrivenParts) {
  const auto world = world_of_text(R"(format = 1
[[collider]]
kind = "box"
name = "lid"
position = [7, 8, 9]
[[field]]
kind = "fan"
name = "fan"
position = [1, 2, 3]
[[system]]
kind = "voxel_body"
name = "cube"
position = [5, 5, 5]
[[system]]
kind = "rigid"
name = "machine"
[[system.body]]
kind = "box"
name = "arm"
position = [3, 2, 0]
[[system.joint]]
kind = "hinge"
name = "pivot"
a = "arm"
anchor = [3, 2.5, 0]
[[actuator]]
kind = "wave"
name = "all"
targets = ["field.fan.speed", "system.machine.joint.pivot.motor_speed", "collider.lid.mu_dynamic", "world.gravity.y",
  "system.cube.temperature_amplitude"]
offset = 2
amplitude = 1
frequency = 1
)");
  take_steps(*world, 30);
  Snapshot now;
  world->write_snapshot(now);
  ASSERT_EQ(now.signals.size(), 1U);
  const SignalSnapshot& all = now.signals[0];
  ASSERT_EQ(all.places.size(), 3U) << "gravity has no place, and a body is not where its node says";
  EXPECT_EQ(all.places[0], Vec3f(1, 2, 3));
  EXPECT_LT((all.places[1] - Vec3f(3, 2.5F, 0)).norm(), 0.01F);
  EXPECT_EQ(all.places[2], Vec3f(7, 8, 9));
  EXPECT_GE(all.largest, std::abs(all.value));
}

TEST(Actuators, MistakesNameTheParameterAndTheRemedy) {
  const auto message = [](const std::string& kind, const std::string& more, const std::string& target) {
    return error_of(free_row(whole_muscle + actuator(kind, more, target)));
  };
  EXPECT_NE(message("wave", "", "system.row.muscle.al.strain").find("actuator.drive.targets"), std::string::npos);
  EXPECT_NE(message("wave", "", "system.row.muscle.al.strain").find("all"), std::string::npos) << "the nearest name";
  EXPECT_NE(message("wave", "", "system.row.voxel_size").find("may change during a run"), std::string::npos);
  EXPECT_NE(message("wave", "", "world.gravity").find("world.gravity.x"), std::string::npos);
  EXPECT_NE(message("wave", "", "world.dt").find("actuators cannot set world.dt"), std::string::npos);
  EXPECT_NE(message("wave", "", "system.row.material").find("path of a real number"), std::string::npos);
  EXPECT_NE(message("wave", "", "view.color_by").find("must be the path of a parameter of a system"),
            std::string::npos);
  EXPECT_NE(message("formula", "formula = \"sin(t\"\n", "world.gravity.x").find("actuator.drive.formula"),
            std::string::npos);
  EXPECT_NE(message("formula", "formula = \"tilt\"\n", "world.gravity.x").find("tilt"), std::string::npos);
  EXPECT_NE(message("table", "times = [0, 0]\nvalues = [1, 2]\n", "world.gravity.x").find("ascending"),
            std::string::npos);
  EXPECT_NE(message("table", "times = [0, 1]\nvalues = [1]\n", "world.gravity.x").find("2 times and 1 values"),
            std::string::npos);
  const std::string second = "[[actuator]]\nkind = \"manual\"\nname = \"other\"\ntargets = [\"world.gravity.x\"]\n";
  EXPECT_NE(message("wave", second, "world.gravity.x").find("another enabled actuator"), std::string::npos);
  EXPECT_EQ(message("wave", second + "enabled = false\n", "world.gravity.x"), "");
}

/// Returns a scene whose actuators and sensors have all kinds of state.
std::string closed_loop() {
  return free_row(whole_muscle +
                  "[[sensor]]\nname = \"stretch\"\nsystem = \"row\"\nquantity = \"channel\"\nchannel = \"strain_max\"\n"
                  "over = \"mean\"\nfilter = 0.05\n"
                  "[[sensor]]\nname = \"far-way\"\nsystem = \"row\"\nquantity = \"distance\"\noutput = \"integral\"\n"
                  "[[sensor]]\nname = \"speed\"\nsystem = \"row\"\nquantity = \"position_x\"\nelement = 7\n"
                  "output = \"rate\"\n" +
                  actuator("formula", "formula = \"0.1*sin(9*t) - 0.2*stretch + far_way - 0.1*speed\"\n") +
                  "[[actuator]]\nkind = \"wave\"\nname = \"pull\"\ntargets = [\"world.gravity.x\"]\nfrequency = 2\n");
}

TEST(Actuators, TheBitsAreTheSameOnAnyNumberOfThreadsAndAfterACheckpoint) {
  std::vector<std::vector<std::uint64_t>> runs;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    runs.push_back(hashes_of(*world_of_text(closed_loop()), 40));
  }
  set_thread_count(0);
  EXPECT_EQ(runs[0], runs[1]);
  EXPECT_EQ(runs[0], runs[2]);

  const test::Scratch scratch;
  const Node scene = scene_of(closed_loop());
  auto session = Session::create(scene, "text");
  ASSERT_TRUE(session);
  for (int i = 0; i < 13; ++i) ASSERT_TRUE(session->step());
  ASSERT_TRUE(session->apply(SetParameter{"actuator.pull.frequency", 3.0}));
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(session->step());
  ASSERT_TRUE(session->save_checkpoint(scratch.path("loop.vwstate")));
  const auto checkpoint = load_checkpoint(scratch.path("loop.vwstate"));
  ASSERT_TRUE(checkpoint) << checkpoint.error().message();
  auto resumed = Session::resume(scene, *checkpoint);
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ(hashes_of(resumed->world(), 20), hashes_of(session->world(), 20));
}

TEST(Actuators, AResetStartsThemAgain) {
  const auto world = world_of_text(closed_loop());
  const auto first = hashes_of(*world, 20);
  ASSERT_TRUE(world->apply(Reset{}));
  EXPECT_EQ(hashes_of(*world, 20), first);
}

TEST(Actuators, AReturnToAnEarlierMomentGivesTheDrivenValueOfThatMoment) {
  const auto world = world_of_text(free_row(actuator("manual", "value = -2\n", "world.gravity.y")));
  take_steps(*world, 5);
  const SceneVersion version = world->scene_version();
  StateBlock state;
  world->save_state(state);
  const auto expected = hashes_of(*world, 5);
  ASSERT_TRUE(world->apply(SetParameter{"actuator.drive.value", 3.0}));
  take_steps(*world, 5);
  ASSERT_TRUE(world->return_to(version, state));
  EXPECT_EQ(world->params().gravity.y(), -2);
  EXPECT_EQ(hashes_of(*world, 5), expected);
}

TEST(Actuators, ADrivenConstantWakesNoBodiesAfterAReturnToAMoment) {
  const std::string crate = R"(format = 1
[[collider]]
kind = "plane"
name = "ground"
[[system]]
kind = "rigid"
name = "boxes"
[[system.body]]
kind = "box"
name = "crate"
position = [0, 0.26, 0]
)";
  // The first formula does not depend on the sensor of the scene, although it contains the sensor's name within another
  // word. The other formulas depend on the sensor. The value of the last one exceeds the range of the target.
  const std::string sensor = "[[sensor]]\nname = \"ab\"\nsystem = \"boxes\"\nquantity = \"height\"\n";
  for (const std::string& driven :
       {actuator("manual", "value = 1.5\n", "system.boxes.gravity_scale"),
        actuator("formula", "formula = \"abs(-1.5)\"\n", "system.boxes.gravity_scale") + sensor,
        actuator("formula", "formula = \"1.5 + 0*ab\"\n", "system.boxes.gravity_scale") + sensor,
        actuator("formula", "formula = \"20 + ab\"\n", "system.boxes.gravity_scale") + sensor}) {
    SCOPED_TRACE(driven);
    const auto world = world_of_text(crate + driven);
    take_steps(*world, 20);
    SceneVersion version = world->scene_version();
    version.in_force = version.scene;  // as BranchTree::scene_at() computes it
    StateBlock state;
    world->save_state(state);
    EXPECT_EQ(hash_of(state), world->hash());
    const auto expected = hashes_of(*world, 10);
    for (const StateSource source : {StateSource::memory, StateSource::file}) {
      ASSERT_TRUE(world->return_to(version, state, source, true));
      EXPECT_EQ(hashes_of(*world, 10), expected);
    }
  }
}

TEST(Actuators, AStepThatIsNotTakenLeavesNoTraceOfItsDrivenValues) {
  const std::string crate = R"(format = 1
[world]
dt = 0.01
max_substeps = 100
energy_limit = 10
[[collider]]
kind = "plane"
name = "ground"
[[system]]
kind = "rigid"
name = "boxes"
[[system.body]]
kind = "box"
name = "crate"
position = [0, 0.26, 0]
)";
  // The value is set in step 100, in which the crate rests. It wakes the crate. The first step needs too many substeps.
  // In the second case, a sudden gravity makes the motion fail the health check.
  const std::string jerk =
      "[[actuator]]\nkind = \"manual\"\nname = \"jerk\"\ntargets = [\"world.gravity.x\"]\nvalue = 1e4\nstart = 0.995\n";
  for (const std::string& driven :
       {actuator("manual", "value = 1e-6\nstart = 0.995\n", "system.boxes.longest_dt"),
        actuator("manual", "value = 0.5\nstart = 0.995\n", "system.boxes.gravity_scale") + jerk}) {
    SCOPED_TRACE(driven);
    const auto world = world_of_text(crate + driven), untroubled = world_of_text(crate + driven);
    take_steps(*world, 99);
    take_steps(*untroubled, 99);
    EXPECT_FALSE(world->step());
    EXPECT_TRUE(world->health().failed);
    EXPECT_EQ(world->hash(), untroubled->hash());
    EXPECT_TRUE(world->in_force().empty());
    for (World* one : {world.get(), untroubled.get()}) {
      ASSERT_TRUE(one->apply(SetParameter{"actuator.drive.enabled", false}));
      if (one->scene().find("actuator", "jerk") == nullptr) continue;
      ASSERT_TRUE(one->apply(SetParameter{"actuator.jerk.enabled", false}));
    }
    EXPECT_EQ(hashes_of(*world, 20), hashes_of(*untroubled, 20));
  }
}

TEST(Actuators, AddingOneLeavesTheRestAndRemovingItGivesTheValueBack) {
  const auto world = world_of_text(free_row(whole_muscle));
  take_steps(*world, 5);
  Node copy = world->scene();
  Node& node = add_child(copy, "actuator", "manual", "drive");
  node.set("targets", TextList{"system.row.muscle.all.strain"});
  node.set("value", 0.1);
  NodeChange change{.node = node};
  ASSERT_TRUE(test::change(*world, change));
  take_steps(*world, 3);
  EXPECT_EQ(prescribed_strain(*world), 0.1);
  EXPECT_EQ(world->step_count(), 8U);
  change.kind = NodeChange::Kind::remove;
  ASSERT_TRUE(test::change(*world, change));
  take_steps(*world, 1);
  EXPECT_EQ(prescribed_strain(*world), 0.0);
  EXPECT_TRUE(world->in_force().empty()) << "nothing is left of the actuator";
}

TEST(Actuators, AComputedSceneHasNoDrivenValueOfARemovedActuator) {
  const auto world = world_of_text(free_row(whole_muscle + actuator("manual", "value = 0.1\n")));
  take_steps(*world, 2);
  SceneVersion version = world->scene_version();
  const std::vector<NodeChange> removal{
      {.kind = NodeChange::Kind::remove, .node = *world->scene().find("actuator", "drive")}};
  const Command command = change_command(world->scene(), removal);
  ASSERT_TRUE(advance_scene(version, command));
  ASSERT_TRUE(world->apply(command));
  for (const Node& in_force : {version.in_force, world->scene_version().in_force})
    EXPECT_EQ(std::get<double>(find_node(in_force, "system.row.muscle.all")->value("strain")), 0.0);
}

TEST(Actuators, AWaveKeepsItsPhaseWhenOtherNodesChangeAndWhenItIsRenamed) {
  const auto world = world_of_text(free_row(whole_muscle + actuator("wave", "amplitude = 0.1\nfrequency = 1\n")));
  take_steps(*world, 10);
  ASSERT_TRUE(world->apply(SetParameter{"actuator.drive.frequency", 2.0}));
  take_steps(*world, 5);
  NodeChange change{
      .kind = NodeChange::Kind::rename, .node = *world->scene().find("actuator", "drive"), .new_name = "swing"};
  ASSERT_TRUE(test::change(*world, change));
  take_steps(*world, 5);
  EXPECT_NEAR(prescribed_strain(*world), 0.1 * std::sin(2 * pi * (0.1 + 2 * 0.1)), 1e-12);
}

TEST(Actuators, ATargetOfARemovedNodeIsRefused) {
  const auto world = world_of_text(free_row(whole_muscle + actuator("wave", "")));
  const Node body = *world->scene().find("system", "row");
  const auto refused = test::change(*world, {.kind = NodeChange::Kind::remove, .node = body});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("actuator.drive.targets"), std::string::npos) << refused.error().message();
  EXPECT_TRUE(world->step());
}

TEST(Actuators, ADrivenValueIsNoEditThatWaitsForAReset) {
  auto world = world_of_text(free_row(whole_muscle + actuator("manual", "value = 0.1\n")));
  take_steps(*world, 2);
  ASSERT_EQ(world->in_force().size(), 1U);
  EXPECT_EQ(world->in_force()[0].path, "system.row.muscle.all.strain");
  // An edit of the driven parameter changes the value in the scene. The actuator continues to drive the parameter.
  ASSERT_TRUE(world->apply(SetParameter{"system.row.muscle.all.strain", 0.05}));
  take_steps(*world, 1);
  EXPECT_EQ(prescribed_strain(*world), 0.1);
  ASSERT_TRUE(world->apply(SetParameter{"actuator.drive.enabled", false}));
  take_steps(*world, 1);
  EXPECT_EQ(prescribed_strain(*world), 0.05);
}

}  // namespace
}  // namespace vw
