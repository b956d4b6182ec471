// Problem reports: the contents of the archive, and the dialog that lists these contents.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include <zlib.h>

#include "app/window/document/archive.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "tests/app/window/input.h"
#include "tests/support/checked.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

std::string unpacked(const std::string& path) {
  std::string text;
  std::vector<char> part(1 << 16);
  const gzFile file = gzopen(path.c_str(), "rb");
  for (int count = 0; (count = gzread(file, part.data(), static_cast<unsigned>(part.size()))) > 0;)
    text.append(part.data(), static_cast<std::size_t>(count));
  gzclose(file);
  return text;
}

/// Returns the contents of the files in a tar archive, by name. Checks the checksums of the headers.
std::map<std::string, std::string> files_of(const std::string& tar) {
  std::map<std::string, std::string> files;
  std::size_t at = 0;
  while (at + 512 <= tar.size() && tar[at] != 0) {
    std::string head = tar.substr(at, 512);
    const auto octal = [&](std::size_t where) { return std::strtoul(head.c_str() + where, nullptr, 8); };
    const std::size_t bytes = octal(124), expected = octal(148);
    for (std::size_t i = 148; i < 156; ++i) head[i] = ' ';
    std::size_t sum = 0;
    for (const char c : head) sum += static_cast<unsigned char>(c);
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(head.substr(257, 5), "ustar");
    files[head.c_str()] = tar.substr(at + 512, bytes);
    at += 512 + (bytes + 511) / 512 * 512;
  }
  EXPECT_EQ(tar.size(), at + 1024) << "the archive must end with two empty blocks";
  return files;
}

TEST(Archive, ContainsTheFilesAndOtherProgramsReadIt) {
  const test::Scratch scratch;
  std::string large;
  for (int i = 0; i < 100000; ++i) large += std::to_string(i * 7919);
  const std::vector<ArchiveFile> files{
      {"a.txt", "", "hello\n"}, {"empty", "", ""}, {"block", "", std::string(512, 'x')}, {"large", "", large}};
  const std::string path = scratch.write("a.tar.gz", test::checked(tar_gz("report", files, 1700000000)));
  const auto found = files_of(unpacked(path));
  ASSERT_EQ(found.size(), 4U);
  for (const ArchiveFile& file : files) EXPECT_EQ(found.at("report/" + file.name), file.bytes);
  if (std::system("tar --version > /dev/null 2>&1") == 0) {
    EXPECT_EQ(std::system(("tar -C " + scratch.folder() + " -xzf " + path).c_str()), 0);
    EXPECT_EQ(test::checked(read_file(scratch.path("report/a.txt"), 100)), "hello\n");
  }
  EXPECT_FALSE(tar_gz("report", std::vector<ArchiveFile>{{std::string(100, 'n'), "", ""}}, 0));
}

class WindowReport : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    const char* before = std::getenv("HOME");
    old_home = before != nullptr ? before : "";
    setenv("HOME", home.folder().c_str(), 1);
    std::filesystem::create_directories(home.path("Documents"));
  }
  void TearDown() override {
    setenv("HOME", old_home.c_str(), 1);
    WindowInput::TearDown();
  }
  std::vector<std::string> reports() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(home.path("Documents")))
      if (entry.path().extension() == ".gz") found.push_back(entry.path().string());
    return found;
  }
  void ask(App& app) {
    open_menu(app, "Help");
    click(app, "Save a report\xE2\x80\xA6");
    frames_until(app, [&] { return !app.ui.report.journal.valid(); });
    frames(app);
  }

  test::Scratch home;
  std::string old_home;
};

TEST_F(WindowReport, TheDialogListsTheContentsAndWritesThem) {
  App app({});
  app.session.playing = false;
  app.view.gl_name = "Graphics of the test";
  open(app, test::packaged_path("heavy-block"));
  frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
  edit(app, {{"world.gravity", Value(Vec3(0, -3, 0))}});
  frames(app);
  ask(app);
  for (const char* name : {"scene.toml", "scene.journal", "log.txt", "version.txt"}) EXPECT_TRUE(is_shown(name));
  for (const ArchiveFile& file : app.ui.report.files) EXPECT_GT(file.bytes.size(), 0U) << file.name;
  EXPECT_TRUE(reports().empty()) << "nothing is written before the user agrees";
  click(app, "Save");
  frames_until(app, [&] { return reports().size() == 1; });
  EXPECT_TRUE(app.ui.report.path.empty());
  ASSERT_EQ(reports().size(), 1U);
  const auto files = files_of(unpacked(reports().front()));
  ASSERT_EQ(files.size(), 4U);
  const auto scene = read_scene_toml(files.at("voxwake-report/scene.toml"), "scene.toml");
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(std::get<Vec3>(scene->root.only("world")->value("gravity")), Vec3(0, -3, 0));
  EXPECT_NE(files.at("voxwake-report/scene.journal").find("world.gravity"), std::string::npos);
  EXPECT_NE(files.at("voxwake-report/log.txt").find("info: Opened "), std::string::npos);
  EXPECT_NE(files.at("voxwake-report/version.txt").find("Graphics of the test"), std::string::npos);
}

TEST_F(WindowReport, WithoutASceneTheReportHoldsLogAndVersionAndEscCloses) {
  App app({});
  frames(app);
  ask(app);
  EXPECT_TRUE(is_shown("version.txt"));
  EXPECT_FALSE(is_shown("scene.toml"));
  press(app, GLFW_KEY_ESCAPE);
  EXPECT_FALSE(is_shown("version.txt"));
  EXPECT_TRUE(app.ui.report.path.empty());
  EXPECT_TRUE(reports().empty());
}

}  // namespace
}  // namespace vw::ui
#endif
