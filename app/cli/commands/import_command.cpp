// voxwake import: adds a mesh to a new or existing scene as a rigid body or a voxel body.
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "sim/api/open_scene.h"
#include "sim/scene/import_mesh.h"
#include "sim/scene/scene.h"

namespace vw::cli {
namespace {

struct ImportOptions {
  std::string mesh, into, out;
  MeshImport how;
};

/// Returns an empty scene with a ground plane.
Node scene_with_ground() {
  Node scene = api::new_scene();
  add_child(scene, "collider", "plane", "ground");
  return scene;
}

int import_body(ImportOptions options) {
  if (auto good = check_ending(options.out, ".toml", "a scene"); !good) return report_error(good.error());
  SceneOptions there;
  there.scene = options.into;
  std::vector<std::string> inputs = options.into.empty() ? std::vector<std::string>{} : files_read(there);
  inputs.push_back(options.mesh);
  if (auto good = check_outputs({options.out}, inputs); !good) return report_error(good.error());
  Node scene;
  if (options.into.empty()) {
    scene = scene_with_ground();
    options.how.foot = Vec3::Zero();
  } else {
    auto opened = open_scene(there);
    if (!opened) return report_error(opened.error());
    scene = std::move(opened->root);
  }
  const auto imported = import_mesh(scene, options.mesh, options.how);
  if (!imported) return report_error(imported.error());
  for (const std::string& note : imported->notes) say("warning: " + note);
  add_nodes(scene, imported->nodes);
  if (const auto saved = save_scene(scene, options.out); !saved) return report_error(saved.error());
  fmt::print("Wrote {}\n", options.out);
  return exit_done;
}

}  // namespace

void add_import(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App& command = add_command(program, "import", "Add a mesh to a scene as a rigid body or a voxel body");
  add_file(command, "MESH", options->mesh, "Mesh file (.obj, .stl, .ply, .gltf or .glb)").required();
  add_file(command, "--out", options->out, "Write the scene to this file (.toml)").required();
  add_file(
      command, "--into", options->into,
      "Add the mesh to this scene at the position in the mesh file (default: a new scene with the mesh on the ground)");
  const Option voxels =
      add_flag(command, "--voxels", options->how.voxels, "Import the mesh as a voxel body (default: as a rigid body)");
  add_number(command, "--voxel-size", options->how.voxel_size_m, {.min = 1e-9, .max = 1000, .above_min = false},
             "Edge length of a voxel [m] (default: a twentieth of the longest side of the mesh)")
      .needs(voxels);
  add_number(command, "--scale", options->how.scale, {.min = 1e-9, .max = 1e9, .above_min = false},
             "Length of one unit of the mesh file in metres (default 1)");
  add_number(command, "--density", options->how.density, {.min = 1e-2, .max = 1e5, .above_min = false},
             "Density of the body [kg/m^3]");
  when_typed(command, [options, &chosen] { chosen = [options] { return import_body(*options); }; });
}

}  // namespace vw::cli
