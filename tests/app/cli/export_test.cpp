// The command `voxwake export`, which writes frames over time. The formats are tested in tests/export, and reading the
// files with other programs in tests/interop.
#include <algorithm>

#include <gmock/gmock.h>

#include "tests/app/cli/program.h"

namespace vw {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CliExportTest : public CliTest {
 protected:
  [[nodiscard]] bool there(const std::string& name) const { return std::filesystem::exists(path(name)); }
  /// Returns the number of files in a folder whose names end in `ending`.
  [[nodiscard]] std::size_t files(const std::string& folder, const std::string& ending) const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path(folder)))
      if (entry.path().string().ends_with(ending)) ++count;
    return count;
  }
};

TEST_F(CliExportTest, WritesFramesAtMultiplesOfTheInterval) {
  const auto done =
      run({"export", "small.toml", "--until", "0.2", "--every", "0.05", "--out", "a.pvd", "--out", "a.npz"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(done.out, "Wrote a.pvd, a.npz: 5 frames to 0.2 s\n");
  EXPECT_TRUE(there("a.npz"));
  EXPECT_EQ(files("a", ".vtp"), 15U) << "five frames of voxels, skin and grains";
  EXPECT_THAT(slurp(path("a.pvd")), HasSubstr("timestep=\"0.15\""));
}

TEST_F(CliExportTest, WritesOneSystemOnRequest) {
  EXPECT_EQ(
      run({"export", "small.toml", "--steps", "2", "--every", "1e-9", "--system", "grains", "--out", "a.ply"}).out,
      "Wrote a.ply: 3 frames to 0.0166667 s\n");
  EXPECT_EQ(files("a", ".ply"), 3U);
  EXPECT_THAT(slurp(path("a/ply.json")), HasSubstr("\"seconds_per_frame\": 0.00833")) << "one frame in each step";
  const auto wrong = run({"export", "small.toml", "--steps", "2", "--system", "grain", "--out", "a.ply"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.err, "voxwake: --system = grain: must be one of cube, grains (did you mean \"grains\"?)\n");
}

TEST_F(CliExportTest, NamesWhatAFormatCannotHold) {
  const auto done = run({"export", "small.toml", "--steps", "2", "--out", "a.glb"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(
      done.err,
      "voxwake: warning: a.glb: only the shape in the first frame was written for cube; export to .pc2 to keep the "
      "motion\n"
      "voxwake: warning: a.glb: a .glb file cannot contain the elements of grains; export to .ply or .vdb\n");
}

TEST_F(CliExportTest, WrongOptionsAreErrors) {
  const auto error = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words{"export", "small.toml"};
    words.insert(words.end(), options.begin(), options.end());
    const auto done = run(words);
    EXPECT_EQ(done.code, 2) << done.out;
    return done.err;
  };
  EXPECT_THAT(error({"--out", "a.xyz"}),
              StartsWith("voxwake: a.xyz: must end in .vxa or .vxd or .vox or .binvox or .pvd"));
  EXPECT_THAT(error({"--out", "a.vxa", "--every", "1"}), HasSubstr("a design is exported without a simulation"));
  EXPECT_THAT(error({"--out", "a.vxa", "--out", "a.pvd"}),
              HasSubstr("a.vxa: a design cannot be exported together with other files"));
  EXPECT_THAT(error({"--out", "a.pvd", "--out", "./a.pvd"}), HasSubstr("two results would be written to this file"));
  EXPECT_THAT(error({"--out", "no/such/a.pvd"}), HasSubstr("no/such"));
  EXPECT_THAT(error({"--out", "a.pvd", "--every", "0"}), HasSubstr("--every = 0: must be a number above 0"));
  EXPECT_THAT(error({"--out", "a.pvd", "--wind", "-1"}), HasSubstr("--wind = -1: must be a whole number"));
  EXPECT_THAT(error({"--out", "a.pvd", "--system", "cube", "--wind", "8"}), HasSubstr("--wind cannot be used with"));
  EXPECT_THAT(error({"--out", ""}), HasSubstr("--out = \"\": must be the name of a file"));
  EXPECT_FALSE(there("a.pvd"));
}

TEST_F(CliExportTest, AnInterruptKeepsTheFramesSoFar) {
  const pid_t child =
      start({"export", "small.toml", "--until", "100000", "--every", "0.01", "--out", "a.pvd", "--out", "a.npz"});
  ASSERT_TRUE(grows_to("a/cube_000004.vtp", 1));
  kill(child, SIGINT);
  const auto done = wait_for(child);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("the frames up to this time were written"));
  EXPECT_TRUE(there("a.npz"));
  const std::string index = slurp(path("a.pvd"));
  std::size_t entries = 0;
  for (std::size_t at = index.find("name=\"cube\""); at != std::string::npos; at = index.find("name=\"cube\"", at + 1))
    ++entries;
  EXPECT_EQ(entries, static_cast<std::size_t>(std::count_if(
                         std::filesystem::directory_iterator(path("a")), std::filesystem::directory_iterator(),
                         [](const auto& file) { return file.path().filename().string().starts_with("cube_"); })));
}

TEST_F(CliExportTest, AFullDiskLeavesWholeFilesOnly) {
  const auto full = wait_for(
      start({"export", "small.toml", "--until", "0.2", "--every", "0.05", "--out", "a.npz"}, "stdout.txt", 20000));
  EXPECT_EQ(full.code, 2) << full.out;
  EXPECT_THAT(full.err, HasSubstr("cannot be written"));
  EXPECT_FALSE(there("a.npz"));
  for (const auto& entry : std::filesystem::directory_iterator(path(".")))
    EXPECT_FALSE(entry.path().string().ends_with(".part")) << entry.path();
}

}  // namespace
}  // namespace vw
