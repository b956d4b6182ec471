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
               .doc =
                   "Time constant of the exponential moving average of the pressure. The total gauge_NAME_mean shows "
                   "this average. 0 means no averaging. The totals gauge_NAME and gauge_NAME_peak are not "
                   "averaged over time."},
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

Result<void> Gauges::attach(const Node& self, std::span<const Collider> colliders, double spacing_m,
                            std::string& failed) {
  gauges_.clear();
  for (const Node* node : self.all("gauge")) {
    failed = node->name;
    Gauge gauge;
    gauge.params = gauge_params().read(node->values);
    for (std::size_t k = 0; k < 3; ++k)
      gauge.names[k] = lasting("gauge_" + node->name + std::array{"", "_mean", "_peak"}[k]);
    const Collider* nearest = nullptr;
    SurfaceQuery found;
    for (const Collider& collider : colliders) {
      if (!gauge.params.collider.empty() && collider.name != gauge.params.collider) continue;
      const SurfaceQuery there = query(collider, gauge.params.position);
      if (nearest == nullptr || std::abs(there.distance) < std::abs(found.distance)) nearest = &collider, found = there;
    }
    if (nearest == nullptr)
      return wrong_value(
          node->line, "collider", '"' + gauge.params.collider + '"',
          colliders.empty() ? "must name a collider: this scene has none" : "must name a collider of this scene");
    if (std::abs(found.distance) > most_off * spacing_m)
      return wrong_value(node->line, "position", to_text(Value(gauge.params.position)),
                         fmt::format("must be within a spacing ({:g} m) of a collider's surface; {} is {:.3g} m away",
                                     spacing_m, nearest->name, std::abs(found.distance)));
    gauge.collider = nearest->name;
    const Quat back = nearest->orientation.conjugate();
    gauge.place = back * (gauge.params.position - found.distance * found.normal - nearest->position);
    gauge.normal = back * found.normal;
    gauge.least_depth = is_thin(*nearest, spacing_m) ? least_depth_in_thin : -deepest_sample;
    gauges_.push_back(std::move(gauge));
  }
  pressure_.assign(gauges_.size(), 0);
  mean_ = peak_ = pressure_;
  return {};
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
  }
}

double Gauges::radius_of(const Gauge& gauge, double spacing_m) {
  const double radius = gauge.params.radius_m;
  return std::max(least_radius * spacing_m, radius > 0 ? radius : usual_radius * spacing_m);
}

std::span<const WallPatch> Gauges::patches(std::span<const Collider> colliders, double spacing_m) {
  patches_.clear();
  for (const Gauge& gauge : gauges_) {
    const double radius = radius_of(gauge, spacing_m);
    const std::size_t number = number_of(colliders, gauge.collider);
    if (radius > most_kept_radius * spacing_m || number == colliders.size()) continue;
    Vec3 half = Vec3::Zero();
    for (int a = 0; a < 3; ++a) {
      const double along = std::min(1.0, std::abs(gauge.normal[a]));
      half[a] = radius * std::sqrt(1 - along * along) + deepest_sample * spacing_m * along;
    }
    patches_.push_back({number, Box3(gauge.place - half, gauge.place + half)});
  }
  return patches_;
}

void Gauges::begin_step() { std::fill(peak_.begin(), peak_.end(), 0.0); }

void Gauges::find_colliders(std::span<const Collider> colliders) {
  collider_of_.clear();
  for (const Gauge& gauge : gauges_) collider_of_.push_back(number_of(colliders, gauge.collider));
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
    const Vec3 place = collider.position + collider.orientation * gauge.place - space.origin,
               normal = collider.orientation * gauge.normal;
    for (std::size_t w = 0; w < space.walls.size(); ++w) {
      if (owners[w].guest >= 0 || owners[w].sample != number) continue;
      const Vec3 from = xyz(space.walls.rows[w]) - place;
      const double depth = -normal.dot(from), aside = (from + depth * normal).squaredNorm() / (radius * radius);
      if (aside >= 1 || depth < gauge.least_depth * d || depth > deepest_sample * d) continue;
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
    const Vec3 inward = -(colliders[collider_of_[entry.gauge]].orientation * gauge.normal);
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
}

std::string Gauges::state_problem() const {
  const auto bad = [&](const std::vector<double>& all) {
    return all.size() != gauges_.size() ||
           !std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); });
  };
  return bad(pressure_) || bad(mean_) || bad(peak_) ? "the reading of a gauge is missing or not finite" : "";
}

}  // namespace vw
