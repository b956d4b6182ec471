// Births, deaths and ages of particles. The chunks of parallel loops depend only on the number of rows, and survivors
// keep their order, so that the result does not depend on the number of threads.
#include "sim/system/particles/population.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/system/point_elements.h"

namespace vw {
namespace {

constexpr std::size_t population_grain = 4096;
constexpr double least_size = 1e-3;  // Smallest size factor, so that a shrinking particle keeps a positive radius.
/// Number of births per parallel task. It is smaller than `population_grain`, because a birth draws a dozen random
/// numbers.
constexpr std::size_t birth_grain = 512;

template <class T>
void copy_rows(const std::vector<T>& from, std::vector<T>& to, std::size_t count) {
  to.resize(std::max(to.size(), count));
  parallel_for(count, population_grain, [&](Range range, std::size_t) {
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(range.begin),
              from.begin() + static_cast<std::ptrdiff_t>(range.end),
              to.begin() + static_cast<std::ptrdiff_t>(range.begin));
  });
}

/// Sets `over` to 1 for each row that has exceeded its lifetime, else to 0. Returns the number of such rows. The loop
/// has no branches, so that it vectorizes.
std::size_t mark_aged(std::span<const double> born, std::span<const double> lifetime, double time, std::uint8_t* over) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < born.size(); ++i) {
    const bool mortal = lifetime[i] > 0, aged = time - born[i] >= lifetime[i];
    over[i] = static_cast<std::uint8_t>(mortal & aged);
    count += over[i];
  }
  return count;
}

}  // namespace

// ---- Parameters ----

void Population::configure(std::vector<Emitter> emitters, const Traits& of_system, bool soft) {
  soft_ = soft;
  emitters_ = std::move(emitters);
  states_.resize(emitters_.size());
  of_system_ = of_system;
  has_drag_ = grows_ = has_tints_ = false;
  lacks_drag_ = emitters_.empty();
  lightest_kg_ = emitters_.empty() ? of_system.mass_kg : std::numeric_limits<double>::infinity();
  for (const Emitter& emitter : emitters_) {
    const EmitterParams& p = emitter.params;
    const bool is_dragged = (p.drag_time_s >= 0 ? p.drag_time_s : of_system.drag_time_s) > 0;
    has_drag_ = has_drag_ || is_dragged;
    lacks_drag_ = lacks_drag_ || !is_dragged;
    grows_ = grows_ || (!soft && !p.size().always(1));
    has_tints_ = has_tints_ || p.color_from != ColorFrom::system || !p.opacity().always(1);
    lightest_kg_ = std::min(lightest_kg_, vw::lightest_kg(emitter, of_system));
  }
  update_traits();
  update_radii();
}

void Population::reserve(std::size_t capacity) {
  capacity_ = capacity;
  constexpr std::size_t at_once = std::size_t{1} << 20;  // Beyond this number the arrays grow as they are used.
  const std::size_t n = std::min(capacity, at_once);
  ParticleRows::each(rows, old_, [n](auto& a, auto& b) {
    a.reserve(n);
    b.reserve(n);
  });
  survivor_.reserve(n);
  over_.reserve(n);
  chunk_survivor_.reserve(chunk_count(n, population_grain) + 1);
  kept_.states.reserve(states_.size());
}

void Population::update_traits() {
  parallel_for(size(), population_grain, [this](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Traits own = traits(emitters_[rows.emitter[i]], rows.index[i], of_system_);
      rows.elements.mass[i] = own.mass_kg;
      rows.birth_radius[i] = own.radius_m;
      rows.drag_time[i] = own.drag_time_s;
    }
  });
}

void Population::update_radii() {
  parallel_for(size(), population_grain, [this](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i)
      rows.elements.radius[i] = soft_ ? rows.birth_radius[i] : seen_radius(i);
  });
}

double Population::seen_radius(std::size_t i) const {
  const EmitterParams& p = emitters_[rows.emitter[i]].params;
  return rows.birth_radius[i] * std::max(least_size, p.size().at(life_share_of(i), p.middle_at));
}

// ---- Deaths ----

