// A substep evaluates in this order: external loads, half edges of the voxels (temperature and muscles), bond strains
// (only for the Poisson effect and for material laws), material laws, bonds across slabs, the sweep.
#include "sim/system/voxel/engine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

bool any_impulse(const Elements& elements) {
  const auto nonzero = [](const Vec3& v) { return !v.isZero(0); };
  return std::any_of(elements.impulse.begin(), elements.impulse.end(), nonzero) ||
         std::any_of(elements.angular_impulse.begin(), elements.angular_impulse.end(), nonzero);
}

/// Returns an upper bound of the speed of the collider's points within the distance `reach` of `center` [m/s].
double speed_of(const Collider& collider, const Vec3& center, double reach) {
  return collider.velocity_at(center).norm() + collider.angular_velocity.norm() * reach;
}

/// Returns a team, or null if the system provides no more threads.
std::unique_ptr<SpinTeam> make_team(std::size_t members) {
  try {
    return std::make_unique<SpinTeam>(members);
  } catch (const std::system_error&) {
    return nullptr;
  }
}

}  // namespace

void LatticeEngine::rebuild(const EngineInput& in, std::size_t threads) {
  const std::size_t n = in.topology->voxel_count();
  plan_ = make_sweep_plan(*in.topology, *in.constants, sweep_lanes(), slab_count(n, threads));
  tables_ = make_sweep_tables(*in.constants);
  prepare_scratch(plan_, in.precision == Precision::full, scratch_);
  breaking_.assign(plan_.slabs.size(), {});
  const std::size_t padded = n + PaddedArray::padding;
  const bool poisson = !in.constants->volume_stiffness.empty(), full = in.precision == Precision::full,
             lawful = !in.laws->rows.empty();
  for (auto& column : spin_) column.assign(full ? 0 : padded, 0.0F);
  tension_.assign(poisson && !full ? padded : 0, 0.0F);
  tension_full_.assign(poisson && (full || lawful) ? n : 0, 0.0);
  strain_.assign(lawful ? 3 * n : 0, 0.0);
  const bool fixed =
      std::any_of(in.regions->fixed.begin(), in.regions->fixed.end(), [](std::uint8_t f) { return f != 0; });
  mobility_.assign(fixed ? n : 0, 1.0, 20);
  for (std::size_t v = 0; fixed && v < n; ++v) mobility_[v] = in.regions->fixed[v] != 0 ? 0.0 : 1.0;
  const bool alike = in.constants->class_of.uniform();
  class_of_.assign(alike ? 0 : padded, 0);
  for (std::size_t v = 0; !alike && v < n; ++v) class_of_[v] = static_cast<std::int32_t>(in.constants->class_of[v]);
  held_row_.clear();
  if (!in.regions->held.empty()) held_row_.assign(n, -1);
  held_jump_.assign(in.regions->held.size(), 0.0);
  hooked_.assign(in.regions->held.empty() ? 0 : plan_.blocks.size(), 0);
  for (std::size_t i = 0; i < in.regions->held.size(); ++i) {
    const std::size_t v = in.regions->held[i].voxel, block = v / plan_.lanes;
    held_row_[v] = static_cast<std::int32_t>(i);
    hooked_[block] = static_cast<std::uint16_t>(hooked_[block] | (1U << (v % plan_.lanes)));
  }
  team_.reset();
  stale_ = false;
  if (plan_.slabs.size() < 2) return;
  team_ = make_team(plan_.slabs.size());
  if (team_) return;
  constexpr int runs_without_team = 1 << 20;
  alone_for_ = runs_without_team;
  rebuild(in, 1);
}

void LatticeEngine::keep_motion() {
  if (kept_ != Kept::in_before) before_ = {};
  kept_ = Kept::in_elements;
}

void LatticeEngine::return_to_kept_motion(Elements& elements) const {
  if (kept_ == Kept::in_state) state_.store(elements);
  if (kept_ == Kept::in_before) before_.store(elements);
}

