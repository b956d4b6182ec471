// Checks of every source file: which folders it may include (docs/architecture.md "Folders"), its length and its
// opening comment.
#include <cctype>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

struct Rule {
  /// The rule applies to files below this folder. If several rules match a file, the one with the longest folder path
  /// applies.
  std::string folder;
  std::vector<std::string> allowed;  ///< folders whose headers these files may include
};

/// Returns the rules, ordered from general to particular. Systems never include each other. Only interactions and the
/// world include several systems. The program and its tests run worlds only through sim/api. They may also include the
/// folders of sim that hold data: parameters and trees, snapshots, plots, scene files, and exported files.
const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      {"sim/base", {"sim/base"}},
      {"sim/field", {"sim/base", "sim/field"}},
      {"sim/collision", {"sim/base", "sim/collision"}},
      {"sim/snapshot", {"sim/base", "sim/snapshot"}},
      {"sim/plot", {"sim/base", "sim/collision", "sim/snapshot", "sim/plot"}},
      {"sim/control", {"sim/base", "sim/snapshot", "sim/plot", "sim/control"}},
      {"sim/system",
       {"sim/base", "sim/field", "sim/collision", "sim/snapshot", "sim/system/system.h", "sim/system/diagnostics.h",
        "sim/system/equilibrium.h", "sim/system/point_elements.h", "sim/system/turning_vectors.h"}},
      {"sim/system/voxel",
       {"sim/base", "sim/field", "sim/collision", "sim/snapshot", "sim/system/system.h", "sim/system/former_name.h",
        "sim/system/equilibrium.h", "sim/system/turning_vectors.h", "sim/system/voxel"}},
      {"sim/system/particles",
       {"sim/base", "sim/field", "sim/collision", "sim/snapshot", "sim/system/system.h", "sim/system/former_name.h",
        "sim/system/point_elements.h", "sim/system/turning_vectors.h", "sim/system/particles"}},
      {"sim/system/fluid",
       {"sim/base", "sim/field", "sim/collision", "sim/snapshot", "sim/system/system.h", "sim/system/former_name.h",
        "sim/system/point_elements.h", "sim/system/fluid"}},
      {"sim/system/flock",
       {"sim/base", "sim/field", "sim/collision", "sim/snapshot", "sim/system/system.h", "sim/system/former_name.h",
        "sim/system/point_elements.h", "sim/system/flock"}},
      {"sim/system/rigid",
       {"sim/base", "sim/field", "sim/collision", "sim/snapshot", "sim/system/system.h", "sim/system/former_name.h",
        "sim/system/turning_vectors.h", "sim/system/rigid"}},
      {"sim/system/playback",
       {"sim/base", "sim/field", "sim/collision", "sim/snapshot", "sim/system/system.h", "sim/system/former_name.h",
        "sim/system/turning_vectors.h", "sim/system/playback"}},
      {"sim/interaction", {"sim/base", "sim/field", "sim/collision", "sim/snapshot", "sim/system", "sim/interaction"}},
      {"sim/world",
       {"sim/base", "sim/field", "sim/collision", "sim/snapshot", "sim/system", "sim/interaction", "sim/plot",
        "sim/control", "sim/surface", "sim/world"}},
      {"sim/history",
       {"sim/base", "sim/field", "sim/collision", "sim/snapshot", "sim/system", "sim/interaction", "sim/plot",
        "sim/control", "sim/surface", "sim/world", "sim/history"}},
      {"sim/scene",
       {"sim/base", "sim/field", "sim/collision", "sim/snapshot", "sim/system", "sim/interaction", "sim/plot",
        "sim/control", "sim/surface", "sim/world", "sim/scene"}},
      {"sim/surface", {"sim/base", "sim/surface"}},
      {"sim/export", {"sim/base", "sim/snapshot", "sim/surface", "sim/export"}},
      {"sim/api", {"sim"}},
      {"render", {"sim/base", "sim/snapshot", "sim/surface", "render"}},
      {"bench", {"sim", "render", "app/cli", "bench"}},
      {"app", {"sim/api", "sim/base", "sim/export", "sim/plot", "sim/scene", "sim/snapshot", "render", "app"}},
      {"app/capture", {"sim/base", "sim/snapshot", "render", "app/capture"}},
      {"app/export", {"sim/api", "sim/base", "sim/export", "sim/snapshot", "render", "app/export"}},
      {"app/window",
       {"sim/api", "sim/base", "sim/export", "sim/plot", "sim/scene", "sim/snapshot", "render", "app/capture",
        "app/export", "app/window"}},
      {"python",
       {"sim/api", "sim/base", "sim/plot", "sim/scene", "sim/snapshot", "render", "app/capture",
        "app/window/document/picture_file.h", "python"}},
      {"tests/app",
       {"sim/api", "sim/base", "sim/export", "sim/plot", "sim/scene", "sim/snapshot", "render", "app", "tests"}},
  };
  return all;
}

