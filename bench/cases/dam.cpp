#include "bench/cases/dam.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include "bench/measure.h"
#include "sim/collision/pose.h"
#include "sim/system/fluid/measures/reference.h"
#include "sim/system/fluid/pressure/pressure_step_limit.h"

namespace vw::bench {
namespace {

Collider tank_plane(const Vec3& position, const Vec3& turn) {
  Collider collider;
  collider.shape = PlaneShape{};
  collider.position = position;
  collider.orientation = rotation_of(turn);
  return collider;
}

std::vector<Collider> tank_planes() {
  const Vec3 size(4, 3, 1.5);
  return {tank_plane(Vec3::Zero(), Vec3::Zero()), tank_plane(Vec3::Zero(), Vec3(0, 0, -0.5 * pi)),
          tank_plane(Vec3::Zero(), Vec3(0.5 * pi, 0, 0)), tank_plane(size, Vec3(0, 0, 0.5 * pi)),
          tank_plane(size, Vec3(-0.5 * pi, 0, 0))};
}

/// Returns the shortest wall time of five runs of `work` [s].
template <class F>
double best_of(F work) {
  double best = 1e30;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    work();
    best = std::min(best, seconds_since(start));
  }
  return best;
}

/// Maximum number of particles for the reference. For larger dams, the reference runs on a smaller dam.
constexpr std::size_t most_for_reference = 50000;

}  // namespace

Dam::Dam(std::int64_t particles, bool weakly) : colliders(tank_planes()) {
  const auto edge = static_cast<int>(std::lround(std::cbrt(static_cast<double>(particles))));
  params.spacing_m = 1.0 / edge;
  params.method = weakly ? FluidMethod::wcsph : FluidMethod::dfsph;
  // Tolerances of the published measurements of other programs (docs/benchmarks.md, Water).
  params.density_error = 5e-4;
  params.divergence_error = 1e-3;
  const double d = params.spacing_m;
  rows.reserve(static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge));
  for (int k = 0; k < edge; ++k)
    for (int j = 0; j < edge; ++j)
      for (int i = 0; i < edge; ++i)
        rows.add({d * Vec3(i + 0.5, j + 0.5, k + 0.5), Vec3::Zero(), 1000 * d * d * d, 0.5 * d, 0, 0, 0});
  set_hydrostatic_pressures(rows, Vec3(0, -9.81, 0), d);
}

double Dam::step_length() const {
  if (weakly()) return 0.78e-3 * params.spacing_m * 21;
  double fastest = 0;
  for (const Vec3& v : rows.elements.velocity) fastest = std::max(fastest, v.squaredNorm());
  return std::min({params.max_dt_s, params.cfl * params.spacing_m / (std::sqrt(fastest) + 9.81e-3),
                   pressure_step_limit(rows, params.spacing_m)});
}

bool Dam::step(double dt, FluidReport& report) {
  return solver.advance(rows, {params, phases, domain, colliders, {}, {}, Vec3(0, -9.81, 0), dt}, report);
}

Result<DamRun> run_dam(Dam& dam, double until_s, std::int64_t most_steps) {
  DamRun run;
  std::vector<double> each;
  const auto start = Clock::now();
  const std::clock_t cpu = std::clock();
  while (run.simulated_s < until_s && run.steps < static_cast<double>(most_steps)) {
    const auto begin = Clock::now();
    const double dt = dam.step_length();
    if (!dam.step(dt, run.report)) return fail("dam-break: the number of particle pairs exceeds the capacity");
    each.push_back(seconds_since(begin));
    run.simulated_s += dt, run.steps += 1;
    run.mean_error += run.report.mean_excess;
    run.largest_error = std::max(run.largest_error, run.report.compression);
  }
  run.wall_s = seconds_since(start);
  run.cpu_s = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  run.mean_error /= std::max(1.0, run.steps);
  const auto middle = each.begin() + static_cast<std::ptrdiff_t>(each.size() / 2);
  std::nth_element(each.begin(), middle, each.end());
  run.median_step_s = each.empty() ? 0 : *middle;
  return run;
}

Figures dam_stages(const Dam& dam) {
  SphWorkspace space = dam.solver.space();
  const std::size_t n = space.size();
  KeySort sort;
  const double per = 1e9 / static_cast<double>(n);
  const double sorting = best_of([&] {
    sort.keys.resize(n);
    for (std::size_t i = 0; i < n; ++i) sort.keys[i] = place_key(space.frame, dam.rows.elements.position[i]);
    sort.sort();
    space.table.build(sort.keys);
  });
  space.table = dam.solver.space().table;
  const std::array<PairSource, 1> near{{{&space.table, space.rows.data(), 0}}},
      walls{{{&space.walls.table, space.walls.rows.data(), 0}}};
  PairSearch search;
  search.targets = near[0];
  search.near = near;
  search.walls = walls;
  search.near_padding = static_cast<std::uint32_t>(n);
  search.wall_padding = static_cast<std::uint32_t>(space.walls.size());
  search.reach = static_cast<float>(space.scale.reach_m());
  search.most_pairs = std::uint64_t{1} << 40U;
  const double listing = best_of([&] { (void)space.lists.build(search); });
  const double densities = best_of([&] { density_sweep(space.input(), space.density); });
  space.before = space.motion;
  const double pushing = best_of([&] {
    push_sweep(space.input(), {space.inverse_density, space.before, 0}, space.motion);
  });
  const double rating = best_of([&] { rate_sweep(space.input(), space.rate); });
  return {{"sort_ns", per * sorting},
          {"lists_ns", per * listing},
          {"density_ns", per * densities},
          {"push_ns", per * pushing},
          {"rate_ns", per * rating}};
}

Result<Figures> dam_by_reference(const Dam& dam) {
  if (dam.rows.size() > most_for_reference) {
    Dam small(9261, dam.weakly());
    if (auto run = run_dam(small, 0.1, 1000); !run) return Unexpected(run.error());
    return dam_by_reference(small);
  }
  ReferenceSph reference;
  reference.spacing_m = dam.params.spacing_m;
  reference.x = dam.rows.elements.position;
  reference.v = dam.rows.elements.velocity;
  reference.rest_density.assign(reference.x.size(), 1000);
  const SphWorkspace& space = dam.solver.space();
  for (std::size_t b = 0; b < space.walls.size(); ++b) {
    const Float4& at = space.walls.rows[b];
    reference.wall.push_back(space.origin + Vec3f(at.x, at.y, at.z).cast<double>());
  }
  const Vec3 gravity(0, -9.81, 0);
  const auto start = Clock::now();
  int iterations = 0;
  if (dam.weakly())
    reference.step_wcsph(dam.step_length(), gravity, dam.params.stiffness_pa);
  else
    iterations = reference.step_dfsph(dam.step_length(), gravity, dam.params.density_error);
  return Figures{{"reference_ns", 1e9 * seconds_since(start) / static_cast<double>(reference.x.size())},
                 {"reference_particles", static_cast<double>(reference.x.size())},
                 {"reference_iterations", iterations}};
}

}  // namespace vw::bench
