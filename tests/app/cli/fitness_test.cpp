// `voxwake run --fitness`, which writes a fitness file in the format of evosoro, the command `voxelyze` in
// tools/compat, and `voxwake study` without Python.
#include <cmath>

#include "sim/api/run.h"
#include "tests/app/cli/program.h"

namespace vw {
namespace {

class CliFitness : public CliTest {
 protected:
  /// Writes the packaged walker as a design in the dialect of evosoro (a package for evolving soft robots).
  void write_robot(const std::string& stop, const std::string& file_name = "fitness.xml") const {
    std::string text = slurp(std::string(VOXWAKE_SOURCE_DIR) + "/assets/models/walker.vxa");
    const auto end = text.find("</Simulator>");
    ASSERT_NE(end, std::string::npos);
    const auto old = text.find("<StopCondition>");
    if (old != std::string::npos && old < end) {
      const auto old_end = text.find("</StopCondition>") + 16;
      text.erase(old, old_end - old);
    }
    text.insert(text.find("</Simulator>"), "<StopCondition>" + stop + "</StopCondition><GA><WriteFitnessFile>1" +
                                               "</WriteFitnessFile>\n<FitnessFileName>" + file_name +
                                               "</FitnessFileName></GA>");
    write("robot.vxa", text);
  }
  [[nodiscard]] double leaf(const std::string& name, const std::string& file = "fitness.xml") const {
    const std::string text = slurp(path(file));
    const auto at = text.find("<" + name + ">");
    return at == std::string::npos ? std::nan("") : std::stod(text.substr(at + name.size() + 2));
  }
};

constexpr const char* half_second =
    "<StopConditionType>2</StopConditionType><StopConditionValue>0.5</StopConditionValue><InitCmTime>0.1</InitCmTime>";

TEST_F(CliFitness, DistancesCountFromTheInitialTimeInVoxels) {
  write_robot(half_second);
  const auto done = run({"run", "robot.vxa", "--fitness", "fitness.xml", "--save", "end.state"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_DOUBLE_EQ(leaf("Lifetime"), 0.5);
  auto world = api::Run::create(*api::open_scene(path("robot.vxa")));
  ASSERT_TRUE(world.has_value());
  const std::string body = world->systems().front();
  ASSERT_TRUE(world->run_until(0.1).has_value());
  const Vec3 start = world->diagnostics(body)->center_of_mass;
  ASSERT_TRUE(world->run_until(0.5).has_value());
  const Vec3 way = (world->diagnostics(body)->center_of_mass - start) / 0.02;  // in edges of a voxel
  EXPECT_DOUBLE_EQ(leaf("finalDistY"), -way.z());                              // y of a design is -z of the scene
  EXPECT_DOUBLE_EQ(leaf("FinalDist"), std::hypot(way.x(), way.z()));
  EXPECT_EQ(leaf("NormFinalDist"), leaf("FinalDist"));
  EXPECT_GT(leaf("AnteriorDist"), leaf("PosteriorDist"));
  EXPECT_GT(leaf("NumTouchingFloor"), 0);
}

TEST_F(CliFitness, ARunThatEndsBeforeTheInitialTimeHasCoveredNoDistance) {
  write_robot(half_second);
  ASSERT_EQ(run({"run", "robot.vxa", "--fitness", "fitness.xml", "--until", "0.05"}).code, 0);
  EXPECT_EQ(leaf("FinalDist"), 0);
  EXPECT_EQ(leaf("finalDistY"), 0);
}

TEST_F(CliFitness, OnlyADesignWithATimeHasAFitness) {
  write_robot("<StopConditionType>5</StopConditionType>");
  const auto other = run({"run", "robot.vxa", "--fitness", "fitness.xml"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("StopConditionType = 5: must be 0 (no stop) or 2 (stop at a time) for a fitness file"),
            std::string::npos)
      << other.err;
  write("totals.csv", "old");
  EXPECT_EQ(run({"run", "robot.vxa", "--fitness", "fitness.xml", "--totals", "totals.csv"}).code, 2);
  EXPECT_EQ(slurp(path("totals.csv")), "old") << "a refused command replaces no file";
  EXPECT_EQ(run({"run", "small.toml", "--fitness", "fitness.xml"}).code, 2);
  EXPECT_EQ(run({"run", "robot.vxa", "--fitness", "robot.vxa"}).code, 2) << "the design would be overwritten";
  EXPECT_FALSE(std::filesystem::exists(path("fitness.xml")));
}

TEST_F(CliFitness, TheCommandVoxelyzeWritesTheFileThatTheDesignNames) {
  write_robot(half_second, "results/robot--id_7.xml");
  std::filesystem::create_directory(path("results"));
  const std::string command = "cd '" + folder_.folder() + "' && VOXWAKE='" + program() + "' '" +
                              std::string(VOXWAKE_SOURCE_DIR) + "/tools/compat/voxelyze' -f robot.vxa > out.txt";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(slurp(path("out.txt")), "");
  EXPECT_DOUBLE_EQ(leaf("Lifetime", "results/robot--id_7.xml"), 0.5);
}

TEST_F(CliFitness, AStudyWithoutPythonEndsInOneSentence) {
  setenv("VOXWAKE_PYTHON", "no-python-here", 1);
  const auto done = run({"study", "study.toml"});
  unsetenv("VOXWAKE_PYTHON");
  EXPECT_EQ(done.code, 2);
  EXPECT_EQ(done.err, "voxwake: studies need Python, but there is no program no-python-here\n");
}

}  // namespace
}  // namespace vw
