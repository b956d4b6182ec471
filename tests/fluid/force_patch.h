// A patch of fluid on the SPH workspace alone, without a fluid system, for tests of single forces and solvers. The box
// may be periodic. Walls consist of boundary samples.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "sim/system/fluid/forces/forces.h"
#include "sim/system/fluid/pressure/dfsph.h"
#include "sim/system/fluid/rows/images.h"

namespace vw::test {

/// Returns the velocity of Taylor-Green vortices.
inline Vec3 taylor_green(const Vec3& x) {
  return {std::sin(x.x()) * std::cos(x.y()), -std::cos(x.x()) * std::sin(x.y()), 0};
}

inline FluidForces unsmoothed() {
  FluidForces settings;
  settings.smoothing = 0;
  return settings;
}

struct ForcePatch {
  double spacing = 0.1;
  FluidDomain domain;
  std::vector<PhaseForces> phases{PhaseForces{}};
  std::vector<double> densities{1000};
  FluidForces settings = unsmoothed();
  Vec3 gravity = Vec3::Zero();
  std::function<Vec3(const Vec3&)> field;  ///< additional acceleration [m/s^2] as a function of position
  SolveLimits rate_limits{1e-3, 1, 200}, density_limits{1e-4, 1, 200};

  std::vector<Vec3> x, v;
  std::vector<std::uint8_t> phase;
  std::vector<Vec3> wall_place, wall_velocity;

  SphWorkspace space;
  ForceRows rows;
  ForceSolver solver;
  ViscosityResult viscosity;
  SolveResult divergence, density;
  std::vector<Walls::Owner> owners;

