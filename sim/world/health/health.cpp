// Detection and explanation of non-finite values, explosive growth of energy and excessive substep counts.
#include "sim/world/health/health.h"

#include <cmath>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t health_grain = 4096;

/// Lower bound of the kinetic energy per mass [J/kg] that serves as the reference for growth. It corresponds to 1 m/s,
/// so that a body at rest may start to move.
constexpr double least_reference_jpkg = 0.5;

std::optional<std::int64_t> first_not_finite(const std::vector<Vec3>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!values[i].allFinite()) return static_cast<std::int64_t>(i);
  return std::nullopt;
}

std::int64_t fastest(const Elements& elements) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < elements.size(); ++i)
    if (elements.velocity[i].squaredNorm() > elements.velocity[best].squaredNorm()) best = i;
  return static_cast<std::int64_t>(best);
}

}  // namespace

std::string likely_cause(double substep_dt, double stable_dt) {
  if (substep_dt > stable_dt * (1 + 1e-9))
    return fmt::format(
        "the time step is likely too large for a stiffness or force: the substep is {:.3g} s, but the longest stable "
        "one is {:.3g} s",
        substep_dt, stable_dt);
  return fmt::format(
      "the cause is likely an extreme force, speed or parameter: the substep of {:.3g} s is short enough for the "
      "stiffness",
      substep_dt);
}

std::string Health::sentence() const {
  if (!failed) return {};
  std::string text = fmt::format("step {} ({:.6g} s): ", step, time);
  if (!system.empty()) text += system + ": ";
  if (issue.element >= 0) text += fmt::format("element {}{}{}: ", issue.element, place.empty() ? "" : " ", place);
  text += issue.what;
  if (!issue.why.empty()) text += "; " + issue.why;
  return text + "; the world stopped at the last good state";
}

MotionSum::Row MotionSum::operator()(const Elements& elements) {
  rows_.assign(chunk_count(elements.size(), health_grain), Row{});
  // The lambda captures only one pointer, so that std::function does not allocate memory.
  const struct Job {
    const Elements* elements;
    Row* rows;
  } job{&elements, rows_.data()};
  const Job* todo = &job;
  parallel_for(elements.size(), health_grain, [todo](Range range, std::size_t chunk) {
    const Elements& e = *todo->elements;
    Row row;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      row.kinetic_j += 0.5 * e.mass[i] * e.velocity[i].squaredNorm();
      row.mass += e.mass[i];
      row.position_sum += e.position[i].sum();
    }
    todo->rows[chunk] = row;
  });
  Row total;
  for (const Row& row : rows_) {
    total.kinetic_j += row.kinetic_j;
    total.mass += row.mass;
    total.position_sum += row.position_sum;
  }
  return total;
}

std::optional<HealthIssue> check_motion(const Elements& elements, const MotionSum::Row& before,
                                        const MotionSum::Row& after, double energy_limit, const SystemTiming& timing) {
  if (!std::isfinite(after.kinetic_j) || !std::isfinite(after.position_sum)) {
    if (const auto i = first_not_finite(elements.position))
      return HealthIssue{"position is not finite", *i, vw::likely_cause(timing.substep_dt, timing.stable_dt)};
    if (const auto i = first_not_finite(elements.velocity))
      return HealthIssue{"velocity is not finite", *i, vw::likely_cause(timing.substep_dt, timing.stable_dt)};
    return HealthIssue{"kinetic energy is not finite", fastest(elements),
                       vw::likely_cause(timing.substep_dt, timing.stable_dt)};
  }
  const double reference = std::max(before.kinetic_j, least_reference_jpkg * after.mass);
  if (after.kinetic_j <= energy_limit * reference) return std::nullopt;
  return HealthIssue{
      fmt::format("kinetic energy grew from {:.3g} J to {:.3g} J in one step", before.kinetic_j, after.kinetic_j),
      fastest(elements), vw::likely_cause(timing.substep_dt, timing.stable_dt)};
}

HealthIssue too_many_substeps(double dt, double stable_dt, std::int64_t limit, const StepBound& bound) {
  HealthIssue issue;
  if (!(stable_dt > 0)) {
    issue.what = fmt::format("the longest stable substep is {} s: expected a positive number", stable_dt);
    issue.why = "the cause is likely an extreme stiffness, mass or parameter";
    return issue;
  }
  issue.what = fmt::format("one step needs {:.0f} substeps, more than world.max_substeps = {}",
                           std::ceil(dt / stable_dt), limit);
  issue.why = fmt::format("{} limits substeps to {:.3g} s; raise world.max_substeps, or {}", bound.cause, stable_dt,
                          bound.remedy);
  return issue;
}

}  // namespace vw
