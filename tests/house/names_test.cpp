// Checks that names of tests contain only words and numbers, so that they are the same in every run.
#include <array>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

/// Returns whether a test's name lists the bytes of its parameter. GoogleTest does that if it cannot print the
/// parameter. The bytes may include addresses, which change from run to run.
bool shows_bytes(const std::string& line) {
  static const std::regex bytes("[0-9]+-byte object|\\b0x[0-9a-fA-F]+");
  return std::regex_search(line, bytes);
}

/// Returns the output of the program with --gtest_list_tests.
std::vector<std::string> listed_by(const fs::path& program) {
  std::vector<std::string> lines;
  std::FILE* pipe = ::popen(("'" + program.string() + "' --gtest_list_tests 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return lines;
  std::array<char, 4096> part{};
  std::string line;
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) {
    line += part.data();
    if (!line.ends_with('\n')) continue;
    lines.push_back(line.substr(0, line.size() - 1));
    line.clear();
  }
  ::pclose(pipe);
  return lines;
}

/// Returns the paths of the test programs that are built.
std::vector<fs::path> programs() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::path(VOXWAKE_BINARY_DIR) / "tests")) {
    const bool runs =
        entry.is_regular_file() && (entry.status().permissions() & fs::perms::owner_exec) != fs::perms::none;
    if (runs && entry.path().filename().string().starts_with("test_") && !entry.path().has_extension())
      found.push_back(entry.path());
  }
  return found;
}

TEST(TestNames, AreWordsAndNumbersWithoutBytesOrAddresses) {
  const auto all = programs();
  ASSERT_FALSE(all.empty()) << "no test program found, not even this one";
  for (const fs::path& program : all) {
    const auto lines = listed_by(program);
    EXPECT_GE(lines.size(), 2U) << program << " lists no test";
    for (const auto& line : lines)
      EXPECT_FALSE(shows_bytes(line)) << program.filename()
                                      << ": define PrintTo() for the type of this test's parameter: " << line;
  }
}

TEST(TestNames, TheCheckerSeesBytes) {
  EXPECT_TRUE(shows_bytes("  Brings/0  # GetParam() = 32-byte object <54-D6 1D-FF>"));
  EXPECT_TRUE(shows_bytes("  Brings/0  # GetParam() = 0x55d61dff"));
  EXPECT_FALSE(shows_bytes("  Brings/0  # GetParam() = disc of 0.01 m^2 at 1 m/s"));
}

}  // namespace
