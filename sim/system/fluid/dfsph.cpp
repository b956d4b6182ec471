// Pressures as a linear complementarity problem. A pressure step moves velocities by the transpose of what measures them (sweeps.h), so the problem
// is symmetric: accelerated projected Jacobi steps find it, from the last substep's pressures, fitted so that they give no energy to the motion.
#include "sim/system/fluid/dfsph.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel.h"
#include "sim/system/fluid/pressure_push.h"

namespace vw {
namespace {

constexpr std::size_t grain = 4096;
/// Of a row's own answer, in the first step and in later ones: the largest eigenvalue of such a step's matrix is 2.5 in a lattice, 3 to 4 in
/// disorder.
constexpr float first_ease = 0.5F, later_ease = 0.4F;
/// What velocities correct of densities above rest, in a substep: enough to hold slow drifts, too little to throw anything. Where a fluid has been
/// pressed together by more than `crushed` on average, `recovery` times as much as that.
constexpr float most_drift = 2e-3F, crushed = 5e-3F, recovery = 2;
/// Rows this much below rest density are the fluid's inside: they may close up by a tenth of it in a substep. Below that they are spray and surface,
/// and may come together until they are as dense as the inside.
constexpr float inside = 0.1F, closing = 0.1F;
/// A fluid in which few rows by the count of a cube's face have a virial below that has no free surface, one in which as many as `most_free` has one
/// (rows at it have settled until they are as dense as the inside, but lack neighbours: 0.7 - 0.9, the inside 0.93 - 1.06); disorder alone makes a
/// fluid denser than a lattice by so much at most.
constexpr double few_free = 0.08, most_free = 0.16, most_unavoidable = 0.03;
constexpr float free_below = 0.85F;  ///< virial

/// What neighbours answer with in the lattice.
float lattice_answer(const SphWorkspace& space) {
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
  return static_cast<float>(v * v * squares * static_cast<double>(space.inverse_density[0]));
}

/// What one look at all rows tells.
struct Look {
  double wrong = 0;   ///< excess, or pressure where there is less, as a density: summed, or its squares
  double bend = 0;    ///< of the last step: step . A step
  double length = 0;  ///< step . D step, D the rows' own answers
  Look& operator+=(const Look& other) {
    wrong += other.wrong, bend += other.bend, length += other.length;
    return *this;
  }
};

/// Along the ray of pressures that a solve begins with: what a whole multiple gains, and what it costs.
struct Fit {
  double gain = 0, cost = 0;
  Fit& operator+=(const Fit& other) {
    gain += other.gain, cost += other.cost;
    return *this;
  }
};

/// Whether there is a free surface.
struct Room {
  float open = 1;         ///< 0: none; densities are put right by places alone (keep_density): asked of velocities it would heat or stop the fluid
  float unavoidable = 0;  ///< what rows are denser than rest on average where there is none
};

/// One of the two solves: what is asked of each row, and where its pressures are kept.
struct Solve {
  SphWorkspace& space;
  std::vector<float>& kappa;
  float dt;
  bool of_places;
  GuestAnswer* guests = nullptr;
  float drift = most_drift;
  Room room;

  /// Far beyond what a whole density answers to: deep water presses more than a row could on its own. Against infinities only.
  [[nodiscard]] float most_kappa() const { return 4e3F / (dt * dt * lattice_answer(space)); }
  /// What is wrong with a row's density beside what the velocities do to it.
  [[nodiscard]] float asked(std::size_t i) const {
    const float now = space.density[i].density - 1 - room.unavoidable;
    if (of_places) return now;
    // Without branches, which nobody could foretell.
    return room.open * (std::max(0.0F, std::min(now, drift)) + closing * std::max(-inside, std::min(now, 0.0F)) + std::min(now + inside, 0.0F));
  }
  /// By how much a row would be too dense at the end.
  [[nodiscard]] float excess(std::size_t i) const { return asked(i) + dt * space.rate[i]; }
  [[nodiscard]] float answer(std::size_t i) const { return dt * dt * space.density[i].answer; }

