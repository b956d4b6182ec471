// Commands that read and write files of other programs: exported designs, imported meshes, robots (.vxd) with their
// base design (.vxa), and recordings. No command may overwrite its input.
#include <sys/stat.h>

#include "tests/app/cli/program.h"

namespace vw {
namespace {

class CliFiles : public CliTest {};

TEST_F(CliFiles, ADesignIsExportedAndOpens) {
  const auto exported = run({"export", "small.toml", "--out", "cube.vxa"});
  EXPECT_EQ(exported.code, 0) << exported.err;
  EXPECT_EQ(exported.out, "Wrote cube.vxa\n");
  EXPECT_EQ(exported.err,
            "voxwake: warning: cube.vxa: a .vxa file cannot represent these features, which are omitted or replaced: "
            "position and "
            "rotation of the body "
            "(replaced by a start at the origin without rotation), system grains\n");
  const auto checked = run({"check", "cube.vxa", "--strict"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_EQ(checked.out, "OK cube.vxa: 1 system, 64 elements, 0 interactions, 0 fields, 1 collider\n");
}

TEST_F(CliFiles, TheEndingChoosesTheFormatOfAnExport) {
  const auto vox = run({"export", "small.toml", "--out", "cube.vox"});
  EXPECT_EQ(vox.code, 0) << vox.err;
  EXPECT_EQ(vox.out, "Wrote cube.vox\n");
  EXPECT_EQ(
      vox.err,
      "voxwake: warning: cube.vox: a .vox file contains only cells and colours; the voxel size, the properties of "
      "materials, regions and the world are omitted\n");
  EXPECT_EQ(slurp(path("cube.vox")).substr(0, 4), "VOX ");
  const auto binvox = run({"export", "small.toml", "--out", "cube.binvox"});
  EXPECT_EQ(binvox.code, 0) << binvox.err;
  EXPECT_EQ(slurp(path("cube.binvox")).substr(0, 10), "#binvox 1\n");
  for (const char* name : {"cube.vox", "cube.binvox"}) {
    const auto checked = run({"check", name, "--strict"});
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_EQ(checked.out,
              "OK " + std::string(name) + ": 1 system, 64 elements, 0 interactions, 0 fields, 1 collider\n");
    EXPECT_EQ(run({"run", name, "--steps", "2"}).code, 0);
  }
}

TEST_F(CliFiles, ExportSaysWhatIsWrong) {
  EXPECT_EQ(run({"export", "small.toml", "--system", "grains", "--out", "a.vxa"}).err,
            "voxwake: the scene has no voxel body \"grains\": expected one of cube\n");
  write("bare.toml", "format = 1\n");
  EXPECT_EQ(run({"export", "bare.toml", "--out", "a.vxa"}).err, "voxwake: the scene has no voxel body\n");
  EXPECT_FALSE(std::filesystem::exists(path("a.vxa")));
  EXPECT_EQ(run({"export", "small.toml"}).code, 2);
  EXPECT_EQ(run({"export", "small.toml", "--out", "small.toml"}).code, 2);
  ASSERT_EQ(run({"export", "small.toml", "--out", "cube.vxa"}).code, 0);
  EXPECT_EQ(run({"export", "cube.vxa", "--out", "cube.vxa"}).err,
            "voxwake: cube.vxa: is the scene itself and would be overwritten\n");
  EXPECT_EQ(run({"export", "small.toml", "--out", "no/such/folder.vxa"}).code, 2);
}

const char* const block_obj =
    "v 1 2 3\nv 3 2 3\nv 3 5 3\nv 1 5 3\nv 1 2 7\nv 3 2 7\nv 3 5 7\nv 1 5 7\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n";

TEST_F(CliFiles, AMeshIsImportedAsARigidBodyOrAsVoxels) {
  write("block.obj", block_obj);
  const auto rigid = run({"import", "block.obj", "--out", "rigid.toml", "--scale", "0.1", "--density", "300"});
  EXPECT_EQ(rigid.code, 0) << rigid.err;
  EXPECT_EQ(rigid.out, "Wrote rigid.toml\n");
  EXPECT_EQ(run({"run", "rigid.toml", "--until", "0.1", "--report", "report.json"}).code, 0);
  const auto body = json("report.json")["systems"][0];
  EXPECT_EQ(body["kind"], "rigid");
  EXPECT_NEAR(body["mass"].get<double>(), 300 * 0.024, 1e-6);
  EXPECT_NEAR(body["centre_of_mass"][1].get<double>(), 0.15, 1e-3) << "the body must stand on the ground";

  const auto voxels =
      run({"import", "block.obj", "--into", "small.toml", "--out", "both.toml", "--voxels", "--voxel-size", "0.5"});
  EXPECT_EQ(voxels.code, 0) << voxels.err;
  const auto checked = run({"check", "both.toml"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.out.find("3 systems"), std::string::npos) << checked.out;
}

TEST_F(CliFiles, ImportSaysWhatIsWrong) {
  write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
  const auto sheet = run({"import", "sheet.obj", "--out", "a.toml"});
  EXPECT_EQ(sheet.code, 2);
  EXPECT_NE(sheet.err.find("must be a closed mesh: this mesh encloses no volume"), std::string::npos) << sheet.err;
  EXPECT_FALSE(std::filesystem::exists(path("a.toml")));
  EXPECT_EQ(run({"import", "small.toml", "--out", "a.toml"}).err,
            "voxwake: small.toml: must be a mesh (.obj, .stl, .ply, .gltf or .glb)\n");
  EXPECT_EQ(run({"import", "sheet.obj", "--out", "a.toml", "--voxel-size", "1"}).code, 2);
  EXPECT_EQ(run({"import", "sheet.obj", "--out", "a.toml", "--voxels", "--voxel-size", "1e9"}).err,
            "voxwake: --voxel-size = 1e9: must be a number of at least 1e-09 and at most 1000\n");
  EXPECT_EQ(run({"import", "sheet.obj"}).code, 2);
}

TEST_F(CliFiles, ARobotTakesTheBaseThatIsNamed) {
  ASSERT_EQ(run({"export", "small.toml", "--out", "cube.vxa"}).code, 0);
  write("robot.vxd",
        "<VXD><Structure replace=\"VXA.VXC.Structure\" "
        "Compression=\"ASCII_READABLE\"><X_Voxels>2</X_Voxels><Y_Voxels>1</Y_Voxels>"
        "<Z_Voxels>1</Z_Voxels><Data><Layer>11</Layer></Data></Structure></VXD>");
  EXPECT_EQ(run({"check", "robot.vxd"}).code, 2);
  const auto checked = run({"check", "robot.vxd", "--base", "cube.vxa"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.out.find("2 elements"), std::string::npos) << checked.out;
  write("reads.toml", "format = 1\n[[system]]\nkind = \"voxel_body\"\nname = \"body\"\nsource = \"robot.vxd\"\n");
  const auto named = run({"check", "reads.toml", "--base", "cube.vxa"});
  EXPECT_EQ(named.code, 0) << named.err << "a scene may name a .vxd";
  write("cube.toml", "format = 1\n[[system]]\nkind = \"voxel_body\"\nname = \"body\"\nsource = \"cube.vxa\"\n");
  const auto set = run({"check", "cube.toml", "--set", "system.body.source=\"robot.vxd\"", "--base", "cube.vxa"});
  EXPECT_EQ(set.code, 0) << set.err << "and so may --set, with quotes";
}

TEST_F(CliFiles, ABaseThatNothingTakesIsRefused) {
  ASSERT_EQ(run({"export", "small.toml", "--out", "cube.vxa"}).code, 0);
  ASSERT_EQ(run({"run", "small.toml", "--steps", "1", "--save", "a.state"}).code, 0);
  const std::vector<std::vector<std::string>> refused{
      {"check", "small.toml", "--base", "none.vxa"},
      {"run", "cube.vxa", "--steps", "1", "--base", "cube.vxa"},
      {"run", "--resume", "a.state", "--steps", "1", "--base", "cube.vxa"},
      {"run", "small.toml", "--resume", "a.state", "--steps", "1", "--base", "cube.vxa"}};
  for (const auto& arguments : refused) {
    const auto result = run(arguments);
    EXPECT_EQ(result.code, 2) << ::testing::PrintToString(arguments);
    EXPECT_NE(result.err.find("applies only to a .vxd"), std::string::npos) << result.err;
  }
}

TEST_F(CliFiles, ARecordingPlaysAndItsRunIsRepeatable) {
  write("run.history",
        "<<<Step0 Time:0>>>0,0,0,0,0,0,0,-5,-5,-5,5,5,5,1,0,;<<<>>>\n<<<Step1 "
        "Time:1>>>10,0,0,0,0,0,0,-5,-5,-5,5,5,5,1,0,;<<<>>>\n");
  EXPECT_EQ(run({"run", "run.history", "--until", "0.5", "--report", "a.json", "--journal", "a.journal"}).code, 0);
  EXPECT_EQ(json("a.json")["systems"][0]["kind"], "playback");
  EXPECT_NEAR(json("a.json")["systems"][0]["centre_of_mass"][0].get<double>(), 0.005, 1e-8) << "half of 10 mm";
  EXPECT_EQ(run({"replay", "a.journal"}).code, 0);
}

TEST_F(CliFiles, NoResultOverwritesWhatTheCommandReads) {
  write("block.obj", block_obj);
  ASSERT_EQ(run({"export", "small.toml", "--out", "cube.vxa"}).code, 0);
  write("h.csv", "0 0\n0 0\n");
  write("other.csv", "0 0\n0 0\n");
  write("reads.toml", std::string(small_scene) +
                          "\n[[system]]\nkind = \"voxel_body\"\nname = \"design\"\nsource = \"cube.vxa\"\n"
                          "[[collider]]\nkind = \"mesh\"\nname = \"block\"\nsource = \"block.obj\"\n"
                          "[[collider]]\nkind = \"heightfield\"\nname = \"hills\"\nsource = \"h.csv\"\n");
  ASSERT_EQ(run({"run", "reads.toml", "--steps", "1", "--save", "c.state"}).code, 0);
  std::filesystem::create_symlink("block.obj", path("soft-link"));
  std::filesystem::create_hard_link(path("block.obj"), path("hard-link"));
  std::filesystem::create_directory(path("folder"));
  const std::vector<std::vector<std::string>> overwriting{
      {"run", "reads.toml", "--export", "block.obj"},
      {"run", "reads.toml", "--report", "h.csv"},
      {"run", "reads.toml", "--save", "cube.vxa"},
      {"run", "reads.toml", "--set", "collider.hills.source = \"other.csv\"", "--report", "other.csv"},
      {"run", "reads.toml", "--totals", "soft-link"},
      {"run", "reads.toml", "--totals", "hard-link"},
      {"run", "reads.toml", "--totals", "./folder/../block.obj"},
      {"run", "--resume", "c.state", "--journal", "c.state"},
      {"run", "--resume", "c.state", "--report", "c.state"},
      {"run", "--resume", "c.state", "--save", "c.state", "--journal", "j"},
      {"run", "--resume", "c.state", "--export", "block.obj"},
      {"render", "reads.toml", "--frame", "block.obj"},
      {"solve", "reads.toml", "--out", "block.obj"},
      {"modes", "reads.toml", "--out", "h.csv"},
      {"export", "reads.toml", "--system", "design", "--out", "cube.vxa"},
      {"import", "block.obj", "--into", "reads.toml", "--out", "reads.toml"},
      {"score", "reads.toml", "--task", "walk", "--journal", "block.obj"},
  };
  const auto inputs = [&] {
    return slurp(path("block.obj")) + slurp(path("h.csv")) + slurp(path("other.csv")) + slurp(path("cube.vxa")) +
           slurp(path("c.state"));
  };
  const std::string before = inputs();
  for (const auto& arguments : overwriting) {
    const auto refused = run(arguments);
    const std::string command = ::testing::PrintToString(arguments);
    EXPECT_EQ(refused.code, 2) << command;
    EXPECT_NE(refused.err.find("overwrit"), std::string::npos) << command << refused.err;
    EXPECT_EQ(inputs(), before) << command;
  }
  EXPECT_FALSE(std::filesystem::exists(path("j")));
  // Resuming from a checkpoint and saving over it must work: users do that to divide a long run into parts.
  EXPECT_EQ(run({"run", "--resume", "c.state", "--steps", "1", "--save", "c.state"}).code, 0);
}

TEST_F(CliFiles, TheSceneOfATaskHasTheEndingOfAScene) {
  const auto refused = run({"score", "small.toml", "--task", "walk", "--scene", "walk.txt"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "voxwake: walk.txt: must end in .toml, because it will contain a scene\n");
  EXPECT_FALSE(std::filesystem::exists(path("walk.txt")));
}

TEST_F(CliFiles, ALinkWithoutAFileLeadsToOneResult) {
  std::filesystem::create_symlink("table.csv", path("link"));
  const auto twice = run({"run", "small.toml", "--steps", "1", "--export", "link", "--totals", "table.csv"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_NE(twice.err.find("two results would be written to this file"), std::string::npos) << twice.err;
  ASSERT_EQ(run({"run", "small.toml", "--steps", "1", "--export", "link"}).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_TRUE(slurp(path("table.csv")).starts_with("time,system"));
}

TEST_F(CliFiles, PicturesOfAVideoDoNotOverwriteWhatTheCommandReads) {
  std::filesystem::create_directory(path("film"));
  write("film/frame_000001.png", "heights");
  write("hills.toml",
        std::string(small_scene) +
            "\n[[collider]]\nkind = \"heightfield\"\nname = \"hills\"\nsource = \"film/frame_000001.png\"\n");
  const auto refused = run({"render", "hills.toml", "--until", "0.1", "--video", "film"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("which is read by this command and could be overwritten"), std::string::npos)
      << refused.err;
  EXPECT_EQ(slurp(path("film/frame_000001.png")), "heights");
  EXPECT_EQ(run({"render", "small.toml", "--until", "0.1", "--video", "film", "--frame", "film/frame_000002.png"}).code,
            2);
}

TEST_F(CliFiles, PicturesOfAVideoAreNotWrittenThroughALinkToAnInput) {
  write("block.obj", block_obj);
  write("mesh.toml",
        std::string(small_scene) + "\n[[collider]]\nkind = \"mesh\"\nname = \"block\"\nsource = \"block.obj\"\n");
  for (const char* input : {"mesh.toml", "block.obj"}) {
    std::filesystem::create_directories(path("film"));
    std::filesystem::create_symlink(std::string("../") + input, path("film/frame_000001.png"));
    const std::string before = slurp(path(input));
    const auto refused =
        run({"render", "mesh.toml", "--until", "0.1", "--video", "film", "--software", "--size", "64x48"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("film/frame_000001.png: is a link to "), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("which is read by this command and could be overwritten"), std::string::npos)
        << refused.err;
    EXPECT_EQ(slurp(path(input)), before);
    std::filesystem::remove_all(path("film"));
  }
  std::filesystem::create_directories(path("film"));
  std::filesystem::create_symlink("../last.png", path("film/frame_000002.png"));
  const auto refused = run({"render", "small.toml", "--until", "0.1", "--video", "film", "--frame", "last.png"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("is a link to last.png, which is the file of --frame"), std::string::npos) << refused.err;
}

TEST_F(CliFiles, FramesOfALongerVideoThatRemainAreNamed) {
  const auto film = [&](const char* until) {
    return run(
        {"render", "small.toml", "--until", until, "--fps", "30", "--video", "film", "--software", "--size", "64x48"});
  };
  EXPECT_EQ(film("0.2").err, "");
  EXPECT_EQ(film("0.2").err, "") << "all old pictures are replaced";
  const auto shorter = film("0.1");
  EXPECT_EQ(shorter.code, 0);
  EXPECT_EQ(shorter.err,
            "voxwake: warning: film: 3 frames written; 3 older frames (frame_000004.png ...) remain in the folder\n");
}

TEST_F(CliFiles, ANamedPipeThatNoProgramReadsIsAnError) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  for (const char* option : {"--report", "--export", "--save"}) {
    const pid_t child = start({"run", "small.toml", "--steps", "1", option, "pipe"});
    const bool ended = test::in_time([&] {
      siginfo_t state{};
      return waitid(P_PID, static_cast<id_t>(child), &state, WEXITED | WNOHANG | WNOWAIT) == 0 && state.si_pid != 0;
    });
    if (!ended) kill(child, SIGKILL);
    const auto result = wait_for(child);
    EXPECT_EQ(result.code, 2) << option;
    EXPECT_EQ(result.err, "voxwake: pipe: cannot be written: no program reads this pipe\n") << option;
  }
  const int reader = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  const auto read_by_a_program = run({"run", "small.toml", "--steps", "1", "--report", "pipe"});
  EXPECT_EQ(read_by_a_program.code, 0) << read_by_a_program.err;
  std::string report(65536, '\0');
  const ssize_t bytes = read(reader, report.data(), report.size());
  close(reader);
  ASSERT_GT(bytes, 0);
  EXPECT_EQ(nlohmann::json::parse(report.substr(0, static_cast<std::size_t>(bytes)))["steps"], 1);
}

TEST_F(CliFiles, AReplayThatMissesAMeshNamesTheJournal) {
  write("block.obj", block_obj);
  ASSERT_EQ(run({"import", "block.obj", "--out", "mesh.toml"}).code, 0);
  ASSERT_EQ(run({"run", "mesh.toml", "--steps", "1", "--journal", "a.journal"}).code, 0);
  std::filesystem::remove(path("block.obj"));
  const auto missing = run({"replay", "a.journal"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(missing.err.starts_with("voxwake: a.journal: ")) << missing.err;
  EXPECT_NE(missing.err.find("block.obj"), std::string::npos) << missing.err;
}

TEST_F(CliFiles, ARunDoesNotGoOnWithAMeshThatHasChanged) {
  write("block.obj", block_obj);
  ASSERT_EQ(run({"import", "block.obj", "--out", "mesh.toml"}).code, 0);
  ASSERT_EQ(run({"run", "mesh.toml", "--steps", "1", "--save", "a.state"}).code, 0);
  EXPECT_EQ(run({"run", "--resume", "a.state", "--steps", "2"}).code, 0);
  write("block.obj", std::string(block_obj) + "# another byte\n");
  const auto changed = run({"run", "--resume", "a.state", "--steps", "2"});
  EXPECT_EQ(changed.code, 2);
  EXPECT_NE(changed.err.find("block.obj\": must be unchanged since the checkpoint was saved"), std::string::npos)
      << changed.err;
}

TEST_F(CliFiles, BuffersOfAMeshAreInputsWhateverTheirName) {
  write("my data.raw", "bytes");
  write("m.gltf", R"({"asset": {"version": "2.0"}, "buffers": [{"uri": "my%20data.raw", "byteLength": 5}]})");
  write("mesh.toml",
        std::string(small_scene) + "\n[[collider]]\nkind = \"mesh\"\nname = \"block\"\nsource = \"m.gltf\"\n");
  const auto refused = run({"run", "mesh.toml", "--report", "my data.raw"});
  EXPECT_NE(refused.err.find("my data.raw: is read by this command and would be overwritten"), std::string::npos)
      << refused.err;
  EXPECT_EQ(slurp(path("my data.raw")), "bytes");
}

TEST_F(CliFiles, APlotOfAnUnknownTotalNamesFileLineAndTheTotals) {
  write(
      "plotted.toml",
      std::string(small_scene) +
          "\n[[plot]]\nname = \"p\"\n[[plot.curve]]\nkind = \"measured\"\nname = \"a\"\nsystem = \"cube\"\nquantity = "
          "\"total\"\nchannel = \"zzzzzzzz\"\n");
  const auto refused = run({"run", "plotted.toml", "--steps", "1", "--plots", "p.csv"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(refused.err.starts_with("voxwake: plotted.toml:")) << refused.err;
  EXPECT_NE(refused.err.find("must name a total of "), std::string::npos) << refused.err;
}

TEST_F(CliFiles, AReaderThatHasEndedDoesNotEndARun) {
  ASSERT_EQ(run({"run", "small.toml", "--steps", "1", "--save", "a.state"}).code, 0);
  write("other.toml", "format = 1\n");
  const std::string command =
      "cd '" + folder_.folder() + "' && { sleep 0.1; '" + program() +
      "' run other.toml --resume a.state --steps 2 --report - --save b.state 2>&1; echo $? >code; } | true";
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c)
  EXPECT_EQ(slurp(path("code")), "2\n") << "exit code 2, because the report could not be written";
  EXPECT_TRUE(std::filesystem::exists(path("b.state")));
}

TEST_F(CliFiles, ResultsAreNamedAfterWhatTheyHold) {
  write("block.obj", block_obj);
  EXPECT_EQ(run({"import", "block.obj", "--out", "o.png"}).err,
            "voxwake: o.png: must end in .toml, because it will contain a scene\n");
  EXPECT_EQ(run({"export", "small.toml", "--out", "w.toml"}).err,
            "voxwake: w.toml: must end in .vxa or .vxd or .vox or .binvox or .pvd or .vtkhdf or .npz or .ply or .obj "
            "or .pc2 or .glb "
            "or .vdb, because it will contain the export\n");
}

TEST_F(CliFiles, SourcesThatAreSetAreRead) {
  ASSERT_EQ(run({"export", "small.toml", "--out", "cube.vxa"}).code, 0);
  write("empty.toml", "format = 1\n[[system]]\nkind = \"voxel_body\"\nname = \"body\"\n");
  const auto taken = run({"check", "empty.toml", "--set", "system.body.source=cube.vxa"});
  EXPECT_EQ(taken.code, 0) << taken.err;
  EXPECT_NE(taken.out.find("64 elements"), std::string::npos) << taken.out;
  EXPECT_EQ(run({"check", "empty.toml", "--set", "system.body.source = /nonexistent.vxa"}).code, 2);
  const auto missing = run({"check", "empty.toml", "--set", "system.body.source=/nonexistent.vxa"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("/nonexistent.vxa"), std::string::npos) << missing.err;
  ASSERT_EQ(run({"run", "empty.toml", "--steps", "1", "--save", "c.state"}).code, 0);
  EXPECT_EQ(run({"run", "--resume", "c.state", "--set", "system.body.source=cube.vxa"}).code, 2);
}

TEST_F(CliFiles, AResumedJournalAsksForItsCheckpoint) {
  ASSERT_EQ(run({"run", "small.toml", "--steps", "3", "--save", "a.state"}).code, 0);
  ASSERT_EQ(run({"run", "small.toml", "--steps", "5", "--save", "b.state"}).code, 0);
  ASSERT_EQ(run({"run", "--resume", "a.state", "--steps", "3", "--journal", "a.journal"}).code, 0);
  EXPECT_EQ(run({"replay", "a.journal"}).err,
            "voxwake: a.journal: the journal starts from a checkpoint: name this checkpoint with --resume FILE\n");
  EXPECT_NE(run({"replay", "a.journal", "--resume", "b.state"})
                .err.find("b.state: is not the checkpoint from which a.journal starts"),
            std::string::npos);
  EXPECT_EQ(run({"replay", "a.journal", "--resume", "a.state"}).code, 0);
}

TEST_F(CliFiles, AFailedWriteToStandardOutputIsAnError) {
  const std::vector<std::vector<std::string>> printing{{"check", "small.toml"},
                                                       {"scenes"},
                                                       {"parameters"},
                                                       {"run", "small.toml", "--steps", "1", "--report", "-"},
                                                       {"run", "small.toml", "--steps", "1"},
                                                       {"--version"},
                                                       {"--help"}};
  for (const auto& arguments : printing) {
    const auto lost = wait_for(start(arguments, "/dev/full"));
    EXPECT_EQ(lost.code, 2) << ::testing::PrintToString(arguments);
    EXPECT_NE(lost.err.find("standard output cannot be written: No space left on device"), std::string::npos)
        << lost.err;
  }
}

TEST_F(CliFiles, ATableOnAFullDiskEndsWithAWholeRow) {
  for (const rlim_t limit : {1000U, 4097U, 30000U}) {
    const auto full = wait_for(start({"run", "small.toml", "--until", "1", "--export", "t.csv"}, "stdout.txt", limit));
    EXPECT_EQ(full.code, 2) << full.err;
    EXPECT_NE(full.err.find("t.csv: cannot be written: File too large"), std::string::npos) << full.err;
    const std::string table = slurp(path("t.csv"));
    EXPECT_LE(table.size(), limit);
    ASSERT_FALSE(table.empty());
    EXPECT_EQ(table.back(), '\n');
  }
}

TEST_F(CliFiles, AClosedTerminalKeepsResults) {
  const pid_t child =
      start({"run", "small.toml", "--until", "100000", "--save", "a.state", "--report", "r.json", "--totals", "t.csv"});
  ASSERT_TRUE(grows_to("t.csv", 2000));
  kill(child, SIGHUP);
  const auto ended = wait_for(child);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(json("r.json")["interrupted"], true);
  EXPECT_EQ(run({"run", "--resume", "a.state", "--steps", "1"}).code, 0);
}

TEST_F(CliFiles, AVideoWithoutAPictureIsRefusedAndLeavesTheOldOne) {
  write("v.mp4", "old");
  const auto none = run({"render", "small.toml", "--until", "0", "--video", "v.mp4"});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("v.mp4: the video would have no picture"), std::string::npos) << none.err;
  EXPECT_EQ(slurp(path("v.mp4")), "old");
}

TEST_F(CliFiles, AMissingFolderOfAssetsIsReported) {
  setenv("VOXWAKE_ASSETS", "/nowhere", 1);
  const auto none = run({"scenes"}), no_scene = run({"check", "walker"});
  unsetenv("VOXWAKE_ASSETS");
  EXPECT_NE(no_scene.err.find("the folder in $VOXWAKE_ASSETS contains no scenes: /nowhere"), std::string::npos)
      << no_scene.err;
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("/nowhere/scenes: contains no scene"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace vw
