// Checks that the guides describe everything that a scene can contain.
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  const auto text = read_file(path.string(), 1 << 24);
  EXPECT_TRUE(text) << path;
  return text ? *text : std::string();
}

/// Returns all pages in docs/guide, one after the other.
std::string guides() {
  std::string all;
  for (const auto& entry : fs::directory_iterator(fs::path(VOXWAKE_SOURCE_DIR) / "docs/guide"))
    if (entry.path().extension() == ".md") all += text_of(entry.path());
  return all;
}

TEST(Documents, TheGuidesNameEveryKindOfFieldObstacleSystemAndRule) {
  const std::string text = guides();
  for (const Slot& slot : scene_schema().slots) {
    if (slot.name != "field" && slot.name != "collider" && slot.name != "system" && slot.name != "interaction")
      continue;
    for (const Schema* kind : slot.kinds)
      EXPECT_TRUE(std::regex_search(text, std::regex("[`\"]" + kind->kind + "[`\"]")))
          << "docs/guide does not name the " << slot.name << " `" << kind->kind << "`";
  }
}

/// Adds to `keys` the names of all parameters, slots and keys that a node of the schema and its children may contain.
void collect_keys(const Schema& schema, std::set<const Schema*>& seen, std::set<std::string>& keys) {
  if (!seen.insert(&schema).second) return;
  for (const ParamSpec& spec : schema.params) keys.insert(spec.name);
  for (const Slot& slot : schema.slots) {
    keys.insert(slot.name);
    for (const Schema* kind : slot.kinds) collect_keys(*kind, seen, keys);
  }
}

TEST(Documents, ExamplesInTheGuidesUseKeysThatExist) {
  std::set<const Schema*> seen;
  std::set<std::string> keys{"name", "kind"};
  collect_keys(scene_schema(), seen, keys);
  std::size_t checked = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(VOXWAKE_SOURCE_DIR) / "docs/guide")) {
    if (entry.path().extension() != ".md") continue;
    const std::string text = text_of(entry.path());
    const std::regex block("```toml\n([^`]*)```"), key("(^|\n)\\s*([a-z_]+) *=");
    for (std::sregex_iterator found(text.begin(), text.end(), block), end; found != end; ++found) {
      const std::string code = (*found)[1];
      for (std::sregex_iterator line(code.begin(), code.end(), key); line != end; ++line, ++checked)
        EXPECT_TRUE(keys.contains((*line)[2])) << entry.path().filename() << ": unknown key " << (*line)[2];
    }
  }
  EXPECT_GT(checked, 10U);
}

}  // namespace
}  // namespace vw
