// Every scene, and every part of a scene, that docs/guide shows must be read without error and must give a run.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "sim/api/run.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

/// Returns the blocks of a page that are marked as TOML, in the order of the page.
std::vector<std::string> toml_blocks(const fs::path& page) {
  std::ifstream in(page);
  std::vector<std::string> blocks;
  bool within = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      within = line == "```toml";
      if (within) blocks.emplace_back();
    } else if (within) {
      blocks.back() += line + '\n';
    }
  }
  return blocks;
}

/// Returns the error message with which the text is rejected. The message is empty if the text is accepted.
std::string refusal(const std::string& text) {
  auto scene = api::open_scene_text(text, "guide.toml");
  if (!scene) return scene.error().message();
  const auto run = api::Run::create(std::move(*scene));
  return run ? std::string() : run.error().message();
}

TEST(Guide, EveryBlockIsASceneOrGoesOnWithThePagesScene) {
  const std::string tank =
      "format = 1\n[[system]]\nkind = \"fluid\"\nname = \"water\"\n[[system.fill]]\nkind = \"box\"\nname = \"pool\"\n";
  std::size_t read = 0;
  for (const auto& page : fs::directory_iterator(fs::path(VOXWAKE_SOURCE_DIR) / "docs" / "guide")) {
    std::string scene = tank;  // base scene, to which pages without a whole scene add parts
    for (const std::string& block : toml_blocks(page.path())) {
      scene = block.starts_with("format = ") ? block : scene + block;
      EXPECT_EQ(refusal(scene), "") << page.path() << ":\n" << block;
      ++read;
    }
  }
  EXPECT_GE(read, 5U);
}

}  // namespace
}  // namespace vw
