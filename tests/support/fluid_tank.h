// A box of fluid for tests of the pressure solvers. It uses the SPH workspace directly, without a FluidSystem. The
// walls are boundary samples at the positions where the lattice of the fluid particles would continue.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/forces/forces_sweeps.h"
#include "sim/system/fluid/pressure/dfsph.h"
#include "sim/system/fluid/pressure/wcsph.h"

namespace vw::test {

struct TankSetup {
  double spacing_m = 0.02;
  SphKernel kernel = SphKernel::wendland;
  std::array<int, 3> cells{8, 30, 8};  ///< Inner size of the tank in spacings. The top is open.
  bool walled = true;
  int wall_layers = 2;
  Vec3 gravity{0, -9.81, 0};
  double longest_step_s = 0.005;
  double courant = 0.4;
  double smoothing = 0;  ///< XSPH coefficient
  bool weakly = false;   ///< use WCSPH instead of DFSPH
  TaitLaw law;
  SolveLimits density_limits{5e-4, 0, 100}, rate_limits{5e-4, 1, 100};
};

class FluidTank {
 public:
  explicit FluidTank(const TankSetup& tank) : setup(tank) {
    space.scale = {tank.kernel, tank.spacing_m};
    space.frame.cell_m = space.scale.reach_m();
    space.origin = 0.5 * tank.spacing_m * Vec3(tank.cells[0], tank.cells[1], tank.cells[2]);
    if (tank.walled) line();
    place_walls();
  }

  TankSetup setup;
  SphWorkspace space;
  std::vector<Vec3> x, v;
  std::vector<double> rest_density;
  std::vector<float> kappa;
  std::vector<Guest> guests;
  double time_s = 0;
  SolveResult density_solve, rate_solve;
  long hits = 0;  ///< number of corrections by keep_inside() since the start, counted per axis
  double wall_gap = 0.1;

  /// Adds one particle in each cell from `low` to `high` (exclusive). Indices count spacings. The particle of the cell
  /// (i, j, k) is at (i + 1/2, j + 1/2, k + 1/2) spacings.
  void fill(const std::array<int, 3>& low, const std::array<int, 3>& high, const Vec3& velocity = Vec3::Zero(),
            double rho = 1000) {
    for (int i = low[0]; i < high[0]; ++i)
      for (int j = low[1]; j < high[1]; ++j)
        for (int k = low[2]; k < high[2]; ++k) add(setup.spacing_m * Vec3(i + 0.5, j + 0.5, k + 0.5), velocity, rho);
  }
  void add(const Vec3& place, const Vec3& velocity, double rho = 1000) {
    x.push_back(place), v.push_back(velocity), rest_density.push_back(rho), kappa.push_back(0);
  }
  /// Sorts the particles, places the boundary samples of the walls and the guests (coupled bodies), builds the
  /// neighbour lists and sums the densities.
  void prepare() {
    sort();
    if (!guests.empty()) place_walls();
    find_pairs();
    space.find_densities();
    answer.build(space, guests, owners_);
  }
  double step() {
    prepare();
    const double dt = step_length();
    for (std::size_t i = 0; i < x.size(); ++i) add_to(space.motion[i], dt * setup.gravity);
    if (setup.smoothing > 0) smooth();
    if (setup.weakly) {
      solve_wcsph(space, dt, setup.law, &answer);
      space.path = space.motion;
    } else {
      rate_solve = solve_velocities(space, dt, setup.rate_limits, &answer);
      density_solve = solve_positions(space, dt, setup.density_limits);
    }
    move(dt);
    time_s += dt;
    return dt;
  }