void LatticeEngine::load(const Elements& elements) {
  if (kept_ == Kept::in_state) {
    std::swap(state_, before_);
    kept_ = Kept::in_before;
  }
  state_.load(elements);
}

void LatticeEngine::store(Elements& elements) {
  if (kept_ != Kept::in_elements) return state_.store(elements);
  state_.exchange(elements);
  kept_ = Kept::in_state;
}

void LatticeEngine::prepare(const EngineInput& in, const Elements& elements) {
  const auto threads = alone_for_ > 0 ? std::size_t{1} : static_cast<std::size_t>(thread_count());
  const bool full = in.precision == Precision::full;
  if (stale_ || plan_.slabs.size() != slab_count(in.topology->voxel_count(), threads) || job_.full != full)
    rebuild(in, threads);
  load(elements);
  job_ = {};
  job_.plan = &plan_;
  job_.tables = &tables_;
  job_.state = &state_;
  job_.full = full;
  job_.damped = in.constants->damped;
  job_.dragged = in.constants->dragged;
  job_.edge = in.constants->edge_m;
  if (in.constants->sizes_vary) job_.half_edge = elements.radius.data();
  if (!in.memory->slack.empty()) job_.slack = in.memory->slack.data();
  if (!in.constants->volume_stiffness.empty()) job_.volume_stiffness = in.constants->volume_stiffness.data();
  if (!tension_.empty()) job_.tension = tension_.data();
  if (tension_full_.size() > 0) job_.tension_full = tension_full_.data();
  if (!strain_.empty()) job_.strain = strain_.data();
  job_.class_of = class_of_.data();
  if (mobility_.size() > 0) job_.mobility = mobility_.data();
  for (std::size_t k = 0; k < 3 && !full; ++k) {
    for (std::size_t v = 0; v < elements.size(); ++v) spin_[k][v] = static_cast<float>(state_.angular_velocity[k][v]);
    job_.spin[k] = spin_[k].data();
  }
  job_.gravity = in.gravity;
  job_.hook = {this, after_drift};
  if (!hooked_.empty()) job_.hooked = hooked_.data();
  in_ = &in;
  elements_ = &elements;
  contact_ = {near_, in.load, in.voxels_across};
  job_.contact = &contact_;
  job_.contacts = in.contacts.data();
  margin_ = 0;
  travelled_ = 1;                                         // exceeds margin_, so the first substep calls mark_voxels()
  self_moved_ = std::numeric_limits<double>::infinity();  // unknown: voxels may have moved since the previous run
}

/// Marks the lanes of voxels that may touch an obstacle as long as no voxel approaches an obstacle by more than one
/// edge (margin_) from now on. Clears the contact states of all other voxels.
void LatticeEngine::mark_voxels(const EngineInput& in, const Elements& elements) {
  const std::size_t n = elements.size(), lanes = plan_.lanes;
  // Half edges may grow while the marks are valid.
  const auto half_edge = [&](std::size_t v) {
    if (!in.constants->sizes_vary) return elements.radius[v];
    return std::max(elements.radius[v], largest_half_edge(in.program, *in.phases, *in.muscles, *in.constants, v));
  };
  double widest = in.constants->edge_m;
  if (in.constants->sizes_vary && !in.colliders.empty())
    for (std::size_t v = 0; v < n; ++v) widest = std::max(widest, half_edge(v));
  margin_ = in.constants->edge_m;
  travelled_ = 0;
  touching_.assign(plan_.blocks.size(), 0);
  Eigen::AlignedBox3d box;
  for (std::size_t v = 0; v < n; ++v) box.extend(state_.position_of(v));
  const double reach = 0.5 * box.diagonal().norm() + widest;
  near_.clear();
  for (std::size_t i = 0; i < in.colliders.size(); ++i)
    if (comes_within(in.colliders[i], box.center(), reach + margin_))
      near_.push_back(make_obstacle(in.colliders[i], static_cast<std::uint32_t>(i), *in.constants));
  contact_.near = near_;
  for (std::size_t v = 0; v < n; ++v) {
    bool marked = false;
    if (!near_.empty() && in.topology->exposed[v] != 0 && in.regions->fixed[v] == 0) {
      const Vec3 x = state_.position_of(v);
      const double distance = half_edge(v) + margin_;
      for (const Obstacle& obstacle : near_) marked = marked || comes_within(*obstacle.collider, x, distance);
    }
    if (marked)
      touching_[v / lanes] = static_cast<std::uint16_t>(touching_[v / lanes] | (1U << (v % lanes)));
    else
      in.contacts[v] = {};
  }
  job_.touching = near_.empty() ? nullptr : touching_.data();
}

