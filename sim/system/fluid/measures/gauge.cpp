#include "sim/system/fluid/measures/gauge.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/system/fluid/walls/walls_force.h"
#include "sim/system/fluid/walls/walls_sampling.h"

namespace vw {
namespace {

/// Default and minimum radius of a patch, in spacings. A smaller patch would contain no sample.
constexpr double usual_radius = 1.5, least_radius = 1.0;
/// Maximum distance of a gauge from a surface, in spacings.
constexpr double most_off = 1.0;
/// Samples lie 0.5 and 1.5 spacings behind a surface. Samples at depths up to `deepest_sample` [spacings] contribute
/// their forces to a patch. Samples at depths below `first_sample_layer` [spacings] determine the area of the patch.
constexpr double deepest_sample = 2.2, first_sample_layer = 1.0;
/// Minimum depth, in spacings, of the samples that belong to a face of a thin wall. The first layer of these samples
/// lies half a spacing deep, within a tolerance. Samples at smaller depths belong to the opposite face (thin_walls.h).
constexpr double least_depth_in_thin = 0.47;
/// Maximum radius, in spacings, of a patch that has samples also where no fluid is near (Gauges::patches()).
constexpr double most_kept_radius = 16;

const ParamTable<GaugeParams>& gauge_params() {
  using P = GaugeParams;
  static const ParamTable<P> table{
      Param<P>{.member = &P::collider,
               .key = "collider",
               .label = "Obstacle",
               .refers_to = "collider",
               .doc = "Name of the collider to which the gauge is attached. Empty means the nearest collider."},
      Param<P>{.member = &P::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Position of the gauge at the start. It must be within one particle spacing of the surface of "
                      "the collider."},
      Param<P>{.member = &P::radius_m,
               .key = "radius",
               .unit = Unit::meter,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Radius of the patch of wall over which the pressure is averaged, with more weight near its "
                      "centre. Values below one particle spacing act as one spacing. 0 means one and a half spacings."},
      Param<P>{.member = &P::mean_time_s,
               .key = "mean_time",
               .unit = Unit::second,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Time constant of the exponential mean of the pressure that the total gauge_NAME_mean shows. 0 "
                      "means no averaging. The totals gauge_NAME and gauge_NAME_peak are not averaged over time."},
  };
  return table;
}

bool is_thin(const Collider& collider, double spacing_m) {
  const auto* box = std::get_if<BoxShape>(&collider.shape);
  return thin_wall(collider.shape, collider.two_sided, spacing_m).has_value() ||
         (box != nullptr && thin_axis(box->half_extent_m, spacing_m) >= 0);
}

/// Returns a name that lives as long as the program, because a total's name must outlive every snapshot. Each name is
/// stored once.
std::string_view lasting(const std::string& name) {
  static std::mutex mutex;
  static std::set<std::string> names;
  const std::scoped_lock lock(mutex);
  return *names.insert(name).first;
}

/// Returns whether a brick with fluid is within the support radius of a point on a surface [m]. Planes and large boxes
/// have samples at least there. Whether they have samples elsewhere depends on earlier positions of the fluid.
bool is_fluid_near(const SphWorkspace& space, const Vec3& point) {
  constexpr double last_brick = 262143;  // Coordinates of bricks have 18 bits.
  const double width = 4 * space.frame.cell_m, reach = space.scale.reach_m();
  const Vec3 first = brick_corner(space.frame, {0, 0, 0});
  const auto brick_at = [&](const Vec3& at) {
    std::array<std::int32_t, 3> place{};
    for (int a = 0; a < 3; ++a)
      place[static_cast<std::size_t>(a)] =
          static_cast<std::int32_t>(std::clamp(std::floor((at[a] - first[a]) / width), 0.0, last_brick));
    return place;
  };
  const auto low = brick_at(point - Vec3::Constant(reach)), high = brick_at(point + Vec3::Constant(reach));
  for (std::int32_t x = low[0]; x <= high[0]; ++x)
    for (std::int32_t y = low[1]; y <= high[1]; ++y)
      for (std::int32_t z = low[2]; z <= high[2]; ++z) {
        if (space.table.find({x, y, z}) == nullptr) continue;
        const Vec3 corner = brick_corner(space.frame, {x, y, z});
        if (Box3(corner, corner + Vec3::Constant(width)).squaredExteriorDistance(point) <= reach * reach) return true;
      }
  return false;
}

std::size_t number_of(std::span<const Collider> colliders, const std::string& name) {
  return static_cast<std::size_t>(
      std::find_if(colliders.begin(), colliders.end(), [&](const Collider& c) { return c.name == name; }) -
      colliders.begin());
}

}  // namespace

const Schema& gauge_schema() {
  static const Schema schema{"gauge",
                             "A pressure gauge on an obstacle. It provides the totals gauge_NAME (last substep), "
                             "gauge_NAME_mean and gauge_NAME_peak (highest in the last step) in Pa.",
                             gauge_params().specs(),
                             {}};
  return schema;
}

double Gauges::Place::least_depth() const { return is_thin ? least_depth_in_thin : -deepest_sample; }

/// Attaches a gauge to the nearest collider or to the collider that it names.
void Gauges::find_own_place(Gauge& gauge, std::span<const Collider> colliders, double spacing_m) {
  const GaugeParams& params = gauge.params;
  gauge.own = {};
  const Collider* nearest = nullptr;
  SurfaceQuery found;
  for (const Collider& collider : colliders) {
    if (!params.collider.empty() && collider.name != params.collider) continue;
    const SurfaceQuery there = query(collider, params.position);
    if (nearest == nullptr || std::abs(there.distance) < std::abs(found.distance)) nearest = &collider, found = there;
  }
  if (nearest == nullptr) {
    const char* expected =
        colliders.empty() ? "must name a collider: this scene has none" : "must name a collider of this scene";
    gauge.error = wrong_value(gauge.line, gauge.path + ".collider", '"' + params.collider + '"', expected).value();
    return;
  }
  if (std::abs(found.distance) > most_off * spacing_m) {
    const std::string expected =
        fmt::format("must be within a spacing ({:g} m) of a collider's surface; {} is {:.3g} m away", spacing_m,
                    nearest->name, std::abs(found.distance));
    gauge.error = wrong_value(gauge.line, gauge.path + ".position", to_text(Value(params.position)), expected).value();
    return;
  }
  const Quat back = nearest->orientation.conjugate();
  gauge.own.collider = nearest->name;
  gauge.own.place = back * (params.position - found.distance * found.normal - nearest->position);
  gauge.own.normal = back * found.normal;
  gauge.own.is_thin = is_thin(*nearest, spacing_m);
}

Result<void> Gauges::attach(const Node& self, std::span<const Collider> colliders, double spacing_m) {
  gauges_.clear();
  collider_names_.clear();
  for (const Collider& collider : colliders) collider_names_.push_back(collider.name);
  for (const Node* node : self.all("gauge")) {
    Gauge gauge;
    gauge.params = gauge_params().read(node->values);
    gauge.path = "system." + self.name + ".gauge." + node->name;
    gauge.line = node->line;
    for (std::size_t k = 0; k < 3; ++k)
      gauge.names[k] = lasting("gauge_" + node->name + std::array{"", "_mean", "_peak"}[k]);
    find_own_place(gauge, colliders, spacing_m);
    const auto is_its_collider = [&](const std::string& name) {
      return gauge.params.collider.empty() || name == gauge.params.collider;
    };
    if (std::none_of(collider_names_.begin(), collider_names_.end(), is_its_collider)) return fail(gauge.error);
    gauge.at = gauge.own;
    gauges_.push_back(std::move(gauge));
  }
  note_places();
  pressure_.assign(gauges_.size(), 0);
  mean_ = peak_ = pressure_;
  return {};
}

void Gauges::take_colliders(std::span<const Collider> colliders, double spacing_m) {
  collider_names_.clear();
  for (const Collider& collider : colliders) collider_names_.push_back(collider.name);
  for (Gauge& gauge : gauges_) find_own_place(gauge, colliders, spacing_m);
  note_places();
}

std::optional<Error> Gauges::problem() const {
  const auto found =
      std::find_if(gauges_.begin(), gauges_.end(), [](const Gauge& gauge) { return gauge.at.collider.empty(); });
  return found == gauges_.end() ? std::nullopt : std::optional<Error>(found->error);
}

/// Writes the present places to the state if they are not the gauges' own places.
void Gauges::note_places() {
  live_collider_.clear(), live_place_.clear(), live_normal_.clear(), live_thin_.clear();
  const auto is_own = [](const Gauge& gauge) {
    const Place &at = gauge.at, &own = gauge.own;
    return at.collider == own.collider && at.place == own.place && at.normal == own.normal && at.is_thin == own.is_thin;
  };
  if (problem() || std::all_of(gauges_.begin(), gauges_.end(), is_own)) return;
  for (const Gauge& gauge : gauges_) {
    const auto name = std::find(collider_names_.begin(), collider_names_.end(), gauge.at.collider);
    live_collider_.push_back(static_cast<std::uint32_t>(name - collider_names_.begin()));
    live_place_.push_back(gauge.at.place);
    live_normal_.push_back(gauge.at.normal);
    live_thin_.push_back(gauge.at.is_thin ? 1 : 0);
  }
}

void Gauges::state_restored() {
  for (std::size_t g = 0; g < gauges_.size(); ++g) {
    if (live_collider_.size() != gauges_.size())
      gauges_[g].at = gauges_[g].own;
    else
      gauges_[g].at = {collider_names_[live_collider_[g]], live_place_[g], live_normal_[g], live_thin_[g] != 0};
  }
}

void Gauges::configure(const Node& self) {
  const auto nodes = self.all("gauge");
  for (std::size_t g = 0; g < std::min(nodes.size(), gauges_.size()); ++g) {
    const GaugeParams params = gauge_params().read(nodes[g]->values);
    gauges_[g].params.radius_m = params.radius_m;
    gauges_[g].params.mean_time_s = params.mean_time_s;
  }
}

void Gauges::take_over(const Gauges& former, std::span<const std::ptrdiff_t> was) {
  for (std::size_t g = 0; g < gauges_.size(); ++g) {
    if (was[g] < 0) continue;
    const auto k = static_cast<std::size_t>(was[g]);
    pressure_[g] = former.pressure_[k], mean_[g] = former.mean_[k], peak_[g] = former.peak_[k];
    // If the former collider was removed or renamed, the gauge is attached as a new gauge is.
    const Place& at = former.gauges_[k].at;
    if (std::find(collider_names_.begin(), collider_names_.end(), at.collider) != collider_names_.end())
      gauges_[g].at = at;
  }
  note_places();
}

double Gauges::radius_of(const Gauge& gauge, double spacing_m) {
  const double radius = gauge.params.radius_m;
  return std::max(least_radius * spacing_m, radius > 0 ? radius : usual_radius * spacing_m);
}

std::span<const WallPatch> Gauges::patches(std::span<const Collider> colliders, double spacing_m) {
  patches_.clear();
  for (const Gauge& gauge : gauges_) {
    const double radius = radius_of(gauge, spacing_m);
    const std::size_t number = number_of(colliders, gauge.at.collider);
    if (radius > most_kept_radius * spacing_m || number == colliders.size()) continue;
    Vec3 half = Vec3::Zero();
    for (int a = 0; a < 3; ++a) {
      const double along = std::min(1.0, std::abs(gauge.at.normal[a]));
      half[a] = radius * std::sqrt(1 - along * along) + deepest_sample * spacing_m * along;
    }
    patches_.push_back({number, Box3(gauge.at.place - half, gauge.at.place + half)});
  }
  return patches_;
}

void Gauges::begin_step() { std::fill(peak_.begin(), peak_.end(), 0.0); }

void Gauges::find_colliders(std::span<const Collider> colliders) {
  collider_of_.clear();
  for (const Gauge& gauge : gauges_) collider_of_.push_back(number_of(colliders, gauge.at.collider));
}

void Gauges::find_samples(const SphWorkspace& space, std::span<const Walls::Owner> owners,
                          std::span<const Collider> colliders) {
  const double d = space.scale.spacing_m;
  slot_of_wall_.assign(space.walls.size(), 0);
  entries_.clear();
  area_.assign(gauges_.size(), 0);
  std::uint32_t slots = 0;
  for (std::size_t g = 0; g < gauges_.size(); ++g) {
    const Gauge& gauge = gauges_[g];
    const std::size_t number = collider_of_[g];
    if (number == colliders.size()) continue;
    const Collider& collider = colliders[number];
    const double radius = radius_of(gauge, d);
    // A large patch consists of the samples near fluid. The other samples of its collider depend on earlier positions
    // of the fluid, so they would make the reading differ after a resume.
    const bool is_near_fluid = radius > most_kept_radius * d && is_sampled_near_fluid(collider, space.scale);
    const Vec3 place = collider.position + collider.orientation * gauge.at.place - space.origin,
               normal = collider.orientation * gauge.at.normal;
    for (std::size_t w = 0; w < space.walls.size(); ++w) {
      if (owners[w].guest >= 0 || owners[w].sample != number) continue;
      const Vec3 from = xyz(space.walls.rows[w]) - place;
      const double depth = -normal.dot(from), aside = (from + depth * normal).squaredNorm() / (radius * radius);
      if (aside >= 1 || depth < gauge.at.least_depth() * d || depth > deepest_sample * d) continue;
      if (is_near_fluid && !is_fluid_near(space, space.origin + xyz(space.walls.rows[w]) + depth * normal)) continue;
      const double weight = (1 - aside) * (1 - aside);
      if (slot_of_wall_[w] == 0) slot_of_wall_[w] = ++slots;
      entries_.push_back({slot_of_wall_[w] - 1, static_cast<std::uint32_t>(g), weight});
      if (depth < first_sample_layer * d)
        area_[g] += weight * std::min(1.0, static_cast<double>(space.walls.rows[w].w)) * d * d;
    }
  }
  force_.assign(slots, Vec3::Zero());
}

void Gauges::find_pressures(const SphWorkspace& space, std::span<const Collider> colliders) {
  sample_forces(space, slot_of_wall_, force_);
  std::fill(pressure_.begin(), pressure_.end(), 0.0);
  for (const Entry& entry : entries_) {
    const Gauge& gauge = gauges_[entry.gauge];
    const Vec3 inward = -(colliders[collider_of_[entry.gauge]].orientation * gauge.at.normal);
    pressure_[entry.gauge] += entry.weight * inward.dot(force_[entry.slot]);
  }
  for (std::size_t g = 0; g < gauges_.size(); ++g) pressure_[g] = area_[g] > 0 ? pressure_[g] / area_[g] : 0;
}

void Gauges::read(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders,
                  double dt) {
  if (gauges_.empty()) return;
  if (can_tell_loads(space, owners, colliders)) {
    find_colliders(colliders);
    find_samples(space, owners, colliders);
    find_pressures(space, colliders);
  } else {
    std::fill(pressure_.begin(), pressure_.end(), 0.0);
  }
  for (std::size_t g = 0; g < gauges_.size(); ++g) {
    const double time = gauges_[g].params.mean_time_s, newer = time > 0 ? 1 - elementary::exp(-dt / time) : 1.0;
    mean_[g] += newer * (pressure_[g] - mean_[g]);
    peak_[g] = std::max(peak_[g], pressure_[g]);
  }
}

void Gauges::add_totals(std::vector<Total>& out) const {
  for (std::size_t g = 0; g < gauges_.size(); ++g) {
    const double readings[] = {pressure_[g], mean_[g], peak_[g]};
    for (std::size_t k = 0; k < 3; ++k) out.push_back({gauges_[g].names[k], "Pa", readings[k]});
  }
}

void Gauges::visit_state(StateVisitor& visit) {
  if (gauges_.empty()) return;
  visit.rows("gauge");
  visit("gauge_pressure", pressure_);
  visit("gauge_mean", mean_);
  visit("gauge_peak", peak_);
  visit.optional("gauge_collider", live_collider_);
  visit.optional("gauge_place", live_place_, state_motion);
  visit.optional("gauge_normal", live_normal_, {-1.001, 1.001});
  visit.optional("gauge_thin", live_thin_, state_flag);
}

std::string Gauges::state_problem() const {
  const auto bad = [&](const std::vector<double>& all) {
    return all.size() != gauges_.size() ||
           !std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); });
  };
  if (bad(pressure_) || bad(mean_) || bad(peak_)) return "the reading of a gauge is missing or not finite";
  const std::size_t places = live_collider_.size();
  if (live_place_.size() != places || live_normal_.size() != places || live_thin_.size() != places ||
      (places != 0 && places != gauges_.size()) ||
      std::any_of(live_collider_.begin(), live_collider_.end(), [&](auto k) { return k >= collider_names_.size(); }) ||
      std::any_of(live_normal_.begin(), live_normal_.end(),
                  [](const Vec3& normal) { return !(std::abs(normal.norm() - 1) < 1e-6); }))
    return "the place of a gauge is missing or wrong";
  const auto lost = std::find_if(gauges_.begin(), gauges_.end(), [](const Gauge& g) { return g.own.collider.empty(); });
  return places == 0 && lost != gauges_.end() ? lost->error.message() : "";
}

}  // namespace vw
