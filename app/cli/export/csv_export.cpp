#include "app/cli/export/csv_export.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace vw::cli {
namespace {

template <class Names, class Name>
void add_once(Names& names, const Name& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void append(std::string& out, const Vec3& v) {
  fmt::format_to(std::back_inserter(out), ",{},{},{}", v.x(), v.y(), v.z());
}

Vec3 row_of(const api::ArrayView& view, std::size_t row) {
  return {view.values[3 * row], view.values[3 * row + 1], view.values[3 * row + 2]};
}

}  // namespace

Result<CsvExport> CsvExport::open(const std::string& path, const api::Run& run, double every_s) {
  CsvExport out;
  out.times_ = SampleTimes(run, every_s);
  for (const std::string& system : run.systems()) {
    const std::vector<ChannelInfo> channels = run.channels(system).value();
    for (const ChannelInfo& channel : channels) add_once(out.names_, channel.name);
  }
  std::string header = "time,system,index,x,y,z,vx,vy,vz";
  for (const auto& name : out.names_) header += "," + name;
  auto file = CsvFile::open(path, header + "\n");
  if (!file) return Unexpected(file.error());
  out.file_ = std::move(*file);
  return out;
}

Result<void> CsvExport::offer(const api::Run& run) {
  if (!times_.take(run)) return {};
  for (const std::string& system : run.systems()) append_rows(run, system);
  return file_.flush();
}

void CsvExport::append_rows(const api::Run& run, const std::string& system) {
  const auto infos = run.channels(system).value();
  (void)run.all_channels(system, channels_);  // succeeds, because the run has this system
  std::vector<const std::vector<float>*> columns(names_.size(), nullptr);
  for (std::size_t c = 0; c < infos.size(); ++c)
    columns[static_cast<std::size_t>(std::find(names_.begin(), names_.end(), infos[c].name) - names_.begin())] =
        &channels_[c].values;
  const api::ArrayView position = run.array(system, "position").value(),
                       velocity = run.array(system, "velocity").value();
  auto out = std::back_inserter(file_.buffer);
  for (std::size_t i = 0; i < position.rows; ++i) {
    fmt::format_to(out, "{},{},{}", run.time_s(), system, i);
    append(file_.buffer, row_of(position, i));
    append(file_.buffer, row_of(velocity, i));
    for (const auto* values : columns) {
      if (values != nullptr && i < values->size())
        fmt::format_to(out, ",{}", (*values)[i]);
      else
        file_.buffer += ',';
    }
    file_.buffer += '\n';
  }
}

Result<TotalsExport> TotalsExport::open(const std::string& path, const api::Run& run, double every_s) {
  TotalsExport out;
  out.times_ = SampleTimes(run, every_s);
  for (const std::string& system : run.systems()) {
    const std::vector<Total> totals = run.totals(system).value();
    for (const Total& total : totals) add_once(out.names_, total.name);
  }
  std::string header = "time,system,count,mass,kinetic_energy,potential_energy,elastic_energy";
  for (const char* vector : {"momentum", "angular_momentum", "centre_of_mass"})
    for (const char axis : {'x', 'y', 'z'}) header += fmt::format(",{}_{}", vector, axis);
  for (const auto& name : out.names_) header.append(",").append(name);
  auto file = CsvFile::open(path, header + "\n");
  if (!file) return Unexpected(file.error());
  out.file_ = std::move(*file);
  return out;
}

Result<void> TotalsExport::offer(const api::Run& run) {
  if (!times_.take(run)) return {};
  for (const std::string& system : run.systems()) append_row(run, system);
  return file_.flush();
}

void TotalsExport::append_row(const api::Run& run, const std::string& system) {
  const Diagnostics d = run.diagnostics(system).value();
  const std::vector<Total> totals = run.totals(system).value();
  auto out = std::back_inserter(file_.buffer);
  fmt::format_to(out, "{},{},{},{},{},{},{}", run.time_s(), system, d.count, d.mass, d.kinetic, d.potential, d.elastic);
  for (const Vec3& v : {d.momentum, d.angular_momentum, d.center_of_mass}) append(file_.buffer, v);
  for (const std::string_view name : names_) {
    const auto found =
        std::find_if(totals.begin(), totals.end(), [&](const Total& total) { return total.name == name; });
    file_.buffer += ',';
    if (found != totals.end()) fmt::format_to(out, "{}", found->value);
  }
  file_.buffer += '\n';
}

}  // namespace vw::cli