/// Converts the pending impulses to loads. Sets has_loads_ if the substep has external loads. During the substep, each
/// thread adds the loads of regions and wind on the voxels of its slab.
void LatticeEngine::gather_loads(const EngineInput& in, Elements& elements, double dt, bool first) {
  const std::size_t n = elements.size();
  if (has_loads_) loads_.clear();
  has_loads_ = false;
  const bool pushed = first && any_impulse(elements);
  if (loads_.size() != n &&
      (pushed || !in.regions->force.empty() || !in.regions->torque.empty() || !in.wind.rows.empty()))
    loads_.resize(n);
  if (pushed) {
    for (std::size_t v = 0; v < n; ++v) {
      if (!elements.impulse[v].isZero(0)) loads_.add_force(v, elements.impulse[v] / dt);
      if (!elements.angular_impulse[v].isZero(0)) loads_.add_moment(v, elements.angular_impulse[v] / dt);
    }
    std::fill(elements.impulse.begin(), elements.impulse.end(), Vec3::Zero());
    std::fill(elements.angular_impulse.begin(), elements.angular_impulse.end(), Vec3::Zero());
    has_loads_ = true;
  }
  has_loads_ = has_loads_ || !in.wind.rows.empty() || !in.regions->force.empty() || !in.regions->torque.empty();
  job_.loads = has_loads_ ? &loads_ : nullptr;
}

/// Updates the list of pairs that may touch, and adds the contact loads of touching pairs to loads_.
void LatticeEngine::add_self_contact(const EngineInput& in, const Elements& elements, double dt) {
  if (!in.self_contact) return;
  const double widest =
      in.constants->sizes_vary ? *std::max_element(elements.radius.begin(), elements.radius.end()) : 0;
  self_.follow(*in.topology, state_, elements.radius, in.constants->edge_m, self_moved_, widest);
  self_moved_ = 0;
  if (self_.watched() == 0) return;
  if (self_.add_loads(*in.constants, state_, elements.radius, dt, loads_) == 0) return;
  has_loads_ = true;
  job_.loads = &loads_;
}

/// Adds the regions' loads on the voxels in `range`. `range.begin` must be the first voxel of a group of SparseLoads.
void LatticeEngine::pull(const EngineInput& in, Range range) {
  const ResolvedRegions& regions = *in.regions;
  for (std::size_t v = range.begin; v < range.end && !regions.force.empty(); ++v)
    if (!regions.force[v].isZero(0)) loads_.add_force(v, regions.force[v]);
  for (std::size_t v = range.begin; v < range.end && !regions.torque.empty(); ++v)
    if (!regions.torque[v].isZero(0)) loads_.add_moment(v, regions.torque[v]);
}

/// Adds the wind forces on exposed voxels in `range`. `range.begin` must be the first voxel of a group of SparseLoads.
void LatticeEngine::blow(const EngineInput& in, const Elements& elements, Range range, double dt) {
  const Range rows = wind_rows(in.wind, range);
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const std::size_t v = in.wind.rows[row].voxel;
    loads_.add_force(v, wind_force(in.wind, row, state_.velocity_of(v), state_.orientation_of(v), elements.radius[v],
                                   elements.mass[v], dt));
  }
}

