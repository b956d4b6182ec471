// The program without a window, as users run it: exit codes, error messages, reports, tables, journals, checkpoints and
// interrupts.
#include <set>

#include "tests/app/cli/program.h"

namespace vw {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  if (line.ends_with(',')) cells.emplace_back();
  return cells;
}

struct Mistake {
  std::vector<std::string> arguments;
  std::string sentence;  ///< expected part of the standard error output
};

TEST_F(CliTest, EveryMistakeIsOneSentenceOnStderrAndExitCode2) {
  const std::vector<Mistake> mistakes{
      {{"rnu", "small.toml"}, "unknown command \"rnu\" (did you mean \"run\"?)"},
      {{"chek"}, "did you mean \"voxwake check\"?"},
      {{"-q"}, "unknown option -q"},
      {{"-=1"}, "unknown option -"},
      {{"small.toml", "-q"}, "unknown option -q"},
      {{"run", "small.toml", "-q"}, "unknown option -q"},
      {{"run", "small.tml"}, "neither a file nor a packaged scene"},
      {{"run", "shwcase"}, "did you mean \"showcase\"?"},
      {{"run"}, "run requires a SCENE or --resume FILE"},
      {{"run", "small.toml", "--until", "nan"}, "--until = nan: must be a number of at least 0"},
      {{"run", "small.toml", "--until", "-1"}, "--until = -1: must be a number of at least 0"},
      {{"run", "small.toml", "--until", "1e999"}, "--until = 1e999"},
      {{"run", "small.toml", "--until", "soon"}, "--until = soon"},
      {{"run", "small.toml", "--until"}, "--until requires a value"},
      {{"run", "small.toml", "--until", "1", "--until", "2"}, "--until is given twice"},
      {{"run", "small.toml", "--export", "-"},
       "--export = -: must be the name of a file (only --report takes - for standard output)"},
      {{"run", "small.toml", "--journal", "-"}, "--journal = -: must be the name of a file"},
      {{"run", "small.toml", "--journal", "--strict"}, "--journal = --strict: must be the name of a file"},
      {{"run", "small.toml", "--report=", "--strict"}, "--report = --strict: must be the name of a file"},
      {{"run", "small.toml", "--base", "none.vxa"},
       "--base none.vxa: applies only to a .vxd, but small.toml is not a .vxd and does not use a .vxd"},
      {{"run", "small.toml", "--untl", "1"}, "unknown option --untl (did you mean \"--until\"?)"},
      {{"run", "small.toml", "--every", "1"}, "--every requires --export, --totals or --plots"},
      {{"run", "small.toml", "--export", "a.csv", "--every", "0"}, "--every = 0: must be a number above 0"},
      {{"run", "small.toml", "--threads", "0"}, "--threads = 0: must be a whole number from 1 to 1024"},
      {{"run", "small.toml", "--steps", "1", "--until", "1"}, "excludes"},
      {{"render", "small.toml", "--frame", "a.png", "--film", "--transparent"}, "excludes"},
      {{"run", "small.toml", "more"}, "unexpected argument \"more\""},
      {{"run", "small.toml", "--set", "world.gravty=1"}, "did you mean \"gravity\"?"},
      {{"run", "small.toml", "--set", "world.dt=0"}, "world.dt"},
      {{"run", "small.toml", "--set", "world.dt"}, "world.dt"},
      {{"run", "small.toml", "--report", "no/such/folder/r.json", "--steps", "1"}, "no/such/folder/r.json"},
      {{"run", "small.toml", "--export", "no/such/folder/a.csv"}, "no/such/folder/a.csv: cannot be written"},
      {{"run", "small.toml", "--journal", "no/such/folder/j"}, "no/such/folder/j"},
      {{"run", "small.toml", "--steps", "1", "--save", "small.toml"},
       "small.toml: is the scene itself and would be overwritten"},
      {{"run", "small.toml", "--steps", "1", "--journal", "a", "--export", "./a"},
       "a: two results would be written to this file"},
      {{"run", "small.toml", "--steps", "1", "--report", ""}, "--report = \"\": must be the name of a file"},
      {{"run", "small.toml", "--steps", "1", "--report", "/dev/full"},
       "/dev/full: cannot be written: No space left on device"},
      {{"run", "--resume", "none.state"}, "none.state"},
      {{"run", "--resume", "none.state", "--branch", "Main"}, "--at and --branch cannot be used with --resume"},
      {{"replay", "none.journal"}, "none.journal"},
      {{"replay", "small.toml"}, "small.toml"},
      {{"check"}, "SCENE is required"},
      {{"--set", "world.dt=0.01", "run", "small.toml"},
       "--set: options and arguments of a command must follow the command"},
      {{"small.toml", "run", "small.toml"}, "SCENE: options and arguments of a command must follow the command"},
      {{"render", "small.toml"}, "render requires --video FILE.mp4, --frame FILE.png or both"},
      {{"render", "small.toml", "--frame", "a.txt"},
       "a.txt: must end in .png or .svg or .pdf, because it will contain a picture"},
      {{"render", "small.toml", "--frame", "a.png", "--size", "10by10"}, "must be WIDTHxHEIGHT"},
      {{"render", "small.toml", "--frame", "a.png", "--size", "99999x10"}, "must be WIDTHxHEIGHT"},
      {{"bench", "voxel-cub"}, "did you mean \"voxel-cube\"?"},
      {{"bench", "--json"}, "bench: options require the NAME of a benchmark"},
      {{"bench", "compare", "base.json", "--threads", "2"}, "bench compare: takes no options"},
      {{"small.toml", "--screenshot", "a.txt"}, "a.txt: must end in .png, because it will contain a picture"},
      {{"small.toml", "--screenshot", "no/such/folder/a.png"}, "no/such/folder/a.png: cannot be written"},
      {{"small.toml", "--screenshot", "small.toml"}, "small.toml: is the scene itself and would be overwritten"},
      {{"small.toml"}, "no display is available; `voxwake render small.toml --video out.mp4`"},
  };
  for (const auto& mistake : mistakes) {
    const auto result = run(mistake.arguments);
    SCOPED_TRACE(::testing::PrintToString(mistake.arguments));
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("voxwake: ")) << result.err;
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
    EXPECT_NE(result.err.find(mistake.sentence), std::string::npos) << result.err;
  }
}

