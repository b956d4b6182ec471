#include "app/cli/export/csv_file.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "sim/base/files/atomic_file.h"

namespace vw::cli {
namespace {

Unexpected csv_error(const std::string& path, int reason) {
  return wrong_file(path, std::string("cannot be written: ") + std::strerror(reason));
}

}  // namespace

Result<CsvFile> CsvFile::open(const std::string& path, const std::string& header) {
  auto file = begin_growing_file(path, header);
  if (!file) return Unexpected(file.error());
  CsvFile out;
  out.path_ = path;
  out.file_ = std::move(*file);
  out.whole_bytes_ = header.size();
  return out;
}

Result<void> CsvFile::flush() {
  const auto [done, reason] = file_.write(buffer);
  const std::size_t last_row_end = std::string_view(buffer).substr(0, done).rfind('\n');
  const std::size_t whole = last_row_end == std::string_view::npos ? 0 : last_row_end + 1;
  whole_bytes_ += whole;
  if (reason != 0 && whole < done) file_.truncate(whole_bytes_);  // has no effect on pipes
  buffer.clear();
  if (reason != 0) return csv_error(path_, reason);
  return {};
}

Result<void> CsvFile::finish() {
  if (!file_.is_open()) return {};
  // Some file systems report a full disk only on fsync(). Pipes cannot be synchronised.
  const int reason = file_.sync_if_possible();
  if (const int failed = file_.close(); failed != 0) return csv_error(path_, failed);
  if (reason != 0) return csv_error(path_, reason);
  return {};
}

}  // namespace vw::cli
