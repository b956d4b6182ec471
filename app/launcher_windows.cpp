// Program voxwake-window.exe: starts voxwake.exe with the same arguments but without a console, for the start menu and
// for files that are opened in the desktop. If voxwake.exe fails, its messages are shown in a box.
#include <windows.h>

#include <string>

#include "sim/base/system/text_windows.h"

namespace {

constexpr std::size_t longest_message = 4000;

/// The text after the first word of a command line.
std::wstring after_first_word(const std::wstring& line) {
  std::size_t at = 0;
  bool is_quoted = false;
  while (at < line.size() && (is_quoted || (line[at] != L' ' && line[at] != L'\t'))) {
    if (line[at] == L'"') is_quoted = !is_quoted;
    ++at;
  }
  return line.substr(at);
}

std::wstring own_folder() {
  std::wstring path(32768, L'\0');
  path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path.substr(0, path.find_last_of(L"\\/") + 1);
}

/// Reads a pipe to its end and keeps the last part of the text.
std::string read_messages(HANDLE pipe) {
  std::string text;
  char part[4096];
  for (DWORD count = 0; ::ReadFile(pipe, part, sizeof part, &count, nullptr) != 0 && count > 0;) {
    text.append(part, count);
    if (text.size() > longest_message) text.erase(0, text.size() - longest_message);
  }
  return text;
}

void show(const std::wstring& text) { ::MessageBoxW(nullptr, text.c_str(), L"Voxwake", MB_OK | MB_ICONERROR); }

}  // namespace

int WINAPI wWinMain(HINSTANCE, HINSTANCE, PWSTR, int) {
  const std::wstring program = own_folder() + L"voxwake.exe";
  std::wstring line = L"\"" + program + L"\"" + after_first_word(::GetCommandLineW());
  HANDLE read = nullptr, write = nullptr;
  SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  if (::CreatePipe(&read, &write, &inherited, 0) == 0) return 1;
  ::SetHandleInformation(read, HANDLE_FLAG_INHERIT, 0);
  STARTUPINFOW start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdOutput = start.hStdError = write;
  PROCESS_INFORMATION process{};
  if (::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, CREATE_NO_WINDOW, nullptr, nullptr, &start,
                       &process) == 0) {
    show(program + L" cannot be started");
    return 1;
  }
  ::CloseHandle(write);
  const std::string messages = read_messages(read);
  ::WaitForSingleObject(process.hProcess, INFINITE);
  DWORD code = 1;
  ::GetExitCodeProcess(process.hProcess, &code);
  if (code != 0 && !messages.empty()) show(vw::wide(messages));
  return static_cast<int>(code);
}
