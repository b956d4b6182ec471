// Checks that tests write files only through tests/support/scratch.h. Two tests that used the same file name could
// otherwise disturb each other if they run at the same time.
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

/// Returns whether the line of code writes to a folder that other programs may use too. Such folders are the system's
/// temporary folder and the current folder.
bool writes_where_others_may(const std::string& line) {
  static const std::regex shared(
      "TempDir\\(|temp_directory_path|P_tmpdir|tmpnam|mkd?s?temp\\(|\"/tmp|"
      "(ofstream( "
      "\\w+)?|fopen|write_file_atomic|write_png|create_director(y|ies)|copy_file)\\(\"(?!/(nowhere|dev|proc)/)");
  return std::regex_search(line, shared);
}

TEST(ScratchFiles, AreMadeByTheOneHeader) {
  const fs::path root(VOXWAKE_SOURCE_DIR);
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests")) {
    const std::string file = fs::relative(entry.path(), root).generic_string();
    if ((!file.ends_with(".cpp") && !file.ends_with(".h")) || file == "tests/support/scratch.h" ||
        file == "tests/support/posix_windows.h" || file == "tests/house/scratch_test.cpp")
      continue;
    ++files;
    std::ifstream in(entry.path());
    int number = 0;
    for (std::string line; std::getline(in, line);)
      EXPECT_TRUE(++number > 0 && !writes_where_others_may(line))
          << file << ':' << number << ": use tests/support/scratch.h: " << line;
  }
  EXPECT_GT(files, 100U);
}

TEST(ScratchFiles, TheCheckerSeesSharedPlaces) {
  for (const char* line : {"const auto a = testing::TempDir() + \"a\";", "fs::temp_directory_path() / \"a\"",
                           "write(\"/tmp/a\")", "std::ofstream out(\"a\");", "std::ofstream(\"a\") << 1;",
                           "write_file_atomic(\"a\", text)", "fs::create_directories(\"out\")"})
    EXPECT_TRUE(writes_where_others_may(line)) << line;
  for (const char* line : {"std::ofstream out(path);", "write_file_atomic(\"/dev/null\", text)",
                           "fs::create_directories(path(\"out\"))", "folder.write(\"a\", text)"})
    EXPECT_FALSE(writes_where_others_may(line)) << line;
}

}  // namespace
