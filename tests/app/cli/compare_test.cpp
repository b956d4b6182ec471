// The command `voxwake compare`: kinds of input, exit codes, text output and report.
#include <algorithm>

#include "tests/app/cli/program.h"

namespace vw {
namespace {

class CliCompareTest : public CliTest {
 protected:
  /// Writes the journal and the checkpoint of a run of 0.1 s (12 steps) with `sets`.
  void write_run(const std::string& name, const std::vector<std::string>& sets = {}) const {
    std::vector<std::string> arguments{"run",       "small.toml",      "--until", "0.1",
                                       "--journal", name + ".journal", "--save",  name + ".state"};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    const auto result = run(arguments);
    ASSERT_EQ(result.code, 0) << result.err;
  }
};

TEST_F(CliCompareTest, EqualInputsOfEveryKindExitWith0) {
  write_run("a");
  const std::vector<std::pair<std::string, std::string>> pairs{{"a.journal", "a.journal"},
                                                               {"a.journal", "small.toml"},
                                                               {"small.toml", "a.state"},
                                                               {"a.state", "a.journal"},
                                                               {"a.state", "a.state"}};
  for (const auto& [a, b] : pairs) {
    SCOPED_TRACE(a + " " + b);
    const auto result = run({"compare", a, b});
    EXPECT_EQ(result.code, 0) << result.out << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find("A and B are bit-identical at "), std::string::npos) << result.out;
    EXPECT_NE(result.out.find(", through 0.1 s."), std::string::npos) << result.out;
  }
  const auto scenes = run({"compare", "small.toml", "small.toml", "--until", "0.05", "--threads", "2"});
  EXPECT_EQ(scenes.code, 0) << scenes.out << scenes.err;
  EXPECT_NE(scenes.out.find("at 7 common times, through 0.05 s."), std::string::npos) << scenes.out;
}

TEST_F(CliCompareTest, ADifferenceExitsWith1AndIsReported) {
  write_run("a");
  write_run("b", {"system.grains.emitter.cloud.speed=0.6"});
  const auto result = run({"compare", "a.journal", "b.journal", "--report", "report.json"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "");
  for (const char* part :
       {"A: a.journal (journal), 12 steps to 0.1 s, state hash ", "The scenes differ in 1 place:\n",
        "  system.grains.emitter.cloud.speed: 0.5 in A, 0.6 in B\n", "First difference: 0.00833333 s, ",
        "step 1 (equal through 0 s)\n", "  system \"grains\", element ", "Growth of the differences:\n",
        "Largest distance in system \"grains\": "})
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  const auto report = json("report.json");
  EXPECT_EQ(report["equal"], false);
  EXPECT_EQ(report["first_difference"]["step_a"], 1);
  EXPECT_EQ(report["first_difference"]["arrays"][0]["name"], "grains");
  EXPECT_LE(report["growth"].size(), 200U);
  const auto first = run({"compare", "a.journal", "b.journal", "--first", "--report", "-"});
  EXPECT_EQ(first.code, 1);
  const auto printed = nlohmann::json::parse(first.out);
  EXPECT_EQ(printed["end"], "first_difference");
  EXPECT_EQ(printed["a"]["steps"], 1);
}

TEST_F(CliCompareTest, ValuesCanBeSetForBothSidesOrOne) {
  EXPECT_EQ(run({"compare", "small.toml", "small.toml", "--until", "0.05", "--set", "world.gravity=0,-1,0"}).code, 0);
  for (const char* side : {"--set-a", "--set-b"}) {
    const auto one = run({"compare", "small.toml", "small.toml", "--until", "0.05", side, "world.gravity=0,-1,0"});
    EXPECT_EQ(one.code, 1) << one.out;
    EXPECT_NE(one.out.find("world.gravity: "), std::string::npos) << one.out;
  }
  EXPECT_EQ(run({"compare", "small.toml", "small.toml", "--until", "0.05", "--set-a", "world.gravity=0,-1,0", "--set-b",
                 "world.gravity=0,-1,0"})
                .code,
            0);
  write_run("a");
  const auto journals = run({"compare", "a.journal", "a.journal", "--set-b", "world.gravity=0,-1,0"});
  EXPECT_EQ(journals.code, 1) << journals.out;
  const auto states = run({"compare", "a.state", "a.state", "--until", "0.2", "--set-b", "world.gravity=0,-1,0"});
  EXPECT_EQ(states.code, 1) << states.out;
  EXPECT_NE(states.out.find("First difference: 0.108333 s, step 13 (equal through 0.1 s)"), std::string::npos)
      << states.out;
}

TEST_F(CliCompareTest, AJournalOfAResumedRunNeedsItsCheckpoint) {
  write_run("a");
  ASSERT_EQ(run({"run", "--resume", "a.state", "--until", "0.2", "--journal", "more.journal"}).code, 0);
  const auto without = run({"compare", "more.journal", "small.toml"});
  EXPECT_EQ(without.code, 2);
  EXPECT_NE(without.err.find("name this checkpoint with --resume-a FILE"), std::string::npos) << without.err;
  const auto with = run({"compare", "more.journal", "small.toml", "--resume-a", "a.state"});
  EXPECT_EQ(with.code, 0) << with.out << with.err;
  EXPECT_NE(with.out.find("at 13 common times, through 0.2 s."), std::string::npos) << with.out;
}

TEST_F(CliCompareTest, AFailedHealthCheckExitsWith1AndASentence) {
  const auto result = run({"compare", "small.toml", "small.toml", "--until", "0.05", "--set-b", "world.step_budget=1e3",
                           "--set-b", "system.cube.size=20,20,20"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find("The comparison ended: B failed a health check: step "), std::string::npos)
      << result.out << result.err;
}

TEST_F(CliCompareTest, EveryMistakeIsOneSentenceAndExitCode2) {
  write_run("a");
  const std::string whole = slurp(path("a.state")), lines = slurp(path("a.journal"));
  write("cut.state", whole.substr(0, whole.size() / 2));
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 1);
  write("flipped.state", flipped);
  write("bad.journal", "{\"build\":\"b\"}\n");
  write("deep.journal", std::string(100000, '{'));
  write("empty.journal", "");
  write("old.journal", lines.substr(0, lines.find('\n') + 1) + "{\"tick\":-1}\n{\"tick\":0}\n");
  struct Mistake {
    std::vector<std::string> arguments;
    std::string sentence;
  };
  const std::vector<Mistake> mistakes{
      {{"compare"}, "A is required"},
      {{"compare", "small.toml"}, "B is required"},
      {{"compare", "small.toml", "small.tml"}, "small.tml"},
      {{"compare", "small.toml", "small.toml", "more"}, "unexpected argument \"more\""},
      {{"compare", "cut.state", "small.toml"}, "cut.state: is damaged or truncated"},
      {{"compare", "small.toml", "flipped.state"}, "flipped.state: is damaged or truncated"},
      {{"compare", "bad.journal", "small.toml"}, "bad.journal:1: is not a Voxwake journal"},
      {{"compare", "deep.journal", "small.toml"}, "deep.journal:1: is not a Voxwake journal"},
      {{"compare", "empty.journal", "small.toml"}, "empty.journal"},
      {{"compare", "old.journal", "small.toml"}, "old.journal:2: "},
      {{"compare", "small.toml", "small.toml", "--set-a", "world.gravty=1"}, "did you mean \"gravity\"?"},
      {{"compare", "a.journal", "a.journal", "--set-b", "world.gravty=1"}, "did you mean \"gravity\"?"},
      {{"compare", "small.toml", "small.toml", "--until", "nan"}, "--until = nan: must be a number of at least 0"},
      {{"compare", "small.toml", "small.toml", "--resume-b", "a.state"},
       "--resume-b a.state: applies only to a journal, but small.toml is not a journal"},
      {{"compare", "small.toml", "small.toml", "--base", "x.vxa"}, "--base x.vxa: applies only to a .vxd"},
      {{"compare", "a.journal", "small.toml", "--report", "a.journal"}, "would be overwritten"},
      {{"compare", "small.toml", "a.state", "--report", "a.state"}, "would be overwritten"},
      {{"compare", "small.toml", "small.toml", "--report", "no/such/folder/r.json"}, "no/such/folder/r.json"},
  };
  for (const auto& mistake : mistakes) {
    SCOPED_TRACE(::testing::PrintToString(mistake.arguments));
    const auto result = run(mistake.arguments);
    EXPECT_EQ(result.code, 2) << result.out;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("voxwake: ")) << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_NE(result.err.find(mistake.sentence), std::string::npos) << result.err;
  }
}

TEST_F(CliCompareTest, AnIncompleteJournalIsComparedToItsLastEntry) {
  write_run("a");
  const std::string lines = slurp(path("a.journal"));
  write("cut.journal", lines.substr(0, lines.size() - 20));  // the end line is cut
  const auto result = run({"compare", "cut.journal", "a.journal"});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_NE(result.err.find("warning: cut.journal is incomplete"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace vw