/// Lists the rows of the surviving particles. Returns false if no particle dies. If `reach_m` is infinite, the distance
/// from the origin is not tested.
bool Population::find_survivors(double time, double reach_m) {
  const double reach_squared = reach_m * reach_m;
  const std::size_t chunks = chunk_count(size(), population_grain);
  chunk_survivor_.assign(chunks + 1, 0);
  over_.resize(size());
  parallel_for(size(), population_grain, [&](Range range, std::size_t chunk) {
    std::size_t dead =
        mark_aged(std::span(rows.born).subspan(range.begin, range.size()),
                  std::span(rows.lifetime).subspan(range.begin, range.size()), time, &over_[range.begin]);
    if (std::isfinite(reach_squared))
      for (std::size_t i = range.begin; i < range.end; ++i)
        if (over_[i] == 0 && rows.elements.position[i].squaredNorm() > reach_squared) dead += over_[i] = 1;
    chunk_survivor_[chunk + 1] = range.size() - dead;
  });
  for (std::size_t c = 0; c < chunks; ++c) chunk_survivor_[c + 1] += chunk_survivor_[c];
  if (chunk_survivor_.back() == size()) return false;
  survivor_.resize(chunk_survivor_.back());
  parallel_for(size(), population_grain, [&](Range range, std::size_t chunk) {
    std::size_t next = chunk_survivor_[chunk];
    for (std::size_t i = range.begin; i < range.end; ++i)
      if (over_[i] == 0) survivor_[next++] = static_cast<std::uint32_t>(i);
  });
  return true;
}

/// Compacts the rows of the survivors. old_ receives the rows before the removal.
void Population::gather_survivors() {
  ParticleRows::each(rows, old_, [](auto& a, auto& b) { a.swap(b); });
  ParticleRows::each_impulse(rows, old_, [](auto& a, auto& b) { a.swap(b); });
  const bool impulses = !old_.elements.impulse.empty();
  resize(survivor_.size());
  ParticleRows::each_impulse(rows, old_, [&](auto& to, const auto&) { to.resize(impulses ? survivor_.size() : 0); });
  parallel_for(survivor_.size(), population_grain, [&](Range range, std::size_t) {
    ParticleRows::each(rows, old_, [&](auto& to, const auto& from) {
      for (std::size_t k = range.begin; k < range.end; ++k) to[k] = from[survivor_[k]];
    });
    if (!impulses) return;
    ParticleRows::each_impulse(rows, old_, [&](auto& to, const auto& from) {
      for (std::size_t k = range.begin; k < range.end; ++k) to[k] = from[survivor_[k]];
    });
  });
}

void Population::kill(std::span<const std::uint8_t> marked) {
  if (std::find(marked.begin(), marked.end(), std::uint8_t{1}) == marked.end()) return;
  if (kept_.asked && !kept_.gathered && !kept_.lifetimes) {
    copy_rows(rows.lifetime, old_.lifetime, kept_.size);
    kept_.lifetimes = true;
  }
  const std::size_t n = std::min(size(), marked.size());
  for (std::size_t i = 0; i < n; ++i)
    if (marked[i] != 0) rows.lifetime[i] = std::numeric_limits<double>::min();
}

// ---- Births ----

void Population::resize(std::size_t n) {
  ParticleRows::each(rows, rows, [n](auto& a, auto&) { a.resize(n); });
}

void Population::emit_first() {
  for (std::size_t e = 0; e < emitters_.size(); ++e) {
    const EmitterParams& p = emitters_[e].params;
    if (!p.enabled || p.start_s > 0) continue;
    states_[e].bursts_done = 1;
    give_birth(e, static_cast<std::uint64_t>(p.burst), {}, 0, 0);
  }
  birthplace_.clear();
}

void Population::begin_at(double time) {
  for (double& born : rows.born) born += time;
  now_ = time;
}

/// Emits `due` particles of emitter e. The first particle is due `first_wait` seconds after the start of the step.
/// Further particles follow at intervals of `apart` seconds. The capacity limits the number of particles.
void Population::give_birth(std::size_t e, std::uint64_t due, const Nursery& nursery, double first_wait, double apart) {
  const std::size_t before = size(), room = capacity_ > before ? capacity_ - before : 0;
  const std::size_t identities = std::numeric_limits<std::uint32_t>::max() - next_id_;
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>({due, room, identities}));
  out_of_identities_ = out_of_identities_ || identities < std::min<std::uint64_t>(due, room);
  if (count == 0) return;
  const auto first = states_[e].emitted;
  resize(before + count);
  birthplace_.resize(birthplace_.size() + count);
  if (!rows.elements.impulse.empty())
    ParticleRows::each_impulse(rows, rows, [&](auto& a, auto&) { a.resize(before + count, Vec3::Zero()); });
  parallel_for(count, birth_grain, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k)
      make(before + k, e, static_cast<std::uint32_t>(first + k), nursery,
           std::clamp(first_wait + static_cast<double>(k) * apart, 0.0, nursery.dt));
  });
  for (std::size_t k = 0; k < count; ++k) rows.elements.id[before + k] = next_id_++;
  states_[e].emitted += count;
}

