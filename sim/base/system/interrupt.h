// Interrupts. The first Ctrl-C makes a command end cleanly, and the second Ctrl-C ends the command at once. SIGTERM is
// handled like Ctrl-C. SIGHUP, which a closing terminal may send several times, always makes the command end cleanly.
#pragma once

namespace vw {

/// Installs handlers for SIGINT, SIGTERM and SIGHUP. The handlers set the flag that interrupted() returns. Signals that
/// the parent process has set to be ignored stay ignored.
void catch_interrupts();
[[nodiscard]] bool interrupted();
/// Makes a write to a closed pipe return an error instead of terminating the program. catch_interrupts() calls this
/// function.
void ignore_closed_pipes();
/// Makes a write beyond the file size limit return an error (EFBIG) instead of terminating the program.
void ignore_size_limit_signal();

}  // namespace vw
