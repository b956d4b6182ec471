#include "app/cli/interrupt.h"

#include <csignal>

namespace vw::cli {
namespace {

// A signal handler can reach nothing but a global; this is the program's only one.
volatile std::sig_atomic_t asked_to_end = 0;

void note_signal(int) { asked_to_end = 1; }

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return asked_to_end != 0; }

}  // namespace vw::cli