TEST_F(CliTest, CheckSaysOkWithCountsOrNamesTheLine) {
  const auto good = run({"check", "small.toml"});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.out, "OK small.toml: 2 systems, 64 elements, 1 interaction, 0 fields, 1 collider\n");
  EXPECT_EQ(good.err, "");
  write("bad.toml", std::string(small_scene) + "colour = 3\n");
  const auto bad = run({"check", "bad.toml"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.err.find("bad.toml:38"), std::string::npos) << bad.err;
  write("colour.toml", std::string(small_scene) + "[view]\ncolor_by = \"stran\"\n");
  const auto colour = run({"check", "colour.toml"});
  EXPECT_EQ(colour.code, 2);
  EXPECT_TRUE(colour.err.starts_with("voxwake: colour.toml:38: view.color_by = \"stran\": must be one of material, "))
      << colour.err;
  EXPECT_NE(colour.err.find("(did you mean \"strain\"?)"), std::string::npos) << colour.err;
}

TEST_F(CliTest, AMistakeInAMeshNamesTheScenesLineAndTheMeshsOnce) {
  const std::string folder = "a_folder_with_a_name_that_is_rather_long_and_goes_on/" + std::string(110, 'x');
  std::filesystem::create_directories(path(folder));
  write(folder + "/bad.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 1\nf 1 2 3\n");
  const std::string source = "source = \"" + folder + "/bad.obj\"\n";
  write("collider.toml", "format = 1\n\n[[collider]]\nkind = \"mesh\"\nname = \"c\"\n" + source);
  write("emitter.toml",
        "format = 1\n[[system]]\nkind = \"particles\"\nname = \"p\"\n[[system.emitter]]\nkind = \"mesh\"\nname = "
        "\"e\"\n" +
            source);
  for (const auto& [scene, place] : {std::pair{"collider.toml", "voxwake: collider.toml:3: collider.c.source: "},
                                     {"emitter.toml", "voxwake: emitter.toml:5: system.p.emitter.e.source: "}}) {
    const auto bad = run({"check", scene});
    EXPECT_EQ(bad.code, 2);
    EXPECT_TRUE(bad.err.starts_with(place)) << bad.err;
    const auto named = bad.err.find("/bad.obj:3: ");
    EXPECT_NE(named, std::string::npos) << bad.err;
    EXPECT_EQ(bad.err.find("bad.obj", named + 2), std::string::npos) << bad.err;
    EXPECT_NE(bad.err.find("must be a finite number"), std::string::npos) << bad.err;
  }
}

