// Pressure solve as a linear complementarity problem (LCP). A pressure changes velocities by the transpose of the
// operator that measures their divergence (sweeps.h), so the matrix is symmetric. The solver is accelerated projected
// Jacobi iteration. The position solve starts from zero pressure. The velocity solve starts from the pressures of the
// last substep. If the velocity solve does not finish, it starts again from these pressures multiplied by one common
// factor. The factor minimises the objective of the LCP, so that this start adds no energy to the motion.
#include "sim/system/fluid/pressure/dfsph.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/pressure/pressure_push.h"
#include "sim/system/fluid/rows/row_images.h"

namespace vw {
namespace {

constexpr std::size_t dfsph_grain = 512;
/// Number of particles of a block. Each particle contributes one term in single precision, and block_sum() adds the
/// terms of a block.
constexpr std::size_t block_rows = 64;
/// Relaxation factors of the first Jacobi iteration and of later iterations. They multiply the inverse diagonal of the
/// pressure matrix. The largest eigenvalue of the Jacobi-scaled matrix is 2.6 (Wendland's kernel) or 2.8 (cubic spline)
/// in a lattice, and 3 to 4 in disorder.
constexpr float first_relaxation = 0.5F, later_relaxation = 0.4F;
/// Weights of the second momentum term of step(), relative to the first. The optimized gradient method has the larger
/// weight pace / (pace - 1), but steps here are longer than the method's theory allows. With a weight of 1, velocity
/// solves with bodies would take 1.5 times as many iterations. In the first step both terms are 0: a fluid at rest
/// takes one step per substep, and a longer step would make the fluid jitter.
constexpr float velocity_overstep = 0.7F, position_overstep = 0.9F;
/// `most_drift`: largest relative density error that the velocity solve corrects in a usual substep. It is large enough
/// to stop slow drift, and too small to accelerate particles visibly. If the mean density error exceeds
/// `crushed_density`, the limit grows by `recovery` times the difference. With a larger `recovery`, corrections of the
/// density errors that disorder causes would keep the fluid in a full box in motion.
constexpr float most_drift = 2e-3F, crushed_density = 5e-3F, recovery = 0.5F;
/// A particle with a relative density between 1 - `interior` and 1 counts as interior. In a usual substep the velocity
/// solve lets the density of an interior particle rise by the fraction `closing` of the difference to rest density.
/// Under gravity the fraction is `closing_by_weight`. With a larger fraction, particles would fall into the gaps that
/// other particles open, and the position solve would lift them out again. This jitter would sustain itself. Below 1 -
/// `interior` a particle belongs to spray or to the surface and may approach others freely until it reaches that
/// density.
constexpr float interior = 0.1F, closing = 0.1F, closing_by_weight = 0.02F;
/// Bounds of the common factor by which a solve scales the pressures at its end (SolveLimits::scales_at_end).
constexpr double least_factor = 0.5, most_factor = 2;
/// Detection of a free surface. The number of particles that lack neighbours is divided by the number of particles on
/// one face of a cube that has the same total number. A ratio below `few_free` means that there is no free surface. A
/// ratio above `most_free` means that there is one. `most_unavoidable` is the upper limit of FreeSurface::unavoidable.
constexpr double few_free = 0.08, most_free = 0.16, most_unavoidable = 0.03;

/// Returns the diagonal entry of the pressure matrix for an interior particle of the rest lattice [1/(Pa s^2)]. The
/// kernel gradients sum to zero there, so only their squares count.
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
  const double reach = scale.reach_m(),
               v = scale.volume_m3() * lattice_factor(scale.kernel) / (reach * reach * reach * reach);
  return static_cast<float>(v * v * squares * static_cast<double>(space.inverse_density[0]));
}

/// Sums a block pairwise, in a tree of additions. The additions of one level of the tree are independent of each other,
/// and the result does not depend on the register width.
double block_sum(float (&part)[block_rows]) {
  for (std::size_t half = block_rows / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) part[k] += part[k + half];
  return static_cast<double>(part[0]);
}

float bounded(float pressure, float least, float most) { return std::max(least, std::min(pressure, most)); }

/// Sums over all particles that one evaluation of the residual returns. s is the last pressure step, A the pressure
/// matrix, D its diagonal.
struct Reduction {
  /// Residual of the LCP in units of density: sum of absolute values (positions) or of squares (velocities).
  double residual = 0;
  double curvature = 0;  ///< Curvature along the last step: s . A s.
  double length = 0;     ///< Squared length of the last step: s . D s.
  double back = 0;       ///< Restart criterion: above 0 if the next step points against the last step.
  Reduction& operator+=(const Reduction& other) {
    residual += other.residual, curvature += other.curvature, length += other.length, back += other.back;
    return *this;
  }
};

/// Relaxation factors. `last` is the factor of the last step, by which the residual is scaled. `next` is the factor of
/// the next step.
struct RelaxationFactors {
  float last = first_relaxation, next = first_relaxation;
  float mean = 0;  ///< Mean density error of a full periodic box, subtracted because no motion can change it.
};

/// Objective of the LCP for the initial pressures multiplied by a common factor: coefficient `gain` of the linear term
/// and coefficient `cost` of the quadratic term. The optimal factor is gain / cost.
struct RayObjective {
  double gain = 0, cost = 0;
  RayObjective& operator+=(const RayObjective& other) {
    gain += other.gain, cost += other.cost;
    return *this;
  }
};

/// State of the free surface.
struct FreeSurface {
  /// Degree to which there is a free surface: 1 if there is one, 0 if there is none. Without a free surface, only
  /// solve_positions() corrects densities, because a velocity solve would accelerate or stop the fluid.
  float open = 1;
  float unavoidable = 0;  ///< Without a free surface: mean density error (density - 1) that disorder alone causes.
};

/// Part of the density error (density - 1) that the velocity solve corrects.
struct Drift {
  float most = most_drift, spare = 0;  ///< Errors up to `spare` are ignored. At most `most` of the rest is corrected.
  float share = 1;                     ///< Fraction of the usual correction, for shorter substeps.
  float closing = 0;                   ///< Fraction of the missing density that an interior particle may regain.
};

/// One pressure solve, for velocities or for positions: data and functions.
struct Solve {
  SphWorkspace& space;
  std::vector<float>& kappa;
  float dt;
  bool is_position_solve;
  BodyCoupling* guests = nullptr;
  Drift drift;
  FreeSurface free_surface;
  /// Whether the box is periodic along all axes, contains no guests and is completely filled. Pressures are then
  /// relative to their mean and may be negative.
  bool fully_periodic_full = false;

