#include "sim/export/spool_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

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

Result<void> SpoolFile::append(Array& array, std::string_view bytes) {
  array.waiting_ += bytes;
  array.size_ += bytes.size();
  if (array.waiting_.size() < spool_part) return {};
  const std::string block = std::exchange(array.waiting_, {});
  if (const int reason = file_.write_at(size_, block).reason; reason != 0) return spool_error(path_, reason);
  array.blocks_.push_back({size_, block.size()});
  size_ += block.size();
  return {};
}

Result<void> SpoolFile::read(const Array& array, const std::function<Result<void>(std::string_view)>& take) const {
  std::uint64_t taken = array.waiting_.size();
  std::string part;
  for (const Array::Block& block : array.blocks_)
    for (std::uint64_t at = 0; at < block.size; at += part.size()) {
      part.resize(std::min<std::uint64_t>(spool_part, block.size - at));
      if (file_.read_at(block.offset + at, part.data(), part.size()) != part.size())
        return wrong_file(path_, "cannot be written: a temporary file cannot be read again");
      if (auto good = take(part); !good) return good;
      taken += part.size();
    }
  if (taken != array.size_) return wrong_file(path_, "cannot be written: a temporary file is incomplete");
  return take(array.waiting_);
}

}  // namespace vw