/// Advances the voxels of the slab of thread `member` by one substep. The caller must place a barrier of all threads
/// after the call.
void LatticeEngine::substep(const EngineInput& in, Elements& elements, double t, double dt, std::size_t member) {
  const auto meet = [&] {
    if (team_) team_->barrier(member);
  };
  const SweepSlab& slab = plan_.slabs[member];
  pull(in, {slab.begin, slab.end});
  if (!in.wind.rows.empty()) blow(in, elements, {slab.begin, slab.end}, dt);
  if (in.constants->sizes_vary) {
    set_half_edges({in.program, t}, *in.phases, *in.muscles, *in.constants, elements.radius, {slab.begin, slab.end});
    meet();
  }
  if (job_.volume_stiffness != nullptr || job_.strain != nullptr) {
    strain_pass(job_, member, scratch_);
    meet();
  }
  if (job_.strain != nullptr) {
    const std::size_t rows = in.laws->rows.size(), members = plan_.slabs.size();
    const std::span<const double> tension = tension_full_.size() > 0
                                                ? std::span<const double>(tension_full_.data(), tension_full_.size())
                                                : std::span<const double>();
    apply_laws(*in.laws, {in.topology, in.constants, strain_, tension, elements.radius}, *in.memory, breaking_[member],
               {rows * member / members, rows * (member + 1) / members});
    meet();
  }
  if (plan_.slabs.size() > 1) {
    cross_pass(job_, member, scratch_);
    meet();
  }
  sweep_pass(job_, member, scratch_);
}

/// Removes the bonds that broke in this substep, in ascending order. Called between substeps by one thread, while the
/// other threads wait at a barrier.
void LatticeEngine::break_bonds(const EngineInput& in) {
  std::vector<std::uint32_t> bonds;
  for (auto& list : breaking_) {
    bonds.insert(bonds.end(), list.begin(), list.end());
    list.clear();
  }
  const std::size_t n = plan_.voxels;
  for (SlabScratch& scratch : scratch_) {
    for (const std::uint32_t slot : scratch.overbent) {
      const std::int32_t bond = in.topology->bond_at[slot % n][2 * (slot / n) + 1];
      if (bond >= 0) bonds.push_back(static_cast<std::uint32_t>(bond));
      if (bond >= 0) ++overbent_;
    }
    scratch.overbent.clear();
  }
  if (bonds.empty()) return;
  std::sort(bonds.begin(), bonds.end());  // the order must not depend on the thread that found the bond
  if (in.memory->broken.empty()) in.memory->broken.assign(in.topology->bonds.size(), 0);
  for (const std::uint32_t bond : bonds) {
    if (in.memory->broken[bond] != 0) continue;
    in.memory->broken[bond] = 1;
    break_bond(*in.topology, bond);
  }
  refresh_volume_stiffness(*in.topology, *in.constants);
  self_.forget();
  broke_ = true;
}

