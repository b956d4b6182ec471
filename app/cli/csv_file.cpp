#include "app/cli/csv_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

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

Result<CsvFile> CsvFile::open(const std::string& path) {
  CsvFile out;
  out.path_ = path;
  out.file_.reset(std::fopen(path.c_str(), "wb"));
  if (out.file_ == nullptr) return csv_error(path, errno);
  return out;
}

Result<void> CsvFile::flush() {
  const bool written = std::fwrite(buffer.data(), 1, buffer.size(), file_.get()) == buffer.size() && std::fflush(file_.get()) == 0;
  buffer.clear();
  if (!written) return csv_error(path_, errno);
  return {};
}

Result<void> CsvFile::finish() {
  if (file_ == nullptr) return {};
  if (std::fclose(file_.release()) != 0) return csv_error(path_, errno);
  return {};
}

}  // namespace vw::cli
