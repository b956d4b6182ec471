// Session files as input instead of a scene: `run`, `check`, `render` and `compare`.
#include <algorithm>
#include <future>

#include <gmock/gmock.h>

#include "sim/api/live/live_run.h"
#include "tests/app/cli/program.h"
#include "tests/support/checked.h"
#include "tests/support/waiting.h"

namespace vw {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CliSessionTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write_session();
  }
  /// Writes a session with two branches of 60 steps. The second branch begins at step 30 with another gravity.
  void write_session() const {
    api::LiveRun live(test::checked(api::Run::create(test::checked(api::open_scene(path("small.toml"))))));
    live.single_step(60);
    wait_for_step(live, 60, 0);
    live.seek(0, 30);
    wait_for_step(live, 30, 0);
    live.submit(SetParameter{"world.gravity", Vec3(0, -3, 0)});
    live.rename_branch(1, "light");
    live.single_step(30);
    wait_for_step(live, 60, 1);
    save(live, "s.vwj");
  }
  static void wait_for_step(api::LiveRun& live, std::uint64_t tick, std::uint32_t branch) {
    ASSERT_TRUE(test::in_time([&] {
      live.acquire();
      const Snapshot& now = live.newest();
      return now.sequence > 0 && now.tick == tick && now.place.branch == branch && !now.place.is_seeking;
    }));
  }
  void save(api::LiveRun& live, const std::string& name) const {
    std::promise<Result<void>> saved;
    live.save_session(path(name), std::uint64_t{1} << 30, [&](Result<void> good) { saved.set_value(std::move(good)); });
    const auto good = saved.get_future().get();
    ASSERT_TRUE(good) << good.error().message();
  }
};

