// A cube of water, 1 m wide, that falls over in a box of 4 x 3 x 1.5 m: the fluid's solver alone, in the settings that others were measured with.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "bench/measure.h"
#include "sim/collision/pose.h"
#include "sim/system/fluid/fluid_solver.h"

namespace vw::bench {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Collider wall(const Vec3& position, const Vec3& turn) {
  Collider collider;
  collider.shape = PlaneShape{};
  collider.position = position;
  collider.orientation = rotation_of(turn);
  return collider;
}

std::vector<Collider> tank() {
  const Vec3 size(4, 3, 1.5);
  return {wall(Vec3::Zero(), Vec3::Zero()), wall(Vec3::Zero(), Vec3(0, 0, -0.5 * pi)), wall(Vec3::Zero(), Vec3(0.5 * pi, 0, 0)),
          wall(size, Vec3(0, 0, 0.5 * pi)), wall(size, Vec3(-0.5 * pi, 0, 0))};
}

/// Simulated seconds that the others' figures stand for.
double usual_time(bool weakly, std::int64_t particles) {
  if (weakly) return particles < 20000 ? 0.3 : (particles < 100000 ? 0.1 : 0.03);
  return particles < 100000 ? 1.0 : (particles < 500000 ? 0.2 : 0.05);
}

struct Dam {
  FluidParams params;
  std::vector<FluidPhase> phases{FluidPhase{}};
  FluidDomain domain{Box3(Vec3::Constant(-50), Vec3::Constant(50)), {}};
  std::vector<Collider> colliders = tank();
  FluidRows rows;
  FluidSolver solver;

  explicit Dam(std::int64_t particles, bool weakly) {
    const auto edge = static_cast<int>(std::lround(std::cbrt(static_cast<double>(particles))));
    params.spacing_m = 1.0 / edge;
    params.method = weakly ? FluidMethod::wcsph : FluidMethod::dfsph;
    // As asked of the others in the comparison.
    params.density_error = 5e-4;
    params.divergence_error = 1e-3;
    const double d = params.spacing_m;
    rows.reserve(static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge));
    for (int k = 0; k < edge; ++k)
      for (int j = 0; j < edge; ++j)
        for (int i = 0; i < edge; ++i) rows.add({d * Vec3(i + 0.5, j + 0.5, k + 0.5), Vec3::Zero(), 1000 * d * d * d, 0.5 * d, 0, 0, 0});
  }
  [[nodiscard]] double step_length() const {
    if (params.method == FluidMethod::wcsph) return 0.78e-3 * params.spacing_m * 21;
    double fastest = 0;
    for (const Vec3& v : rows.elements.velocity) fastest = std::max(fastest, v.squaredNorm());
    // The last bound is the system's own for deep water (fluid.cpp).
    return std::min({params.max_dt_s, params.cfl * params.spacing_m / (std::sqrt(fastest) + 9.81e-3), 0.08 * std::sqrt(params.spacing_m / 9.81)});
  }
  [[nodiscard]] bool step(double dt, FluidReport& report) {
    return solver.advance(rows, {params, phases, domain, colliders, {}, {}, Vec3(0, -9.81, 0), dt}, report);
  }
};

/// Seconds that `work` takes, the best of some.
template <class F>
double best_of(F work) {
  double best = 1e30;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    work();
    best = std::min(best, since(start));
  }
  return best;
}

/// The core's stages once more on the state at the end, one by one: nanoseconds a particle.
Figures stages(const Dam& dam) {
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
  const std::array<PairSource, 1> near{{{&space.table, space.rows.data(), 0}}}, walls{{{&space.walls.table, space.walls.rows.data(), 0}}};
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
  const double pushing = best_of([&] { push_sweep(space.input(), {space.inverse_density, space.before, 0}, space.motion); });
  const double rating = best_of([&] { rate_sweep(space.input(), space.rate); });
  return {{"sort_ns", per * sorting},
          {"lists_ns", per * listing},
          {"density_ns", per * densities},
          {"push_ns", per * pushing},
          {"rate_ns", per * rating}};
}

}  // namespace

Result<Outcome> dam_break(const Arguments& arguments) {
  const bool weakly = arguments.whole("method") == 1;
  Dam dam(arguments.whole("particles"), weakly);
  const auto n = static_cast<double>(dam.rows.size());
  const double until = arguments.real("simulate") > 0 ? arguments.real("simulate") : usual_time(weakly, arguments.whole("particles"));
  FluidReport report, first;
  const auto begin = Clock::now();
  if (!dam.step(dam.step_length(), first)) return fail("dam-break: too many pairs");
  const double start_s = since(begin);
  double time = 0, steps = 0, error = 0, most_error = 0;
  const auto start = Clock::now();
  while (time < until) {
    const double dt = dam.step_length();
    if (!dam.step(dt, report)) return fail("dam-break: too many pairs");
    time += dt, steps += 1;
    error += report.mean_excess;
    most_error = std::max(most_error, report.compression);
  }
  const double wall_s = since(start);
  Outcome outcome;
  outcome.rates = {{"particle_steps_per_s", n * steps / wall_s}, {"steps_per_s", steps / wall_s}};
  outcome.figures = {{"particles", n},
                     {"simulated_s", time},
                     {"ms_per_step", 1e3 * wall_s / steps},
                     {"wall_s_per_simulated_s", wall_s / time},
                     {"steps_per_simulated_s", steps / time},
                     {"density_iterations", report.iterations / steps},
                     {"divergence_iterations", report.rate_iterations / steps},
                     {"mean_density_error", error / steps},
                     {"largest_predicted_error", most_error},
                     {"bytes_per_particle", static_cast<double>(dam.solver.bytes()) / n},
                     {"first_step_s", start_s}};
  for (const auto& [key, value] : stages(dam)) outcome.figures.emplace_back(key, value);
  const double step_ns = 1e9 * wall_s / (n * steps);
  outcome.figures.emplace_back("neighbour_share", (outcome.value("sort_ns") + outcome.value("lists_ns")) / step_ns);
  return outcome;
}

}  // namespace vw::bench
