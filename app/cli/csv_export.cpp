#include "app/cli/csv_export.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

namespace vw::cli {
namespace {

Unexpected csv_error(const std::string& path, int reason) {
  Error error;
  error.file = path;
  error.what = std::string("cannot be written: ") + std::strerror(reason);
  return fail(std::move(error));
}

std::vector<std::string> channel_names(const World& world) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < world.system_count(); ++i)
    for (const ChannelInfo& channel : world.system(i).channels())
      if (std::find(names.begin(), names.end(), channel.name) == names.end()) names.push_back(channel.name);
  return names;
}

}  // namespace

Result<CsvExport> CsvExport::open(const std::string& path, const World& world, double every_s) {
  CsvExport out;
  out.path_ = path;
  out.every_s_ = every_s;
  out.start_s_ = world.time();
  out.channels_ = channel_names(world);
  out.file_.reset(std::fopen(path.c_str(), "wb"));
  if (out.file_ == nullptr) return csv_error(path, errno);
  out.buffer_ = "time,system,index,x,y,z,vx,vy,vz";
  for (const auto& name : out.channels_) out.buffer_ += "," + name;
  out.buffer_ += "\n";
  if (auto good = out.flush(); !good) return Unexpected(good.error());
  return out;
}

/// Samples are counted, not added up: the thousandth lies at exactly 1000 intervals. Half a step of tolerance takes the nearest step.
Result<void> CsvExport::offer(const World& world) {
  const double due = start_s_ + static_cast<double>(samples_) * every_s_;
  if (world.time() + 0.5 * world.dt() <= due) return {};
  samples_ = std::max(samples_, static_cast<std::uint64_t>((world.time() + 0.5 * world.dt() - start_s_) / every_s_)) + 1;
  for (std::size_t i = 0; i < world.system_count(); ++i) append_rows(world, world.system(i));
  return flush();
}

void CsvExport::append_rows(const World& world, const System& system) {
  values_.assign(channels_.size(), {});
  const auto infos = system.channels();
  for (std::size_t c = 0; c < infos.size(); ++c) {
    const auto column = std::find(channels_.begin(), channels_.end(), infos[c].name) - channels_.begin();
    system.channel(c, values_[static_cast<std::size_t>(column)]);
  }
  const Elements& elements = system.elements();
  auto out = std::back_inserter(buffer_);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Vec3 &x = elements.position[i], &v = elements.velocity[i];
    fmt::format_to(out, "{},{},{},{},{},{},{},{},{}", world.time(), system.name(), i, x.x(), x.y(), x.z(), v.x(), v.y(), v.z());
    for (const auto& values : values_) {
      if (i < values.size())
        fmt::format_to(out, ",{}", values[i]);
      else
        buffer_ += ',';
    }
    buffer_ += '\n';
  }
}

Result<void> CsvExport::flush() {
  const bool written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) == buffer_.size() && std::fflush(file_.get()) == 0;
  buffer_.clear();
  if (!written) return csv_error(path_, errno);
  return {};
}

Result<void> CsvExport::finish() {
  if (file_ == nullptr) return {};
  if (std::fclose(file_.release()) != 0) return csv_error(path_, errno);
  return {};
}

}  // namespace vw::cli
