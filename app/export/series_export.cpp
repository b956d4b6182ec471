#include "app/export/series_export.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "render/offscreen_painter.h"
#include "sim/snapshot/extent.h"

namespace vw {
namespace {

/// Returns the box in which the wind is sampled. The box contains the regions of all fields. If a field acts
/// everywhere, it contains the contents of the scene with a margin of half their size.
Eigen::AlignedBox3d wind_box(const api::Fields& fields, const Snapshot& first) {
  const auto names = fields.names();
  const bool everywhere =
      std::ranges::any_of(names, [&](const std::string& name) { return fields.info(name).region == "everywhere"; });
  const Box3f contents = extent_of(first);
  if (!everywhere || contents.isEmpty()) return fields.extent();
  const Vec3 middle = contents.center().cast<double>();
  const Vec3 half = contents.sizes().cast<double>() + Vec3::Constant(1e-3);
  return {middle - half, middle + half};
}

/// Returns a grid with `samples` points along the longest side of the box and at least two along each other side.
ExportGrid wind_grid(const Eigen::AlignedBox3d& box, std::int64_t samples) {
  ExportGrid grid{.name = "wind-grid"};
  const Vec3 size = box.sizes();
  const double step = size.maxCoeff() / static_cast<double>(std::max<std::int64_t>(samples - 1, 1));
  grid.origin = box.min();
  for (int axis = 0; axis < 3; ++axis) {
    const auto cells = std::max(1.0, std::round(size[axis] / step));
    grid.count[static_cast<std::size_t>(axis)] = static_cast<std::size_t>(cells) + 1;
    grid.spacing[axis] = size[axis] > 0 ? size[axis] / cells : step;
  }
  return grid;
}

}  // namespace

SnapshotRequest SeriesExport::wanted(const Snapshot& snapshot) {
  SnapshotRequest wanted;
  const auto add = [](std::vector<std::string>& names, const std::vector<ChannelInfo>& infos) {
    for (const ChannelInfo& info : infos)
      if (std::ranges::find(names, info.name) == names.end()) names.push_back(info.name);
  };
  for (const SystemSnapshot& system : snapshot.systems) {
    add(wanted.channels, system.available);
    add(wanted.vectors, system.available_vectors);
  }
  return wanted;
}

Result<SeriesExport> SeriesExport::open(const SeriesOptions& options, const Node& scene, const Node& view,
                                        const Snapshot& first, double start_s) {
  std::vector<std::string> systems;
  for (const SystemSnapshot& system : first.systems) systems.push_back(system.name);
  if (!options.system.empty() && std::ranges::find(systems, options.system) == systems.end())
    return wrong_value(0, "--system", options.system, fmt::format("must be one of {}", fmt::join(systems, ", ")),
                       nearest_word(options.system, systems));
  SeriesExport out;
  out.times_ = SampleTimes(start_s, options.every_s);
  const Camera camera = view_camera(scene_view(view), first, 16.0F / 9);
  out.options_.title = std::get<std::string>(view.value("title"));
  out.options_.every_s = std::max(options.every_s, first.dt_s);  // there is at most one frame in a step
  out.options_.camera = {scene_point(camera.eye), scene_point(camera.target), static_cast<double>(camera.fov_deg)};
  out.options_.frame = {options.system, options.surface};
  if (options.samples > 0 && options.system.empty() && !scene.all("field").empty()) {
    auto fields = api::Fields::open(scene);
    if (!fields) return Unexpected(fields.error());
    ExportGrid grid = wind_grid(wind_box(*fields, first), options.samples);
    while (std::ranges::find(systems, grid.name) != systems.end()) grid.name += "-2";
    out.wind_.emplace(Wind{.fields = std::move(*fields), .grid = grid, .air = air_of(scene)});
  }
  for (const std::string& path : options.out) {
    auto writer = open_export(path, out.options_);
    if (!writer) return Unexpected(writer.error());
    out.outputs_.push_back({path, std::move(*writer)});
  }
  return out;
}

Result<void> SeriesExport::add(const Snapshot& snapshot, double time_s) {
  if (auto good = make_export_frame(snapshot, options_.frame, frame_); !good) return good;
  frame_.time_s = time_s;
  if (wind_) add_wind(snapshot.time_s);
  for (const Output& output : outputs_)
    if (auto good = output.writer->add(snapshot, frame_); !good) return good;
  ++frames_;
  return {};
}

Node SeriesExport::air_of(const Node& scene) {
  Node air;
  air.schema = scene.schema;
  air.slot = scene.slot;
  air.name = scene.name;
  air.values = scene.values;
  for (const Node& child : scene.children) {
    const std::string& slot = scene.schema->slots[child.slot].name;
    if (slot == "world" || slot == "field" || slot == "collider") air.children.push_back(child);
  }
  (void)set_parameter(air, "world.speed", Value(1.0));  // the playback speed has no effect on the wind
  return air;
}

Result<void> SeriesExport::follow(Node air) {
  if (!wind_ || same_node(air, wind_->air)) return {};
  auto fields = api::Fields::open(air);
  if (!fields) return Unexpected(fields.error());
  wind_->fields = std::move(*fields);
  wind_->air = std::move(air);
  return {};
}

void SeriesExport::keep_quantities(ExportGrid& grid) {
  if (!std::exchange(wind_->has_begun, true)) {
    for (const ExportArray& array : grid.data) wind_->arrays.push_back({array.name, array.unit, array.columns, {}});
    return;
  }
  std::vector<ExportArray> kept = wind_->arrays;
  for (ExportArray& array : kept) {
    const auto found = std::ranges::find(grid.data, array.name, &ExportArray::name);
    if (found != grid.data.end() && found->columns == array.columns)
      array.values = std::move(found->values);
    else
      array.values = std::vector<float>(array.columns * grid.size());
  }
  grid.data = std::move(kept);
}

void SeriesExport::add_wind(double time_s) {
  ExportGrid grid = wind_->grid;
  const auto place = [&](std::size_t i) -> Vec3 {
    const std::size_t row = i / grid.count[0];
    const Vec3 at(static_cast<double>(i % grid.count[0]), static_cast<double>(row % grid.count[1]),
                  static_cast<double>(row / grid.count[1]));
    return grid.origin + grid.spacing.cwiseProduct(at);
  };
  const auto add = [&](const std::string& name, const std::string& field, const AirQuantity& quantity) {
    const std::size_t columns = quantity.is_number() ? 1 : 3;
    std::vector<float> values(columns * grid.size());
    wind_->fields.sample(field, quantity, time_s, grid.size(), place, values);
    grid.data.push_back({name, std::string(quantity.unit), columns, std::move(values)});
  };
  for (const char* name : {"velocity", "pressure"})
    if (const AirQuantity* quantity = find_air_quantity(name); wind_->fields.provides(*quantity, {}))
      add(name, {}, *quantity);
  for (const std::string& field : wind_->fields.names())
    if (wind_->fields.info(field).is_scalar) add(field, field, *find_air_quantity("value"));
  keep_quantities(grid);
  if (!grid.data.empty()) frame_.grids.push_back(std::move(grid));
}

Result<void> SeriesExport::finish() {
  Result<void> outcome;
  for (const Output& output : outputs_) {
    auto finished = output.writer->finish();
    if (outcome && !finished) outcome = std::move(finished);
  }
  return outcome;
}

std::vector<std::string> SeriesExport::notes() const {
  std::vector<std::string> all;
  for (const Output& output : outputs_)
    for (const std::string& note : output.writer->notes()) all.push_back(output.path + ": " + note);
  return all;
}

}  // namespace vw
