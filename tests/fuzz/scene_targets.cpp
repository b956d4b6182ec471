#include <string>

#include "sim/scene/designs/voxel_design.h"
#include "sim/scene/scene.h"
#include "sim/world/world.h"
#include "tests/fuzz/targets.h"
#include "tests/support/scratch.h"

namespace vw::fuzz {
namespace {

void written_again(const Result<LoadedScene>& scene) {
  if (!scene) {
    promise(!scene.error().message().empty(), "a refused scene has a message");
    return;
  }
  const auto again = read_scene_toml(write_scene_toml(scene->root), "again.toml");
  promise(again && same_node(again->root, scene->root), "a scene that was read reads back from what is written");
}

/// Checks that a design has the same size and the same filled cells after it has been written and parsed again.
void same_design_again(const Result<VoxelDesign>& design, Result<std::string> (*write)(const VoxelDesign&),
                       Result<VoxelDesign> (*parse)(std::string_view, const std::string&)) {
  if (!design) return;
  const auto bytes = write(*design);
  if (!bytes) {
    promise(!bytes.error().message().empty(), "a refused export has a message");
    return;
  }
  const auto again = parse(*bytes, "again");
  promise(again && again->nx == design->nx && again->ny == design->ny && again->nz == design->nz &&
              again->code.size() == design->code.size(),
          "a design that was read has the same size after it is written");
  for (std::size_t cell = 0; cell < again->code.size(); ++cell)
    promise((again->code[cell] == 0) == (design->code[cell] == 0),
            "a design that was read has the same filled cells after it is written");
}

constexpr std::string_view base_design = R"(<?xml version="1.0"?>
<VXA Version="1.1"><Simulator/><Environment/><VXC Version="0.94"><Lattice><Lattice_Dim>0.01</Lattice_Dim></Lattice>
<Palette><Material ID="1"><Name>a</Name><Mechanical><Elastic_Mod>1e6</Elastic_Mod><Density>1000</Density></Mechanical></Material></Palette>
<Structure Compression="ASCII_READABLE"><X_Voxels>2</X_Voxels><Y_Voxels>1</Y_Voxels><Z_Voxels>1</Z_Voxels><Data><Layer>11</Layer></Data></Structure>
</VXC></VXA>
)";

}  // namespace

void scene_toml(std::string_view bytes) { written_again(read_scene_toml(bytes, "fuzz.toml")); }
void design_vxa(std::string_view bytes) { written_again(read_vxa(std::string(bytes), "fuzz.vxa")); }
void robot_vxd(std::string_view bytes) {
  written_again(read_vxd({"fuzz.vxd", std::string(bytes)}, {"base.vxa", std::string(base_design)}));
}
void design_vxl(std::string_view bytes) { written_again(read_vxl(std::string(bytes), "fuzz.vxl.json")); }
void design_vox(std::string_view bytes) {
  written_again(read_vox(std::string(bytes), "fuzz.vox"));
  same_design_again(parse_vox(bytes, "fuzz.vox"), design_to_vox, parse_vox);
}
void design_binvox(std::string_view bytes) {
  written_again(read_binvox(std::string(bytes), "fuzz.binvox"));
  same_design_again(parse_binvox(bytes, "fuzz.binvox"), design_to_binvox, parse_binvox);
}
void design_evogym(std::string_view bytes) { written_again(read_evogym(std::string(bytes), "fuzz.json")); }
void recording(std::string_view bytes) {
  static const test::Scratch scratch;
  const auto scene = read_history(scratch.write("fuzz.history", bytes));
  if (!scene) promise(!scene.error().message().empty(), "a refused recording has a message");
}

void world(std::string_view bytes) {
  if (bytes.size() > 4096) return;
  auto scene = read_scene_toml(bytes, "fuzz.toml");
  if (!scene) return;
  add_default_interactions(scene->root);
  if (const auto made = World::create(std::move(scene->root)); !made)
    promise(!made.error().message().empty(), "a refused world has a message");
}

}  // namespace vw::fuzz
