// Interrupts: the first Ctrl-C asks a command to end cleanly, the second ends it at once. SIGTERM and a closing
// terminal (SIGHUP) are handled in the same way.
#pragma once

namespace vw::cli {

/// Installs handlers: SIGINT, SIGTERM and SIGHUP then only set the flag that interrupted() reads. Signals that the
/// parent process ignores stay ignored.
void catch_interrupts();
[[nodiscard]] bool interrupted();
/// Turns a write to a closed pipe into an error of that write instead of terminating the program. Part of
/// catch_interrupts().
void ignore_closed_pipes();
/// Turns a write beyond the file size limit into an error of that write (EFBIG) instead of terminating the program.
void ignore_size_limit_signal();

}  // namespace vw::cli
