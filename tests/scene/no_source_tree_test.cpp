// An installed program must not depend on the source tree from which it was built.
#include <gtest/gtest.h>

#include <cstdlib>

#include "sim/scene/scene.h"

namespace vw {
namespace {

TEST(SceneLibrary, IgnoresTheSourceTreeWhenToldTo) {
  ASSERT_TRUE(find_scene("showcase"));
  setenv("VOXWAKE_NO_SOURCE_TREE", "1", 1);
  const std::string folder = assets_folder();
  const auto found = find_scene("showcase");
  unsetenv("VOXWAKE_NO_SOURCE_TREE");
  EXPECT_EQ(folder.find(VOXWAKE_SOURCE_DIR "/assets"), std::string::npos) << folder;
  EXPECT_FALSE(found);
}

}  // namespace
}  // namespace vw
