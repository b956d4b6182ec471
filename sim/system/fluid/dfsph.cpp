// Pressures as a linear complementarity problem. A pressure step moves velocities by the transpose of what measures them (sweeps.h), so the problem
// is symmetric: accelerated projected Jacobi steps find it, from the last substep's pressures, fitted so that they give no energy to the motion.
#include "sim/system/fluid/dfsph.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel.h"
#include "sim/system/fluid/pressure_push.h"
#include "sim/system/fluid/row_images.h"

namespace vw {
namespace {

constexpr std::size_t grain = 512;
/// So few rows' sums are made in single precision, side by side.
constexpr std::size_t block = 64;
/// Of a row's own answer, in the first step and in later ones: the largest eigenvalue of such a step's matrix is 2.5 in a lattice, 3 to 4 in
/// disorder.
constexpr float first_ease = 0.5F, later_ease = 0.4F;
/// What velocities correct of densities above rest, in a usual substep: enough to hold slow drifts, too little to throw anything. Where a fluid has
/// been pressed together by more than `crushed` on average, `recovery` times as much as that (by more, and disorder in a full box throws itself
/// about).
constexpr float most_drift = 2e-3F, crushed = 5e-3F, recovery = 0.5F;
/// Rows this much below rest density are the fluid's inside: they may close up by a tenth of it in a usual substep, by less where there is weight
/// (rows fall into gaps that others open, and are lifted out again by places: a jitter that feeds itself). Below that they are spray and surface, and
/// may come together until they are as dense as the inside.
constexpr float inside = 0.1F, closing = 0.1F, closing_by_weight = 0.02F;
/// A fluid in which few rows by the count of a cube's face lack neighbours has no free surface, one in which as many as `most_free` do has one;
/// disorder alone makes a fluid denser than a lattice by so much at most.
constexpr double few_free = 0.08, most_free = 0.16, most_unavoidable = 0.03;

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

/// Sum of a block, in pairs: independent of each other, and of the width of registers.
double block_sum(float (&part)[block]) {
  for (std::size_t half = block / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) part[k] += part[k + half];
  return static_cast<double>(part[0]);
}

float bounded(float pressure, float least, float most) { return std::max(least, std::min(pressure, most)); }

/// What one look at all rows tells.
struct Look {
  double wrong = 0;   ///< excess, or pressure where there is less, as a density: summed, or its squares
  double bend = 0;    ///< of the last step: step . A step
  double length = 0;  ///< step . D step, D the rows' own answers
  double back = 0;    ///< above 0: the steps that come lead back
  Look& operator+=(const Look& other) {
    wrong += other.wrong, bend += other.bend, length += other.length, back += other.back;
    return *this;
  }
};

/// Shares of rows' own answers that steps go: the last one, by which is judged what is wrong, and the one to come.
struct Ease {
  float last = first_ease, next = first_ease;
  float mean = 0;  ///< of what is wrong in a box without room, which nothing can change: it does not count
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

/// What velocities put right of densities above rest.
struct Drift {
  float most = most_drift, spare = 0;  ///< up to so much, of what is above that
  float share = 1;                     ///< of what they would in a usual substep
  float closing = 0;                   ///< of what is missing inside
};

/// One of the two solves: what is asked of each row, and where its pressures are kept.
struct Solve {
  SphWorkspace& space;
  std::vector<float>& kappa;
  float dt;
  bool of_places;
  GuestAnswer* guests = nullptr;
  Drift drift;
  Room room;
  bool brimful = false;  ///< nothing is free and no wall is there: pressures are told from their mean, so that they pull as well

  /// Far beyond what a whole density answers to: deep water presses more than a row could on its own. Against infinities only.
  float most = 4e3F / (dt * dt * lattice_answer(space));
  float least = brimful ? -most : 0.0F;  ///< otherwise no pressure pulls

  /// What is wrong with a row's density beside what the velocities do to it.
  [[nodiscard]] float asked(std::size_t i) const {
    const float now = space.density[i].density - 1 - room.unavoidable;
    if (of_places) return now;
    // Without branches, which nobody could foretell.
    const float slowly = std::max(0.0F, std::min(now - drift.spare, drift.most)) + drift.closing * std::max(-inside, std::min(now, 0.0F));
    return room.open * (drift.share * slowly + std::min(now + inside, 0.0F));
  }
  /// By how much a row would be too dense at the end.
  [[nodiscard]] float excess(std::size_t i) const { return asked(i) + dt * space.rate[i]; }
  [[nodiscard]] float answer(std::size_t i) const { return std::max(dt * dt * space.density[i].answer, 1e-20F); }
  [[nodiscard]] bool has_guests() const { return guests != nullptr && !guests->empty(); }

