// Births are processed sequentially. The random numbers depend only on the swarm and on the index of the member. The
// removal of members does not change the order of the remaining rows.
#include "sim/system/flock/swarms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/collision/collider_kinds.h"
#include "sim/collision/pose.h"
#include "sim/system/former_name.h"
#include "sim/system/point_elements.h"

namespace vw {
namespace {

constexpr std::size_t swarm_grain = 4096;
constexpr double removed = -1;       // Lifetime that marks a member for removal at the start of the next step.
constexpr std::uint64_t tries = 10;  // Number of attempts to find a free position far enough from other members.
// Upper limit of the distance that random placement tries to keep between members, as a fraction of the mean distance
// (volume / count)^(1/3).
constexpr double packing = 0.7;
constexpr std::uint64_t most_ordered = 1'000'000;  // Largest number of members that a command adds at once.
constexpr double rounding = 1e-9;                  // Tolerance for rounding errors of SwarmState::carry.

// Lanes of a swarm's random stream. Each purpose has its own lane. Positions use three lanes per attempt.
enum Lane : std::uint64_t { lane_cone = 0, lane_turn, lane_heading, lane_beat, lane_place = 16 };

/// Calls f for every array of the state of `rows` except the impulses, which may be empty.
template <class Rows, class F>
void each_row(Rows& rows, F f) {
  f(rows.elements.position), f(rows.elements.velocity), f(rows.elements.mass), f(rows.elements.radius),
      f(rows.elements.id);
  f(rows.heading), f(rows.speed), f(rows.bank), f(rows.beat), f(rows.born), f(rows.lifetime), f(rows.species),
      f(rows.way);
}

template <class T>
void keep_those(std::vector<T>& values, std::span<const std::uint8_t> over) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < over.size(); ++i)
    if (over[i] == 0) values[next++] = values[i];
  values.resize(next);
}

Vec3 unit_direction(const SwarmParams& swarm, const RandomKey& key, std::uint64_t index) {
  const double length = swarm.heading.norm();
  if (!(length > 0)) return random_direction(key, index, lane_heading);
  const Vec3 axis = swarm.heading / length;
  // Headings are uniformly distributed in solid angle: the cosine c of the angle to the axis is uniform in
  // [cos(spread), 1].
  const double c = 1 - random_uniform(key, index, lane_cone) * (1 - elementary::cos(std::min(swarm.spread, pi)));
  const double s = std::sqrt(std::max(0.0, 1 - c * c)), turn = 2 * pi * random_uniform(key, index, lane_turn);
  const Vec3 u = axis.unitOrthogonal();
  return (c * axis + s * (elementary::cos(turn) * u + elementary::sin(turn) * axis.cross(u))).normalized();
}

/// Returns a uniformly distributed position in the swarm's ball or box. For a swarm at a point, returns the point.
Vec3 draw_place(const SwarmParams& swarm, SwarmKind kind, const RandomKey& key, std::uint64_t index,
                std::uint64_t attempt) {
  if (kind == SwarmKind::point) return swarm.position;
  const std::uint64_t lane = lane_place + 3 * attempt;
  const double u = random_uniform(key, index, lane);
  if (kind == SwarmKind::ball)
    return swarm.position + swarm.radius_m * elementary::cbrt(u) * random_direction(key, index, lane + 1);
  const Vec3 at(u - 0.5, random_uniform(key, index, lane + 1) - 0.5, random_uniform(key, index, lane + 2) - 0.5);
  return swarm.position + swarm.size_m.cwiseProduct(at);
}

double volume_of(const SwarmParams& swarm, SwarmKind kind) {
  if (kind == SwarmKind::ball) return 4.0 / 3 * pi * swarm.radius_m * swarm.radius_m * swarm.radius_m;
  return kind == SwarmKind::box ? swarm.size_m.prod() : 0;
}

std::size_t species_of_swarm(const FlockPlan& plan, const SwarmParams& swarm) {
  const auto found = std::find(plan.species_names.begin(), plan.species_names.end(), swarm.species);
  return found == plan.species_names.end() ? 0 : static_cast<std::size_t>(found - plan.species_names.begin());
}

