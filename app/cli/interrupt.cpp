#include "app/cli/interrupt.h"

#include <csignal>

namespace vw::cli {
namespace {

// Flag set by the signal handler. It is a global variable because a handler cannot access other data. It is the only
// global variable of the program.
volatile std::sig_atomic_t asked_to_end = 0;

void note_signal(int) { asked_to_end = 1; }

/// Installs the handler for a signal, unless the parent process has set the signal to be ignored (nohup).
void catch_signal(int signal, int flags) {
  struct sigaction before {};
  if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  const int once = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  catch_signal(SIGINT, once);
  catch_signal(SIGTERM, once);
  catch_signal(SIGHUP, SA_RESTART);  // a terminal may send SIGHUP twice when it closes
  ignore_closed_pipes();
}

void ignore_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

void ignore_size_limit_signal() { std::signal(SIGXFSZ, SIG_IGN); }

bool interrupted() { return asked_to_end != 0; }

}  // namespace vw::cli
