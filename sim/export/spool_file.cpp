#include "sim/export/spool_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace vw {
namespace {

constexpr std::size_t spool_part = std::size_t{1} << 18;

Unexpected spool_error(const std::string& path, int reason) {
  return wrong_file(path, std::string("cannot be written: ") + std::strerror(reason));
}

}  // namespace

Result<SpoolFile> SpoolFile::open(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::string name = (folder / ".voxwake-export-XXXXXX").string();
  SpoolFile out;
  out.path_ = path;
  out.file_ = FileDescriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!out.file_.is_open()) return spool_error(path, errno);
  (void)::unlink(name.c_str());
  return out;
}

Result<void> SpoolFile::append(std::string_view bytes) {
  waiting_ += bytes;
  size_ += bytes.size();
  return waiting_.size() >= spool_part ? flush() : Result<void>{};
}

Result<void> SpoolFile::flush() {
  const int reason = file_.write(waiting_).reason;
  waiting_.clear();
  if (reason != 0) return spool_error(path_, reason);
  return {};
}

Result<void> SpoolFile::read(const std::function<Result<void>(std::string_view)>& take) {
  if (auto good = flush(); !good) return good;
  std::string part(spool_part, '\0');
  for (std::uint64_t at = 0; at < size_;) {
    const ssize_t got = ::pread(file_.number(), part.data(), part.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return wrong_file(path_, "cannot be written: a temporary file cannot be read again");
    if (auto good = take(std::string_view(part).substr(0, static_cast<std::size_t>(got))); !good) return good;
    at += static_cast<std::uint64_t>(got);
  }
  return {};
}

}  // namespace vw