TEST_F(CliSessionTest, CheckRepeatsEveryBranch) {
  const auto checked = run({"check", "s.vwj"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_EQ(checked.err, "");
  EXPECT_EQ(std::count(checked.out.begin(), checked.out.end(), '\n'), 2);
  EXPECT_THAT(checked.out, HasSubstr("OK s.vwj: branch Main: 60 steps, 0.5 s, "));
  EXPECT_THAT(checked.out, HasSubstr("OK s.vwj: branch light: 60 steps, 0.5 s, "));
  const auto one = run({"check", "s.vwj", "--branch", "light"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(std::count(one.out.begin(), one.out.end(), '\n'), 1);
  const auto edited = run({"check", "s.vwj", "--set", "world.gravity=[0,0,0]"});
  EXPECT_EQ(edited.code, 2);
  EXPECT_THAT(edited.err, StartsWith("voxwake: --set world.gravity=[0,0,0]: cannot be used with a session"));
  EXPECT_EQ(run({"check", "s.vwj", "--at", "1"}).code, 2);
  EXPECT_EQ(run({"check", "s.vwj", "--base", "none.vxa"}).code, 2);
}

TEST_F(CliSessionTest, RunGoesOnFromABranch) {
  const auto hash_of = [](const ProgramResult& result) {
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out.substr(std::min(result.out.size(), result.out.rfind("state hash ")));
  };
  const auto main = run({"run", "s.vwj", "--branch", "Main", "--until", "0.6"});
  EXPECT_EQ(hash_of(main), hash_of(run({"run", "small.toml", "--until", "0.6"})));
  const auto light = run({"run", "s.vwj", "--until", "0.6", "--journal", "light.journal"});
  EXPECT_NE(hash_of(light), hash_of(main));
  EXPECT_EQ(hash_of(run({"replay", "light.journal"})), hash_of(light)) << "the journal holds the whole path";
  EXPECT_EQ(hash_of(run({"run", "s.vwj", "--branch", "1", "--until", "0.6", "--threads", "2"})), hash_of(light));
}

TEST_F(CliSessionTest, ExportRepeatsABranchFromTheStart) {
  const auto last_frame = [&](const std::vector<std::string>& words) {
    const auto done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("11 frames to 0.5 s"));
    return slurp(path("e/grains_000010.ply"));
  };
  const std::string main = last_frame({"export", "s.vwj", "--branch", "Main", "--every", "0.05", "--out", "e.ply"});
  const std::string light = last_frame({"export", "s.vwj", "--every", "0.05", "--out", "e.ply"});
  EXPECT_NE(light, main) << "the command of the branch is repeated";
  EXPECT_EQ(main, last_frame({"export", "small.toml", "--until", "0.5", "--every", "0.05", "--out", "e.ply"}));
  EXPECT_THAT(run({"export", "s.vwj", "--until", "0.25", "--every", "0.05", "--out", "e.ply"}).out,
              HasSubstr("6 frames to 0.25 s"));
  EXPECT_EQ(run({"export", "s.vwj", "--set", "world.gravity=[0,0,0]", "--out", "e.ply"}).code, 2);
}

TEST_F(CliSessionTest, ExportTakesTheNumberOfStepsAlsoIfTheirLengthChanges) {
  api::LiveRun live(test::checked(api::Run::create(test::checked(api::open_scene(path("small.toml"))))));
  live.single_step(10);
  wait_for_step(live, 10, 0);
  live.submit(SetParameter{"world.dt", 1.0 / 240});
  live.single_step(10);
  wait_for_step(live, 20, 0);
  save(live, "dt.vwj");
  EXPECT_THAT(run({"export", "dt.vwj", "--steps", "20", "--every", "1e-9", "--out", "e.ply"}).out,
              HasSubstr("21 frames to 0.125 s"));
  EXPECT_THAT(run({"export", "dt.vwj", "--every", "1e-9", "--out", "e.ply"}).out, HasSubstr("21 frames to 0.125 s"));
}

TEST_F(CliSessionTest, CompareFindsWhereTwoBranchesPart) {
  const auto equal = run({"compare", "s.vwj", "s.vwj"});
  EXPECT_EQ(equal.code, 0) << equal.out << equal.err;
  const auto parted =
      run({"compare", "s.vwj", "s.vwj", "--branch-a", "Main", "--branch-b", "light", "--first", "--report", "-"});
  EXPECT_EQ(parted.code, 1) << parted.err;
  EXPECT_EQ(nlohmann::json::parse(parted.out)["first_difference"]["step_a"], 31);
}

TEST_F(CliSessionTest, OptionsThatDoNotFitAreErrorsOfOneSentence) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& part) {
    const auto result = run(arguments);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr(part));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  };
  refused({"run", "s.vwj", "--branch", "dark"}, "s.vwj: has no branch \"dark\"; its branches are Main, light");
  refused({"run", "small.toml", "--branch", "Main"},
          "--branch Main: applies only to a session, but small.toml is not a session");
  refused({"run", "s.vwj", "--branch", ""}, "--branch = \"\": must not be empty");
  refused({"export", "s.vwj", "--out", "a.vxa"}, "s.vwj: is a session; this command opens scenes only");
  refused({"replay", "s.vwj"}, "s.vwj: is a session, not a journal");
  refused({"compare", "small.toml", "s.vwj", "--branch-a", "Main"}, "--branch-a Main: applies only to a session");
  refused({"run", "s.vwj", "--journal", "s.vwj"}, "s.vwj");
  write("cut.vwj", slurp(path("s.vwj")).substr(0, 40));
  refused({"run", "cut.vwj"}, "cut.vwj: is a damaged session");
}

TEST_F(CliSessionTest, AnIncompleteSessionGivesWhatItHolds) {
  const std::string whole = slurp(path("s.vwj"));
  write("cut.vwj", whole.substr(0, whole.size() - 10));
  const auto checked = run({"check", "cut.vwj"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_THAT(checked.err, StartsWith("voxwake: warning: cut.vwj: the last "));
  const auto continued = run({"run", "cut.vwj", "--until", "0.6"});
  EXPECT_EQ(continued.code, 0);
  EXPECT_THAT(continued.err, HasSubstr("bytes are damaged or incomplete"));
}

}  // namespace
}  // namespace vw
