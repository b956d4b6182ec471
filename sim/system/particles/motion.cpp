#include "sim/system/particles/motion.h"

#include "sim/base/parallel.h"

namespace vw {
namespace {

constexpr std::size_t grain = 2048;

/// One row through its step.
struct OneByOne {
  const MotionInput& in;
  const MotionRows& rows;
  const Barriers& barriers;
  FlightPlan plan;  ///< of the drag time of the row before

  OneByOne(const MotionInput& input, const MotionRows& all, const Barriers& barriers_of_step)
      : in(input), rows(all), barriers(barriers_of_step), plan(make_flight_plan(in.scheme, in.gravity, 0, in.dt)) {}

  void step(std::size_t i, MotionCounts& counts) {
    const double drag_time = rows.drag_time.empty() ? 0 : rows.drag_time[i];
    if (drag_time != plan.drag_time_s) plan = make_flight_plan(in.scheme, in.gravity, drag_time, in.dt);
    Load load;
    if (!rows.wind.empty()) load.wind = rows.wind[i];
    if (!rows.impulse.empty()) load.kick = rows.impulse[i] / rows.mass[i];
    const StepOutcome out = vw::advance(in.scheme, {rows.position[i], rows.velocity[i], rows.radius[i], rows.mass[i]}, plan, load, barriers);
    rows.position[i] = out.x;
    rows.velocity[i] = out.v;
    if (out.touched && !rows.touched.empty()) rows.touched[i] = 1;
    counts.capped += out.capped ? 1 : 0;
    counts.fast += out.fast ? 1 : 0;
    counts.stiff += out.stiff ? 1 : 0;
  }
};

}  // namespace

MotionCounts Motion::advance_plainly(const MotionInput& input, const MotionRows& rows) {
  barriers_.assign(input.start, input.end, input.surface, input.scheme.detection);
  return ordered_sum(rows.position.size(), grain, MotionCounts{}, [&](Range range) {
    OneByOne one(input, rows, barriers_);
    MotionCounts counts;
    for (std::size_t i = range.begin; i < range.end; ++i) one.step(i, counts);
    return counts;
  });
}

MotionCounts Motion::advance(const MotionInput& input, const MotionRows& rows) { return advance_plainly(input, rows); }

}  // namespace vw
