// voxwake scenes and voxwake parameters: lists on standard output.
#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "app/window/document/scene_groups.h"
#include "sim/api/open_scene.h"
#include "sim/scene/scene.h"

namespace vw::cli {
namespace {

int list_scenes() {
  const auto scenes = packaged_scenes();
  if (scenes.empty())
    return report_error(
        wrong_file(assets_folder() + "/scenes", "contains no scene; set $VOXWAKE_ASSETS to the folder of the assets")
            .value());
  std::size_t width = 0;
  for (const auto& scene : scenes) width = std::max(width, scene.name.size());
  // The output has one scene per line and nothing else, so that programs can parse it. Scenes are ordered by subject,
  // as in the window.
  for (const SceneGroup& group : group_scenes(scenes, {}))
    for (const auto& scene : group.scenes)
      fmt::print("{:<{}}  {}{}\n", scene.name, width, scene.group.empty() ? std::string() : "[" + scene.group + "] ",
                 scene.title);
  return exit_done;
}

std::string spec_range_text(const ParamSpec& spec) {
  if (spec.type == ParamType::choice) return fmt::format("{}", fmt::join(spec.choices, "|"));
  const bool numeric = spec.type == ParamType::integer || spec.type == ParamType::real ||
                       spec.type == ParamType::vec3 || spec.type == ParamType::color ||
                       spec.type == ParamType::number_list;
  if (!numeric) return {};
  const bool lower = spec.bounds.min > std::numeric_limits<double>::lowest(),
             upper = spec.bounds.max < std::numeric_limits<double>::max();
  if (!lower && !upper) return {};
  return fmt::format("[{}, {}]", lower ? fmt::format("{:g}", spec.bounds.min) : "-inf",
                     upper ? fmt::format("{:g}", spec.bounds.max) : "inf");
}

/// Prints one parameter per line, with columns separated by tabs: path, kind, unit, default, range, whether a change
/// takes effect at once or at a reset, and meaning. In paths, NAME stands for the name of a node.
void print_parameters(const Schema& schema, const std::string& path) {
  for (const ParamSpec& spec : schema.params)
    fmt::print("{}{}\t{}\t{}\t{}\t{}\t{}\t{}\n", path, spec.name, schema.kind, unit_symbol(spec.unit),
               to_text(spec.default_value), spec_range_text(spec), spec.live == Live::yes ? "live" : "at reset",
               spec.doc);
  for (const Slot& slot : schema.slots)
    for (const Schema* kind : slot.kinds)
      print_parameters(*kind, fmt::format("{}{}.{}", path, slot.name, slot.many ? "NAME." : ""));
}

struct ParameterOptions {
  bool markdown = false;
  bool scene_format = false;
};

int list_parameters(const ParameterOptions& options) {
  if (options.markdown) {
    fmt::print("{}", parameters_page());
  } else if (options.scene_format) {
    fmt::print("{}", scene_format_page());
  } else {
    fmt::print("path\tkind\tunit\tdefault\trange\tchanges\tmeaning\n");
    print_parameters(*api::new_scene().schema, "");
  }
  return exit_done;
}

}  // namespace

void add_scenes(CLI::App& program, Action& chosen) {
  when_typed(add_command(program, "scenes", "List the packaged scenes, one per line, name first"),
             [&chosen] { chosen = list_scenes; });
}

void add_parameters(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ParameterOptions>();
  CLI::App& command = add_command(program, "parameters", "List all scene parameters, tab-separated");
  const Option markdown = add_flag(command, "--markdown", options->markdown, "Print docs/parameters.md");
  add_flag(command, "--scene-format", options->scene_format, "Print docs/scene-format.md").excludes(markdown);
  when_typed(command, [options, &chosen] { chosen = [options] { return list_parameters(*options); }; });
}

}  // namespace vw::cli
