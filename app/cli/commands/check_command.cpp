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
  const auto started = start_scene(options);
  if (!started) return report_error(started.error(), options.scene);
  const api::Run& run = started->run;
  say_notes(run.notes());
  std::size_t elements = 0;
  for (const std::string& system : run.systems()) elements += run.size(system).value();
  const auto count = [&](std::string_view slot) { return started->scene.all(slot).size(); };
  std::string moment;
  if (started->is_moment)
    moment =
        fmt::format("; the moment at {:g} s, {} {}", run.time_s(), counted(started->hashes_checked, "recorded state"),
                    started->agrees ? "compared" : "compared, not all equal");
  fmt::print("{} {}: {}, {}, {}, {}, {}{}\n", started->agrees ? "OK" : "DIFFERENT", options.scene,
             counted(run.systems().size(), "system"), counted(elements, "element"),
             counted(count("interaction"), "interaction"), counted(count("field"), "field"),
             counted(count("collider"), "collider"), moment);
  return started->agrees ? exit_done : exit_failed;
}

}  // namespace

void add_check(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<SceneOptions>();
  CLI::App& command = add_command(program, "check", "Check a scene without running it");
  add_scene(command, *options).required();
  add_at(command, *options);
  when_typed(command, [options, &chosen] { chosen = [options] { return check(*options); }; });
}

}  // namespace vw::cli