  template <class F>
  void each(F f) const {
    parallel_for(space.size(), grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) f(i);
    });
  }
  /// Of a block of rows: how the pressures at hand are, and where each goes next. What it reads stands in locals, so that it runs in vectors.
  [[nodiscard]] Look look_at(Range rows, Ease ease) const {
    float wrong[block] = {}, bend[block] = {}, length[block] = {}, back[block] = {};
    float *const excesses = &space.steps.excess[rows.begin], *const ways = &space.steps.way[rows.begin];
    const float *const pressures = &kappa[rows.begin], *const lasts = &space.steps.last[rows.begin];
    const float last_ease = ease.last, next_ease = ease.next, inverse_ease = 1 / ease.last, low = least, top = most;
    const std::size_t count = rows.end - rows.begin;
    float now[block], own[block];
    for (std::size_t k = 0; k < count; ++k) now[k] = excess(rows.begin + k), own[k] = answer(rows.begin + k);
    if (brimful)
      for (std::size_t k = 0; k < count; ++k) now[k] -= dt * space.strain[rows.begin + k].spurious + ease.mean;
    for (std::size_t k = 0; k < count; ++k) {
      const float at = pressures[k], moved = ways[k], step = now[k] / own[k];
      bend[k] = moved * (excesses[k] - now[k]);
      length[k] = moved * moved * own[k];
      wrong[k] = (bounded(at + last_ease * step, low, top) - at) * own[k] * inverse_ease;
      const float next = bounded(at + next_ease * step, low, top);
      back[k] = (at - next) * (next - lasts[k]) * own[k];
      excesses[k] = now[k];
      ways[k] = next;
    }
    for (float& off : wrong) off = of_places ? std::abs(off) : off * off;
    return {block_sum(wrong), block_sum(bend), block_sum(length), block_sum(back)};
  }
  [[nodiscard]] Look look_over(Range rows, Ease ease) const {
    Look sum;
    for (std::size_t begin = rows.begin; begin < rows.end; begin += block) sum += look_at({begin, std::min(begin + block, rows.end)}, ease);
    return sum;
  }
  [[nodiscard]] Look look(Ease ease) const {
    return ordered_sum(space.size(), grain, Look{}, [&](Range range) { return look_over(range, ease); });
  }
  /// The rates of the velocities at hand, and a look at what they leave.
  [[nodiscard]] Look find_rates(Ease ease) const {
    if (guests != nullptr) {
      rate_sweep(space.input(), space.rate);
      guests->answer(kappa, static_cast<double>(dt), space.rate);
      Look all = look(ease);
      all.bend -= guests->bend();  // steps know how guests answer: what those bend makes no step too long
      return all;
    }
    if (brimful) {
      rate_sweep(space.input(), space.rate);
      return look({ease.last, ease.next, mean_wrong()});
    }
    std::vector<Look> parts(space.lists.chunks().size());
    const auto look_there = [&](Range rows, std::size_t chunk) { parts[chunk] = look_over(rows, ease); };
    rate_sweep(space.input(), space.rate, ChunkEnd(look_there));
    Look all;
    for (const Look& part : parts) all += part;
    return all;
  }
  [[nodiscard]] float mean_wrong() const {
    const double sum = ordered_sum(space.size(), grain, 0.0, [&](Range range) {
      double part = 0;
      for (std::size_t i = range.begin; i < range.end; ++i) part += static_cast<double>(excess(i) - dt * space.strain[i].spurious);
      return part;
    });
    return static_cast<float>(sum / static_cast<double>(space.size()));
  }
  /// Each row's step anew, by another ease than the look's or aware of guests; whether the steps lead back.
  [[nodiscard]] double aim(float ease) const {
    std::vector<float>& next = space.steps.way;
    each([&](std::size_t i) { next[i] = kappa[i] + ease * space.steps.excess[i] / answer(i); });
    if (has_guests()) {
      // The rows' equations: (answer / ease) step + 4 V J M^-1 J^T step = excess / dt^2, J how rows push guests.
      space.change.resize(space.size());
      each([&](std::size_t i) { space.change[i] = space.density[i].answer > 0 ? ease / space.density[i].answer : 0; });
      guests->correct(kappa, space.change, most, next);
    }
    return ordered_sum(space.size(), grain, 0.0, [&](Range range) {
      double back = 0;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        next[i] = bounded(next[i], least, most);
        back += static_cast<double>((kappa[i] - next[i]) * (next[i] - space.steps.last[i]) * answer(i));
      }
      return back;
    });
  }
  /// The steps made, and on along the way that the last ones have gone (Nesterov 1983).
  void step(float& pace) const {
    const float next_pace = 0.5F * (1 + std::sqrt(1 + 4 * pace * pace)), further = (pace - 1) / next_pace;
    pace = next_pace;
    float *const at = kappa.data(), *const last = space.steps.last.data(), *const way = space.steps.way.data();
    if (has_guests()) {
      // Where it leads is within bounds for the guests too.
      each([&, further](std::size_t i) { last[i] = way[i] + further * (way[i] - last[i]); });
      guests->correct(space.steps.way, space.change, most, space.steps.last);
      each([&, low = least, top = most](std::size_t i) {
        const float next = way[i], now = bounded(last[i], low, top);
        last[i] = next;
        way[i] = now - at[i];
        at[i] = now;
        space.rows[i].w = now;
      });
      return;
    }
    parallel_for(space.size(), grain, [&, further, low = least, top = most](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const float next = way[i], now = bounded(next + further * (next - last[i]), low, top);
        last[i] = next;
        way[i] = now - at[i];
        at[i] = now;
      }
      for (std::size_t i = range.begin; i < range.end; ++i) space.rows[i].w = at[i];
    });
  }
  /// Pressures that no step has led to yet.
  void begin_steps() const {
    space.steps.resize(space.size());
    each([&](std::size_t i) { space.steps.excess[i] = space.steps.way[i] = 0, space.steps.last[i] = kappa[i]; });
  }
  /// From a first look on, until what is wrong is small: for places its mean, for velocities the root of its mean square, as a column's floor bears
  /// all of its weight. A step that was too long for the matrix at hand shows in what it did. Where steps lead back the pace begins anew
  /// (O'Donoghue & Candes 2015).
  SolveResult run(const SolveLimits& limits, Look now) const {
    SolveResult result;
    const double rows = static_cast<double>(std::max<std::size_t>(1, space.size()));
    float pace = 1;
    Ease ease;
    for (;;) {
      const double error_before = result.error;
      result.error = of_places ? now.wrong / rows : std::sqrt(now.wrong / rows);
      if ((result.iterations >= limits.least && result.error <= limits.error) || result.iterations >= limits.most) return result;
      const bool too_long = static_cast<double>(ease.next) * now.bend > 0.9 * now.length && now.length > 0;
      if (too_long) ease.next = static_cast<float>(0.8 * now.length / now.bend);
      if (too_long || has_guests()) now.back = aim(ease.next);
      // Guests' answers are not in the rows' own lengths, which tell what leads back.
      const bool guests_lead_back = has_guests() && result.iterations > 0 && result.error > error_before;
      if (too_long || guests_lead_back || now.back > 0) pace = 1;
      step(pace);
      push_by_pressure(space, dt);
      ease = {ease.next, std::min(ease.next, later_ease)};
      now = find_rates(ease);
      ++result.iterations;
    }
  }

  [[nodiscard]] float mean_pressure() const {
    const double sum = ordered_sum(space.size(), grain, 0.0, [&](Range range) {
      double part = 0;
      for (std::size_t i = range.begin; i < range.end; ++i) part += static_cast<double>(kappa[i]);
      return part;
    });
    return static_cast<float>(sum / static_cast<double>(space.size()));
  }
  /// What is kept and told of pressures is not below zero.
  void raise_pressures() const {
    const float lowest = *std::min_element(kappa.begin(), kappa.end());
    each([&](std::size_t i) { kappa[i] -= lowest; });
  }
  /// Pressures of the last substep are a good guess inside, and none where rows have come apart since. Returns a first look.
  [[nodiscard]] Look start() const {
    const float mean = brimful ? mean_pressure() : 0.0F;
    each([&](std::size_t i) {
      kappa[i] = bounded(kappa[i] - mean, least, most) * std::clamp(10 * (space.density[i].density - 0.88F), 0.0F, 1.0F);
      space.rows[i].w = kappa[i];
    });
    std::vector<Fit> parts(space.lists.chunks().size());
    const auto fit = [&](Range rows, std::size_t chunk) { parts[chunk] = fit_over(rows); };
    push_by_pressure(space, dt, ChunkEnd(fit));
    Fit all;
    for (const Fit& part : parts) all += part;
    if (all.gain < all.cost) scale(static_cast<float>(std::max(0.0, all.gain / all.cost)));
    begin_steps();
    return find_rates({});
  }
  /// A solve that was cut short must not add energy: on to the best multiple of its pressures.
  void shorten() const {
    Fit all = ordered_sum(space.size(), grain, Fit{}, [&](Range range) { return fit_over(range); });
    if (has_guests()) {
      const GuestAnswer::Work work = guests->work(space, kappa, static_cast<double>(dt));
      all += {work.gain, work.cost};
    }
    if (all.gain < all.cost) scale(static_cast<float>(std::max(0.0, all.gain / all.cost)));
  }
  /// Where the best multiple of the pressures at hand lies, exact along that ray where walls stand still: pressures of an impact that is over give
  /// nothing to the motion.
  [[nodiscard]] Fit fit_over(Range rows) const {
    const auto volume = static_cast<float>(space.scale.volume_m3());
    Fit sum;
    for (std::size_t begin = rows.begin; begin < rows.end; begin += block) {
      float gain[block] = {}, cost[block] = {};
      for (std::size_t i = begin, k = 0; i < std::min(begin + block, rows.end); ++i, ++k) {
        const Float4 &was = space.before[i], &is = space.motion[i];
        const float x = is.x - was.x, y = is.y - was.y, z = is.z - was.z, mass = volume / space.inverse_density[i];
        gain[k] = volume * (kappa[i] * asked(i)) - mass * (x * was.x + (y * was.y + z * was.z));
        cost[k] = mass * (x * x + (y * y + z * z));
        if (brimful) gain[k] -= volume * kappa[i] * dt * space.strain[i].spurious;
      }
      sum += {block_sum(gain), block_sum(cost)};
    }
    return sum;
  }
  void scale(float share) const {
    if (has_guests()) guests->scale(static_cast<double>(share));
    each([&](std::size_t i) {
      const Float4& was = space.before[i];
      Float4& is = space.motion[i];
      kappa[i] *= share;
      is.x = was.x + share * (is.x - was.x), is.y = was.y + share * (is.y - was.y), is.z = was.z + share * (is.z - was.z);
    });
    copy_to_images(space, space.motion);
  }
};