TEST_F(CliTest, TheReportHasEveryKeyOfTheInterface) {
  const auto result = run({"run", "small.toml", "--until", "0.1", "--threads", "2", "--report", "report.json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto report = json("report.json");
  for (const char* key : {"build", "scene", "threads", "steps", "simulated_s", "wall_s", "realtime_factor", "health",
                          "systems", "interrupted"})
    EXPECT_TRUE(report.contains(key)) << key;
  EXPECT_EQ(report["scene"], "small.toml");
  EXPECT_EQ(report["threads"], 2);
  EXPECT_EQ(report["steps"], 12);
  EXPECT_EQ(report["interrupted"], false);
  EXPECT_EQ(report["health"]["ok"], true);
  ASSERT_EQ(report["systems"].size(), 2U);
  for (const auto& system : report["systems"])
    for (const char* key :
         {"name", "kind", "count", "substeps", "substep_dt_s", "wall_s", "updates_per_s", "kinetic_energy",
          "potential_energy", "elastic_energy", "momentum", "angular_momentum", "centre_of_mass"})
      EXPECT_TRUE(system.contains(key)) << key;
}

TEST_F(CliTest, AReportToStandardOutputIsAllThatStandsThere) {
  const auto result = run({"run", "small.toml", "--steps", "3", "--report", "-"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["steps"], 3);
}

TEST_F(CliTest, TheFinalHashIsTheSameWith1And2And3And8Threads) {
  std::set<std::string> hashes;
  for (const char* threads : {"1", "2", "3", "8"}) {
    const auto result = run({"run", "small.toml", "--until", "0.3", "--threads", threads, "--report", "-"});
    ASSERT_EQ(result.code, 0) << result.err;
    hashes.insert(nlohmann::json::parse(result.out)["final_state_hash"].get<std::string>());
  }
  EXPECT_EQ(hashes.size(), 1U);
}

TEST_F(CliTest, SetChangesTheRunAndTheOrderOfOptionsDoesNot) {
  const auto hash = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--until", "0.1", "--report", "-"});
    const auto result = run(arguments);
    EXPECT_EQ(result.code, 0) << result.err;
    return nlohmann::json::parse(result.out)["final_state_hash"].get<std::string>();
  };
  const auto plain = hash({"run", "small.toml"});
  const auto moon = hash({"run", "small.toml", "--set", "world.gravity=[0,-1.62,0]"});
  EXPECT_NE(plain, moon);
  EXPECT_EQ(moon, hash({"run", "--set", "world.gravity=0,-1.62,0", "small.toml"}));
}

TEST_F(CliTest, TheTableHasTheAskedColumnsAndARowAnElement) {
  const auto result = run({"run", "small.toml", "--until", "0.2", "--export", "table.csv", "--every", "0.05"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto lines = lines_of(slurp(path("table.csv")));
  ASSERT_GT(lines.size(), 1U);
  EXPECT_TRUE(lines.front().starts_with("time,system,index,x,y,z,vx,vy,vz,")) << lines.front();
  const auto columns = cells_of(lines.front());
  std::set<std::string> times;
  std::size_t cube_rows = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto cells = cells_of(lines[i]);
    ASSERT_EQ(cells.size(), columns.size()) << lines[i];
    times.insert(cells[0]);
    cube_rows += cells[1] == "cube" ? 1U : 0U;
  }
  EXPECT_EQ(times.size(), 5U);  // at 0, 0.05, 0.1, 0.15 and 0.2 s
  EXPECT_EQ(cube_rows, 5U * 64U);
  EXPECT_TRUE(times.contains("0"));
}

TEST_F(CliTest, TheTableOfTotalsFollowsEachSystemsCentreAndEndsAsTheReportSays) {
  const auto result =
      run({"run", "small.toml", "--until", "0.2", "--totals", "totals.csv", "--every", "0.05", "--report", "-"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  const auto lines = lines_of(slurp(path("totals.csv")));
  ASSERT_EQ(lines.size(), 1U + 5U * report["systems"].size());
  const auto columns = cells_of(lines.front());
  const auto cell = [&](const std::string& line, const std::string& column) {
    return cells_of(
        line)[static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin())];
  };
  for (std::size_t i = 0; i < report["systems"].size(); ++i) {
    const auto& system = report["systems"][i];
    const std::string& last = lines[lines.size() - report["systems"].size() + i];
    EXPECT_EQ(cell(last, "system"), system["name"].get<std::string>());
    EXPECT_EQ(std::stod(cell(last, "kinetic_energy")), system["kinetic_energy"].get<double>());
    EXPECT_EQ(std::stod(cell(last, "centre_of_mass_y")), system["centre_of_mass"][1].get<double>());
    EXPECT_EQ(std::stod(cell(last, "angular_momentum_z")), system["angular_momentum"][2].get<double>());
    EXPECT_EQ(cell(last, "broken_bonds"), system["kind"] == "voxel_body" ? "0" : "");  // particles have no bonds
    if (system["kind"] == "voxel_body") {
      EXPECT_EQ(std::stod(cell(last, "largest_stress")), system["totals"]["largest_stress"].get<double>());
    }
  }
}

TEST_F(CliTest, SaveAndResumeGiveTheStraightRun) {
  ASSERT_EQ(run({"run", "small.toml", "--until", "0.3", "--report", "straight.json"}).code, 0);
  ASSERT_EQ(run({"run", "small.toml", "--until", "0.1", "--save", "half.state"}).code, 0);
  const auto resumed = run({"run", "--resume", "half.state", "--until", "0.3", "--report", "resumed.json"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(json("straight.json")["final_state_hash"], json("resumed.json")["final_state_hash"]);
  EXPECT_EQ(json("resumed.json")["steps"], 24);
  const auto named = run({"run", "small.toml", "--resume", "half.state", "--until", "0.3", "--report", "named.json"});
  EXPECT_EQ(named.err, "");
  EXPECT_EQ(json("straight.json")["final_state_hash"], json("named.json")["final_state_hash"]);
}

TEST_F(CliTest, ASetOnAResumedRunThatWaitsForAResetIsReported) {
  ASSERT_EQ(run({"run", "small.toml", "--steps", "2", "--save", "a.state"}).code, 0);
  const auto waits = run({"run", "--resume", "a.state", "--steps", "1", "--set", "world.seed=7", "--save", "b.state"});
  EXPECT_EQ(waits.code, 0);
  EXPECT_EQ(waits.err,
            "voxwake: warning: --set world.seed: takes effect only at a reset; the resumed run keeps the value 1\n");
  const auto both = run(
      {"run", "--resume", "a.state", "--steps", "1", "--set", "world.speed=2", "--set", "system.cube.voxel_size=0.03"});
  EXPECT_EQ(both.err,
            "voxwake: warning: --set system.cube.voxel_size: takes effect only at a reset; the resumed run keeps the "
            "value 0.02\n")
      << "speed changes at once, so it is not reported";
  EXPECT_EQ(run({"run", "--resume", "a.state", "--steps", "1", "--set", "world.seed=1"}).err, "")
      << "no warning, because 1 is the value in force";
  EXPECT_EQ(run({"run", "--resume", "b.state", "--steps", "1", "--set", "world.speed=2"}).err, "")
      << "no second warning of the seed that waits since the last run";
}

TEST_F(CliTest, AJournalReplaysAndATamperedOneDoesNot) {
  ASSERT_EQ(run({"run", "small.toml", "--until", "0.2", "--set", "world.seed=7", "--journal", "run.journal", "--report",
                 "report.json"})
                .code,
            0);
  const auto same = run({"replay", "run.journal", "--threads", "3"});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_NE(same.out.find("24 steps"), std::string::npos) << same.out;
  EXPECT_NE(same.out.find(json("report.json")["final_state_hash"].get<std::string>()), std::string::npos) << same.out;

  std::string text = slurp(path("run.journal"));
  const auto seed = text.find("seed = 7");
  ASSERT_NE(seed, std::string::npos);
  text[seed + 7] = '8';
  write("other.journal", text);
  const auto other = run({"replay", "other.journal"});
  EXPECT_EQ(other.code, 1);
  EXPECT_NE(other.err.find("step "), std::string::npos) << other.err;
}

TEST_F(CliTest, HashesOfEveryStepAreThoseOfShorterRuns) {
  ASSERT_EQ(run({"run", "small.toml", "--steps", "3", "--hashes", "hashes.csv"}).code, 0);
  std::string expected = "step,hash\n";
  for (const int steps : {0, 1, 2, 3}) {
    const std::string count = std::to_string(steps);
    ASSERT_EQ(run({"run", "small.toml", "--steps", count, "--report", "report.json"}).code, 0);
    expected += count + "," + json("report.json")["final_state_hash"].get<std::string>() + "\n";
  }
  EXPECT_EQ(slurp(path("hashes.csv")), expected);
}

TEST_F(CliTest, AJournalWithoutAHashVerifiesNothing) {
  ASSERT_EQ(run({"run", "small.toml", "--steps", "2", "--journal", "run.journal"}).code, 0);
  const std::string text = slurp(path("run.journal"));
  write("header.journal", text.substr(0, text.find('\n') + 1));
  const auto replayed = run({"replay", "header.journal"});
  EXPECT_EQ(replayed.code, 1);
  EXPECT_EQ(replayed.err,
            "voxwake: header.journal: 0 steps were run, but the result could not be verified, because the journal "
            "contains no hash\n");
  EXPECT_EQ(replayed.out, "");
}

TEST_F(CliTest, AJournalOfAnotherInstructionSetIsAnnounced) {
  ASSERT_EQ(run({"run", "small.toml", "--until", "0.1", "--journal", "run.journal"}).code, 0);
  EXPECT_EQ(run({"replay", "run.journal"}).err, "");
  std::string text = slurp(path("run.journal"));
  // The instruction set is at the end of the build description: "voxwake VERSION (COMMIT, COMPILER, PROCESSOR SET)".
  const auto end = text.find(")\"");
  ASSERT_NE(end, std::string::npos);
  const auto begin = text.rfind(' ', end);
  text.replace(begin + 1, end - begin - 1, "another-set");
  write("other.journal", text);
  const auto replayed = run({"replay", "other.journal"});
  EXPECT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_NE(replayed.err.find("warning: other.journal was written by "), std::string::npos) << replayed.err;
  EXPECT_NE(replayed.err.find("another-set)"), std::string::npos) << replayed.err;
}

TEST_F(CliTest, AJournalOfAResumedRunReplaysFromItsCheckpoint) {
  ASSERT_EQ(run({"run", "small.toml", "--until", "0.1", "--save", "half.state"}).code, 0);
  ASSERT_EQ(run({"run", "--resume", "half.state", "--until", "0.2", "--set", "world.gravity=[0,-5,0]", "--journal",
                 "second.journal"})
                .code,
            0);
  const auto replayed = run({"replay", "second.journal", "--resume", "half.state"});
  EXPECT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(run({"replay", "second.journal"}).code, 2);
}

TEST_F(CliTest, AFailedHealthCheckIsExitCode1AndKeepsTheReport) {
  // A failed health check: the soft body needs dozens of substeps, but the world allows only one.
  const auto result = run({"run", "small.toml", "--until", "0.5", "--set", "world.max_substeps=1", "--report",
                           "report.json", "--save", "last.state"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
  EXPECT_NE(result.err.find("cube"), std::string::npos) << result.err;
  EXPECT_EQ(json("report.json")["health"]["ok"], false);
  EXPECT_TRUE(std::filesystem::exists(path("last.state")));
  const auto full =
      run({"run", "small.toml", "--until", "0.5", "--set", "world.max_substeps=1", "--report", "/dev/full"});
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.err.find("/dev/full: cannot be written"), std::string::npos) << full.err;
  EXPECT_NE(full.err.find("cube"), std::string::npos) << full.err;
}

TEST_F(CliTest, CtrlCEndsCleanlyAndKeepsWhatWasWritten) {
  const pid_t child = start({"run", "small.toml", "--until", "100000", "--report", "report.json", "--export",
                             "table.csv", "--journal", "run.journal"});
  EXPECT_TRUE(grows_to("table.csv", 20000)) << "the run has begun";
  kill(child, SIGINT);
  const auto result = wait_for(child);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("interrupted at "), std::string::npos) << result.err;
  EXPECT_EQ(json("report.json")["interrupted"], true);
  EXPECT_TRUE(slurp(path("table.csv")).ends_with('\n'));
  const auto replayed = run({"replay", "run.journal"});
  EXPECT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(replayed.err, "");  // the journal has a valid end record
}

TEST_F(CliTest, ScenesComeOneALineWithTheNameFirst) {
  const auto result = run({"scenes"});
  ASSERT_EQ(result.code, 0);
  const auto lines = lines_of(result.out);
  ASSERT_FALSE(lines.empty());
  for (const auto& line : lines) EXPECT_EQ(run({"check", line.substr(0, line.find(' '))}).code, 0) << line;
}

TEST_F(CliTest, ParametersNamesPathsThatSetAccepts) {
  const auto result = run({"parameters"});
  ASSERT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("world.gravity\tworld\tm/s^2\t[0.0, -9.81, 0.0]"), std::string::npos);
  EXPECT_NE(result.out.find("system.NAME.voxel_size\tvoxel_body\tm"), std::string::npos);
  EXPECT_NE(run({"parameters", "--markdown"}).out.find("# "), std::string::npos);
}

TEST_F(CliTest, BenchPrintsRatesUnderKeysThatEndInPerSecond) {
  const auto result = run({"bench", "voxel-cube", "--n", "3", "--milliseconds", "5", "--threads", "2", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto rates = nlohmann::json::parse(result.out);
  EXPECT_EQ(rates["threads"], 2);
  EXPECT_GT(rates["voxel_steps_per_s"].get<double>(), 0);
}

TEST_F(CliTest, VersionNamesBuildVideoAndLicence) {
  const auto result = run({"--version"});
  EXPECT_EQ(result.code, 0);
  for (const char* part : {"voxwake ", "OpenGL 4.5", "video:", "MIT"})
    EXPECT_NE(result.out.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace vw
