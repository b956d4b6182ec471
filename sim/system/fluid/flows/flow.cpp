// Declarations of inflows and drains, and their effect on the particles. Inflows and drains are processed in file
// order.
#include "sim/system/fluid/flows/flow.h"

#include <algorithm>
#include <cmath>

#include "sim/base/cell_grid.h"
#include "sim/base/data/node_kind.h"
#include "sim/collision/pose.h"
#include "sim/collision/shape/shape_params.h"

namespace vw {
namespace {

// ---- Declarations ---------------------------------------------------------------------------------------------------

/// Time during which an inflow or a drain is open.
struct OpeningTime {
  double start_s = 0, duration_s = 0;
};

struct InflowParams : OpeningTime {
  bool enabled = true;
  std::string phase;
  Vec3 position{0, 0.5, 0};
  Vec3 direction{0, -1, 0};
  double radius_m = 0.05;
  double width_m = 0.1, height_m = 0.1;
  double speed_mps = 1;
};

struct DrainParams : OpeningTime, ShapeParams {
  DrainParams() { size_m = Vec3(0.1, 0.1, 0.1); }

  bool enabled = true;
  Vec3 position{0, 0, 0};
  Vec3 rotation{0, 0, 0};
  double rate_m3ps = 0;
};

ParamTable<OpeningTime> time_params() {
  using P = OpeningTime;
  return {
      Param<P>{.member = &P::start_s,
               .key = "start",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time at which the inflow or drain opens."},
      Param<P>{.member = &P::duration_s,
               .key = "duration",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time for which the inflow or drain stays open. 0 means no limit."},
  };
}

/// Shape of the opening of an inflow.
enum class Opening { rectangle, disc };

ParamTable<InflowParams> opening_params(Opening opening) {
  using P = InflowParams;
  if (opening == Opening::disc)
    return {Param<P>{.member = &P::radius_m,
                     .key = "radius",
                     .unit = Unit::meter,
                     .range = {1e-6, 1e3},
                     .scale = Scale::log,
                     .live = Live::yes,
                     .doc = "Radius of the round opening."}};
  return {
      Param<P>{.member = &P::width_m,
               .key = "width",
               .unit = Unit::meter,
               .range = {1e-6, 1e3},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Length of the horizontal edges of the rectangular opening. If `direction` is vertical, it "
                      "is the length of the opening along x."},
      Param<P>{.member = &P::height_m,
               .key = "height",
               .unit = Unit::meter,
               .range = {1e-6, 1e3},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Length of the other edges of the rectangular opening, which are perpendicular to the horizontal "
                      "edges. If `direction` is vertical, it is the length of the opening along z."}};
}

ParamTable<InflowParams> inflow_params(Opening opening) {
  using P = InflowParams;
  return {
      Param<P>{.member = &P::enabled, .key = "enabled", .live = Live::yes, .doc = "Whether the inflow emits fluid."},
      Param<P>{.member = &P::phase,
               .key = "phase",
               .refers_to = "phase",
               .doc = "Name of the phase (liquid) that flows in. Empty means the first phase of the fluid."},
      Param<P>{.member = &P::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Centre of the opening."},
      Param<P>{.member = &P::direction,
               .key = "direction",
               .range = {-1e3, 1e3},
               .live = Live::yes,
               .doc = "Direction in which fluid flows in, perpendicular to the opening. The length of the vector has "
                      "no effect, but must not be zero."},
      Param<P>{.member = &P::speed_mps,
               .key = "speed",
               .unit = Unit::meter_per_second,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Speed with which fluid flows in. The volume flow is this speed times the area of the opening. "
                      "Through an opening narrower than 2.5 particle spacings, the volume flow may be up to 36 % "
                      "less."},
      opening_params(opening),
      time_params(),
  };
}

ParamTable<DrainParams> region_params(ShapeKind shape) {
  using P = DrainParams;
  if (shape != ShapeKind::box) return {shape_params(shape, Live::yes)};
  return {shape_params(shape, Live::yes),
          Param<P>{.member = &P::rotation,
                   .key = "rotation",
                   .unit = Unit::radian,
                   .range = {-100, 100},
                   .live = Live::yes,
                   .doc = "Orientation of the box as a rotation vector, which is the rotation axis times the angle."}};
}

ParamTable<DrainParams> drain_params(ShapeKind shape) {
  using P = DrainParams;
  return {
      Param<P>{.member = &P::enabled, .key = "enabled", .live = Live::yes, .doc = "Whether the drain removes fluid."},
      Param<P>{.member = &P::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Centre of the region in which fluid is removed."},
      region_params(shape),
      Param<P>{.member = &P::rate_m3ps,
               .key = "rate",
               .unit = Unit::meter3_per_second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Largest volume of fluid that the drain removes per second. 0 means no limit."},
      time_params(),
  };
}

struct InflowKind : NodeKind<InflowParams> {
  InflowKind(Opening which, const char* name, const char* doc)
      : NodeKind<InflowParams>(name, doc, inflow_params(which)), opening(which) {}
  Opening opening;
};

const std::vector<InflowKind>& inflow_kinds() {
  static const std::vector<InflowKind> all{{Opening::rectangle, "box", "A rectangular opening that emits fluid."},
                                           {Opening::disc, "disc", "A round opening that emits fluid."}};
  return all;
}

struct DrainKind : NodeKind<DrainParams> {
  DrainKind(ShapeKind which, const char* name, const char* doc)
      : NodeKind<DrainParams>(name, doc, drain_params(which)), shape(which) {}
  ShapeKind shape;
};

const std::vector<DrainKind>& drain_kinds() {
  static const std::vector<DrainKind> all{{ShapeKind::box, "box", "A box that removes the fluid inside it."},
                                          {ShapeKind::sphere, "sphere", "A sphere that removes the fluid inside it."}};
  return all;
}

// ---- Openings -------------------------------------------------------------------------------------------------------

/// Returns two perpendicular unit vectors in the plane of the opening, whose normal is n. The first is horizontal.
std::pair<Vec3, Vec3> across(const Vec3& n) {
  const Vec3 side = std::abs(n.y()) > 0.999 ? Vec3(1, 0, 0) : Vec3(Vec3(0, 1, 0).cross(n).normalized());
  const Vec3 u = (side - side.dot(n) * n).normalized();
  return {u, n.cross(u)};
}

/// Returns the positions of a layer's particles on a disc [m]. The candidates are four square lattices, shifted by 0 or
/// half a spacing along each axis. The candidate whose number of points best matches the disc's area is chosen and
/// scaled, so that the cells of its points have the same total area as the disc.
std::vector<Eigen::Vector2d> disc_sites(double radius, double spacing) {
  const double wanted = pi * radius * radius / (spacing * spacing);
  std::vector<Eigen::Vector2d> best{Eigen::Vector2d::Zero()};
  const auto reach = static_cast<int>(std::ceil(radius / spacing));
  for (const double shift_u : {0.0, 0.5})
    for (const double shift_v : {0.0, 0.5}) {
      std::vector<Eigen::Vector2d> sites;
      for (int v = -reach; v <= reach; ++v)
        for (int u = -reach; u <= reach; ++u)
          if (const Eigen::Vector2d at = spacing * Eigen::Vector2d(u + shift_u, v + shift_v); at.norm() <= radius)
            sites.push_back(at);
      const auto miss = [&](const auto& s) { return std::abs(static_cast<double>(s.size()) - wanted); };
      if (!sites.empty() && miss(sites) < miss(best)) best = std::move(sites);
    }
  for (Eigen::Vector2d& site : best) site *= std::sqrt(wanted / static_cast<double>(best.size()));
  return best;
}

std::vector<Eigen::Vector2d> rectangle_sites(double width, double height, double spacing) {
  const double nu = std::max(1.0, std::round(width / spacing)), nv = std::max(1.0, std::round(height / spacing));
  std::vector<Eigen::Vector2d> sites;
  for (double v = 0; v < nv; ++v)
    for (double u = 0; u < nu; ++u) sites.emplace_back(((u + 0.5) / nu - 0.5) * width, ((v + 0.5) / nv - 0.5) * height);
  return sites;
}

/// Distance from the opening, in spacings, over which an inflow prescribes the velocity of its particles. The newest
/// layers have no fluid behind them that could push them.
constexpr double led_way = 1.5;
/// Minimum distance of a new particle to any other, in spacings.
constexpr double too_near = 0.7;

/// Returns a flag for each site: 1 if no particle is nearby. Only particles near the layer are sorted into cells.
std::vector<std::uint8_t> unoccupied_sites(const std::vector<Vec3>& sites, double spacing, const FluidRows& rows) {
  std::vector<std::uint8_t> is_free(sites.size(), 1);
  const double near = too_near * spacing;
  Box3 box;
  for (const Vec3& site : sites) box.extend(site);
  box = Box3(box.min() - Vec3::Constant(near), box.max() + Vec3::Constant(near));
  std::vector<Vec3> others;
  for (const Vec3& x : rows.elements.position)
    if (box.contains(x)) others.push_back(x);
  if (others.empty()) return is_free;
  CellGrid grid;
  grid.build(others, near);
  for (std::size_t k = 0; k < sites.size(); ++k)
    grid.near(sites[k], [&](std::uint32_t i) {
      if ((others[i] - sites[k]).squaredNorm() < near * near) is_free[k] = 0;
    });
  return is_free;
}

struct InflowLayer {
  const Inflow& inflow;
  std::uint8_t number;  ///< Number of the inflow, counted from 1.
  double ahead_m;       ///< Distance that the layer has moved since it was due [m].
};

void place_layer(const InflowLayer& layer, std::span<const FluidPhase> phases, double spacing, double time,
                 std::size_t capacity, FlowState& state, FluidRows& rows) {
  const Inflow& inflow = layer.inflow;
  std::vector<Vec3> sites;
  for (const Vec3& site : inflow.sites) sites.push_back(inflow.position + site + layer.ahead_m * inflow.direction);
  const auto is_free = unoccupied_sites(sites, spacing, rows);
  FluidRows::Birth birth;
  birth.velocity = inflow.velocity();
  birth.phase = inflow.phase;
  birth.nozzle = layer.number;
  birth.mass_kg = phases[inflow.phase].density_kgpm3 * spacing * spacing * spacing;
  birth.radius_m = 0.5 * spacing;
  birth.born = static_cast<float>(time);
  for (std::size_t k = 0; k < sites.size() && rows.size() < capacity; ++k) {
    if (is_free[k] == 0) continue;
    birth.position = sites[k];
    rows.add(birth);
    ++state.came_in;
  }
}

}  // namespace

const std::vector<const Schema*>& inflow_schemas() {
  static const std::vector<const Schema*> all = schemas_of(inflow_kinds());
  return all;
}
const std::vector<const Schema*>& drain_schemas() {
  static const std::vector<const Schema*> all = schemas_of(drain_kinds());
  return all;
}

Result<Inflow> make_inflow(const Node& self, std::span<const FluidPhase> phases, double spacing_m) {
  constexpr double most_sites = 1e5;
  const auto& kind = kind_of(inflow_kinds(), self);
  const InflowParams p = kind.read(self);
  if (p.direction.norm() == 0) return wrong_value(self.line, "direction", "[0, 0, 0]", "must not be zero");
  const auto phase = find_phase(phases, self, p.phase);
  if (!phase) return Unexpected(phase.error());
  const bool round = kind.opening == Opening::disc;
  const double area = round ? pi * p.radius_m * p.radius_m : p.width_m * p.height_m;
  // An opening narrower than the spacing holds as many particles as an opening that is one spacing wide.
  const double taken = round ? area : std::max(p.width_m, spacing_m) * std::max(p.height_m, spacing_m);
  if (taken > most_sites * spacing_m * spacing_m) {
    const bool is_high = p.width_m < spacing_m && p.height_m > spacing_m;
    return wrong_value(self.line, round ? "radius" : (is_high ? "height" : "width"),
                       to_text(Value(round ? p.radius_m : (is_high ? p.height_m : p.width_m))) + " m",
                       "is too large: one layer of particles in the opening may have at most 100,000 particles at the "
                       "spacing of the fluid");
  }
  Inflow inflow;
  inflow.enabled = p.enabled;
  inflow.position = p.position;
  inflow.direction = p.direction.normalized();
  inflow.speed_mps = p.speed_mps;
  inflow.start_s = p.start_s;
  inflow.duration_s = p.duration_s;
  inflow.phase = *phase;
  const auto [u, v] = across(inflow.direction);
  const auto flat = round ? disc_sites(p.radius_m, spacing_m) : rectangle_sites(p.width_m, p.height_m, spacing_m);
  for (const Eigen::Vector2d& at : flat) inflow.sites.push_back(at.x() * u + at.y() * v);
  // The distance between layers makes the volume flow equal to speed times area, although the lattice does not match
  // the opening's rim. An opening narrower than a particle emits single particles one after the other. Layers are at
  // least 0.7 spacings (too_near) apart, which reduces the volume flow of some openings narrower than 2.5 spacings.
  inflow.layer_m =
      std::max(0.7 * spacing_m, static_cast<double>(flat.size()) * spacing_m * spacing_m * spacing_m / area);
  return inflow;
}

Drain make_drain(const Node& self) {
  const auto& kind = kind_of(drain_kinds(), self);
  const DrainParams p = kind.read(self);
  Drain drain;
  drain.enabled = p.enabled;
  drain.position = p.position;
  drain.orientation = rotation_of(p.rotation);
  drain.round = kind.shape == ShapeKind::sphere;
  drain.radius_m = p.radius_m;
  drain.half_m = 0.5 * p.size_m;
  drain.rate_m3ps = p.rate_m3ps;
  drain.start_s = p.start_s;
  drain.duration_s = p.duration_s;
  return drain;
}

bool Drain::holds(const Vec3& x) const {
  if (round) return (x - position).squaredNorm() <= radius_m * radius_m;
  const Vec3 own = orientation.conjugate() * (x - position);
  return (own.cwiseAbs() - half_m).maxCoeff() <= 0;
}

void bring_in(std::span<const Inflow> inflows, std::span<const FluidPhase> phases, double spacing_m, double time,
              std::size_t capacity, FlowState& state, FluidRows& rows) {
  for (std::size_t f = 0; f < inflows.size(); ++f) {
    const Inflow& inflow = inflows[f];
    double& travelled = state.travelled[f];
    if (!inflow.open_at(time)) {
      travelled = inflow.layer_m;  // The first layer is emitted as soon as the inflow opens.
      continue;
    }
    if (inflow.speed_mps <= 0) continue;
    // If a change of the parameters made several layers overdue, only the last one is emitted.
    if (travelled >= 2 * inflow.layer_m) travelled = inflow.layer_m;
    if (travelled < inflow.layer_m) continue;
    travelled -= inflow.layer_m;
    place_layer({inflow, static_cast<std::uint8_t>(f + 1), travelled}, phases, spacing_m, time, capacity, state, rows);
  }
}

void lead_out(std::span<const Inflow> inflows, const FluidDomain& domain, double spacing_m, double time, double dt,
              FlowState& state, FluidRows& rows) {
  if (inflows.empty()) return;
  for (std::size_t f = 0; f < inflows.size(); ++f) state.travelled[f] += dt * inflows[f].speed_mps;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.nozzle[i] == 0) continue;
    const Inflow& inflow = inflows[rows.nozzle[i] - 1U];
    const double along = domain.shortest(rows.elements.position[i] - inflow.position).dot(inflow.direction);
    // A particle behind the opening was emitted before the inflow was moved.
    if (std::abs(along) > led_way * spacing_m || !inflow.open_at(time + dt)) rows.nozzle[i] = 0;
  }
}

std::size_t mark_drained(std::span<const Drain> drains, double spacing_m, double time, double dt, FlowState& state,
                         const FluidRows& rows, std::vector<std::uint8_t>& marked) {
  const double volume = spacing_m * spacing_m * spacing_m;
  std::size_t count = 0;
  for (std::size_t d = 0; d < drains.size(); ++d) {
    const Drain& drain = drains[d];
    if (!drain.open_at(time)) continue;
    const bool limited = drain.rate_m3ps > 0;
    double& owed = state.owed[d];
    owed = limited ? std::min(owed + dt * drain.rate_m3ps, volume + dt * drain.rate_m3ps) : 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (limited && owed < volume) break;
      if (marked[i] != 0 || !drain.holds(rows.elements.position[i])) continue;
      marked[i] = 1;
      ++count;
      if (limited) owed -= volume;
    }
  }
  state.drained += count;
  return count;
}

}  // namespace vw
