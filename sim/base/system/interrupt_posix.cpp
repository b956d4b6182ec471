#include "sim/base/system/interrupt.h"

#include <atomic>
#include <csignal>

namespace vw {
namespace {

// Flag set by the signal handler. It is a global variable because a handler cannot access other data. It is atomic
// because a thread other than the one that receives the signal may read it, and lock-free because a handler must not
// wait for a lock.
std::atomic<bool> asked_to_end = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void note_signal(int) { asked_to_end.store(true, std::memory_order_relaxed); }

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

bool interrupted() { return asked_to_end.load(std::memory_order_relaxed); }

}  // namespace vw
