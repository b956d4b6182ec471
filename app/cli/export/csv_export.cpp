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

}  // namespace

Result<CsvExport> CsvExport::open(const std::string& path, const World& world, double every_s) {
  CsvExport out;
  out.times_ = SampleTimes(world, every_s);
  for (std::size_t i = 0; i < world.system_count(); ++i)
    for (const ChannelInfo& channel : world.system(i).channels()) add_once(out.names_, channel.name);
  std::string header = "time,system,index,x,y,z,vx,vy,vz";
  for (const auto& name : out.names_) header += "," + name;
  auto file = CsvFile::open(path, header + "\n");
  if (!file) return Unexpected(file.error());
  out.file_ = std::move(*file);
  return out;
}

Result<void> CsvExport::offer(const World& world) {
  if (!times_.take(world)) return {};
  for (std::size_t i = 0; i < world.system_count(); ++i) append_rows(world, world.system(i));
  return file_.flush();
}

void CsvExport::append_rows(const World& world, const System& system) {
  const auto infos = system.channels();
  channels_.resize(infos.size());
  for (std::size_t c = 0; c < infos.size(); ++c) channels_[c].index = c;
  system.fill_channels(channels_);
  std::vector<const std::vector<float>*> columns(names_.size(), nullptr);
  for (std::size_t c = 0; c < infos.size(); ++c)
    columns[static_cast<std::size_t>(std::find(names_.begin(), names_.end(), infos[c].name) - names_.begin())] =
        &channels_[c].values;
  const Elements& elements = system.elements();
  auto out = std::back_inserter(file_.buffer);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    fmt::format_to(out, "{},{},{}", world.time(), system.name(), i);
    append(file_.buffer, elements.position[i]);
    append(file_.buffer, elements.velocity[i]);
    for (const auto* values : columns) {
      if (values != nullptr && i < values->size())
        fmt::format_to(out, ",{}", (*values)[i]);
      else
        file_.buffer += ',';
    }
    file_.buffer += '\n';
  }
}

Result<TotalsExport> TotalsExport::open(const std::string& path, const World& world, double every_s) {
  TotalsExport out;
  out.times_ = SampleTimes(world, every_s);
  for (std::size_t i = 0; i < world.system_count(); ++i) {
    world.system(i).totals(out.totals_);
    for (const Total& total : out.totals_) add_once(out.names_, total.name);
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

Result<void> TotalsExport::offer(const World& world) {
  if (!times_.take(world)) return {};
  for (std::size_t i = 0; i < world.system_count(); ++i) append_row(world, i);
  return file_.flush();
}

void TotalsExport::append_row(const World& world, std::size_t system) {
  const Diagnostics d = world.diagnostics(system);
  world.system(system).totals(totals_);
  auto out = std::back_inserter(file_.buffer);
  fmt::format_to(out, "{},{},{},{},{},{},{}", world.time(), world.system(system).name(), d.count, d.mass, d.kinetic,
                 d.potential, d.elastic);
  for (const Vec3& v : {d.momentum, d.angular_momentum, d.center_of_mass}) append(file_.buffer, v);
  for (const std::string_view name : names_) {
    const auto found =
        std::find_if(totals_.begin(), totals_.end(), [&](const Total& total) { return total.name == name; });
    file_.buffer += ',';
    if (found != totals_.end()) fmt::format_to(out, "{}", found->value);
  }
  file_.buffer += '\n';
}

}  // namespace vw::cli
