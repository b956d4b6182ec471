// Reads files with the C library and writes files with AtomicFile.
#include "sim/base/files/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "sim/base/files/atomic_file.h"
#include "sim/base/system/file_descriptor.h"

namespace vw {

Result<std::string> read_file(const std::string& path, std::uint64_t limit_bytes) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (code || !std::filesystem::exists(status))
    return wrong_file(path, "cannot be opened: " + (code ? code.message() : "no such file"));
  if (std::filesystem::is_directory(status)) return wrong_file(path, "is a folder, not a file");
  if (!std::filesystem::is_regular_file(status)) return wrong_file(path, "is not a regular file");
  const std::uint64_t size = std::filesystem::file_size(path, code);
  if (code) return wrong_file(path, "cannot be read: " + code.message());
  if (size > limit_bytes)
    return wrong_file(
        path, "has " + std::to_string(size) + " bytes: expected at most " + std::to_string(limit_bytes) + " bytes");
  const FileStream file = open_for_reading(path);
  if (!file) return wrong_file(path, std::string("cannot be opened: ") + std::strerror(errno));
  std::string text(size, '\0');
  const std::size_t got = std::fread(text.data(), 1, text.size(), file.get());
  if (got != text.size()) return wrong_file(path, "cannot be read to its end");
  return text;
}

Result<void> write_file_atomic(const std::string& path, std::string_view bytes) {
  auto file = AtomicFile::open(path);
  if (!file) return Unexpected(file.error());
  if (auto good = file->write(bytes); !good) return good;
  return file->finish();
}

}  // namespace vw
