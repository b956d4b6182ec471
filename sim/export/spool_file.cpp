#include "sim/export/spool_file.h"

#include <algorithm>
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
  SpoolFile out;
  out.path_ = path;
  out.file_ = FileDescriptor::open_unnamed(folder.empty() ? "." : folder.string());
  if (!out.file_.is_open()) return spool_error(path, errno);
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
  for (std::uint64_t at = 0; at < size_; at += part.size()) {
    part.resize(std::min<std::uint64_t>(spool_part, size_ - at));
    if (file_.read_at(at, part.data(), part.size()) != part.size())
      return wrong_file(path_, "cannot be written: a temporary file cannot be read again");
    if (auto good = take(part); !good) return good;
  }
  return {};
}

}  // namespace vw
