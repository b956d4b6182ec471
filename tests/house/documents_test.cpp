// Checks documents: every source file that is named in one exists, and lines of prose have at most 120 columns.
#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "source_text.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> documents() {
  const fs::path root(VOXWAKE_SOURCE_DIR);
  std::vector<fs::path> all{root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") all.push_back(entry.path());
  return all;
}

/// Returns the source paths in backquotes, such as `sim/world/world.h`. Names that contain capitals (NAME_field.cpp)
/// are placeholders and are skipped.
std::vector<std::string> named_sources(const std::string& text) {
  static const std::regex pattern("`([a-z0-9_]+(?:/[a-z0-9_-]+)+\\.(?:h|cpp))`");
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) found.push_back((*at)[1]);
  return found;
}

/// Returns whether the file exists. The glossary and the design pages omit the folder that all their paths share, so
/// the path is also tried below these folders.
bool exists(const std::string& path) {
  const fs::path root(VOXWAKE_SOURCE_DIR);
  for (const char* folder : {"", "sim", "sim/system", "app", "render"})
    if (fs::exists(root / folder / path)) return true;
  return false;
}

TEST(DocumentPaths, EveryNamedSourceExists) {
  std::size_t checked = 0;
  for (const fs::path& document : documents()) {
    for (const std::string& path : named_sources(vw::test::source_text(document))) {
      ++checked;
      EXPECT_TRUE(exists(path)) << document.filename() << " names " << path << ", which does not exist";
    }
  }
  EXPECT_GT(checked, 50U);
}

TEST(DocumentPaths, TheCheckerSeesAMissingFile) {
  EXPECT_EQ(named_sources("see `sim/world/world.h` and `sim/field/NAME_field.cpp`"),
            std::vector<std::string>{"sim/world/world.h"});
  EXPECT_TRUE(exists("world/world.h"));
  EXPECT_FALSE(exists("sim/world/no_such_file.h"));
}

/// Returns the numbers of the lines of prose that are longer than 120 bytes. Tables, pictures and blocks of code are
/// not prose.
std::vector<int> long_lines(const std::string& text) {
  constexpr std::size_t longest = 120;
  std::vector<int> found;
  std::istringstream in(text);
  bool is_code = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with("```")) is_code = !is_code;
    const std::size_t begin = line.find_first_not_of(' ');
    const std::string_view start = std::string_view(line).substr(begin == std::string::npos ? line.size() : begin);
    if (!is_code && line.size() > longest && !start.starts_with("|") && !start.starts_with("!["))
      found.push_back(number);
  }
  return found;
}

TEST(DocumentProse, LinesHaveAtMost120Columns) {
  // These pages are written by the program.
  constexpr std::array<std::string_view, 6> generated{"materials.md", "parameters.md",   "python.md",
                                                      "scenes.md",    "scene-format.md", "validation.md"};
  std::vector<std::string> too_long;
  for (const fs::path& document : documents()) {
    if (std::ranges::find(generated, document.filename().string()) != generated.end()) continue;
    for (const int line : long_lines(vw::test::source_text(document)))
      too_long.push_back(document.string() + ":" + std::to_string(line));
  }
  EXPECT_EQ(too_long, std::vector<std::string>{});
}

TEST(DocumentProse, TheCheckerSeesALongLine) {
  const std::string line(121, 'x');
  EXPECT_EQ(long_lines("short\n" + line + "\n| " + line + "\n```\n" + line + "\n```\n" + line),
            (std::vector<int>{2, 7}));
}

}  // namespace
