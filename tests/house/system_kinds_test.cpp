// Checks that no code outside the folder of a system kind depends on the kind of a system. The test lists the files
// that name the class of a kind, and the files of sim/world that include a header of a kind.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "source_text.h"

namespace {

namespace fs = std::filesystem;

/// Class of a system kind, and the folder of the kind, which may name the class anywhere.
struct KindClass {
  std::string name, folder;
};
const std::vector<KindClass>& kind_classes() {
  static const std::vector<KindClass> all{
      {"FlockSystem", "sim/system/flock/"},   {"FluidSystem", "sim/system/fluid/"},
      {"Particles", "sim/system/particles/"}, {"Playback", "sim/system/playback/"},
      {"RigidSystem", "sim/system/rigid/"},   {"VoxelBody", "sim/system/voxel/"},
  };
  return all;
}

/// Returns the files that may name the class of a kind: the table of kinds, and code that works with one kind only.
const std::set<std::string>& exceptions() {
  static const std::set<std::string> all{
      "sim/world/system_kinds.cpp",
      // Modal analysis of one voxel body.
      "sim/api/analysis/analysis.h",
      "sim/api/analysis/analysis.cpp",
      // Benchmark of the contact search of rigid bodies.
      "bench/cases/rigid_pile.cpp",
  };
  return all;
}

/// Returns the code of a file without comments and without the contents of strings. Raw strings end at the first quote,
/// which is sufficient for counting names.
std::string code_of(const std::string& text) {
  std::string code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
      code += '\n';
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 1;
    } else if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        if (text[i] == '\\') ++i;
      code += "\"\"";
    } else {
      code += text[i];
    }
  }
  return code;
}

bool contains_word(const std::string& text, const std::string& word) {
  const auto is_part = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return true;
  return false;
}

/// Returns the classes of system kinds that the code of a file names, although the file may not depend on these kinds.
std::vector<std::string> foreign_classes(const std::string& file, const std::string& text) {
  std::vector<std::string> found;
  const std::string code = code_of(text);
  for (const KindClass& kind : kind_classes())
    if (!file.starts_with(kind.folder) && !file.starts_with("sim/interaction/") && contains_word(code, kind.name))
      found.push_back(kind.name);
  return found;
}

/// Returns the folders of system kinds whose headers a file includes.
std::set<std::string> included_kinds(const std::string& text) {
  static const std::regex pattern("#\\s*include\\s*\"sim/system/([a-z_]+)/");
  std::set<std::string> found;
  for (std::sregex_iterator one(text.begin(), text.end(), pattern), end; one != end; ++one) found.insert((*one)[1]);
  return found;
}

template <class F>
void for_each_source(F look) {
  const fs::path root(VOXWAKE_SOURCE_DIR);
  for (const char* top : {"sim", "render", "app", "bench"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h")
        look(fs::relative(entry.path(), root).generic_string(), vw::test::source_text(entry.path()));
}

TEST(SystemKinds, AreNamedOnlyByTheirTableAndByStatedExceptions) {
  std::string wrong;
  std::set<std::string> used;
  for_each_source([&](const std::string& file, const std::string& text) {
    for (const std::string& name : foreign_classes(file, text))
      if (exceptions().contains(file))
        used.insert(file);
      else
        wrong += file + " names " + name + ": use a function of System (sim/system/system.h)\n";
    // This exception always counts as used: the table of kinds names no classes, but the functions that create systems.
    if (file == "sim/world/system_kinds.cpp") used.insert(file);
  });
  EXPECT_EQ(wrong, "");
  EXPECT_EQ(used, exceptions()) << "remove the exceptions that are not needed";
}

TEST(SystemKinds, AreIncludedInTheWorldOnlyByTheirTableAndByStatedExceptions) {
  for_each_source([&](const std::string& file, const std::string& text) {
    if (!file.starts_with("sim/world/") || exceptions().contains(file)) return;
    EXPECT_TRUE(included_kinds(text).empty()) << file << " includes the kind " << *included_kinds(text).begin();
  });
}

TEST(SystemKinds, TheCheckerSeesABreach) {
  using Names = std::vector<std::string>;
  const std::string cast = "auto* body = dynamic_cast<VoxelBody*>(&system);";
  EXPECT_EQ(foreign_classes("sim/world/world.cpp", cast), Names{"VoxelBody"});
  EXPECT_EQ(foreign_classes("sim/system/fluid/fluid.cpp", cast), Names{"VoxelBody"});
  EXPECT_TRUE(foreign_classes("sim/system/voxel/wind.cpp", cast).empty());
  EXPECT_TRUE(foreign_classes("sim/interaction/bodies/weld.cpp", cast).empty());
  EXPECT_TRUE(foreign_classes("app/a.cpp", "// VoxelBody\nf(\"Particles \\\" fall\"); VoxelBodyParams p;").empty());
  EXPECT_TRUE(foreign_classes("app/a.cpp", "/* Playback */ int playback;").empty());
  EXPECT_EQ(included_kinds("#include \"sim/system/rigid/rigid.h\"\n#include \"sim/system/system.h\"\n"),
            std::set<std::string>{"rigid"});
}

}  // namespace
