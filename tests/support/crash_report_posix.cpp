// Prints what a test program knows when it crashes: the signal, the address, the machine code there, the mapped file
// that contains it, and the call stack. A crash on another machine can then be traced without a core file.
#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>

// Sanitizers install handlers of their own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

/// Writes a text to stderr. May be called in a signal handler, like all functions of this file.
void put(std::string_view text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }

void put_hex(std::uintptr_t number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  put({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

/// Prints the line of /proc/self/maps that contains the address. Returns whether the line exists and is readable
/// memory.
bool put_mapping(std::uintptr_t address) {
  const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 1024> line{};
  std::size_t length = 0;
  bool found = false;
  char c = 0;
  while (!found && ::read(file, &c, 1) == 1) {
    if (c != '\n') {
      if (length < line.size()) line[length++] = c;
      continue;
    }
    const std::string_view text(line.data(), length);
    std::uintptr_t begin = 0, end = 0;
    const auto first = std::from_chars(text.data(), text.data() + text.size(), begin, 16).ptr;
    std::from_chars(first + 1, text.data() + text.size(), end, 16);
    if (address >= begin && address < end) {
      put("  in "), put(text), put("\n");
      found = text.find(" r") != std::string_view::npos;
      break;
    }
    length = 0;
  }
  ::close(file);
  return found;
}

extern "C" void report_crash(int number, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  put("\nCrash: signal "), put(::sigabbrev_np(number)), put(" at address 0x"), put_hex(address), put("\n");
  // The address of these signals is that of the instruction.
  const bool at_code = number == SIGILL || number == SIGFPE;
  if (put_mapping(address) && at_code) {
    put("  machine code:");
    for (std::uintptr_t i = 0; i < 16; ++i) put(" "), put_hex(*reinterpret_cast<const unsigned char*>(address + i));
    put("\n");
  }
  std::array<void*, 64> stack{};
  ::backtrace_symbols_fd(stack.data(), ::backtrace(stack.data(), static_cast<int>(stack.size())), STDERR_FILENO);
  std::signal(number, SIG_DFL);
  std::raise(number);
}

[[maybe_unused]] const bool is_installed = [] {
  std::array<void*, 1> unused{};
  (void)::backtrace(unused.data(), 1);  // loads the library that unwinds the stack, which a handler must not do
  struct sigaction action = {};
  action.sa_sigaction = report_crash;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  for (const int number : {SIGILL, SIGSEGV, SIGBUS, SIGFPE}) ::sigaction(number, &action, nullptr);
  return true;
}();

}  // namespace

#endif