  [[nodiscard]] double mass(std::size_t i) const { return rest_density[i] * space.scale.volume_m3(); }
  [[nodiscard]] Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < x.size(); ++i) sum += mass(i) * v[i];
    return sum;
  }
  [[nodiscard]] double momentum_scale() const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += mass(i) * v[i].norm();
    return sum;
  }
  [[nodiscard]] double kinetic() const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += 0.5 * mass(i) * v[i].squaredNorm();
    return sum;
  }
  [[nodiscard]] double energy() const {
    double sum = kinetic();
    for (std::size_t i = 0; i < x.size(); ++i) sum -= mass(i) * setup.gravity.dot(x[i]);
    return sum;
  }
  /// Returns the mean density error of the particles after the last prepare(). The error of a particle is density /
  /// rest density - 1, or 0 if this value is negative.
  [[nodiscard]] double mean_excess() const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += std::max(0.0, static_cast<double>(space.density[i].density) - 1);
    return sum / static_cast<double>(x.size());
  }
  [[nodiscard]] double pressure(std::size_t i) const { return space.density[i].pressure(space.kappa[i]); }
  /// Returns the height of the surface [m]. Each column one spacing wide contributes the height of its highest
  /// particle. The result is the mean over all columns, plus half a spacing.
  [[nodiscard]] double surface() const {
    const double d = setup.spacing_m;
    std::vector<double> top(static_cast<std::size_t>(setup.cells[0] * setup.cells[2]), 0);
    for (const Vec3& p : x) {
      const int i = std::clamp(static_cast<int>(p.x() / d), 0, setup.cells[0] - 1),
                k = std::clamp(static_cast<int>(p.z() / d), 0, setup.cells[2] - 1);
      double& highest = top[static_cast<std::size_t>(i * setup.cells[2] + k)];
      highest = std::max(highest, p.y());
    }
    double sum = 0;
    for (const double height : top) sum += height;
    return sum / static_cast<double>(top.size()) + d / 2;
  }
  [[nodiscard]] bool finite() const {
    return std::all_of(x.begin(), x.end(), [](const Vec3& p) { return p.allFinite(); }) &&
           std::all_of(v.begin(), v.end(), [](const Vec3& p) { return p.allFinite(); });
  }

  BodyCoupling answer;

 private:
  static void add_to(Float4& row, const Vec3& change) {
    row.x += static_cast<float>(change.x()), row.y += static_cast<float>(change.y()),
        row.z += static_cast<float>(change.z());
  }
  static Float4 row_of(const Vec3& p, double w) {
    return {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z()), static_cast<float>(w)};
  }
  void line() {
    const int n = setup.wall_layers;
    const auto [nx, ny, nz] = setup.cells;
    for (int i = -n; i < nx + n; ++i)
      for (int j = -n; j < ny; ++j)
        for (int k = -n; k < nz + n; ++k)
          if (i < 0 || j < 0 || k < 0 || i >= nx || k >= nz)
            lining_.push_back(setup.spacing_m * Vec3(i + 0.5, j + 0.5, k + 0.5));
  }
  void place_walls() {
    struct Sample {
      Vec3 place, velocity;
      float share;
      Walls::Owner owner;
    };
    std::vector<Sample> all;
    for (const Vec3& p : lining_) all.push_back({p, Vec3::Zero(), 1, {}});
    for (std::size_t g = 0; g < guests.size(); ++g)
      for (std::size_t k = 0; k < guests[g].place.size(); ++k)
        all.push_back({guests[g].place[k],
                       guests[g].velocity[k],
                       guests[g].share[k],
                       {static_cast<std::int32_t>(g), static_cast<std::uint32_t>(k)}});
    wall_sort_.keys.clear();
    for (const Sample& sample : all) wall_sort_.keys.push_back(place_key(space.frame, sample.place));
    wall_sort_.sort();
    space.walls.rows.clear(), space.walls.motion.clear(), owners_.clear();
    for (const std::uint32_t o : wall_sort_.order) {
      space.walls.rows.push_back(row_of(all[o].place - space.origin, static_cast<double>(all[o].share)));
      space.walls.motion.push_back(row_of(all[o].velocity, 0));
      owners_.push_back(all[o].owner);
    }
    space.walls.rows.push_back({padding_coordinate, padding_coordinate, padding_coordinate, 0});
    space.walls.motion.push_back({});
    space.walls.table.build(wall_sort_.keys);
  }
  template <class T>
  void permute(std::vector<T>& values) const {
    std::vector<T> old = values;
    for (std::size_t i = 0; i < old.size(); ++i) values[i] = old[sort_.order[i]];
  }
  void sort() {
    const std::size_t n = x.size();
    sort_.keys.resize(n);
    for (std::size_t i = 0; i < n; ++i) sort_.keys[i] = place_key(space.frame, x[i]);
    sort_.sort();
    permute(x), permute(v), permute(rest_density), permute(kappa);
    space.table.build(sort_.keys);
    space.kappa = kappa;
    space.density.resize(n), space.rate.resize(n), space.inverse_density.resize(n), space.rows.resize(n + 1),
        space.motion.resize(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      space.inverse_density[i] = static_cast<float>(1 / rest_density[i]);
      space.rows[i] = row_of(x[i] - space.origin, 1 / rest_density[i]);
      space.motion[i] = row_of(v[i], 0);
    }
    space.rows[n] = {padding_coordinate, padding_coordinate, padding_coordinate, 0};
    space.motion[n] = {};
  }
  void find_pairs() {
    const PairSource near[1] = {{&space.table, space.rows.data(), 0}},
                     walls[1] = {{&space.walls.table, space.walls.rows.data(), 0}};
    PairSearch search;
    search.targets = near[0];
    search.near = near;
    if (space.walls.size() > 0) search.walls = walls;
    search.near_padding = static_cast<std::uint32_t>(x.size());
    search.wall_padding = static_cast<std::uint32_t>(space.walls.size());
    search.reach = static_cast<float>(space.scale.reach_m());
    search.most_pairs = std::uint64_t{1} << 31U;
    (void)space.lists.build(search);
  }
  [[nodiscard]] double step_length() const {
    double fastest = 0, lightest = 1e30;
    for (std::size_t i = 0; i < v.size(); ++i)
      fastest = std::max(fastest, v[i].norm()), lightest = std::min(lightest, rest_density[i]);
    for (const Guest& guest : guests)
      for (const Vec3& velocity : guest.velocity) fastest = std::max(fastest, velocity.norm());
    const double free = setup.courant * setup.spacing_m / std::max(fastest, 1e-9);
    return std::min(setup.longest_step_s,
                    setup.weakly ? std::min(free, stable_step(space.scale, setup.law, lightest, fastest)) : free);
  }
  void smooth() {
    for (std::size_t i = 0; i < x.size(); ++i) space.motion[i].w = 1 / space.inverse_density[i];
    Float4s smoothed = space.motion;
    smoothing_sweep(space.input(), {static_cast<float>(setup.smoothing), false}, smoothed);
    space.motion.swap(smoothed);
  }
  void move(double dt) {
    kappa = space.kappa;
    for (std::size_t i = 0; i < x.size(); ++i) {
      v[i] = {space.motion[i].x, space.motion[i].y, space.motion[i].z};
      x[i] += dt * Vec3(space.path[i].x, space.path[i].y, space.path[i].z);
      if (setup.walled) keep_inside(i);
    }
  }
  /// If the particle is nearer to a wall than `wall_gap` spacings, moves the particle back to that distance and removes
  /// its velocity towards the wall.
  void keep_inside(std::size_t i) {
    const double d = setup.spacing_m, gap = wall_gap * d;
    for (int a = 0; a < 3; ++a) {
      const double end = setup.cells[static_cast<std::size_t>(a)] * d - gap;
      if (x[i][a] < gap) x[i][a] = gap, v[i][a] = std::max(0.0, v[i][a]), ++hits;
      if (a != 1 && x[i][a] > end) x[i][a] = end, v[i][a] = std::min(0.0, v[i][a]), ++hits;
    }
  }

  std::vector<Vec3> lining_;
  std::vector<Walls::Owner> owners_;
  KeySort sort_, wall_sort_;
};

}  // namespace vw::test