  /// Upper bound of the pressures. The bound only prevents infinite values. It is far above the pressure with which a
  /// single particle corrects a relative density error of 1, because deep water has higher pressures than that.
  float most = 4e3F / (dt * dt * lattice_answer(space));
  /// Lower bound of the pressures. Only full periodic boxes have negative pressures.
  float least = fully_periodic_full ? -most : 0.0F;

  /// Returns the source term: the part of a particle's relative density error (density - 1) that does not depend on the
  /// velocities.
  [[nodiscard]] float source_term(std::size_t i) const {
    const float now = space.density[i].density - 1 - free_surface.unavoidable;
    if (is_position_solve) return now;
    // The expressions have no branches, because the processor could not predict them.
    const float slowly = std::max(0.0F, std::min(now - drift.spare, drift.most)) +
                         drift.closing * std::max(-interior, std::min(now, 0.0F));
    return free_surface.open * (drift.share * slowly + std::min(now + interior, 0.0F));
  }
  /// Returns the predicted density error of a particle at the end of dt.
  [[nodiscard]] float excess(std::size_t i) const { return source_term(i) + dt * space.rate[i]; }
  [[nodiscard]] float answer(std::size_t i) const { return std::max(dt * dt * space.density[i].answer, 1e-20F); }
  [[nodiscard]] bool has_guests() const { return guests != nullptr && !guests->empty(); }

