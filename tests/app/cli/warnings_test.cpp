// Warnings that commands print besides their results, about mesh files and about steps. All commands that create the
// world must print the same warnings.
#include "tests/app/cli/program.h"

namespace vw {
namespace {

/// A scene that causes warnings: a wall of 1 cm, grains that move 33 cm in a step and may pass through it, and a mesh
/// with a degenerate triangle. It also has a beam with a static solution.
constexpr const char* warned_scene = R"(format = 1
title = "Warned"

[world]
dt = 0.016666666666666666

[[material]]
name = "rubber"
youngs_modulus = 1e6
bond_damping = 0.5

[[collider]]
kind = "box"
name = "wall"
size = [0.01, 2, 2]

[[collider]]
kind = "mesh"
name = "tetrahedron"
source = "tetrahedron.obj"
position = [0, 5, 0]

[[system]]
kind = "voxel_body"
name = "beam"
material = "rubber"
size = [4, 1, 1]
voxel_size = 0.005
position = [1, 1, 0]

[[system.region]]
name = "clamp"
max = [0.25, 1, 1]

[[system]]
kind = "particles"
name = "shots"
detection = "interference"
collision_dt = 0.016666666666666666
gravity_scale = 0

[[system.emitter]]
kind = "point"
name = "gun"
position = [-0.5, 0, 0]
direction = [1, 0, 0]
speed = 20
burst = 10
rate = 0
lifetime = 0
)";

constexpr const char* tetrahedron_file =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 1 1 2\n";

TEST_F(CliTest, EveryCommandPrintsTheWarningsOfFilesAndSteps) {
  write("warned.toml", warned_scene);
  write("tetrahedron.obj", tetrahedron_file);
  const std::string note = "tetrahedron.obj: 1 triangle",
                    caution = "particles moved by more than half the thickness of a nearby obstacle";
  const auto times = [](const std::string& text, const std::string& part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  };
  const std::vector<std::vector<std::string>> stepping{
      {"run", "warned.toml", "--until", "0.1", "--journal", "warned.journal"},
      {"render", "warned.toml", "--until", "0.1", "--software", "--size", "64x36", "--frame", "warned.png"},
      {"replay", "warned.journal"},
  };
  for (const auto& command : stepping) {
    const auto result = run(command);
    ASSERT_EQ(result.code, 0) << command[0] << ": " << result.err;
    EXPECT_EQ(times(result.err, note), 1) << command[0] << ": " << result.err;
    EXPECT_EQ(times(result.err, caution), 1) << command[0] << ": " << result.err;
  }
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"check", "warned.toml"}, {"solve", "warned.toml"}, {"modes", "warned.toml", "--loaded"}}) {
    const auto result = run(command);
    ASSERT_EQ(result.code, 0) << command[0] << ": " << result.err;
    EXPECT_EQ(times(result.err, note), 1) << command[0] << ": " << result.err;
  }
}

}  // namespace
}  // namespace vw