  void find_rates() const {
    rate_sweep(space.input(), space.rate);
    if (guests != nullptr) guests->answer(kappa, static_cast<double>(dt), space.rate);
  }
  template <class F>
  void each(F f) const {
    parallel_for(space.size(), grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) f(i);
    });
  }
  /// Of some rows, few enough for sums in single precision.
  [[nodiscard]] Look look_at(Range rows, float ease, float most) const {
    float wrongs = 0, bend = 0, length = 0;
    const float inverse_ease = 1 / ease;
    PressureStep* const steps = space.steps.data();
    const float* const pressure = kappa.data();
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      const PressureStep before = steps[i];
      const float now = excess(i), own = std::max(answer(i), 1e-20F), at = pressure[i], moved = at - before.at;
      bend += moved * (before.excess - now);
      length += moved * moved * own;
      const float next = ease * now / own, wrong = (std::max(0.0F, std::min(at + next, most)) - at) * own * inverse_ease;
      steps[i] = {at, now, before.last, next};
      wrongs += of_places ? std::abs(wrong) : wrong * wrong;
    }
    return {static_cast<double>(wrongs), static_cast<double>(bend), static_cast<double>(length)};
  }
  Look look(float ease) const {
    const float most = most_kappa();
    Look all = ordered_sum(space.size(), grain, Look{}, [&](Range range) {
      Look sum;
      for (std::size_t begin = range.begin; begin < range.end; begin += 64) sum += look_at({begin, std::min(begin + 64, range.end)}, ease, most);
      return sum;
    });
    // Steps know how guests answer: what those bend makes no step too long.
    if (guests != nullptr) all.bend -= guests->bend();
    return all;
  }
  /// Each row's step, aware of guests, and made; whether the last steps led back.
  double advance(float ease) const {
    const float most = most_kappa();
    if (guests != nullptr && !guests->empty()) {
      space.change.resize(space.size());
      each([&](std::size_t i) { space.change[i] = space.steps[i].next; });
      guests->correct(kappa, space.density, ease, space.change);
      each([&](std::size_t i) { space.steps[i].next = space.change[i]; });
    }
    return ordered_sum(space.size(), grain, 0.0, [&](Range range) {
      double back = 0;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        PressureStep& row = space.steps[i];
        row.next = std::max(0.0F, std::min(kappa[i] + row.next, most));
        back += static_cast<double>((kappa[i] - row.next) * (row.next - row.last) * space.density[i].answer);
      }
      return back;
    });
  }
  /// A step, and on along the way that the last ones have gone (Nesterov 1983; begun anew where that leads back: O'Donoghue & Candes 2015).
  void step(float ease, float& pace) const {
    if (advance(ease) > 0) pace = 1;
    const float next_pace = 0.5F * (1 + std::sqrt(1 + 4 * pace * pace)), further = (pace - 1) / next_pace, most = most_kappa();
    pace = next_pace;
    each([&](std::size_t i) {
      PressureStep& row = space.steps[i];
      kappa[i] = std::max(0.0F, std::min(row.next + further * (row.next - row.last), most));
      row.last = row.next;
    });
  }
  /// Until what is wrong is small, the rates being known: for places its mean, for velocities the root of its mean square, as a column's floor bears
  /// all of its weight. A step that was too long for the matrix at hand shows in what it did.
  SolveResult run(const SolveLimits& limits) const {
    space.steps.resize(space.size());
    each([&](std::size_t i) { space.steps[i] = {kappa[i], 0, kappa[i], 0}; });
    SolveResult result;
    const double rows = static_cast<double>(std::max<std::size_t>(1, space.size()));
    float pace = 1, ease = first_ease;
    for (;;) {
      const Look now = look(ease);
      const double error_before = result.error;
      result.error = of_places ? now.wrong / rows : std::sqrt(now.wrong / rows);
      if ((result.iterations >= limits.least && result.error <= limits.error) || result.iterations >= limits.most) return result;
      float next = result.iterations == 0 ? first_ease : std::min(ease, later_ease);
      if (static_cast<double>(next) * now.bend > 0.9 * now.length && now.length > 0) {
        next = static_cast<float>(0.8 * now.length / now.bend);
        pace = 1;
      }
      // Guests' answers are not in the rows' own lengths, which tell what leads back.
      if (guests != nullptr && !guests->empty() && result.iterations > 0 && result.error > error_before) pace = 1;
      if (next != ease) each([&](std::size_t i) { space.steps[i].next *= next / ease; });
      ease = next;
      step(ease, pace);
      push_by_pressure(space, kappa, dt);
      find_rates();
      ++result.iterations;
    }
  }

  /// Pressures of the last substep are a good guess inside, and none where rows have come apart since.
  void start() const {
    const float most = most_kappa();
    each([&](std::size_t i) { kappa[i] = std::min(kappa[i], most) * std::clamp(10 * (space.density[i].density - 0.88F), 0.0F, 1.0F); });
    push_by_pressure(space, kappa, dt);
    fit_start();
    find_rates();
  }
  /// The best multiple of the pressures that the solve starts from, exact along that ray where walls stand still: pressures of an impact that is over
  /// give nothing to the motion.
  void fit_start() const {
    const double volume = space.scale.volume_m3();
    const Fit fit = ordered_sum(space.size(), grain, Fit{}, [&](Range range) {
      Fit sum;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const Float4 &was = space.before[i], &is = space.motion[i];
        const double x = static_cast<double>(is.x - was.x), y = static_cast<double>(is.y - was.y), z = static_cast<double>(is.z - was.z);
        const double mass = volume / static_cast<double>(space.inverse_density[i]);
        sum.gain += volume * static_cast<double>(kappa[i] * asked(i));
        sum.gain -= mass * (x * static_cast<double>(was.x) + y * static_cast<double>(was.y) + z * static_cast<double>(was.z));
        sum.cost += mass * (x * x + y * y + z * z);
      }
      return sum;
    });
    if (!(fit.cost > 0) || fit.gain >= fit.cost) return;
    const auto share = static_cast<float>(std::max(0.0, fit.gain / fit.cost));
    each([&](std::size_t i) {
      const Float4& was = space.before[i];
      Float4& is = space.motion[i];
      kappa[i] *= share;
      is.x = was.x + share * (is.x - was.x), is.y = was.y + share * (is.y - was.y), is.z = was.z + share * (is.z - was.z);
    });
    for (std::size_t k = 0; k < space.image_of.size(); ++k) space.motion[space.size() + 1 + k] = space.motion[space.image_of[k]];
  }
};

