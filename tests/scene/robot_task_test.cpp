// Tasks for robots: the packaged tasks, a robot placed in the scene of a task, limits, and mistakes in files.
#include "sim/scene/tasks/robot_task.h"
#include "scene_test_support.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

using namespace scene_test;

RobotTask task(const std::string& name) {
  return test::checked(find_robot_task(test::checked(packaged_robot_tasks()), name));
}

constexpr const char* task_robot_text = R"(
[[material]]
name = "soft"
youngs_modulus = 5e5
density = 900
cte = 0.01
bond_damping = 3
mu_static = 9
[[system]]
kind = "voxel_body"
name = "beast"
shape = "layers"
palette = ["soft"]
size = [4, 3, 2]
voxel_size = 0.5
position = [7, 8, 9]
velocity = [5, 0, 0]
wind_drag = 0
temperature_wave = "sine"
temperature_amplitude = 10
temperature_period = 0.5
layers = ["..../....", ".11./.11.", ".1../.1.."]
)";

class RobotTasks : public testing::Test {
 protected:
  std::string message(const std::string& from, const std::string& to, const std::string& name = "walk-1") {
    std::string text = task_robot_text;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const auto scene = scene_with_robot(task(name), folder_.write("robot.toml", text));
    if (scene) return "accepted";
    const std::string all = scene.error().message();
    return all.substr(all.find("robot.toml"));
  }
  test::Scratch folder_;
};

TEST_F(RobotTasks, ThePackagedTasksHaveScenesAndScores) {
  const auto tasks = test::checked(packaged_robot_tasks());
  std::vector<std::string> ids;
  for (const RobotTask& one : tasks) {
    ids.push_back(one.id());
    const auto scene = load_scene(one.scene, {.strict = true});
    ASSERT_TRUE(scene) << scene.error().message();
    EXPECT_NE(scene->root.find("system", one.system), nullptr) << one.id();
    const Node* plot = scene->root.find("plot", one.score.plot);
    ASSERT_NE(plot, nullptr) << one.id();
    EXPECT_NE(plot->find("curve", one.score.curve), nullptr) << one.id();
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"float-1", "hold-1", "swim-1", "walk-1"}));
}

TEST_F(RobotTasks, TheRobotGetsThePlaceAndTheContactOfTheTask) {
  const RobotTask walk = task("walk");
  const Node scene = test::checked(scene_with_robot(walk, folder_.write("robot.toml", task_robot_text)));
  const Node& body = *scene.find("system", "robot");
  EXPECT_EQ(value_of<Vec3>(body, "size"), Vec3(2, 2, 2)) << "the occupied part of the lattice";
  EXPECT_EQ(value_of<TextList>(body, "layers").size(), 2U);
  EXPECT_EQ(value_of<double>(body, "voxel_size"), 0.02);
  EXPECT_EQ(value_of<Vec3>(body, "position"), Vec3(-0.02, 0, -0.02));
  EXPECT_EQ(value_of<Vec3>(body, "velocity"), Vec3(0, 0, 0));
  EXPECT_EQ(value_of<double>(body, "temperature_amplitude"), 10);
  const auto palette = value_of<TextList>(body, "palette");
  ASSERT_EQ(palette.size(), 1U);
  const Node& material = *scene.find("material", palette.front());
  EXPECT_EQ(value_of<double>(material, "density"), 900);
  EXPECT_EQ(value_of<double>(material, "bond_damping"), 0.7) << "the value of the task, not of the robot";
  EXPECT_EQ(value_of<double>(material, "mu_static"), 1) << "the value of the task, not of the robot";
  EXPECT_EQ(test::checked(make_lattice(body, scene)).cell.size(), 6U);
}

TEST_F(RobotTasks, LimitsAreCheckedOneByOne) {
  EXPECT_EQ(message("density = 900", "density = 900"), "accepted");
  EXPECT_EQ(message("density = 900", "density = 10"),
            "robot.toml: material.soft.density = 10 kg/m^3: must lie in [500, 2000] kg/m^3 in walk-1");
  EXPECT_EQ(message("youngs_modulus = 5e5", "youngs_modulus = 1"),
            "robot.toml: material.soft.youngs_modulus = 1 Pa: must lie in [100000, 1e+07] Pa in walk-1");
  EXPECT_EQ(message("temperature_amplitude = 10", "temperature_amplitude = 16"),
            "robot.toml: strain of a voxel = 0.16: must be at most 0.15 in walk-1");
  EXPECT_NE(message("temperature_period = 0.5", "temperature_period = 0.1").find("at least 0.25 s"), std::string::npos);
  EXPECT_EQ(message("\"..../....\"", "\"...1/....\""),
            "robot.toml: voxels = 2 pieces: must be one piece, joined by faces");
  EXPECT_EQ(message("density = 900", "density = 900", "hold-1"),
            "robot.toml: height = 0.04 m: must be at least 0.12 m in hold-1");
}

TEST_F(RobotTasks, FeaturesThatWouldHelpUnfairlyAreRefused) {
  EXPECT_NE(
      message("palette = [\"soft\"]\n", "palette = [\"soft\"]\n[[system.region]]\nforce = [1, 0, 0]\nfixed = false\n"),
      "accepted");
  EXPECT_NE(message("cte = 0.01", "cte = 0.01\nfailure_strain = 0.1"), "accepted");
  EXPECT_NE(message("name = \"beast\"\n", "name = \"beast\"\n[[system]]\nkind = \"voxel_body\"\nname = \"other\"\n"),
            "accepted");
}

TEST_F(RobotTasks, MistakesInATaskAreReported) {
  const auto error = [](const std::string& text, const std::string& name = "walk-1") {
    const auto read = read_robot_task(text, name + ".toml", name, "folder");
    return read ? "accepted" : read.error().message();
  };
  const std::string good =
      "title = \"a\"\ndescription = \"b\"\nscene = \"c.toml\"\n[score]\ntitle = \"d\"\nplot = \"p\"\ncurve = \"q\"\n";
  EXPECT_EQ(error(good), "accepted");
  EXPECT_EQ(error("title = \"a\"\n"), "walk-1.toml:1: description: is missing");
  EXPECT_NE(error(good, "walk").find("NAME-VERSION"), std::string::npos);
  EXPECT_NE(error(good, "walk-0").find("NAME-VERSION"), std::string::npos);
  EXPECT_NE(error(good + "from = 3\nto = 1\n").find("must not be after"), std::string::npos);
  EXPECT_NE(error(good + "value = \"slope\"\n").find("score.value"), std::string::npos);
  const auto task = read_robot_task(good + "value = \"rate\"\n", "walk-1.toml", "walk-1", "folder");
  EXPECT_EQ(test::checked(task).score.value, LabValue::rate);
  EXPECT_NE(error(good + "value = \"slope\"\n").find("value"), std::string::npos);
  EXPECT_NE(error(good + "[limits]\ncells = 3\n"), "accepted");
  EXPECT_NE(error(std::string("\0\xff", 2)), "accepted");
  const auto tasks = test::checked(packaged_robot_tasks());
  EXPECT_EQ(find_robot_task(tasks, "wal").error().hint, "walk");
}

TEST_F(RobotTasks, ARobotThatCannotBeReadIsNamed) {
  EXPECT_FALSE(scene_with_robot(task("walk"), folder_.path("none.vxa")));
  EXPECT_FALSE(scene_with_robot(task("walk"), folder_.write("bad.vxa", "<VXA")));
  EXPECT_FALSE(scene_with_robot(task("walk"), folder_.write("bad.npz", "PK")));
}

}  // namespace
}  // namespace vw
