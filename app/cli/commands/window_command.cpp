// voxwake [SCENE]: opens the window.
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "app/window/window.h"
#include "sim/base/system/interrupt.h"
#include "sim/base/system/process.h"
#include "sim/scene/scene.h"

namespace vw::cli {
namespace {

constexpr const char* first_scene = "showcase";

struct ShowOptions {
  SceneOptions scene;
  Size size{1440, 900};
  bool has_size = false;  ///< whether the user gave the size
  bool paused = false, no_moment = false;
  double exit_after_s = 0;
  std::int64_t threads = 0;
  std::string screenshot, compare_with;
};

/// Adds the most similar command to the error message, because the word may be a misspelt command.
Error with_nearest_command(Error error, const std::string& typed, const std::vector<std::string>& commands) {
  const std::string command = nearest_word(typed, commands);
  if (!command.empty() && error.hint.empty()) error.hint = "voxwake " + command;
  return error;
}

int show(ShowOptions& options, const std::vector<std::string>& commands) {
  const bool names_no_scene = options.scene.scene.empty();
  if (names_no_scene) options.scene.scene = first_scene;
  const std::string& name = options.scene.scene;
  const auto path = find_scene(name);
  if (!path) return report_error(with_nearest_command(path.error(), name, commands));
  if (auto good = check_moment(options.scene); !good) return report_error(good.error());
  if (auto good = check_base(options.scene, *path); !good) return report_error(good.error());
  std::vector<std::string> inputs = files_read(options.scene);
  if (!options.compare_with.empty()) {
    SceneOptions second;
    second.scene = options.compare_with;
    const std::vector<std::string> more = files_read(second);
    inputs.insert(inputs.end(), more.begin(), more.end());
  }
  if (auto good = check_outputs({options.screenshot}, inputs); !good) return report_error(good.error());
  if (auto good = check_picture_name(options.screenshot); !good) return report_error(good.error());
  std::string compare_with;
  if (!options.compare_with.empty()) {
    const auto other = find_scene(options.compare_with);
    if (!other) return report_error(other.error());
    compare_with = *other;
  }
  catch_interrupts();
  if (!can_open_windows())
    return report_error(
        fail(fmt::format("no display is available; `voxwake render {} --video out.mp4` works without a display", name))
            .value());
  use_threads(options.threads);
  WindowOptions window;
  window.scene = *path;
  window.sets = options.scene.sets;
  window.offers_start_page = names_no_scene;
  window.strict = options.scene.strict;
  window.base = options.scene.base;
  window.width = options.size.width;
  window.height = options.size.height;
  window.fits_display = !options.has_size;
  window.start_paused = options.paused;
  window.exit_after_s = options.exit_after_s;
  window.screenshot_on_exit = options.screenshot;
  window.interrupted = interrupted;
  if (options.scene.at_s >= 0) window.at_s = options.scene.at_s;
  window.branch = options.scene.branch;
  window.compare_with = compare_with;
  window.no_moment = options.no_moment;
  const auto code = run_window(window);
  if (code) return *code;
  Error error = code.error();
  error.what += fmt::format("; `voxwake render {} --video out.mp4` works without a window", name);
  return report_error(error);
}

}  // namespace

void add_window(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ShowOptions>();
  add_scene(program, options->scene);
  add_moment(program, options->scene);
  const Option size = add_size(program, "--size", options->size,
                               "Size of the window (default 1440x900, or less if the display is smaller)");
  add_threads(program, options->threads);
  add_flag(program, "--paused", options->paused, "Pause the simulation at the start");
  add_number(program, "--exit-after", options->exit_after_s, {0, 1e9},
             "Close the window after this wall time in seconds");
  add_file(program, "--screenshot", options->screenshot, "Write a PNG picture of the window when it closes");
  add_name(program, "--compare-with", options->compare_with,
           "Show another scene, saved state, session or picture beside the first one", "");
  add_no_moment(program, options->no_moment);
  when_typed(program, [options, size, &chosen, &program] {
    if (command_typed(program)) {
      // For example, `voxwake --set world.dt=0.01 run walker` would ignore the value.
      if (const std::string given = first_given(program); !given.empty())
        refuse_usage(fmt::format("{}: options and arguments of a command must follow the command", given));
      return;
    }
    options->has_size = size.given();
    chosen = [options, commands = command_names(program)] { return show(*options, commands); };
  });
}

}  // namespace vw::cli
