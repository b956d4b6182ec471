// Files, through the C library and POSIX renames.
#include "sim/base/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include <unistd.h>

namespace vw {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FilePtr = std::unique_ptr<std::FILE, FileCloser>;

}  // namespace

Result<std::string> read_file(const std::string& path, std::uint64_t limit_bytes) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (code || !std::filesystem::exists(status)) return wrong_file(path, "cannot be opened: " + (code ? code.message() : "no such file"));
  if (std::filesystem::is_directory(status)) return wrong_file(path, "is a folder, not a file");
  if (!std::filesystem::is_regular_file(status)) return wrong_file(path, "is not a regular file");
  const std::uint64_t size = std::filesystem::file_size(path, code);
  if (code) return wrong_file(path, "cannot be read: " + code.message());
  if (size > limit_bytes) return wrong_file(path, "has " + std::to_string(size) + " bytes, more than the limit of " + std::to_string(limit_bytes));
  const FilePtr file(std::fopen(path.c_str(), "rb"));
  if (!file) return wrong_file(path, std::string("cannot be opened: ") + std::strerror(errno));
  std::string text(size, '\0');
  const std::size_t got = std::fread(text.data(), 1, text.size(), file.get());
  if (got != text.size()) return wrong_file(path, "cannot be read to its end");
  return text;
}

namespace {

/// A device or a pipe cannot be replaced by a file beside it (as root it could, and then would be gone): it takes the bytes as they are.
Result<void> write_in_place(const std::string& path, std::string_view bytes) {
  FilePtr file(std::fopen(path.c_str(), "wb"));
  if (!file) return wrong_file(path, std::string("cannot be written: ") + std::strerror(errno));
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() || std::fflush(file.get()) != 0)
    return wrong_file(path, std::string("cannot be written: ") + std::strerror(errno));
  return {};
}

}  // namespace

Result<void> write_file_atomic(const std::string& path, std::string_view bytes) {
  namespace fs = std::filesystem;
  std::error_code code;
  const auto status = fs::status(path, code);
  if (fs::is_directory(status)) return wrong_file(path, std::string("cannot be written: ") + std::strerror(EISDIR));
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_in_place(path, bytes);
  // A link stays a link: what it points to is replaced.
  std::string target = path;
  if (fs::is_symlink(fs::symlink_status(path, code))) target = fs::weakly_canonical(path, code).string();
  const std::string temporary = target + ".part" + std::to_string(::getpid());
  FilePtr file(std::fopen(temporary.c_str(), "wb"));
  if (!file) return wrong_file(path, std::string("cannot be written: ") + std::strerror(errno));
  const bool written =
      std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() && std::fflush(file.get()) == 0 && ::fsync(::fileno(file.get())) == 0;
  const int reason = errno;
  file.reset();
  if (!written || std::rename(temporary.c_str(), target.c_str()) != 0) {
    const std::string why = std::strerror(written ? errno : reason);
    std::remove(temporary.c_str());
    return wrong_file(path, "cannot be written: " + why);
  }
  return {};
}

}  // namespace vw