/// Returns the fraction of the path from `from` to `to` that a ball can travel without touching an obstacle.
double free_share(std::span<const Collider> colliders, const Vec3& from, const Vec3& to, double radius) {
  double share = 1;
  for (const Collider& collider : colliders)
    if (const auto hit = sweep(collider, collider, from, to, radius)) share = std::min(share, hit->share);
  return share;
}

/// Creates particle `index` of emitter e in the row `row`. If the particle is due `wait` seconds after the start of the
/// step, it starts behind its birthplace, at the distance that it flies in that time without loads. The particles of
/// one step then do not coincide. Obstacles shorten the distance. A particle from a surface starts at its birthplace,
/// because a wall may lie behind the surface.
void Population::make(std::size_t row, std::size_t e, std::uint32_t index, const Nursery& nursery, double wait) {
  const Emitter& emitter = emitters_[e];
  const Traits own = traits(emitter, index, of_system_);
  const double radius = own.radius_m * (soft_ ? 1 : std::max(least_size, emitter.params.size_birth));
  const Birth born = birth(emitter, index, radius);
  const Vec3 away = born.from_surface ? Vec3::Zero().eval() : Vec3(-wait * born.velocity);
  birthplace_[row + birthplace_.size() - size()] = born.position;
  rows.elements.position[row] = born.position;
  if (!away.isZero(0))
    rows.elements.position[row] += free_share(nursery.colliders, born.position, born.position + away, radius) * away;
  rows.elements.velocity[row] = born.velocity;
  if (rows.spins) rows.elements.angular_velocity[row].setZero();
  rows.elements.mass[row] = own.mass_kg;
  rows.elements.radius[row] = radius;
  rows.born[row] = nursery.time + wait;
  rows.lifetime[row] = born.lifetime;
  rows.drag_time[row] = own.drag_time_s;
  rows.birth_radius[row] = own.radius_m;
  rows.index[row] = index;
  rows.emitter[row] = static_cast<std::uint16_t>(e);
}

// ---- One step ----

void Population::begin_step(double time, double dt, double reach_m, std::span<const Collider> colliders,
                            double farthest_m) {
  out_of_identities_ = false;
  kept_.size = size();
  kept_.impulses = !rows.elements.impulse.empty();
  kept_.lifetimes = false;
  kept_.gathered = find_survivors(time, farthest_m <= reach_m ? std::numeric_limits<double>::infinity() : reach_m);
  if (kept_.asked) {
    kept_.states = states_;
    kept_.next_id = next_id_;
    kept_.now = now_;
  }
  if (kept_.gathered)
    gather_survivors();
  else if (kept_.asked)
    copy_moving();
  now_ = time;
  birthplace_.clear();
  const Nursery nursery{time, dt, colliders};
  for (std::size_t e = 0; e < emitters_.size(); ++e) {
    const Due due = particles_due(emitters_[e], time, dt, states_[e]);
    for (std::uint64_t k = 0; k < due.bursts && size() < capacity_; ++k) {
      const double wait = std::clamp(burst_time(emitters_[e], due.first_burst + k) - time, 0.0, dt);
      give_birth(e, static_cast<std::uint64_t>(emitters_[e].params.burst), nursery, wait, 0);
    }
    give_birth(e, due.steady, nursery, due.first, due.apart);
  }
}

void Population::end_step(double now) {
  now_ = now;
  if (grows_) update_radii();
}

// ---- State ----

void Population::keep_state() { kept_.asked = true; }

/// Copies the columns that change in a step without deaths.
void Population::copy_moving() {
  copy_rows(rows.elements.position, old_.elements.position, kept_.size);
  copy_rows(rows.elements.velocity, old_.elements.velocity, kept_.size);
  if (rows.spins) copy_rows(rows.elements.angular_velocity, old_.elements.angular_velocity, kept_.size);
  if (kept_.impulses)
    ParticleRows::each_impulse(rows, old_, [&](const auto& now, auto& old) { copy_rows(now, old, kept_.size); });
}

