#include "app/cli/opened_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "sim/api/build_info.h"
#include "sim/scene/scene.h"

namespace vw::cli {
namespace {

/// Converts an error in the scene of a journal to an error of the journal. The line number refers to the scene, not to
/// the journal, and is therefore removed.
Unexpected in_journal(const std::string& journal, Error error) {
  error.line = 0;
  if (error.file.empty() || error.file == journal) {
    error.file = journal;
    return fail(std::move(error));
  }
  return wrong_file(journal, error.message());
}

/// Converts `sets` to paths and values in the scene `tree`. An assignment to a source file is an error. `keeper` is the
/// subject of its message, such as "a resumed run".
Result<std::vector<Assignment>> values_for(Node tree, const std::vector<std::string>& sets, const char* keeper) {
  auto values = api::apply_assignments(tree, sets);
  if (!values) return values;
  for (const Assignment& set : *values)
    if (set.path.ends_with(".source"))
      return fail(fmt::format("--set {}: {} keeps its source files; start a new run to change them", set.path, keeper));
  return values;
}

/// Applies values to a resumed run, and prints a warning for those that take effect only at a reset.
Result<void> set_values(api::Run& run, const std::vector<Assignment>& values) {
  for (const Assignment& set : values)
    if (auto good = run.set(set.path, set.value); !good) return good;
  for (const SetParameter& waiting : run.pending())
    if (std::any_of(values.begin(), values.end(), [&](const Assignment& set) { return set.path == waiting.path; }))
      say(fmt::format("warning: --set {}: takes effect only at a reset; the resumed run keeps the value {}",
                      waiting.path, to_text(waiting.value)));
  return {};
}

}  // namespace

void warn_of_other_build(const std::string& file, const std::string& build) {
  const std::string here = api::build_info().description;
  if (build != here)
    say(fmt::format("warning: {} was written by {}, but this program is {}: the results may differ", file, build,
                    here));
}

Result<api::Run> resume_run(api::SavedRun saved, const std::vector<std::string>& sets,
                            const std::string& journal_path) {
  const auto values = values_for(saved.root, sets, "a resumed run");
  if (!values) return Unexpected(values.error());
  auto run = api::Run::resume(std::move(saved), journal_path);
  if (!run) return run;
  if (auto good = set_values(*run, *values); !good) return Unexpected(good.error());
  return run;
}

Result<void> set_in_run(api::Run& run, const std::vector<std::string>& sets, const char* keeper) {
  const auto values = values_for(run.scene(), sets, keeper);
  return values ? set_values(run, *values) : Result<void>(Unexpected(values.error()));
}

Result<api::Run> start_of_journal(const Journal& journal, const JournalStart& options) {
  auto scene = read_scene_toml(journal.scene_text, options.path);
  if (!scene) return Unexpected(scene.error());
  if (options.resume.empty() && journal.resumed)
    return wrong_file(
        options.path,
        fmt::format("the journal starts from a checkpoint: name this checkpoint with {} FILE", options.resume_option));
  const auto values = values_for(scene->root, options.sets, "a journal");
  if (!values) return Unexpected(values.error());
  if (options.resume.empty()) {
    for (const Assignment& set : *values)
      if (auto good = set_parameter(scene->root, set.path, set.value); !good) return Unexpected(good.error());
    auto run = api::Run::create({options.path, std::move(scene->root), journal.scene_text, {}});
    if (!run) return in_journal(options.path, run.error());
    return run;
  }
  auto saved = api::open_checkpoint(options.resume);
  if (!saved) return Unexpected(saved.error());
  warn_of_other_build(options.resume, saved->build);
  saved->name = options.path;
  saved->root = std::move(scene->root);
  auto run = api::Run::resume(std::move(*saved));
  if (!run) return in_journal(options.path, run.error());
  const bool starts_with_hash = !journal.entries.empty() && journal.entries.front().kind == JournalEntry::Kind::hash;
  if (starts_with_hash && journal.entries.front().tick == 0 && journal.entries.front().hash != run->hash())
    return wrong_file(options.resume,
                      "is not the checkpoint from which " + options.path + " starts: the state hashes differ");
  if (auto good = set_values(*run, *values); !good) return Unexpected(good.error());
  return run;
}

}  // namespace vw::cli