/// Of rows that are denser than rest.
double mean_excess(const SphWorkspace& space, const Room& room) {
  const double sum = ordered_sum(space.size(), grain, 0.0, [&](Range range) {
    double part = 0;
    for (std::size_t i = range.begin; i < range.end; ++i)
      part += static_cast<double>(std::max(0.0F, space.density[i].density - 1 - room.unavoidable));
    return part;
  });
  return sum / static_cast<double>(std::max<std::size_t>(1, space.size()));
}

/// What rows are denser than rest on average where nothing is free: in a box that is filled to the brim, or periodic, a lattice has rest density, and
/// rows out of order are denser (Jensen: densities grow faster where rows come near than they fall where rows part). No motion could change that;
/// asked for, it would only heat the fluid.
Room room_of(const SphWorkspace& space) {
  struct Sum {
    double above = 0, sparse = 0;
    Sum& operator+=(const Sum& other) {
      above += other.above, sparse += other.sparse;
      return *this;
    }
  };
  const Sum all = ordered_sum(space.size(), grain, Sum{}, [&](Range range) {
    Sum part;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      part.above += static_cast<double>(space.density[i].density - 1);
      part.sparse += space.density[i].virial < free_below ? 1 : 0;
    }
    return part;
  });
  const double rows = static_cast<double>(std::max<std::size_t>(1, space.size()));
  const double face = std::cbrt(rows) * std::cbrt(rows), shut = std::clamp((most_free - all.sparse / face) / (most_free - few_free), 0.0, 1.0);
  return {static_cast<float>(1 - shut), static_cast<float>(shut * std::clamp(all.above / rows, 0.0, most_unavoidable))};
}

void keep_before(SphWorkspace& space) {
  space.before.resize(space.motion.size());
  parallel_for(space.motion.size(), grain, [&](Range range, std::size_t) {
    std::copy_n(space.motion.begin() + static_cast<std::ptrdiff_t>(range.begin), range.end - range.begin,
                space.before.begin() + static_cast<std::ptrdiff_t>(range.begin));
  });
}

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

SolveResult keep_divergence(SphWorkspace& space, double dt, const SolveLimits& limits, GuestAnswer* guests) {
  keep_before(space);
  const Room room = room_of(space);
  const float drift = most_drift + recovery * std::max(0.0F, static_cast<float>(mean_excess(space, room)) - crushed);
  const Solve solve{space, space.kappa, static_cast<float>(dt), false, guests, drift, room};
  solve.start();
  const SolveResult result = solve.run(limits);
  if (guests != nullptr) guests->finish(space, space.kappa, dt);
  return result;
}

SolveResult keep_density(SphWorkspace& space, double dt, const SolveLimits& limits) {
  keep_before(space);
  space.change.assign(space.size(), 0);
  const SolveResult result = Solve{space, space.change, static_cast<float>(dt), true, nullptr, most_drift, room_of(space)}.run(limits);
  space.path.swap(space.motion);
  space.motion.swap(space.before);
  return result;
}

}  // namespace vw
