#include "sim/base/system/interrupt.h"

#include <atomic>

#include <windows.h>

namespace vw {
namespace {

// Flag set by the handler, which Windows calls on a separate thread. It is a global variable because the handler has no
// access to other data.
std::atomic<bool> asked_to_end = false;

/// Handles a console event. The first Ctrl-C makes the command end cleanly. The second Ctrl-C is not handled, so it
/// ends the program at once. When the console closes, Windows ends the program as soon as the handler returns; the
/// handler therefore waits for the command.
BOOL WINAPI note_event(DWORD event) {
  const bool repeated = asked_to_end.exchange(true);
  if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) return repeated ? FALSE : TRUE;
  ::Sleep(INFINITE);
  return TRUE;
}

}  // namespace

void catch_interrupts() { ::SetConsoleCtrlHandler(note_event, TRUE); }

void ignore_closed_pipes() {}  // a write to a closed pipe returns an error on Windows

void ignore_size_limit_signal() {}  // Windows has no limit of the size of files

bool interrupted() { return asked_to_end.load(std::memory_order_relaxed); }

}  // namespace vw
