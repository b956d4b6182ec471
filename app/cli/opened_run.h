// Runs that begin from a checkpoint or from the start of a journal.
#pragma once

#include <string>
#include <vector>

#include "sim/api/run.h"

namespace vw::cli {

/// Prints a warning if another build or instruction set wrote the file.
void warn_of_other_build(const std::string& file, const std::string& build);

/// Resumes the run of a checkpoint. Each text of `sets` (path=value) becomes a command at the first step, so that it is
/// recorded in the journal. Prints a warning for values that take effect only at a reset.
[[nodiscard]] Result<api::Run> resume_run(api::SavedRun saved, const std::vector<std::string>& sets,
                                          const std::string& journal_path = {});

/// Applies texts of the form path=value to a run, as commands. An assignment to the name of a source file is an error.
/// `keeper` is the subject of its message, such as "a resumed run". Prints a warning for values that take effect only
/// at a reset.
[[nodiscard]] Result<void> set_in_run(api::Run& run, const std::vector<std::string>& sets, const char* keeper);

/// Options of start_of_journal().
struct JournalStart {
  std::string path;                        ///< file of the journal
  std::string resume = {};                 ///< checkpoint from which the journal starts, or empty
  std::string resume_option = "--resume";  ///< option that names this checkpoint, for messages
  std::vector<std::string> sets = {};      ///< values (path=value) that apply before the first step
};
/// Returns the run at the start of the journal: the start of the scene in the journal or, if the journal starts from a
/// checkpoint, this checkpoint.
[[nodiscard]] Result<api::Run> start_of_journal(const Journal& journal, const JournalStart& options);

}  // namespace vw::cli