/// Moves `place` out of all colliders by iteration. Returns false if the iteration does not succeed.
bool bring_out(std::span<const Collider> colliders, double radius, Vec3& place) {
  for (int step = 0; step < 32; ++step) {
    bool free = true;
    for (const Collider& collider : colliders) {
      const SurfaceQuery found = query_near(collider, place, 1.1 * radius);
      if (found.distance >= radius) continue;
      place += (1.05 * radius - found.distance) * found.normal;
      free = false;
    }
    if (free) return true;
  }
  return false;
}

}  // namespace

// ---- Places ----

/// Finds positions for members that are born together. The positions are outside obstacles and, if possible, at least a
/// given distance apart. They are stored in a hash table of cells.
class Swarms::Nursery {
 public:
  explicit Nursery(std::span<const Collider> colliders) : colliders_(colliders) {}

  /// Clears the stored positions and allocates memory for `count` members that should be `apart_m` [m] apart.
  void expect(std::uint64_t count, double apart_m) {
    apart_ = apart_m;
    cell_ = std::max(apart_m, 1e-9);
    std::size_t slots = 16;
    while (slots < 2 * count) slots *= 2;
    first_.assign(slots, none);
    next_.clear();
    places_.clear();
  }

  /// Draws random positions until one position is free and far enough from all previous positions. After a fixed number
  /// of attempts, the free position that is farthest from the previous positions is used. If no drawn position is free,
  /// the position drawn last is moved out of the obstacles. Returns false if this is not possible.
  template <class Draw>
  bool find(double radius, Draw draw, Vec3& place) {
    double farthest = -1;
    Vec3 at = Vec3::Zero();
    for (std::uint64_t k = 0; k < tries && farthest < apart_; ++k) {
      at = draw(k);
      if (!is_free(at, radius)) continue;
      const double far = apart_ > 0 ? distance_to_others(at) : apart_;
      if (far > farthest) farthest = far, place = at;
    }
    if (farthest < 0) {
      if (!bring_out(colliders_, radius, at)) return false;
      place = at;
    }
    if (apart_ > 0) keep(place);
    return true;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] bool is_free(const Vec3& place, double radius) const {
    return std::none_of(colliders_.begin(), colliders_.end(),
                        [&](const Collider& c) { return comes_within(c, place, radius); });
  }
  [[nodiscard]] std::size_t slot(double x, double y, double z) const {
    const auto part = [](double c, std::uint64_t prime) {
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(c)) * prime;
    };
    const std::uint64_t mixed = part(x, 0x9E3779B97F4A7C15) ^ part(y, 0xC2B2AE3D27D4EB4F) ^ part(z, 0x165667B19E3779F9);
    return static_cast<std::size_t>(mixed >> 32 ^ mixed) & (first_.size() - 1);
  }
  [[nodiscard]] Vec3 cell_of(const Vec3& place) const {
    return (place / cell_).array().floor().cwiseMax(-1e15).cwiseMin(1e15).matrix();
  }
  void keep(const Vec3& place) {
    const Vec3 c = cell_of(place);
    const std::size_t s = slot(c.x(), c.y(), c.z());
    next_.push_back(first_[s]);
    first_[s] = static_cast<std::uint32_t>(places_.size());
    places_.push_back(place);
  }
  /// Distance from `place` to the nearest previous position [m], at most `apart_`.
  [[nodiscard]] double distance_to_others(const Vec3& place) const {
    const Vec3 c = cell_of(place);
    double least = apart_ * apart_;
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          for (std::uint32_t k = first_[slot(c.x() + x, c.y() + y, c.z() + z)]; k != none; k = next_[k])
            least = std::min(least, (places_[k] - place).squaredNorm());
    return std::sqrt(least);
  }

  std::span<const Collider> colliders_;
  double apart_ = 0, cell_ = 1;
  std::vector<std::uint32_t> first_, next_;
  std::vector<Vec3> places_;
};

// ---- Parameters ----

