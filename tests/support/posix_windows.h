// Functions of POSIX that tests call and that mingw-w64 lacks. On Windows, the tests include this header precompiled.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <system_error>

inline int setenv(const char* name, const char* value, int /*overwrite*/) { return ::_putenv_s(name, value); }

inline int unsetenv(const char* name) { return ::_putenv_s(name, ""); }

/// Creates a new folder and returns its path, `name` with the last six characters replaced by random letters. Returns
/// null if all attempts fail.
inline char* mkdtemp(char* name) {
  std::random_device device;
  const std::size_t start = std::string(name).size() - 6;
  for (int attempt = 0; attempt < 100; ++attempt) {
    for (std::size_t i = 0; i < 6; ++i) name[start + i] = static_cast<char>('a' + device() % 26);
    std::error_code error;
    if (std::filesystem::create_directory(name, error)) return name;
  }
  errno = EEXIST;
  return nullptr;
}