bool below(const std::string& path, const std::string& folder) {
  return path == folder || (path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/');
}

const Rule* rule_for(const std::string& file) {
  const Rule* best = nullptr;
  for (const Rule& rule : rules())
    if (below(file, rule.folder) && (best == nullptr || rule.folder.size() > best->folder.size())) best = &rule;
  return best;
}

std::vector<std::string> sources_in(std::initializer_list<const char*> folders) {
  const fs::path root(VOXWAKE_SOURCE_DIR);
  std::vector<std::string> files;
  for (const char* top : folders)
    for (const auto& entry : fs::recursive_directory_iterator(root / top))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h")
        files.push_back(fs::relative(entry.path(), root).generic_string());
  return files;
}

std::vector<std::string> sources() { return sources_in({"sim", "render", "app", "bench", "python"}); }

std::vector<std::string> own_includes(const std::string& file) {
  static const std::regex pattern("^\\s*#\\s*include\\s*\"([^\"]+)\"");
  std::ifstream in(fs::path(VOXWAKE_SOURCE_DIR) / file);
  std::vector<std::string> found;
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) found.push_back(match[1]);
  }
  return found;
}

bool allowed(const Rule& rule, const std::string& header) {
  if (header.find('/') == std::string::npos) return true;  // a header of the same folder
  for (const auto& folder : rule.allowed)
    if (below(header, folder)) return true;
  return false;
}

TEST(IncludeRules, EveryFileIncludesOnlyWhatItsFolderMay) {
  const auto files = sources_in({"sim", "render", "app", "bench", "python", "tests/app"});
  ASSERT_GT(files.size(), 40U);
  for (const auto& file : files) {
    const Rule* rule = rule_for(file);
    ASSERT_NE(rule, nullptr) << file << ": no include rule for this folder; add one here and to docs/architecture.md";
    for (const auto& header : own_includes(file))
      EXPECT_TRUE(allowed(*rule, header)) << file << " may not include " << header;
  }
}

/// Headers of sim/api may include only these headers of the library. These headers declare commands, journals and
/// results, so a program that uses the interface does not depend on the classes that implement it.
TEST(IncludeRules, HeadersOfTheInterfaceNameDataOnly) {
  const Rule data{
      "sim/api",
      {"sim/api", "sim/base", "sim/plot", "sim/snapshot", "sim/system/diagnostics.h",
       "sim/system/voxel/analysis/modes.h", "sim/world/air/air_quantity.h", "sim/world/equilibrium.h",
       "sim/world/health/run_warnings.h", "sim/world/state/command.h", "sim/world/state/journal.h",
       "sim/field/spectral/spectrum_measure.h", "sim/scene/lab/lab_course.h", "sim/scene/tasks/robot_task.h"}};
  for (const auto& file : sources_in({"sim/api"})) {
    if (!file.ends_with(".h") || file.ends_with("_impl.h")) continue;  // an inner header is not part of the interface
    for (const auto& header : own_includes(file))
      EXPECT_TRUE(allowed(data, header)) << file << " may not include " << header;
  }
}