void Population::return_to_kept_state() {
  if (!kept_.asked) return;
  if (kept_.gathered) {
    ParticleRows::each(rows, old_, [](auto& a, auto& b) { a.swap(b); });
    ParticleRows::each_impulse(rows, old_, [](auto& a, auto& b) { a.swap(b); });
  } else {
    resize(kept_.size);
    copy_rows(old_.elements.position, rows.elements.position, kept_.size);
    copy_rows(old_.elements.velocity, rows.elements.velocity, kept_.size);
    if (rows.spins) copy_rows(old_.elements.angular_velocity, rows.elements.angular_velocity, kept_.size);
    ParticleRows::each_impulse(rows, old_, [&](auto& now, const auto& old) {
      now.resize(kept_.impulses ? kept_.size : 0);
      if (kept_.impulses) copy_rows(old, now, kept_.size);
    });
    if (kept_.lifetimes) copy_rows(old_.lifetime, rows.lifetime, kept_.size);
  }
  if (!kept_.impulses) ParticleRows::each_impulse(rows, rows, [](auto& a, auto&) { a.clear(); });
  states_ = kept_.states;
  next_id_ = kept_.next_id;
  now_ = kept_.now;
  kept_.asked = false;
  birthplace_.clear();
  update_radii();
}

void Population::continue_from(const Population& former, std::span<const std::size_t> now) {
  states_.assign(emitters_.size(), {});
  for (std::size_t e = 0; e < now.size(); ++e)
    if (now[e] < states_.size()) states_[now[e]] = former.states_[e];
  ParticleRows from = former.rows;
  from.elements.angular_velocity.resize(from.elements.size(), Vec3::Zero());
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < former.size(); ++i)
    if (now[from.emitter[i]] < emitters_.size()) kept.push_back(i);
  ParticleRows::each(rows, from, [&](auto& to, const auto& source) {
    to.clear();
    for (const std::size_t i : kept) to.push_back(source[i]);
  });
  for (std::uint16_t& emitter : rows.emitter) emitter = static_cast<std::uint16_t>(now[emitter]);
  ParticleRows::each_impulse(rows, from, [&](auto& to, const auto& source) {
    to.clear();
    if (!source.empty())
      for (const std::size_t i : kept) to.push_back(source[i]);
  });
  next_id_ = former.next_id_, now_ = former.now_;
  birthplace_.clear();
  update_radii();
}

void Population::visit_state(StateVisitor& visit) {
  Elements& e = rows.elements;
  visit_points(e, visit);
  visit("born", rows.born);
  visit("lifetime", rows.lifetime);
  visit("drag_time", rows.drag_time, state_positive);
  visit("birth_radius", rows.birth_radius, state_positive);
  visit("index", rows.index);
  visit("emitter", rows.emitter);
  visit("impulse", e.impulse);
  if (rows.spins) {
    visit("angular_velocity", e.angular_velocity, state_motion);
    visit("angular_impulse", e.angular_impulse);
  }
  visit("next_id", next_id_);
  visit("now", now_, state_clock);
  visit.rows("emitter");
  visit("emitters", states_);
}

std::string Population::state_problem() const {
  const std::size_t n = size();
  bool whole = rows.elements.id.size() == n && (rows.elements.impulse.empty() || rows.elements.impulse.size() == n);
  for (const auto* row :
       {&rows.elements.mass, &rows.elements.radius, &rows.born, &rows.lifetime, &rows.drag_time, &rows.birth_radius})
    whole = whole && row->size() == n;
  whole = whole && rows.elements.angular_velocity.size() == (rows.spins ? n : 0) &&
          rows.elements.angular_impulse.size() == (rows.spins ? rows.elements.impulse.size() : 0);
  if (!whole || rows.index.size() != n || rows.emitter.size() != n) return "the arrays in the state differ in length";
  if (states_.size() != emitters_.size()) return "the state and the scene have different numbers of emitters";
  if (std::any_of(rows.emitter.begin(), rows.emitter.end(), [this](std::uint16_t e) { return e >= emitters_.size(); }))
    return "a particle's emitter does not exist";
  if (!all_positive(rows.elements.mass) || !all_positive(rows.elements.radius) || !all_positive(rows.birth_radius))
    return "a particle's mass or radius is not positive";
  if (!identities_ascend(rows.elements.id, next_id_)) return "the element ids are not in ascending order";
  if (std::any_of(states_.begin(), states_.end(),
                  [](const EmitterState& e) { return !(e.carry >= 0 && e.carry <= 1); }))
    return "the fraction of a particle that an emitter has accumulated is not in [0, 1]";
  return {};
}

}  // namespace vw
