// The table of the window's actions: keys and names must be unique, and the guide must list every action.
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#ifdef VOXWAKE_HAVE_WINDOW
#include "app/window/ui/actions/actions.h"

namespace vw::ui {
namespace {

TEST(WindowActions, KeysAndNamesAreUnique) {
  std::set<std::string> ids, keys;
  std::set<std::tuple<int, bool, bool>> presses;
  for (const Action& one : actions()) {
    EXPECT_TRUE(ids.insert(std::string(one.id)).second) << one.id;
    EXPECT_TRUE(keys.insert(std::string(one.keys)).second) << one.keys;
    EXPECT_NE(one.run, nullptr) << one.id;
    EXPECT_FALSE(one.presses.empty()) << one.id;
    for (const KeyPress& press : one.presses)
      for (const bool shift : {false, true}) {
        if (press.shift && *press.shift != shift) continue;
        EXPECT_TRUE(presses.emplace(press.key, press.control, shift).second) << one.id << " shares a key";
      }
    EXPECT_EQ(&action(one.id), &one);
  }
}

TEST(WindowActions, TheGuideListsEveryAction) {
  std::ifstream guide(std::string(VOXWAKE_SOURCE_DIR) + "/docs/guide/window.md");
  std::stringstream text;
  text << guide.rdbuf();
  for (const Action& one : actions()) {
    const std::string row = "| " + std::string(one.keys) + " | " + std::string(one.what) + " |\n";
    EXPECT_NE(text.str().find(row), std::string::npos) << "docs/guide/window.md has no row: " << row;
  }
}

TEST(WindowActions, ALabelNamesTheLastKey) {
  EXPECT_EQ(with_key("Screenshot", "screenshot"), "Screenshot (F12)");
  EXPECT_EQ(with_key("Play", "play"), "Play (Space)");
}

}  // namespace
}  // namespace vw::ui
#endif
