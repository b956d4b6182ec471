// Scores of the packaged robots, compared with the table of the guide.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "sim/api/analysis/score.h"
#include "sim/base/files/file.h"
#include "tests/support/checked.h"

namespace vw::api {
namespace {

const std::string source = VOXWAKE_SOURCE_DIR;

/// Runs a packaged robot of a task, and expects the score and the hash that docs/guide/robot-tasks.md states for it.
/// `kind` is "hand", "random" or "evolved".
void expect_row_of_the_guide(const std::string& name, const std::string& kind) {
  SCOPED_TRACE(name + "-" + kind);
  const std::string guide = test::checked(read_file(source + "/docs/guide/robot-tasks.md", std::uint64_t{1} << 20));
  for (const RobotTask& task : test::checked(packaged_robot_tasks())) {
    if (task.id() != name + "-1") continue;
    const std::string robot = name + "-" + kind + ".toml";
    const RobotScore score = test::checked(score_robot(task, source + "/assets/benchmark/robots/" + robot));
    EXPECT_EQ(score.task, task.id());
    const std::string row = fmt::format("| `{}` | `{}` |", task.id(), robot),
                      hash = fmt::format("`{:016x}`", score.hash);
    const auto at = guide.find(row);
    ASSERT_NE(at, std::string::npos);
    const std::string line = guide.substr(at, guide.find('\n', at) - at);
    EXPECT_NE(line.find(hash), std::string::npos) << line << " but the hash is " << hash;
    EXPECT_NEAR(std::stod(line.substr(row.size())), score.score, 1e-5 * std::abs(score.score)) << line;
    return;
  }
  ADD_FAILURE() << "no such task";
}

TEST(Score, OfTheWalkerMadeByHandIsThatOfTheGuide) { expect_row_of_the_guide("walk", "hand"); }

TEST(ScoreValidation, OfEachPackagedRobotIsThatOfTheGuide) {
  for (const char* name : {"walk", "swim", "hold", "float"})
    for (const char* kind : {"hand", "random", "evolved"}) expect_row_of_the_guide(name, kind);
}

TEST(Score, CanBeStopped) {
  const std::vector<RobotTask> tasks = test::checked(packaged_robot_tasks());
  int steps = 0;
  const auto score = score_robot(tasks.back(), source + "/assets/benchmark/robots/walk-hand.toml",
                                 {.go_on = [&](double) { return ++steps < 3; }});
  EXPECT_FALSE(score);
  EXPECT_EQ(steps, 3);
}

}  // namespace
}  // namespace vw::api
