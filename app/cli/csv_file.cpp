#include "app/cli/csv_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "sim/base/atomic_file.h"

namespace vw::cli {
namespace {

Unexpected csv_error(const std::string& path, int reason) { return wrong_file(path, std::string("cannot be written: ") + std::strerror(reason)); }

}  // namespace

bool SampleTimes::take(const World& world) {
  const double reached = world.time() + 0.5 * world.dt() - start_s_;
  if (reached <= static_cast<double>(samples_) * every_s_) return false;
  samples_ = std::max(samples_, static_cast<std::uint64_t>(reached / every_s_)) + 1;
  return true;
}

Result<CsvFile> CsvFile::open(const std::string& path, const std::string& header) {
  const auto descriptor = begin_growing_file(path, header);
  if (!descriptor) return Unexpected(descriptor.error());
  CsvFile out;
  out.path_ = path;
  out.descriptor_ = *descriptor;
  out.whole_bytes_ = static_cast<std::int64_t>(header.size());
  return out;
}

CsvFile::CsvFile(CsvFile&& other) noexcept
    : buffer(std::move(other.buffer)),
      path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      whole_bytes_(other.whole_bytes_) {}

CsvFile& CsvFile::operator=(CsvFile&& other) noexcept {
  std::swap(buffer, other.buffer);
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(whole_bytes_, other.whole_bytes_);
  return *this;
}

CsvFile::~CsvFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> CsvFile::flush() {
  std::size_t done = 0;
  int reason = 0;
  while (done < buffer.size() && reason == 0) {
    const ssize_t count = ::write(descriptor_, buffer.data() + done, buffer.size() - done);
    if (count >= 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      reason = errno;
  }
  const std::size_t last_row_end = std::string_view(buffer).substr(0, done).rfind('\n');
  const std::size_t whole = last_row_end == std::string_view::npos ? 0 : last_row_end + 1;
  whole_bytes_ += static_cast<std::int64_t>(whole);
  if (reason != 0 && whole < done) (void)::ftruncate(descriptor_, whole_bytes_);  // of a pipe nothing can be taken back
  buffer.clear();
  if (reason != 0) return csv_error(path_, reason);
  return {};
}

Result<void> CsvFile::finish() {
  if (descriptor_ < 0) return {};
  // Some file systems notice only here that there is no room. A pipe cannot be synced.
  const int reason = ::fsync(descriptor_) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS ? 0 : errno;
  if (::close(std::exchange(descriptor_, -1)) != 0) return csv_error(path_, errno);
  if (reason != 0) return csv_error(path_, reason);
  return {};
}

}  // namespace vw::cli
