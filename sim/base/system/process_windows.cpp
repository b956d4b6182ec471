#include "sim/base/system/process.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <io.h>

#include "sim/base/system/text_windows.h"

#include <psapi.h>
#include <shellapi.h>
#include <timeapi.h>

namespace vw {
namespace {

/// Returns a text from the registry, or an empty text if it does not exist.
std::string registry_text(const wchar_t* key, const wchar_t* name) {
  std::wstring text(256, L'\0');
  auto bytes = static_cast<DWORD>(text.size() * sizeof(wchar_t));
  if (::RegGetValueW(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, nullptr, text.data(), &bytes) != ERROR_SUCCESS)
    return {};
  text.resize(bytes / sizeof(wchar_t));
  while (!text.empty() && text.back() == L'\0') text.pop_back();
  return utf8(text);
}

BOOL WINAPI ignore_event(DWORD /*event*/) { return TRUE; }

/// Returns a word in the form from which the program's start-up code reads the same word (CommandLineToArgvW).
std::wstring quoted(const std::wstring& word) {
  std::wstring out = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t letter : word) {
    if (letter == L'"') out.append(backslashes + 1, L'\\');
    backslashes = letter == L'\\' ? backslashes + 1 : 0;
    out += letter;
  }
  out.append(backslashes, L'\\');
  return out + L'"';
}

}  // namespace

std::vector<std::string> prepare_process(int argc, char** argv) {
  // Without these calls, the C library writes and reads the two bytes \r\n for the byte \n.
  for (const int stream : {0, 1, 2}) ::_setmode(stream, _O_BINARY);
  ::SetConsoleOutputCP(CP_UTF8);
  ::timeBeginPeriod(1);  // waits of threads end within 1 ms of their time, not within 16 ms
  std::vector<std::string> arguments;
  int count = 0;
  wchar_t** words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  if (words == nullptr) return {argv, argv + argc};
  for (int i = 0; i < count; ++i) arguments.push_back(utf8(words[i]));
  ::LocalFree(words);
  return arguments;
}

std::int64_t process_id() { return static_cast<std::int64_t>(::GetCurrentProcessId()); }

std::string program_path() {
  std::wstring path(32768, L'\0');
  path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return utf8(path);
}

bool messages_go_to_terminal() { return ::_isatty(2) != 0; }

std::string environment_variable(const char* name) {
  const std::wstring wide_name = wide(name);
  const DWORD size = ::GetEnvironmentVariableW(wide_name.c_str(), nullptr, 0);
  if (size == 0) return {};
  std::wstring value(size, L'\0');
  value.resize(::GetEnvironmentVariableW(wide_name.c_str(), value.data(), size));
  return utf8(value);
}

void set_default_variable(const char* name, const char* value) {
  if (environment_variable(name).empty()) ::SetEnvironmentVariableW(wide(name).c_str(), wide(value).c_str());
}

int become_program(std::vector<std::string> words) {
  // Windows cannot replace a process. This process therefore waits for the other program and ends with its exit code.
  std::wstring line;
  for (const std::string& word : words) line += (line.empty() ? L"" : L" ") + quoted(wide(word));
  std::wstring program(32768, L'\0');
  program.resize(::SearchPathW(nullptr, wide(words.front()).c_str(), L".exe", static_cast<DWORD>(program.size()),
                               program.data(), nullptr));
  if (program.empty()) return ENOENT;
  STARTUPINFOW start{};
  start.cb = sizeof start;
  PROCESS_INFORMATION process{};
  if (::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &start, &process) ==
      0)
    return EACCES;
  ::SetConsoleCtrlHandler(ignore_event, TRUE);  // the other program handles Ctrl-C
  ::WaitForSingleObject(process.hProcess, INFINITE);
  DWORD code = 1;
  ::GetExitCodeProcess(process.hProcess, &code);
  ::ExitProcess(code);
}

void lower_thread_priority() { ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL); }

bool can_open_windows() { return true; }

std::tm local_time_of(std::time_t time) {
  std::tm parts{};
  ::localtime_s(&parts, &time);
  return parts;
}

std::string system_name() {
  const std::string build = registry_text(L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion", L"CurrentBuild");
  return build.empty() ? "Windows" : "Windows, build " + build;
}

std::string processor_model() {
  return registry_text(L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0", L"ProcessorNameString");
}

std::optional<double> resident_memory() {
  PROCESS_MEMORY_COUNTERS counters{};
  if (::GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters) == 0) return std::nullopt;
  return static_cast<double>(counters.WorkingSetSize);
}

CacheSizes cache_sizes() {
  DWORD bytes = 0;
  ::GetLogicalProcessorInformation(nullptr, &bytes);
  std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> parts(bytes / sizeof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION));
  if (parts.empty() || ::GetLogicalProcessorInformation(parts.data(), &bytes) == 0) return {};
  CacheSizes found;
  for (const auto& part : parts) {
    if (part.Relationship != RelationCache) continue;
    if (part.Cache.Level == 2) found.second = std::max<std::size_t>(found.second, part.Cache.Size);
    if (part.Cache.Level == 3) found.last = std::max<std::size_t>(found.last, part.Cache.Size);
  }
  return found;
}

}  // namespace vw