/// What rows are denser than rest on average where nothing is free: in a box that is filled to the brim, or periodic, a lattice has rest density, and
/// rows out of order are denser (Jensen: densities grow faster where rows come near than they fall where rows part). No motion could change that;
/// asked for, it would only heat the fluid.
Room room_of(const SphWorkspace& space) {
  const DensityTotals& all = space.totals;
  const double rows = static_cast<double>(std::max<std::size_t>(1, space.size())), above = std::clamp(all.above / rows, 0.0, most_unavoidable);
  if (space.brimful) return {0, static_cast<float>(above)};
  const double face = std::cbrt(rows) * std::cbrt(rows), shut = std::clamp((most_free - all.sparse / face) / (most_free - few_free), 0.0, 1.0);
  return {static_cast<float>(1 - shut), static_cast<float>(shut * above)};
}

/// Of rows that are denser than rest.
double mean_excess(const SphWorkspace& space, const Room& room) {
  const double rows = static_cast<double>(std::max<std::size_t>(1, space.size()));
  if (room.unavoidable == 0) return space.totals.over / rows;
  const double sum = ordered_sum(space.size(), grain, 0.0, [&](Range range) {
    double part = 0;
    for (std::size_t i = range.begin; i < range.end; ++i)
      part += static_cast<double>(std::max(0.0F, space.density[i].density - 1 - room.unavoidable));
    return part;
  });
  return sum / rows;
}