  template <class F>
  void each(F f) const {
    parallel_for(space.size(), dfsph_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) f(i);
    });
  }
  /// Evaluates the residual of a block of particles and writes the next pressures to space.steps.way. Inputs are copied
  /// to locals so that the loops vectorise.
  [[nodiscard]] Reduction reduce_block(Range rows, RelaxationFactors relaxation) const {
    float residual[block_rows] = {}, curvature[block_rows] = {}, length[block_rows] = {}, back[block_rows] = {};
    float *const excesses = &space.steps.excess[rows.begin], *const ways = &space.steps.way[rows.begin];
    const float *const pressures = &kappa[rows.begin], *const lasts = &space.steps.last[rows.begin];
    const float last_factor = relaxation.last, next_factor = relaxation.next, inverse_factor = 1 / relaxation.last,
                low = least, top = most;
    const std::size_t count = rows.end - rows.begin;
    float now[block_rows], own[block_rows];
    for (std::size_t k = 0; k < count; ++k) now[k] = excess(rows.begin + k), own[k] = answer(rows.begin + k);
    if (fully_periodic_full)
      for (std::size_t k = 0; k < count; ++k) now[k] -= dt * space.strain[rows.begin + k].spurious + relaxation.mean;
    for (std::size_t k = 0; k < count; ++k) {
      const float at = pressures[k], moved = ways[k], step = now[k] / own[k];
      curvature[k] = moved * (excesses[k] - now[k]);
      length[k] = moved * moved * own[k];
      residual[k] = (bounded(at + last_factor * step, low, top) - at) * own[k] * inverse_factor;
      const float next = bounded(at + next_factor * step, low, top);
      back[k] = (at - next) * (next - lasts[k]) * own[k];
      excesses[k] = now[k];
      ways[k] = next;
    }
    for (float& off : residual) off = is_position_solve ? std::abs(off) : off * off;
    return {block_sum(residual), block_sum(curvature), block_sum(length), block_sum(back)};
  }
  [[nodiscard]] Reduction reduce_rows(Range rows, RelaxationFactors relaxation) const {
    Reduction sum;
    for (std::size_t begin = rows.begin; begin < rows.end; begin += block_rows)
      sum += reduce_block({begin, std::min(begin + block_rows, rows.end)}, relaxation);
    return sum;
  }
  [[nodiscard]] Reduction reduce(RelaxationFactors relaxation) const {
    return ordered_sum(space.size(), dfsph_grain, Reduction{},
                       [&](Range range) { return reduce_rows(range, relaxation); });
  }
  /// Computes the density rates of the current velocities, then evaluates the residual.
  [[nodiscard]] Reduction find_rates(RelaxationFactors relaxation) const {
    if (guests != nullptr) {
      rate_sweep(space.input(), space.rate);
      guests->answer(kappa, static_cast<double>(dt), space.rate);
      Reduction all = reduce(relaxation);
      // Steps from BodyCoupling::correct() already account for the response of the guests (coupled bodies, guest.h), so
      // the guests' curvature must not shorten these steps.
      all.curvature -= guests->curvature();
      return all;
    }
    if (fully_periodic_full) {
      rate_sweep(space.input(), space.rate);
      return reduce({relaxation.last, relaxation.next, mean_error()});
    }
    std::vector<Reduction> parts(space.lists.chunks().size());
    const auto reduce_chunk = [&](Range rows, std::size_t chunk) { parts[chunk] = reduce_rows(rows, relaxation); };
    rate_sweep(space.input(), space.rate, ChunkEnd(reduce_chunk));
    Reduction all;
    for (const Reduction& part : parts) all += part;
    return all;
  }
  [[nodiscard]] float mean_error() const {
    const double sum = ordered_sum(space.size(), dfsph_grain, 0.0, [&](Range range) {
      double part = 0;
      for (std::size_t i = range.begin; i < range.end; ++i)
        part += static_cast<double>(excess(i) - dt * space.strain[i].spurious);
      return part;
    });
    return static_cast<float>(sum / static_cast<double>(space.size()));
  }
  /// Recomputes the next pressures with another relaxation factor or with the guests' response. Returns the restart
  /// criterion, which is above 0 if the step points against the last step.
  [[nodiscard]] double recompute_step(float relaxation) const {
    std::vector<float>& next = space.steps.way;
    each([&](std::size_t i) { next[i] = kappa[i] + relaxation * space.steps.excess[i] / answer(i); });
    if (has_guests()) {
      // Solves (diagonal / relaxation) step + 4 V J M^-1 J^T step = (density error) / dt^2, where J^T maps pressures to
      // loads on the guests, M is the guests' mass matrix, and V is the volume of a particle.
      space.change.resize(space.size());
      each([&](std::size_t i) {
        space.change[i] = space.density[i].answer > 0 ? relaxation / space.density[i].answer : 0;
      });
      guests->correct(kappa, space.change, most, next);
    }
    return ordered_sum(space.size(), dfsph_grain, 0.0, [&](Range range) {
      double back = 0;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        next[i] = bounded(next[i], least, most);
        back += static_cast<double>((kappa[i] - next[i]) * (next[i] - space.steps.last[i]) * answer(i));
      }
      return back;
    });
  }
  /// Applies the step with two momentum terms. Nesterov's term (1983) is along the difference of the last two results.
  /// The term of the optimized gradient method (Kim & Fessler 2016, "Optimized first-order methods for smooth convex
  /// minimization") is along the present step.
  void step(float& pace) const {
    const float next_pace = 0.5F * (1 + std::sqrt(1 + 4 * pace * pace)), further = (pace - 1) / next_pace,
                beyond = (is_position_solve ? position_overstep : velocity_overstep) * further;
    pace = next_pace;
    float *const at = kappa.data(), *const last = space.steps.last.data(), *const way = space.steps.way.data();
    if (has_guests()) {
      // correct() takes the bounds of the extrapolated pressures into account. Clamping alone would push light guests
      // away.
      each([&, further, beyond](std::size_t i) {
        last[i] = way[i] + further * (way[i] - last[i]) + beyond * (way[i] - at[i]);
      });
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
    parallel_for(space.size(), dfsph_grain, [&, further, beyond, low = least, top = most](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const float next = way[i], now = bounded(next + further * (next - last[i]) + beyond * (next - at[i]), low, top);
        last[i] = next;
        way[i] = now - at[i];
        at[i] = now;
      }
      for (std::size_t i = range.begin; i < range.end; ++i) space.rows[i].w = at[i];
    });
  }
  /// Resets the arrays of the iteration (space.steps) to the current pressures.
  void begin_steps() const {
    space.steps.resize(space.size());
    each([&](std::size_t i) { space.steps.excess[i] = space.steps.way[i] = 0, space.steps.last[i] = kappa[i]; });
  }
  /// Iterates until the error is below the tolerance. The error is the mean residual in the position solve. In the
  /// velocity solve it is the root mean square residual, in which large errors of few particles count more: the bottom
  /// particles of a column bear all of the column's weight. If the curvature shows that the last step was too long for
  /// this matrix, the relaxation factor is reduced. If a step points against the previous step, the momentum restarts
  /// (O'Donoghue & Candes 2015).
  SolveResult run(const SolveLimits& limits, Reduction now) const {
    SolveResult result;
    const double rows = static_cast<double>(std::max<std::size_t>(1, space.size()));
    float pace = 1;
    RelaxationFactors relaxation;
    for (;;) {
      const double error_before = result.error;
      result.error = is_position_solve ? now.residual / rows : std::sqrt(now.residual / rows);
      if ((result.iterations >= limits.least && result.error <= limits.error) || result.iterations >= limits.most)
        return result;
      const bool too_long = static_cast<double>(relaxation.next) * now.curvature > 0.9 * now.length && now.length > 0;
      if (too_long) relaxation.next = static_cast<float>(0.8 * now.length / now.curvature);
      if (too_long || has_guests()) now.back = recompute_step(relaxation.next);
      // The restart criterion uses the diagonal of the pressure matrix, which does not contain the guests' response.
      // With guests, the momentum therefore also restarts if the error grows.
      const bool guests_lead_back = has_guests() && result.iterations > 0 && result.error > error_before;
      if (too_long || guests_lead_back || now.back > 0) pace = 1;
      step(pace);
      push_by_pressure(space, dt);
      relaxation = {relaxation.next, std::min(relaxation.next, later_relaxation)};
      now = find_rates(relaxation);
      ++result.iterations;
    }
  }

  [[nodiscard]] float mean_pressure() const {
    const double sum = ordered_sum(space.size(), dfsph_grain, 0.0, [&](Range range) {
      double part = 0;
      for (std::size_t i = range.begin; i < range.end; ++i) part += static_cast<double>(kappa[i]);
      return part;
    });
    return static_cast<float>(sum / static_cast<double>(space.size()));
  }
  /// Shifts the pressures in a full periodic box so that no stored or displayed pressure is negative.
  void raise_pressures() const {
    const float lowest = *std::min_element(kappa.begin(), kappa.end());
    each([&](std::size_t i) { kappa[i] -= lowest; });
  }
  /// Prepares the pressures of the last substep as the start of the velocity solve (warm start). The pressures are kept
  /// where the relative density is 0.98 or more and fade to zero at 0.88, because old pressures are meaningless where
  /// particles have separated.
  void prepare_start() const {
    const float mean = fully_periodic_full ? mean_pressure() : 0.0F;
    space.steps.start.resize(space.size());
    each([&](std::size_t i) {
      space.steps.start[i] =
          bounded(kappa[i] - mean, least, most) * std::clamp(10 * (space.density[i].density - 0.88F), 0.0F, 1.0F);
    });
  }
  /// Sets the pressures to the pressures of prepare_start(). If `is_scaled` is true and their optimal factor is below
  /// 1, multiplies them by this factor. Returns the first evaluation of the residual.
  [[nodiscard]] Reduction start(bool is_scaled) const {
    each([&](std::size_t i) { space.rows[i].w = kappa[i] = space.steps.start[i]; });
    push_by_pressure(space, dt);
    begin_steps();
    const Reduction first = find_rates({});
    if (!is_scaled) return first;
    scale_to_optimum();
    begin_steps();
    return find_rates({});
  }
  /// Runs the velocity solve. The optimal factor of the old pressures is far below 1 where particles move past each
  /// other, because errors of short wavelength dominate the objective. A few iterations remove these errors, but many
  /// iterations would be needed to restore the pressures that carry the weight of the fluid. The solve therefore starts
  /// without the factor. If it does not finish, it starts again with the factor. Otherwise, unfinished solves would add
  /// energy in every substep. Solves in a full closed box, where walls can compress the fluid more and more, always
  /// start with the factor.
  [[nodiscard]] SolveResult run_velocities(const SolveLimits& limits) const {
    prepare_start();
    SolveResult result;
    for (const bool is_scaled : {false, true}) {
      if (!is_scaled && free_surface.open < 1) continue;
      const SolveResult next = run(limits, start(is_scaled));
      result = {result.iterations + next.iterations, next.error};
      if (next.iterations >= limits.most) continue;
      if (limits.scales_at_end && !fully_periodic_full) {
        const double factor = limits.walls_move ? factor_by_rates() : optimal_factor();
        scale(static_cast<float>(std::clamp(factor, least_factor, most_factor)));
        (void)find_rates({});
      }
      return result;
    }
    scale_to_optimum();
    return result;
  }
  /// Scales the pressures by their optimal factor if it is below 1, so that they add no energy. find_rates() must have
  /// been called.
  void scale_to_optimum() const {
    if (const double factor = optimal_factor(); factor < 1) scale(static_cast<float>(factor));
  }
  /// Returns the factor of the current pressures, at least 0, that minimises the objective of the LCP. It is 1 if there
  /// are no pressures.
  [[nodiscard]] double optimal_factor() const {
    RayObjective all =
        ordered_sum(space.size(), dfsph_grain, RayObjective{}, [&](Range range) { return fit_over(range); });
    if (has_guests()) {
      const BodyCoupling::Work work = guests->work(space, kappa, static_cast<double>(dt));
      all += {work.gain, work.cost};
    }
    return all.cost > 0 ? std::max(0.0, all.gain / all.cost) : 1;
  }
  /// Returns the optimal factor of the current pressures, as optimal_factor() does, but exactly also if walls move. The
  /// derivative of the objective with respect to the factor is minus the sum of pressure times predicted density error,
  /// which includes the motion of the walls. find_rates() must have been called.
  [[nodiscard]] double factor_by_rates() const {
    const double volume = space.scale.volume_m3();
    RayObjective all = ordered_sum(space.size(), dfsph_grain, RayObjective{}, [&](Range range) {
      RayObjective part;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const Vec3 change = xyz(space.motion[i]) - xyz(space.before[i]);
        part += {volume * static_cast<double>(kappa[i] * excess(i)),
                 volume / static_cast<double>(space.inverse_density[i]) * change.squaredNorm()};
      }
      return part;
    });
    if (has_guests()) all.cost += guests->work(space, kappa, static_cast<double>(dt)).cost;
    return all.cost > 0 ? std::max(0.0, 1 + all.gain / all.cost) : 1;
  }
  /// Returns the coefficients of RayObjective for the current pressures. They are exact if the walls stand still.
  /// Pressures left from a past impact add no energy if they are multiplied by the optimal factor.
  [[nodiscard]] RayObjective fit_over(Range rows) const {
    const auto volume = static_cast<float>(space.scale.volume_m3());
    RayObjective sum;
    for (std::size_t begin = rows.begin; begin < rows.end; begin += block_rows) {
      float gain[block_rows] = {}, cost[block_rows] = {};
      for (std::size_t i = begin, k = 0; i < std::min(begin + block_rows, rows.end); ++i, ++k) {
        const Float4 &was = space.before[i], &is = space.motion[i];
        const float x = is.x - was.x, y = is.y - was.y, z = is.z - was.z, mass = volume / space.inverse_density[i];
        gain[k] = volume * (kappa[i] * source_term(i)) - mass * (x * was.x + (y * was.y + z * was.z));
        cost[k] = mass * (x * x + (y * y + z * z));
        if (fully_periodic_full) gain[k] -= volume * kappa[i] * dt * space.strain[i].spurious;
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
      is.x = was.x + share * (is.x - was.x), is.y = was.y + share * (is.y - was.y),
      is.z = was.z + share * (is.z - was.z);
    });
    copy_to_images(space, space.motion);
  }
};