void Swarms::configure(const FlockPlan& plan, std::uint64_t seed, const std::string& name) {
  plan_ = plan;
  keys_.clear();
  for (const Swarm& swarm : plan.swarms)
    keys_.push_back(swarm.params.seed == 0
                        ? RandomKey{seed, stream_id(name + "." + swarm.name)}
                        : RandomKey{static_cast<std::uint64_t>(swarm.params.seed), stream_id("swarm")});
  keys_.push_back({seed, stream_id(name + " spawns")});
  states_.resize(keys_.size());
  take_sizes();
}

void Swarms::take_sizes() {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SpeciesParams& species = plan_.species[rows.species[i]];
    rows.elements.mass[i] = body_mass_kg(species);
    rows.elements.radius[i] = body_radius_m(species);
  }
}

void Swarms::continue_from(const Swarms& former, const std::map<std::string, std::string>& former_names) {
  std::vector<int> now(former.plan_.species.size(), -1);  // present index of each former species
  for (std::size_t s = 0; s < plan_.species_names.size(); ++s) {
    const auto was =
        std::ranges::find(former.plan_.species_names, former_name(former_names, "species", plan_.species_names[s]));
    if (was != former.plan_.species_names.end())
      now[static_cast<std::size_t>(was - former.plan_.species_names.begin())] = static_cast<int>(s);
  }
  rows = former.rows;
  next_id_ = former.next_id_;
  over_.assign(rows.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int species = now[rows.species[i]];
    over_[i] = static_cast<std::uint8_t>(species < 0 ? 1 : 0);
    rows.species[i] = static_cast<std::uint8_t>(std::max(0, species));
  }
  remove_over();
  take_sizes();
  orders_.clear();
  for (SpawnOrder order : former.orders_) {
    if (now[static_cast<std::size_t>(order.species)] < 0) continue;
    order.species = static_cast<std::uint64_t>(now[static_cast<std::size_t>(order.species)]);
    orders_.push_back(order);
  }
  states_.assign(keys_.size(), {});
  states_.back() = former.states_.back();
  for (std::size_t s = 0; s < plan_.swarms.size(); ++s) {
    const auto was =
        std::ranges::find(former.plan_.swarms, former_name(former_names, "swarm", plan_.swarms[s].name), &Swarm::name);
    if (was != former.plan_.swarms.end())
      states_[s] = former.states_[static_cast<std::size_t>(was - former.plan_.swarms.begin())];
  }
}

std::uint64_t Swarms::refused_ever() const {
  std::uint64_t sum = 0;
  for (const SwarmState& state : states_) sum += state.refused;
  return sum;
}

// ---- Births ----

void Swarms::begin(std::span<const Collider> colliders) { begin_swarms(0, colliders); }

void Swarms::begin_swarms(double time, std::span<const Collider> colliders) {
  for (std::size_t s = 0; s < plan_.swarms.size(); ++s) {
    const auto& [kind, params, name] = plan_.swarms[s];
    SwarmState& state = states_[s];
    if (!params.enabled || state.begun != 0) continue;
    state.begun = 1;
    const std::size_t species = species_of_swarm(plan_, params);
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(0, params.count));
    if (count == 0) continue;
    Nursery nursery(colliders);
    nursery.expect(room_for(count),
                   std::min(plan_.species[species].spacing_m,
                            packing * elementary::cbrt(volume_of(params, kind) / static_cast<double>(count))));
    give_birth(params, kind, species, state, keys_[s], nursery, count, time, 0);
  }
}

std::uint64_t Swarms::room_for(std::uint64_t count) const {
  const auto capacity = static_cast<std::size_t>(std::max<std::int64_t>(0, plan_.params.capacity));
  const std::uint64_t identities = std::numeric_limits<std::uint32_t>::max() - next_id_;
  return std::min<std::uint64_t>({count, rows.size() < capacity ? capacity - rows.size() : 0, identities});
}

