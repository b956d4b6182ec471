#include "app/cli/opened_scene.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/capture/embedded_moment.h"
#include "app/cli/commands/commands.h"
#include "app/cli/opened_run.h"
#include "app/cli/progress.h"
#include "app/window/document/picture_file.h"
#include "sim/api/saved_session.h"
#include "sim/base/system/interrupt.h"
#include "sim/scene/file_kind.h"
#include "sim/scene/scene.h"
#include "sim/scene/scene_files.h"

namespace vw::cli {

namespace {

bool names_a_source(const std::string& set) {
  std::string path = set.substr(0, set.find('='));
  while (path.ends_with(' ')) path.pop_back();
  return path.ends_with(".source");
}

}  // namespace

std::string value_of_set(const std::string& set) {
  constexpr std::string_view blanks = " \t";  // the blanks that parse_value() ignores
  std::string_view value = set;
  if (const std::size_t equals = value.find('='); equals != std::string_view::npos) value.remove_prefix(equals + 1);
  value.remove_prefix(std::min(value.find_first_not_of(blanks), value.size()));
  value = value.substr(0, value.find_last_not_of(blanks) + 1);
  if (value.size() >= 2 && value.front() == value.back() && (value.front() == '"' || value.front() == '\''))
    value = value.substr(1, value.size() - 2);
  return std::string(value);
}

Result<void> check_moment(const SceneOptions& options) {
  if (options.at_s >= 0 && !is_picture_name(options.scene))
    return fail(fmt::format("--at {:g}: applies only to a video, but {} is not a video", options.at_s, options.scene));
  if (!options.branch.empty() && !api::is_session_file(options.scene))
    return fail(
        fmt::format("--branch {}: applies only to a session, but {} is not a session", options.branch, options.scene));
  return {};
}

Result<void> check_base(const SceneOptions& options, const std::string& path) {
  if (options.base.empty()) return {};
  std::vector<std::string> files = files_of_scene(path);
  files.push_back(path);
  for (const std::string& set : options.sets)
    if (names_a_source(set)) files.push_back(value_of_set(set));
  for (const std::string& file : files)
    if (file_kind(file) == FileKind::robot) return {};
  return fail(fmt::format("--base {}: applies only to a .vxd, but {} is not a .vxd and does not use a .vxd",
                          options.base, options.scene));
}

Result<api::OpenedScene> open_scene(const SceneOptions& options) {
  if (is_picture_name(options.scene))
    return wrong_file(options.scene, "is a picture or a video; this command opens scenes only");
  if (api::is_session_file(options.scene))
    return wrong_file(options.scene, "is a session; this command opens scenes only");
  if (auto good = check_moment(options); !good) return Unexpected(good.error());
  const auto path = find_scene(options.scene);
  if (!path) return Unexpected(path.error());
  if (auto good = check_base(options, *path); !good) return Unexpected(good.error());
  return api::open_scene(options.scene, {.assignments = options.sets,
                                         .strict = options.strict,
                                         .base = options.base,
                                         .warn = [](const std::string& warning) { say("warning: " + warning); }});
}

namespace {

/// Prints the notes of a reopened run and applies the assignments of --set to the run and its scene.
Result<StartedRun> started_at(api::ReopenedMoment opened, const SceneOptions& options, const char* keeper) {
  for (const std::string& note : opened.notes) say("warning: " + options.scene + ": " + note);
  StartedRun started{std::move(opened.run), std::move(opened.scene), true, opened.agrees, opened.hashes_checked};
  if (auto good = set_in_run(started.run, options.sets, keeper); !good) return Unexpected(good.error());
  if (auto shown = api::apply_assignments(started.scene, options.sets); !shown) return Unexpected(shown.error());
  return started;
}

Result<StartedRun> start_picture(const SceneOptions& options, const std::string& journal_path) {
  WorkBar bar;
  api::MomentOptions how;
  if (options.at_s >= 0) how.at_s = options.at_s;
  how.journal_path = journal_path;
  how.progress = [&](double share) {
    bar.show(share, "");
    return !interrupted();
  };
  auto opened = open_picture(options.scene, how);
  bar.clear();
  if (!opened) return Unexpected(opened.error());
  if (opened->compared)
    say("note: " + options.scene + ": shows a comparison with \"" + opened->compared->name +
        "\". This command uses run A; the window opens both runs.");
  return started_at(std::move(*opened), options, "the session of a picture");
}

Result<StartedRun> start_session(const SceneOptions& options, const std::string& journal_path) {
  WorkBar bar;
  const api::OpeningProgress progress = [&](double share) {
    bar.show(share, "");
    return !interrupted();
  };
  auto session = api::open_session(options.scene, journal_path, progress);
  if (!session) return Unexpected(session.error());
  auto opened = api::reach(std::move(*session), options.branch, progress);
  bar.clear();
  if (!opened) return Unexpected(opened.error());
  return started_at(std::move(*opened), options, "a session");
}

}  // namespace

Result<StartedRun> start_scene(const SceneOptions& options, const std::string& journal_path) {
  if (auto good = check_moment(options); !good) return Unexpected(good.error());
  const bool is_session = api::is_session_file(options.scene);
  if (is_session || is_picture_name(options.scene)) {
    if (auto good = check_base(options, options.scene); !good) return Unexpected(good.error());
    return is_session ? start_session(options, journal_path) : start_picture(options, journal_path);
  }
  auto opened = open_scene(options);
  if (!opened) return Unexpected(opened.error());
  Node scene = opened->root;
  const GenerationBar bar;
  auto run = api::Run::create(std::move(*opened), journal_path);
  if (!run) return Unexpected(run.error());
  return StartedRun{std::move(*run), std::move(scene)};
}

}  // namespace vw::cli