/// Estimates whether there is a free surface and, if there is none, the mean density error (density - 1). In a box that
/// is full or periodic, a lattice has rest density and disordered particles are denser on average (Jensen's inequality:
/// density grows faster with approach than it falls with separation). No motion can remove this density error. An
/// attempt would only add disordered motion.
FreeSurface free_surface_of(const SphWorkspace& space) {
  const DensityTotals& all = space.totals;
  const double rows = static_cast<double>(std::max<std::size_t>(1, space.size())),
               above = std::clamp(all.above / rows, 0.0, most_unavoidable);
  if (space.fully_periodic_full) return {0, static_cast<float>(above)};
  const double face = elementary::cbrt(rows) * elementary::cbrt(rows),
               shut = std::clamp((most_free - all.sparse / face) / (most_free - few_free), 0.0, 1.0);
  return {static_cast<float>(1 - shut), static_cast<float>(shut * above)};
}

/// Returns the mean over all particles of max(0, density - 1 - unavoidable), the density error that motion can remove.
double mean_excess(const SphWorkspace& space, const FreeSurface& free_surface) {
  const double rows = static_cast<double>(std::max<std::size_t>(1, space.size()));
  if (free_surface.unavoidable == 0) return space.totals.over / rows;
  const double sum = ordered_sum(space.size(), dfsph_grain, 0.0, [&](Range range) {
    double part = 0;
    for (std::size_t i = range.begin; i < range.end; ++i)
      part += static_cast<double>(std::max(0.0F, space.density[i].density - 1 - free_surface.unavoidable));
    return part;
  });
  return sum / rows;
}

