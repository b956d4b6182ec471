// Interrupts: the first Ctrl-C makes a command end cleanly, the second ends it at once. SIGTERM and SIGHUP (sent by a
// closing terminal) are handled like Ctrl-C.
#pragma once

namespace vw::cli {

/// Installs handlers for SIGINT, SIGTERM and SIGHUP, which set the flag that interrupted() reads. Signals that the
/// parent process ignores remain ignored.
void catch_interrupts();
[[nodiscard]] bool interrupted();
/// Makes a write to a closed pipe return an error instead of terminating the program. catch_interrupts() calls this
/// function.
void ignore_closed_pipes();
/// Makes a write beyond the file size limit return an error (EFBIG) instead of terminating the program.
void ignore_size_limit_signal();

}  // namespace vw::cli