void Swarms::give_birth(const SwarmParams& swarm, SwarmKind kind, std::size_t species, SwarmState& state,
                        const RandomKey& key, Nursery& nursery, std::uint64_t count, double first, double apart) {
  const double radius = body_radius_m(plan_.species[species]);
  for (std::uint64_t k = 0; k < count; ++k) {
    if (room_for(1) == 0) {
      state.refused += count - k;
      return;
    }
    const std::uint64_t index = state.born++;
    Vec3 place;
    if (nursery.find(
            radius, [&](std::uint64_t attempt) { return draw_place(swarm, kind, key, index, attempt); }, place))
      add(swarm, species, index, key, place, first + static_cast<double>(k) * apart);
    else
      ++state.refused;
  }
}

void Swarms::add(const SwarmParams& swarm, std::size_t species, std::uint64_t index, const RandomKey& key,
                 const Vec3& place, double born) {
  const SpeciesParams& own = plan_.species[species];
  const Vec3 heading = unit_direction(swarm, key, index);
  const double speed = swarm.speed_mps < 0 ? own.cruise_speed_mps : swarm.speed_mps;
  Elements& e = rows.elements;
  e.position.push_back(place);
  e.velocity.push_back(speed * heading);
  e.mass.push_back(body_mass_kg(own));
  e.radius.push_back(body_radius_m(own));
  e.id.push_back(next_id_++);
  if (!e.impulse.empty()) e.impulse.push_back(Vec3::Zero());
  rows.heading.push_back(heading);
  rows.speed.push_back(speed);
  rows.bank.push_back(0);
  rows.beat.push_back(2 * pi * random_uniform(key, index, lane_beat));
  rows.born.push_back(born);
  rows.lifetime.push_back(swarm.lifetime_s);
  rows.species.push_back(static_cast<std::uint8_t>(species));
  rows.way.push_back(0);
}

void Swarms::begin_step(double time, double dt, std::span<const Collider> colliders) {
  end_lives(time);
  begin_swarms(time, colliders);
  Nursery nursery(colliders);
  for (std::size_t s = 0; s < plan_.swarms.size(); ++s) {
    const auto& [kind, p, name] = plan_.swarms[s];
    const double from = std::max(time, p.start_s),
                 until = p.duration_s > 0 ? std::min(time + dt, p.start_s + p.duration_s) : time + dt;
    if (!p.enabled || !(until > from) || !(p.rate > 0)) continue;
    SwarmState& state = states_[s];
    const double first = from + (1 - state.carry) / p.rate;
    state.carry += p.rate * (until - from);
    const double whole = std::floor(state.carry + rounding);
    state.carry = std::clamp(state.carry - whole, 0.0, 1.0);
    const auto due = static_cast<std::uint64_t>(whole);
    if (due == 0) continue;
    const std::size_t species = species_of_swarm(plan_, p);
    nursery.expect(room_for(due),
                   std::min(plan_.species[species].spacing_m, packing * elementary::cbrt(volume_of(p, kind) / whole)));
    give_birth(p, kind, species, state, keys_[s], nursery, due, first, 1 / p.rate);
  }
  for (const SpawnOrder& order : orders_) {
    const auto species = static_cast<std::size_t>(order.species);
    const SpeciesParams& own = plan_.species[species];
    SwarmParams about;
    about.position = {order.x, order.y, order.z};
    about.radius_m = order.count > 1 ? 0.6 * elementary::cbrt(static_cast<double>(order.count)) *
                                           std::max(own.spacing_m, 2 * body_radius_m(own))
                                     : 0;
    about.heading.setZero();
    nursery.expect(room_for(order.count), order.count > 1 ? own.spacing_m : 0);
    give_birth(about, SwarmKind::ball, species, states_.back(), keys_.back(), nursery, order.count, time, 0);
  }
  orders_.clear();
}

void Swarms::spawn(std::uint8_t species, const Vec3& place, std::uint64_t count) {
  orders_.push_back({place.x(), place.y(), place.z(), species, count});
}

// ---- Deaths ----

void Swarms::remove(std::span<const std::uint32_t> gone) {
  for (const std::uint32_t row : gone)
    if (row < rows.size()) rows.lifetime[row] = removed;
}

