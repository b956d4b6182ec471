// voxwake check: reads a scene and builds its world without running it.
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/warnings.h"
#include "sim/api/run.h"

namespace vw::cli {
namespace {

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

int check(const SceneOptions& options) {
  auto opened = open_scene(options);
  if (!opened) return report_error(opened.error());
  const auto run = api::Run::create(*opened);
  if (!run) return report_error(run.error(), options.scene);
  say_notes(run->notes());
  std::size_t elements = 0;
  for (const std::string& system : run->systems()) elements += run->size(system).value();
  const auto count = [&](std::string_view slot) { return opened->root.all(slot).size(); };
  fmt::print("OK {}: {}, {}, {}, {}, {}\n", options.scene, counted(run->systems().size(), "system"),
             counted(elements, "element"), counted(count("interaction"), "interaction"),
             counted(count("field"), "field"), counted(count("collider"), "collider"));
  return exit_done;
}

}  // namespace

void add_check(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<SceneOptions>();
  CLI::App& command = add_command(program, "check", "Check a scene without running it");
  add_scene(command, *options).required();
  when_typed(command, [options, &chosen] { chosen = [options] { return check(*options); }; });
}

}  // namespace vw::cli
