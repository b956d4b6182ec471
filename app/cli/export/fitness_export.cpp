#include "app/cli/export/fitness_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/files/file.h"
#include "sim/scene/designs/xml_reader.h"
#include "sim/snapshot/snapshot.h"

namespace vw::cli {
namespace {

constexpr std::uint64_t design_limit_bytes = std::uint64_t{64} << 20;
constexpr std::int64_t stops_at_time = 2;

/// Converts a vector from the axes of a scene (y up) to the axes of a design (z up).
Vec3 design_axes(const Vec3& v) { return {v.x(), -v.z(), v.y()}; }

double horizontal(const Vec3& v) { return std::hypot(v.x(), v.y()); }

/// Returns the name of the only voxel body. Of all systems, only voxel bodies have the total `broken_bonds`.
Result<std::string> only_body(const api::Run& run, const std::string& design) {
  std::string body;
  for (const std::string& name : run.systems()) {
    const auto totals = run.totals(name);
    if (!totals) return Unexpected(totals.error());
    const bool is_body =
        std::any_of(totals->begin(), totals->end(), [](const Total& total) { return total.name == "broken_bonds"; });
    if (!is_body) continue;
    if (!body.empty()) return wrong_file(design, "holds several voxel bodies: expected exactly one for a fitness file");
    body = name;
  }
  if (body.empty()) return wrong_file(design, "holds no voxel body: expected exactly one for a fitness file");
  return body;
}

/// Extents of the positions of the voxels, in multiples of the edge of a voxel and in the axes of the design.
struct Extents {
  /// Smallest and largest horizontal distance from the start.
  double nearest = std::numeric_limits<double>::max(), farthest = 0;
  double min_y = std::numeric_limits<double>::max(), max_y = 0;  ///< max_y is at least 0, as in evosoro
  std::size_t on_floor = 0;
};

Extents extents_of(const api::ArrayView& positions, const Vec3& start, double edge_m) {
  Extents found;
  for (std::size_t row = 0; row < positions.rows; ++row) {
    const double* x = positions.values.data() + 3 * row;
    const Vec3 place = design_axes({x[0], x[1], x[2]});
    const double distance = horizontal(place - start) / edge_m;
    found.nearest = std::min(found.nearest, distance);
    found.farthest = std::max(found.farthest, distance);
    found.min_y = std::min(found.min_y, place.y() / edge_m);
    found.max_y = std::max(found.max_y, place.y() / edge_m);
    if (place.z() < 0.5 * edge_m) ++found.on_floor;
  }
  return found;
}

void add_leaf(std::string& xml, const char* name, double value) {
  xml += fmt::format("    <{0}>{1}</{0}>\n", name, std::isfinite(value) ? value : 0.0);
}

}  // namespace

Result<FitnessSettings> read_fitness_settings(const std::string& design) {
  const auto bytes = read_file(design, design_limit_bytes);
  if (!bytes) return Unexpected(bytes.error());
  XmlReader xml(*bytes, design);
  if (xml.error()) return fail(*xml.error());
  const pugi::xml_node root = xml.root(), simulator = root.child("Simulator"), ga = simulator.child("GA");
  const pugi::xml_node stop = simulator.child("StopCondition"), environment = root.child("Environment");
  const pugi::xml_node body = root.child("VXC") ? root.child("VXC") : root.child("DMF");  // DMF in old files
  FitnessSettings found;
  found.edge_m = xml.number(body.child("Lattice"), "Lattice_Dim", 0.001);
  if (!(found.edge_m > 0))
    xml.refuse(body.child("Lattice"), "Lattice_Dim", fmt::format("{}", found.edge_m), "must be above 0");
  const std::int64_t type = xml.integer(stop, "StopConditionType", 0, 0, 100);
  if (type != 0 && type != stops_at_time)
    xml.refuse(stop, "StopConditionType", fmt::format("{}", type),
               "must be 0 (no stop) or 2 (stop at a time) for a fitness file");
  if (type == stops_at_time) found.stop_s = xml.number(stop, "StopConditionValue", 0);
  found.start_s = xml.number(stop, "InitCmTime", 0);
  if (xml.flag(environment, "SaveTraces", false)) found.trace_every_s = xml.number(environment, "TimeBetweenTraces", 0);
  found.writes_file = xml.flag(ga, "WriteFitnessFile", true);
  found.file = std::string(trimmed(text_of(ga.child("FitnessFileName"))));
  if (xml.error()) return fail(*xml.error());
  return found;
}

Result<FitnessExport> FitnessExport::open(const std::string& path, const std::string& design, FitnessSettings settings,
                                          api::Run& run) {
  auto body = only_body(run, design);
  if (!body) return Unexpected(body.error());
  FitnessExport opened;
  opened.path_ = path;
  opened.body_ = std::move(*body);
  opened.settings_ = std::move(settings);
  return opened;
}

Vec3 FitnessExport::center(const api::Run& run) const {
  const auto found = run.diagnostics(body_);
  return found ? design_axes(found->center_of_mass) : Vec3::Zero();
}

void FitnessExport::offer(const api::Run& run) {
  const double half_step = 0.5 * run.dt_s();
  if (!is_started_ && run.time_s() >= settings_.start_s - half_step) {
    start_ = center(run);
    is_started_ = true;
  }
  constexpr std::size_t longest_trace = 1'000'000;
  if (settings_.trace_every_s > 0 && trace_.size() < longest_trace &&
      run.time_s() >= static_cast<double>(trace_.size()) * settings_.trace_every_s - half_step)
    trace_.push_back({run.time_s(), center(run)});
}

Result<void> FitnessExport::finish(const api::Run& run) const {
  const auto positions = run.array(body_, "position");
  if (!positions) return Unexpected(positions.error());
  const double edge = settings_.edge_m;
  // A run that ends before the time from which distances are measured has covered no distance.
  const Vec3 start = is_started_ ? start_ : center(run);
  const Vec3 way = center(run) - start;
  const Extents all = extents_of(*positions, start, edge);
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<Voxelyze_Sim_Result Version=\"1.0\">\n  <Fitness>\n";
  const double distance = horizontal(way) / edge;
  add_leaf(xml, "NormFinalDist", distance);
  add_leaf(xml, "NormRegimeDist", all.nearest - all.min_y);
  add_leaf(xml, "NormFrozenDist", 0);
  add_leaf(xml, "FinalDist", distance);
  add_leaf(xml, "finalDistY", way.y() / edge);
  add_leaf(xml, "AnteriorDist", all.farthest);
  add_leaf(xml, "PosteriorDist", all.nearest);
  add_leaf(xml, "AnteriorY", all.max_y);
  add_leaf(xml, "PosteriorY", all.min_y);
  add_leaf(xml, "EndOfLifePosteriorY", all.min_y);
  add_leaf(xml, "FallAdjPostY", all.min_y);
  add_leaf(xml, "NumNonFeetTouchingFloor", 0);
  add_leaf(xml, "NumTouchingFloor", static_cast<double>(all.on_floor));
  add_leaf(xml, "Lifetime", run.time_s());
  add_leaf(xml, "FoundNeedleInHaystack", 0);
  add_leaf(xml, "PushDist", 0);
  xml += "  </Fitness>\n";
  if (!trace_.empty()) {
    xml += "  <CMTrace>\n";
    for (const TraceStep& step : trace_)
      xml += fmt::format(
          "    <TraceStep>\n      <Time>{}</Time>\n      <TraceX>{}</TraceX>\n      <TraceY>{}</TraceY>\n"
          "      <TraceZ>{}</TraceZ>\n    </TraceStep>\n",
          step.time_s, step.center.x(), step.center.y(), step.center.z());
    xml += "  </CMTrace>\n";
  }
  xml += "</Voxelyze_Sim_Result>\n";
  return write_file_atomic(path_, xml);
}

}  // namespace vw::cli