/// Moves the velocities from space.motion to space.before. Until the first pressure step, space.motion has no valid
/// fluid entries.
void keep_before(SphWorkspace& space) {
  space.before.resize(space.motion.size());
  space.before.swap(space.motion);
  space.motion[space.size()] = space.before[space.size()];
}

}  // namespace

SolveResult solve_velocities(SphWorkspace& space, double dt, const SolveLimits& limits, BodyCoupling* guests) {
  keep_before(space);
  const FreeSurface free_surface = free_surface_of(space);
  const auto of = [](double x) { return static_cast<float>(x); };
  const float most = most_drift + recovery * std::max(0.0F, of(mean_excess(space, free_surface)) - crushed_density);
  const float close = space.gravity.isZero() ? closing : closing_by_weight;
  const Drift drift{most, of(limits.spare), of(limits.part), close};
  const bool fully_periodic_full =
      space.fully_periodic_full && guests == nullptr && space.strain.size() == space.size() && space.size() > 0;
  const Solve solve{.space = space,
                    .kappa = space.kappa,
                    .dt = static_cast<float>(dt),
                    .is_position_solve = false,
                    .guests = guests,
                    .drift = drift,
                    .free_surface = free_surface,
                    .fully_periodic_full = fully_periodic_full};
  if (guests != nullptr) guests->soften_trapped(space.density, lattice_answer(space));
  const SolveResult result = solve.run_velocities(limits);
  if (fully_periodic_full) solve.raise_pressures();
  if (guests != nullptr) guests->finish(space, space.kappa, dt);
  return result;
}

SolveResult solve_positions(SphWorkspace& space, double dt, const SolveLimits& limits) {
  keep_before(space);
  space.change.assign(space.size(), 0);
  const Solve solve{.space = space,
                    .kappa = space.change,
                    .dt = static_cast<float>(dt),
                    .is_position_solve = true,
                    .drift = {},
                    .free_surface = free_surface_of(space)};
  solve.begin_steps();
  const SolveResult result = solve.run(limits, solve.reduce({}));
  if (result.iterations == 0) space.motion.assign(space.before.begin(), space.before.end());
  space.path = std::move(space.motion);
  space.motion = std::move(space.before);
  return result;
}

}  // namespace vw
