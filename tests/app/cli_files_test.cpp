// The files of the voxel world on the command line: designs out and in again, robots with their base, recordings.
#include "cli_program.h"

namespace vw {
namespace {

class CliFiles : public CliTest {};

TEST_F(CliFiles, ADesignIsExportedAndOpens) {
  const auto exported = run({"export", "small.toml", "--out", "cube.vxa"});
  EXPECT_EQ(exported.code, 0) << exported.err;
  EXPECT_EQ(exported.out, "Wrote cube.vxa\n");
  EXPECT_EQ(exported.err,
            "voxwake: warning: cube.vxa: a .vxa cannot say, so it is left out: where the body is (a design stands at its origin), system grains\n");
  const auto checked = run({"check", "cube.vxa", "--strict"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_EQ(checked.out, "OK cube.vxa: 1 system, 64 elements, 0 interactions, 0 fields, 1 collider\n");
}

TEST_F(CliFiles, ExportSaysWhatIsWrong) {
  EXPECT_EQ(run({"export", "small.toml", "--system", "grains", "--out", "a.vxa"}).err,
            "voxwake: the scene has no voxel body \"grains\"; it has cube\n");
  write("bare.toml", "format = 1\n");
  EXPECT_EQ(run({"export", "bare.toml", "--out", "a.vxa"}).err, "voxwake: the scene has no voxel body\n");
  EXPECT_FALSE(std::filesystem::exists(path("a.vxa")));
  EXPECT_EQ(run({"export", "small.toml"}).code, 2);
  EXPECT_EQ(run({"export", "small.toml", "--out", "small.toml"}).err, "voxwake: small.toml: is the scene itself and would be overwritten\n");
  EXPECT_EQ(run({"export", "small.toml", "--out", "no/such/folder.vxa"}).code, 2);
}

TEST_F(CliFiles, ARobotTakesTheBaseThatIsNamed) {
  ASSERT_EQ(run({"export", "small.toml", "--out", "cube.vxa"}).code, 0);
  write("robot.vxd",
        "<VXD><Structure replace=\"VXA.VXC.Structure\" Compression=\"ASCII_READABLE\"><X_Voxels>2</X_Voxels><Y_Voxels>1</Y_Voxels>"
        "<Z_Voxels>1</Z_Voxels><Data><Layer>11</Layer></Data></Structure></VXD>");
  EXPECT_EQ(run({"check", "robot.vxd"}).code, 2);
  const auto checked = run({"check", "robot.vxd", "--base", "cube.vxa"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.out.find("2 elements"), std::string::npos) << checked.out;
}

TEST_F(CliFiles, ARecordingPlaysAndItsRunIsRepeatable) {
  write("run.history", "<<<Step0 Time:0>>>0,0,0,0,0,0,0,-5,-5,-5,5,5,5,1,0,;<<<>>>\n<<<Step1 Time:1>>>10,0,0,0,0,0,0,-5,-5,-5,5,5,5,1,0,;<<<>>>\n");
  EXPECT_EQ(run({"run", "run.history", "--until", "0.5", "--report", "a.json", "--journal", "a.journal"}).code, 0);
  EXPECT_EQ(json("a.json")["systems"][0]["kind"], "playback");
  EXPECT_NEAR(json("a.json")["systems"][0]["centre_of_mass"][0].get<double>(), 0.005, 1e-8) << "half of 10 mm";
  EXPECT_EQ(run({"replay", "a.journal"}).code, 0);
}

}  // namespace
}  // namespace vw
