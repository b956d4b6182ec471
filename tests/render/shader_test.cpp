// Compiles every shader program with the Khronos Group's reference compiler (glslangValidator), which is stricter than
// any driver.
#include "render/gl/shader.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "render/gl/stage.h"
#include "sim/base/files/file.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

TEST(Shaders, EveryProgramPassesTheReferenceCompiler) {
  if (std::system("command -v glslangValidator >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "glslangValidator (package glslang-tools) is not installed";
  const test::Scratch scratch;
  std::vector<PassRecipe> recipes(pass_recipes().begin(), pass_recipes().end());
  for (const char* name : {"cell_face", "cell_line"}) recipes.push_back({Pass{}, name, name, ""});  // the voxel editor
  for (const PassRecipe& recipe : recipes) {
    const auto vertex = whole_shader(std::string(recipe.vertex) + ".vert", recipe.defines);
    const auto fragment =
        whole_shader(std::string(recipe.fragment) + ".frag", std::string(recipe.defines) + "#define FRAGMENT\n");
    ASSERT_TRUE(vertex && fragment);
    const std::string said = scratch.path("said.txt");
    const std::string command = "glslangValidator -l " + scratch.write("a.vert", *vertex) + " " +
                                scratch.write("b.frag", *fragment) + " >" + said;
    const int status = std::system(command.c_str());
    std::istringstream lines(read_file(said, 1 << 20).value());
    std::string complaints;
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("ERROR") || line.starts_with("WARNING")) complaints += line + "\n";
    EXPECT_EQ(status, 0) << recipe.vertex << ".vert, " << recipe.fragment << ".frag\n" << complaints;
    EXPECT_EQ(complaints, "") << recipe.vertex << ".vert, " << recipe.fragment << ".frag";
  }
}

}  // namespace
}  // namespace vw
