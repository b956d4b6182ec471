// voxwake check: reads a scene and builds its world. For a picture, video or session, repeats the recorded run instead.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/warnings.h"
#include "sim/api/run.h"
#include "sim/api/saved_session.h"
#include "sim/base/system/interrupt.h"

namespace vw::cli {
namespace {

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// Repeats the branch that --branch names, or every branch, from the start (not from a keyframe) and compares the
/// hashes of the state with the recorded hashes.
int check_session(const SceneOptions& options) {
  const auto facts = api::session_facts(options.scene);
  if (!facts) return report_error(facts.error(), options.scene);
  std::vector<std::string> branches;
  if (!options.branch.empty())
    branches.push_back(options.branch);
  else
    for (const api::SessionFacts::Branch& branch : facts->branches) branches.push_back(std::to_string(branch.number));
  bool agrees = true;
  for (const std::string& name : branches) {
    WorkBar bar;
    api::MomentOptions how;
    how.progress = [&](double share) {
      bar.show(share, "");
      return !interrupted();
    };
    const auto repeated = api::repeat_session(options.scene, name, how);
    bar.clear();
    if (!repeated) return report_error(repeated.error(), options.scene);
    for (const std::string& note : repeated->notes) say("warning: " + options.scene + ": " + note);
    agrees = agrees && repeated->agrees;
    const auto number =
        std::ranges::find(facts->branches, name, [](const auto& one) { return std::to_string(one.number); });
    fmt::print("{} {}: branch {}: {}, {:g} s, {} compared\n", repeated->agrees ? "OK" : "DIFFERENT", options.scene,
               number == facts->branches.end() ? name : number->name, counted(repeated->run.tick(), "step"),
               repeated->run.simulated_s(), counted(repeated->hashes_checked, "recorded state"));
  }
  if (facts->damaged_bytes > 0)
    say(fmt::format("warning: {}: the last {} bytes are damaged or incomplete", options.scene, facts->damaged_bytes));
  else if (!facts->is_complete)
    say(fmt::format("warning: {}: the session did not end normally", options.scene));
  return agrees ? exit_done : exit_failed;
}

int check(const SceneOptions& options) {
  if (api::is_session_file(options.scene)) {
    if (!options.sets.empty())
      return report_error(fail("--set " + options.sets.front() +
                               ": cannot be used with a session, because check repeats it as it was recorded")
                              .value());
    if (auto good = check_moment(options); !good) return report_error(good.error());
    if (auto good = check_base(options, options.scene); !good) return report_error(good.error());
    return check_session(options);
  }
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
        fmt::format("; at the time {:g} s, {} {}", run.time_s(), counted(started->hashes_checked, "recorded state"),
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
  CLI::App& command =
      add_command(program, "check",
                  "Check a scene without running it, or repeat a picture, video or session and compare its hashes");
  add_scene(command, *options).required();
  add_moment(command, *options);
  when_typed(command, [options, &chosen] { chosen = [options] { return check(*options); }; });
}

}  // namespace vw::cli
