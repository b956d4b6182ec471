// Ctrl-C asks a command to end cleanly; a second Ctrl-C ends it at once.
#pragma once

namespace vw::cli {

/// From now on SIGINT and SIGTERM only set the flag that interrupted() reads.
void catch_interrupts();
[[nodiscard]] bool interrupted();

}  // namespace vw::cli