TEST(IncludeRules, TheCheckerSeesABreach) {
  EXPECT_FALSE(allowed(*rule_for("sim/system/voxel/bond.cpp"), "sim/system/particles/particles.h"));
  EXPECT_FALSE(allowed(*rule_for("render/renderer.cpp"), "sim/world/world.h"));
  EXPECT_FALSE(allowed(*rule_for("sim/base/data/node.cpp"), "render/image.h"));
  EXPECT_FALSE(allowed(*rule_for("app/cli/run.cpp"), "sim/world/world.h"));
  EXPECT_FALSE(allowed(*rule_for("app/window/ui/app.h"), "sim/field/field.h"));
  EXPECT_TRUE(allowed(*rule_for("app/cli/run.cpp"), "sim/api/run.h"));
}

TEST(SourceFiles, OpenWithACommentAndStayOneIdea) {
  for (const auto& file : sources()) {
    std::ifstream in(fs::path(VOXWAKE_SOURCE_DIR) / file);
    std::string line;
    std::getline(in, line);
    // If the first line of a .cpp file includes the file's own header, the opening comment is in that header. Files for
    // different operating systems (_posix.cpp, _windows.cpp) share one header.
    std::string stem = file.substr(0, file.rfind('.'));
    for (const std::string system : {"_posix", "_windows"})
      if (stem.ends_with(system)) stem.resize(stem.size() - system.size());
    const bool explained_in_header = file.ends_with(".cpp") && line == "#include \"" + stem + ".h\"";
    EXPECT_TRUE(line.starts_with("//") || explained_in_header)
        << file << " does not open with a comment that says what it is";
    int lines = 1;
    while (std::getline(in, line)) ++lines;
    EXPECT_LE(lines, 700) << file << ": split the file by concept";
  }
}

/// Returns the functions longer than `most` lines, with their lengths in lines. Only functions that begin and end at
/// the left margin are checked. Functions that only list declarations are skipped, because their length depends on the
/// number of declarations.
std::vector<std::pair<std::string, int>> long_functions(std::istream& in, int most) {
  std::vector<std::pair<std::string, int>> found;
  std::string head, line;
  int length = 0;
  bool within = false, declares = false;
  while (std::getline(in, line)) {
    if (within) {
      ++length;
      declares = declares || line.starts_with("  static const") || line.starts_with("  return {");
      if (!line.starts_with('}')) continue;
      if (length > most && !declares) found.emplace_back(head, length);
      within = false;
    } else if (!line.empty() && std::isspace(static_cast<unsigned char>(line[0])) == 0 && line.ends_with('{') &&
               line.find('(') != std::string::npos) {
      head = line, length = 0, within = true, declares = false;
    }
  }
  return found;
}

TEST(SourceFiles, FunctionsAreNotLong) {
  std::string too_long;
  for (const auto& file : sources()) {
    std::ifstream in(fs::path(VOXWAKE_SOURCE_DIR) / file);
    // The limit of 80 lines admits a few long inner loops. A function of more than 60 lines needs a reason.
    for (const auto& [head, length] : long_functions(in, 80))
      too_long += file + ": " + std::to_string(length) + " lines: " + head + "\n";
  }
  EXPECT_EQ(too_long, "");
}

TEST(SourceFiles, TheCheckerSeesALongFunction) {
  std::string text = "void f(int a) {\n";
  for (int i = 0; i < 90; ++i) text += "  ++a;\n";
  std::istringstream in(text + "}\n");
  EXPECT_EQ(long_functions(in, 80).size(), 1U);
}

TEST(SourceFiles, SimulationKnowsNoGraphics) {
  static const std::regex graphics("#\\s*include\\s*<(glad|GLFW|GL|imgui|glm|EGL)");
  for (const auto& file : sources()) {
    if (!file.starts_with("sim/")) continue;
    std::ifstream in(fs::path(VOXWAKE_SOURCE_DIR) / file);
    for (std::string line; std::getline(in, line);)
      EXPECT_FALSE(std::regex_search(line, graphics)) << file << ": " << line;
  }
}

}  // namespace
