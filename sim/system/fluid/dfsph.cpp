#include "sim/system/fluid/dfsph.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel.h"
#include "sim/system/fluid/pressure_push.h"

namespace vw {
namespace {

constexpr std::size_t grain = 4096;
constexpr float relaxation = 0.5F;
constexpr float thin = 0.75F;  ///< below this density a row is spray: nothing to keep from being compressed

/// A quarter of what neighbours answer with in the lattice: rows with few or useless neighbours are not given pressures beyond all measure.
float least_answer(const SphWorkspace& space) {
  if (space.size() == 0) return 1;
  const SphScale& scale = space.scale;
  double squares = 0;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) {
        const double q = std::sqrt(x * x + y * y + z * z) / 2, slope = kernel_slope(scale.kernel, q) * q;
        squares += slope * slope;
      }
  const double reach = scale.reach_m(), v = scale.volume_m3() * lattice_factor(scale.kernel) / (reach * reach * reach * reach);
  return static_cast<float>(0.25 * v * v * squares * space.inverse_density[0]);
}

/// One of the two solves: what is asked of each row, and where its pressures are kept.
struct Solve {
  SphWorkspace& space;
  std::vector<float>& kappa;
  float dt;
  bool of_rate;
  float least_answer;
  GuestAnswer* guests;

  /// That a whole density answers to.
  [[nodiscard]] float most_kappa() const { return 0.25F / (dt * dt * least_answer); }
  /// The mean excess that these velocities lead to; the change of each row's pressure into space.rate.
  double relax() const {
    rate_sweep(space.input(), space.rate);
    if (guests != nullptr) guests->answer(kappa, static_cast<double>(dt), space.rate);
    return ordered_sum(space.size(), grain, 0.0,
                       [&](Range range) {
                         double sum = 0;
                         for (std::size_t i = range.begin; i < range.end; ++i) {
                           const DensityRow& row = space.density[i];
                           if (of_rate && row.density < thin) {
                             kappa[i] = space.rate[i] = 0;
                             continue;
                           }
                           const float left = (of_rate ? 0.0F : row.density - 1) + dt * space.rate[i];
                           const float answer = dt * dt * row.answer;
                           sum += std::max(left, 0.0F);
                           space.rate[i] = answer > 1e-20F ? relaxation * left / answer : 0.0F;
                         }
                         return sum;
                       }) /
           static_cast<double>(std::max<std::size_t>(1, space.size()));
  }
  void step() const {
    const float most = most_kappa();
    parallel_for(space.size(), grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) kappa[i] = std::clamp(kappa[i] + space.rate[i], 0.0F, most);
    });
  }
  /// Pressures of the last substep are a good guess inside, and none where rows have come apart since.
  void start() const {
    const float most = most_kappa();
    parallel_for(space.size(), grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i)
        kappa[i] = std::min(kappa[i], most) * std::clamp(10 * (space.density[i].density - 0.88F), 0.0F, 1.0F);
    });
  }
  SolveResult run(const SolveLimits& limits) const {
    start();
    SolveResult result;
    for (;;) {
      push_by_pressure(space, kappa, dt);
      result.error = relax();
      if ((result.iterations >= limits.least && result.error <= limits.error) || result.iterations >= limits.most) break;
      if (guests != nullptr) guests->correct(kappa, space.density, relaxation, space.rate);
      step();
      ++result.iterations;
    }
    if (guests != nullptr) guests->finish(space, kappa, static_cast<double>(dt));
    return result;
  }
};

}  // namespace

SweepInput SphWorkspace::input() const {
  SweepInput in;
  in.lists = &lists;
  in.kernel = scale.kernel;
  in.reach_m = scale.reach_m();
  in.volume_m3 = scale.volume_m3();
  in.factor = lattice_factor(scale.kernel);
  in.rows = rows.data();
  in.motion = motion.data();
  in.walls = walls.rows.data();
  in.wall_motion = walls.motion.data();
  return in;
}

SolveResult keep_density(SphWorkspace& space, double dt, const SolveLimits& limits, GuestAnswer* guests) {
  space.before = space.motion;
  return Solve{space, space.kappa, static_cast<float>(dt), false, least_answer(space), guests}.run(limits);
}

SolveResult keep_divergence(SphWorkspace& space, double dt, const SolveLimits& limits, GuestAnswer* guests) {
  space.before = space.motion;
  return Solve{space, space.kappa_rate, static_cast<float>(dt), true, least_answer(space), guests}.run(limits);
}

}  // namespace vw