bool Swarms::leaves(std::size_t row) const {
  for (const ExitParams& exit : plan_.exits) {
    if (!exit.enabled || (!exit.species.empty() && exit.species != plan_.species_names[rows.species[row]])) continue;
    if (((rows.elements.position[row] - exit.position).cwiseAbs() - 0.5 * exit.size_m).maxCoeff() <= 0) return true;
  }
  return false;
}

void Swarms::end_lives(double time) {
  over_.resize(rows.size());
  parallel_for(rows.size(), swarm_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const double lifetime = rows.lifetime[i];
      over_[i] = lifetime < 0 || (lifetime > 0 && time - rows.born[i] >= lifetime) || leaves(i) ? 1 : 0;
    }
  });
  remove_over();
}

/// Removes the rows that over_ marks.
void Swarms::remove_over() {
  if (std::find(over_.begin(), over_.end(), std::uint8_t{1}) == over_.end()) return;
  if (!rows.elements.impulse.empty()) keep_those(rows.elements.impulse, over_);
  each_row(rows, [&](auto& values) { keep_those(values, over_); });
}

// ---- State ----

void Swarms::visit_state(StateVisitor& visit) {
  visit_points(rows.elements, visit);
  visit("heading", rows.heading);
  visit("speed", rows.speed);
  visit("bank", rows.bank);
  visit("beat", rows.beat);
  visit("born", rows.born);
  visit("lifetime", rows.lifetime);
  visit("species", rows.species);
  visit("way", rows.way);
  visit("impulse", rows.elements.impulse);
  visit("next_id", next_id_);
  visit.rows("swarm");
  visit("swarms", states_);
  visit.rows("spawn order");
  visit("orders", orders_);
}

std::string Swarms::state_problem() const {
  const std::size_t n = rows.size();
  bool whole = rows.elements.impulse.empty() || rows.elements.impulse.size() == n;
  each_row(rows, [&](const auto& values) { whole = whole && values.size() == n; });
  if (!whole) return "the arrays in the state differ in length";
  if (states_.size() != keys_.size()) return "the state and the scene have different numbers of swarms";
  const auto unknown = [this](std::uint64_t s) { return s >= plan_.species.size(); };
  if (std::any_of(rows.species.begin(), rows.species.end(), unknown)) return "a member's species does not exist";
  if (std::any_of(orders_.begin(), orders_.end(), [&](const SpawnOrder& o) { return unknown(o.species); }))
    return "the species of members that are to be added does not exist";
  if (std::any_of(orders_.begin(), orders_.end(), [](const SpawnOrder& o) { return o.count > most_ordered; }))
    return "the number of members that are to be added is too large";
  if (!all_positive(rows.elements.mass) || !all_positive(rows.elements.radius))
    return "a member's mass or radius is not positive";
  if (!std::all_of(rows.heading.begin(), rows.heading.end(),
                   [](const Vec3& h) { return std::abs(h.norm() - 1) < 1e-6; }))
    return "a member's heading is not a unit vector";
  for (const auto* values : {&rows.speed, &rows.bank, &rows.beat, &rows.born, &rows.lifetime})
    if (!std::all_of(values->begin(), values->end(), [](double x) { return std::isfinite(x); }))
      return "a member's speed, attitude or age is not finite";
  if (!identities_ascend(rows.elements.id, next_id_)) return "the element ids are not in ascending order";
  if (std::any_of(states_.begin(), states_.end(), [](const SwarmState& s) { return !(s.carry >= 0 && s.carry <= 1); }))
    return "the fraction of a member that a swarm has accumulated is not in [0, 1]";
  return {};
}

std::vector<Collider> colliders_at_start(const Node& scene) {
  std::vector<Collider> colliders;
  ShapeStore shapes;
  for (const Node* node : scene.all("collider"))
    if (auto read = read_collider(*node, shapes)) {
      const Pose pose = pose_at(read->collider, read->motion, 0);
      read->collider.position = pose.position;
      read->collider.orientation = pose.orientation;
      colliders.push_back(std::move(read->collider));
    }
  return colliders;
}

}  // namespace vw
