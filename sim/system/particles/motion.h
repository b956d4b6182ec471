// The substep of particles: flight, and what schemes make of obstacles. In: rows of particles, what acts on them, colliders at both ends of the
// substep. Out: positions and velocities in place, and what is worth telling. Called on the simulation thread; works on all.
//
// What flies freely goes through vector lanes: a candidate and a distance that is never too large, against every obstacle. Who may touch something
// goes through advance() one by one. Both compute a free particle's step with the same operations, so no bit depends on who went which way, nor on
// threads or the instruction set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/collision/contact/scheme.h"

namespace vw {

/// One row a particle.
struct MotionRows {
  std::span<Vec3> position, velocity;
  std::span<const double> mass, radius;
  std::span<const double> drag_time;  ///< [s], 0 = none; empty: none has any
  std::span<const Vec3> wind;         ///< [m/s]; empty: still air
  std::span<const Vec3> impulse;      ///< [N s], given over the substep; empty: none
  std::span<std::uint8_t> touched;    ///< set to 1 where something was met; empty: not wanted
};

/// The first `count` rows.
[[nodiscard]] MotionRows first_rows(const MotionRows& rows, std::size_t count);

/// Those of the rows from `first` on that are born in this substep or after it.
struct NewbornRows {
  std::size_t first = 0;
  double time = 0;                   ///< of the substep's start [s]
  std::span<const double> born;      ///< by row
  std::span<const Vec3> birthplace;  ///< of each from `first` on
};

struct MotionInput {
  SchemeParams scheme;
  SurfaceMaterial surface;
  Vec3 gravity = Vec3::Zero();
  double dt = 0;
  std::span<const Collider> start, end;  ///< the same colliders at the substep's two ends
};

/// Numbers of particles.
struct MotionCounts {
  std::uint64_t capped = 0;  ///< a scheme's loop gave up: see StepOutcome
  std::uint64_t fast = 0;    ///< may have gone through something that only interference watches
  std::uint64_t stiff = 0;   ///< repulsion needs shorter steps where they were
  MotionCounts& operator+=(const MotionCounts& other) {
    capped += other.capped, fast += other.fast, stiff += other.stiff;
    return *this;
  }
};

struct LaneBarrier;
struct Clearance;

class Motion {
 public:
  Motion();
  ~Motion();
  Motion(Motion&&) noexcept;
  Motion& operator=(Motion&&) noexcept;

  /// One substep.
  MotionCounts advance(const MotionInput& input, const MotionRows& rows);
  /// The same for rows of which some are born meanwhile, after the one above for the rest of them. Who is born within the substep flies the exact
  /// path of gravity and drag for as long as it has lived, and meets obstacles by the scheme `exact` till then; who is not yet born comes to its
  /// birthplace.
  MotionCounts advance_newborn(const MotionInput& input, const MotionRows& rows, const NewbornRows& newborn);
  /// The same, one by one: what the lanes are tested and measured against.
  MotionCounts advance_plainly(const MotionInput& input, const MotionRows& rows);

 private:
  /// An obstacle that is data, where clearances were found against it.
  struct Standing {
    std::shared_ptr<const Geometry> geometry;
    Vec3 position;
    Quat orientation;
    bool two_sided;
  };
  [[nodiscard]] bool clearances_hold(std::size_t count);
  [[nodiscard]] bool clears(const MotionInput& in, const MotionRows& rows, std::size_t i, const FlightPlan& plan, const Load& load);

  /// Sum of partial(range) over chunks of rows: ordered_sum in storage that is reused.
  template <class F>
  [[nodiscard]] MotionCounts sum_over(std::size_t count, F partial);

  Barriers barriers_;
  std::vector<MotionCounts> chunk_counts_;
  std::vector<LaneBarrier> lanes_;
  std::vector<Standing> standing_;
  std::vector<Clearance> clearance_;  ///< by row; no state: results do not depend on it
};

}  // namespace vw