  /// Fills the box with a lattice of particles, beginning half a spacing inside the faces. Sites for which `inside`
  /// returns false stay empty.
  template <class F>
  void fill(const Box3& box, F inside, std::uint8_t of_phase = 0) {
    const Vec3 size = box.sizes();
    const auto count = [&](int a) { return static_cast<int>(std::lround(size[a] / spacing)); };
    for (int i = 0; i < count(0); ++i)
      for (int j = 0; j < count(1); ++j)
        for (int k = 0; k < count(2); ++k) {
          const Vec3 at = box.min() + spacing * Vec3(i + 0.5, j + 0.5, k + 0.5);
          if (!inside(at)) continue;
          x.push_back(at);
          v.push_back(Vec3::Zero());
          phase.push_back(of_phase);
        }
  }
  [[nodiscard]] double mass_of(std::size_t i) const { return densities[phase[i]] * spacing * spacing * spacing; }
  [[nodiscard]] Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < x.size(); ++i) sum += mass_of(i) * v[i];
    return sum;
  }
  [[nodiscard]] Vec3 spin() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < x.size(); ++i) sum += mass_of(i) * x[i].cross(v[i]);
    return sum;
  }
  [[nodiscard]] double sum_of_speeds() const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += mass_of(i) * v[i].norm();
    return sum;
  }
  [[nodiscard]] double energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += 0.5 * mass_of(i) * v[i].squaredNorm();
    return sum;
  }

  void sort() {
    KeySort sort;
    for (const Vec3& at : x) sort.keys.push_back(place_key(space.frame, at));
    sort.sort();
    const auto reorder = [&](auto& column) {
      if (column.size() != x.size()) return;
      auto old = column;
      for (std::size_t k = 0; k < old.size(); ++k) column[k] = old[sort.order[k]];
    };
    reorder(v), reorder(phase), reorder(space.kappa), reorder(rows.spin), reorder(rows.viscous);
    auto old = x;
    for (std::size_t k = 0; k < old.size(); ++k) x[k] = old[sort.order[k]];
    space.table.build(sort.keys);
  }
  void place_walls() {
    KeySort sort;
    for (const Vec3& at : wall_place) sort.keys.push_back(place_key(space.frame, at));
    sort.sort();
    space.walls.rows.clear();
    space.walls.motion.clear();
    owners.assign(wall_place.size(), {});
    for (const std::uint32_t o : sort.order) {
      space.walls.rows.push_back(row_of(wall_place[o] - space.origin, 1));
      space.walls.motion.push_back(row_of(wall_velocity.empty() ? Vec3(0, 0, 0) : wall_velocity[o], 0));
    }
    space.walls.rows.push_back({padding_coordinate, padding_coordinate, padding_coordinate, 0});
    space.walls.motion.push_back({});
    space.walls.table.build(sort.keys);
  }
  static Float4 row_of(const Vec3& at, float w) {
    const Vec3f f = at.cast<float>();
    return {f.x(), f.y(), f.z(), w};
  }
  /// Updates rows, neighbour pairs and densities from the current positions.
  void prepare() {
    space.scale.spacing_m = spacing;
    space.frame.cell_m = space.scale.reach_m();
    space.fully_periodic_full = domain.is_brimful(static_cast<double>(x.size()) * space.scale.volume_m3());
    sort();
    const std::size_t n = x.size();
    space.rows.assign(n + 1, {padding_coordinate, padding_coordinate, padding_coordinate, 0});
    space.motion.assign(n + 1, {});
    space.density.resize(n), space.rate.resize(n), space.kappa.resize(n), space.inverse_density.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto inverse = static_cast<float>(1 / densities[phase[i]]);
      space.rows[i] = row_of(x[i] - space.origin, inverse);
      space.motion[i] = row_of(v[i], 0);
      space.inverse_density[i] = inverse;
    }
    images.place(domain, x, space);
    place_walls();
    find_pairs();
    space.find_densities();
  }
  void find_pairs() {
    const std::size_t n = x.size();
    const PairSource near[2] = {{&space.table, space.rows.data(), 0},
                                {&images.table(), space.rows.data() + n + 1, static_cast<std::uint32_t>(n + 1)}};
    const PairSource walls[1] = {{&space.walls.table, space.walls.rows.data(), 0}};
    PairSearch search;
    search.targets = near[0];
    search.near = near;
    search.walls = walls;
    search.near_padding = static_cast<std::uint32_t>(n);
    search.wall_padding = static_cast<std::uint32_t>(wall_place.size());
    search.reach = static_cast<float>(space.scale.reach_m());
    search.most_pairs = std::uint64_t{1} << 30U;
    if (!space.lists.build(search)) std::abort();
  }
  void add_forces(double dt, std::span<Guest> guests = {}) {
    ForceInput in;
    in.settings = settings;
    in.phases = phases;
    in.phase = phase;
    in.owners = owners;
    in.guests = guests;
    viscosity = solver.add_forces(space, rows, in, dt);
  }
  void take_velocities() {
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = Vec3(space.motion[i].x, space.motion[i].y, space.motion[i].z);
  }
  void accelerate(double dt) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3f change = (dt * (gravity + (field ? field(x[i]) : Vec3(0, 0, 0)))).cast<float>();
      space.motion[i].x += change.x(), space.motion[i].y += change.y(), space.motion[i].z += change.z();
    }
  }
  /// Makes one complete substep: forces, both pressure solves and the motion of the particles.
  void step(double dt) {
    prepare();
    accelerate(dt);
    add_forces(dt);
    divergence = solve_velocities(space, dt, rate_limits);
    density = solve_positions(space, dt, density_limits);
    take_velocities();
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = domain.wrapped(x[i] + dt * Vec3(space.path[i].x, space.path[i].y, space.path[i].z));
  }

  Images images;
};

/// Returns a channel of height 1 between two walls, periodic along the walls. `friction` is the friction coefficient of
/// the walls. The upper wall moves along x at `upper_mps`.
inline ForcePatch channel(int layers, double viscosity, double friction = 1, double upper_mps = 0) {
  ForcePatch patch;
  patch.spacing = 1.0 / layers;
  const double d = patch.spacing;
  patch.domain = {Box3(Vec3(0, -1, 0), Vec3(8 * d, 2, 4 * d)), {true, false, true}};
  patch.fill(Box3(Vec3::Zero(), Vec3(8 * d, 1, 4 * d)), [](const Vec3&) { return true; });
  for (int i = -2; i < 10; ++i)
    for (int k = -2; k < 6; ++k)
      for (const double y : {-1.5 * d, -0.5 * d, 1 + 0.5 * d, 1 + 1.5 * d}) {
        patch.wall_place.push_back({(i + 0.5) * d, y, (k + 0.5) * d});
        patch.wall_velocity.push_back(Vec3(y > 0 ? upper_mps : 0, 0, 0));
      }
  patch.phases[0].viscosity_pas = 1000 * viscosity;
  patch.settings.wall_friction = friction;
  return patch;
}

}  // namespace vw::test