/// Velocities are now those before the solve; `motion` holds nothing until the first push.
void keep_before(SphWorkspace& space) {
  space.before.resize(space.motion.size());
  space.before.swap(space.motion);
  space.motion[space.size()] = space.before[space.size()];
}

}  // namespace

SolveResult keep_divergence(SphWorkspace& space, double dt, const SolveLimits& limits, GuestAnswer* guests) {
  keep_before(space);
  const Room room = room_of(space);
  const auto of = [](double x) { return static_cast<float>(x); };
  const float most = most_drift + recovery * std::max(0.0F, of(mean_excess(space, room)) - crushed);
  const float close = space.gravity.isZero() ? closing : closing_by_weight;
  const Drift drift{most, of(limits.spare), of(limits.part), close};
  const bool brimful = space.brimful && guests == nullptr && space.strain.size() == space.size() && space.size() > 0;
  const Solve solve{space, space.kappa, static_cast<float>(dt), false, guests, drift, room, brimful};
  if (guests != nullptr) guests->loosen(space.density, lattice_answer(space));
  const SolveResult result = solve.run(limits, solve.start());
  if (result.iterations >= limits.most) solve.shorten();
  if (brimful) solve.raise_pressures();
  if (guests != nullptr) guests->finish(space, space.kappa, dt);
  return result;
}

SolveResult keep_density(SphWorkspace& space, double dt, const SolveLimits& limits) {
  keep_before(space);
  space.change.assign(space.size(), 0);
  const Solve solve{space, space.change, static_cast<float>(dt), true, nullptr, {}, room_of(space)};
  solve.begin_steps();
  const SolveResult result = solve.run(limits, solve.look({}));
  if (result.iterations == 0) space.motion.assign(space.before.begin(), space.before.end());
  space.path = std::move(space.motion);
  space.motion = std::move(space.before);
  return result;
}

}  // namespace vw
