// Types of one namespace have different names. Two definitions of one name in different files violate the One
// Definition Rule: the linker keeps only one of the two destructors, and the program may crash.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "source_text.h"

namespace {

namespace fs = std::filesystem;

/// Namespace and name of a type, and the files that define it.
using Definitions = std::map<std::pair<std::string, std::string>, std::set<std::string>>;

/// Adds the types that a source defines at the outermost level of a named namespace. Templates are skipped. Types in
/// anonymous namespaces are also skipped, because several files may use the same name for them.
void add_types(const std::string& text, const std::string& file, Definitions& all) {
  static const std::regex opening("namespace ([A-Za-z_0-9:]*) ?\\{.*"),
      type(
          "(?:struct|class|enum class|enum|union) (?:\\[\\[[a-z]+\\]\\] )?([A-Za-z_0-9]+)(?: final)?(?: : .*)? ?\\{.*");
  std::istringstream lines(text);
  std::string line, space;
  bool is_anonymous = false, is_template = false;
  while (std::getline(lines, line)) {
    std::smatch found;
    if (line == "namespace {") is_anonymous = true;
    if (line == "}  // namespace") is_anonymous = false;
    if (!is_anonymous && std::regex_match(line, found, opening)) space = found[1];
    if (!is_anonymous && !is_template && std::regex_match(line, found, type)) all[{space, found[1]}].insert(file);
    is_template = line.starts_with("template");
  }
}

TEST(TypeNames, EachNameOfANamespaceMeansOneType) {
  Definitions all;
  const fs::path root(VOXWAKE_SOURCE_DIR);
  for (const char* folder : {"app", "render", "sim"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
        add_types(vw::test::source_text(entry.path()), fs::relative(entry.path(), root).string(), all);
  ASSERT_GT(all.size(), 500U);
  for (const auto& [name, files] : all) {
    std::string list;
    for (const std::string& file : files) list += " " + file;
    EXPECT_EQ(files.size(), 1U) << name.first << "::" << name.second << " is defined in" << list;
  }
}

TEST(TypeNames, TheCheckerSeesTwoDefinitions) {
  Definitions all;
  add_types("namespace vw {\nstruct Figure {\n};\n}  // namespace vw\n", "a.h", all);
  add_types("namespace vw {\nclass Figure final : public Other {\n};\nstruct Other {};\n}  // namespace vw\n", "b.h",
            all);
  add_types("namespace vw {\nnamespace {\nstruct Other {\n};\n}  // namespace\n}  // namespace vw\n", "c.cpp", all);
  add_types("namespace vw::ui {\nstruct Other {\n};\n}  // namespace vw::ui\n", "d.h", all);
  EXPECT_EQ((all[{"vw", "Figure"}].size()), 2U);
  EXPECT_EQ((all[{"vw", "Other"}].size()), 1U);
}

}  // namespace
