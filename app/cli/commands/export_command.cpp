// voxwake export: writes a voxel body of a scene as a design of VoxCAD or MagicaVoxel, or as a .binvox file.
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "sim/api/analysis.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"

namespace vw::cli {
namespace {

struct ExportOptions {
  SceneOptions scene;
  std::string system;
  std::string out;
};

int export_design(const ExportOptions& options) {
  if (auto good = check_ending(options.out, export_endings(), "a design"); !good) return report_error(good.error());
  if (auto good = check_outputs({options.out}, files_read(options.scene)); !good) return report_error(good.error());
  auto opened = open_scene(options.scene);
  if (!opened) return report_error(opened.error());
  const auto name = api::choose_voxel_body(opened->root, options.system);
  if (!name) return report_error(name.error());
  const auto design = write_design(opened->root, *name, options.out);
  if (!design) return report_error(design.error());
  if (const auto written = write_file_atomic(options.out, design->text); !written) return report_error(written.error());
  if (!design->warning.empty()) say("warning: " + options.out + ": " + design->warning);
  fmt::print("Wrote {}\n", options.out);
  return exit_done;
}

}  // namespace

void add_export(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App& command = add_command(program, "export", "Write a voxel body as a design (.vxa, .vox or .binvox)");
  add_scene(command, options->scene).required();
  add_text(command, "--system", options->system, "Name of the voxel body (default: the only one)", "NAME");
  add_file(command, "--out", options->out, "Write the design to this file (.vxa, .vox or .binvox)").required();
  when_typed(command, [options, &chosen] { chosen = [options] { return export_design(*options); }; });
}

}  // namespace vw::cli
