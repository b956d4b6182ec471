// Ctrl-C asks a command to end cleanly; a second Ctrl-C ends it at once. The same holds for SIGTERM and for a terminal that closes (SIGHUP).
#pragma once

namespace vw::cli {

/// From now on SIGINT, SIGTERM and SIGHUP only set the flag that interrupted() reads. Signals that the parent process ignores stay ignored.
void catch_interrupts();
[[nodiscard]] bool interrupted();
/// A write to a pipe whose reader has ended becomes an error of that write instead of ending the program. Part of catch_interrupts().
void ignore_closed_pipes();
/// A write beyond the allowed file size becomes an error of that write (EFBIG) instead of ending the program.
void ignore_size_limit_signal();

}  // namespace vw::cli