bool LatticeEngine::run(const EngineInput& in, Elements& elements, double t, double dt, std::int64_t count) {
  prepare(in, elements);
  broke_ = false;
  overbent_ = 0;
  job_.dt = dt_ = dt;
  Eigen::AlignedBox3d box;
  for (const Vec3& x : elements.position) box.extend(x);
  double obstacle_speed = 0;
  for (const Collider& c : in.colliders)
    obstacle_speed = std::max(obstacle_speed, speed_of(c, box.center(), box.diagonal().norm()));

  std::int64_t done = 0;
  const auto before = [&](std::int64_t i) {
    gather_loads(in, elements, dt, i == 0);
    add_self_contact(in, elements, dt);
    if (travelled_ >= margin_) mark_voxels(in, elements);
    // The sum is computed as in a run that consists of this substep only. The rounding, and thus the result, then does
    // not depend on how substeps are divided into runs.
    t_next_ = t + static_cast<double>(i) * dt + dt;
  };
  const auto after = [&] {
    double fastest = 0;
    for (const SlabScratch& scratch : scratch_) fastest = std::max(fastest, scratch.fastest_squared);
    travelled_ += (std::sqrt(fastest) + obstacle_speed) * dt;
    self_moved_ = std::sqrt(fastest) * dt;
    if (!held_jump_.empty()) {  // a prescribed displacement may occur with zero velocity
      const double jump = *std::max_element(held_jump_.begin(), held_jump_.end());
      travelled_ += jump;
      self_moved_ += jump;
    }
    if (!(fastest < 1e300)) travelled_ = margin_;
    break_bonds(in);
    ++done;
  };
  while (done < count) {
    if (stale_ || broke_) {  // broken bonds invalidate the sweep plan, so it is rebuilt
      store(elements);
      stale_ = true;
      const bool broke = broke_;
      prepare(in, elements);
      job_.dt = dt;
      broke_ = false;
      if (broke) crack_ = true;
    }
    if (!team_) {
      while (done < count && !broke_) {
        before(done);
        substep(in, elements, t + static_cast<double>(done) * dt, dt, 0);
        after();
      }
      continue;
    }
    before(done);
    bool go_on = true;
    team_->run([&](std::size_t member) {
      while (go_on) {
        substep(in, elements, t + static_cast<double>(done) * dt, dt, member);
        team_->barrier_with(member, [&] {
          after();
          go_on = done < count && !broke_;
          if (go_on) before(done);
        });
      }
    });
  }
  settle_team();
  store(elements);
  if (broke_) stale_ = crack_ = true;
  const bool cracked = crack_;
  crack_ = false;
  in_ = nullptr;
  return cracked;
}

/// Decides after a run whether the next runs use a single thread. A single thread is used if, on average over several
/// runs, other programs kept the cores busy. One run is not enough for this decision. Other programs may be busy for a
/// moment only, or the operating system may not yet have distributed the threads of a new team over the cores. A run
/// that falls between two time slices of another program appears undisturbed although the cores are busy.
void LatticeEngine::settle_team() {
  constexpr int runs_to_decide = 3, first_rest = 8, longest_rest = 128, quiet_windows = 8;
  constexpr double most_stalled = 0.2;
  if (alone_for_ > 0) {
    --alone_for_;
    return;
  }
  if (!team_) return;
  crowding_.stalled += team_->stalled_fraction();
  if (++crowding_.runs < runs_to_decide) return;
  const bool crowded = crowding_.stalled > most_stalled * runs_to_decide;
  crowding_.runs = 0, crowding_.stalled = 0;
  if (crowded) {
    crowding_.quiet_windows = 0;
    alone_for_ = crowding_.rest;
    crowding_.rest = std::min(2 * crowding_.rest, longest_rest);
  } else if (++crowding_.quiet_windows >= quiet_windows) {
    crowding_.rest = first_rest;
  }
}

void LatticeEngine::after_drift(void* self, std::size_t first, std::uint32_t lanes) {
  auto& engine = *static_cast<LatticeEngine*>(self);
  if (engine.held_row_.empty()) return;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::size_t v = first + static_cast<std::size_t>(std::countr_zero(lanes));
    const std::int32_t row = engine.held_row_[v];
    if (row < 0) continue;
    VoxelArrays& s = engine.state_;
    const Vec3 drifted = s.position_of(v);
    Vec3 x = drifted, velocity = s.velocity_of(v), spin = s.angular_velocity_of(v);
    Quat q = s.orientation_of(v);
    apply_held(engine.in_->regions->held[static_cast<std::size_t>(row)], engine.t_next_, engine.dt_,
               engine.in_->rest_position[v], engine.in_->rest_orientation, x, q, velocity, spin);
    engine.held_jump_[static_cast<std::size_t>(row)] = (x - drifted).norm();
    for (std::size_t k = 0; k < 3; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      s.position[k][v] = x[i], s.velocity[k][v] = velocity[i], s.angular_velocity[k][v] = spin[i];
      if (engine.job_.spin[k] != nullptr) engine.job_.spin[k][v] = static_cast<float>(spin[i]);
    }
    s.orientation[0][v] = q.w(), s.orientation[1][v] = q.x(), s.orientation[2][v] = q.y(), s.orientation[3][v] = q.z();
  }
}

}  // namespace vw
