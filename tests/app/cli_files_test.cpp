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
  EXPECT_NEAR(body["centre_of_mass"][1].get<double>(), 0.15, 1e-3) << "it stands on the ground";

  const auto voxels = run({"import", "block.obj", "--into", "small.toml", "--out", "both.toml", "--voxels", "--voxel-size", "0.5"});
  EXPECT_EQ(voxels.code, 0) << voxels.err;
  const auto checked = run({"check", "both.toml"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.out.find("3 systems"), std::string::npos) << checked.out;
}

TEST_F(CliFiles, ImportSaysWhatIsWrong) {
  write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
  const auto sheet = run({"import", "sheet.obj", "--out", "a.toml"});
  EXPECT_EQ(sheet.code, 2);
  EXPECT_NE(sheet.err.find("must be a closed mesh: this one holds no volume"), std::string::npos) << sheet.err;
  EXPECT_FALSE(std::filesystem::exists(path("a.toml")));
  EXPECT_EQ(run({"import", "small.toml", "--out", "a.toml"}).err, "voxwake: small.toml: must be a mesh (.obj, .stl, .ply, .gltf or .glb)\n");
  EXPECT_EQ(run({"import", "sheet.obj", "--out", "a.toml", "--voxel-size", "1"}).code, 2);
  EXPECT_EQ(run({"import", "sheet.obj"}).code, 2);
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
