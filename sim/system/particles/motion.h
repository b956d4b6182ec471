// Substep of particles: flight, and response to obstacles by the chosen scheme. Input: rows of particles, the loads on
// them, colliders at both ends of the substep. Output: positions and velocities in place, and counts of special cases.
// Called on the simulation thread; uses all threads.
//
// Free particles are processed in vector lanes: a candidate position, and a lower bound of the distance to every
// obstacle. Particles that may touch something go through advance() one by one. Both paths compute the step of a free
// particle with the same operations, so the result does not depend on the path, on the number of threads or on the
// instruction set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/collision/contact/scheme.h"

namespace vw {

/// One row per particle.
struct MotionRows {
  std::span<Vec3> position, velocity;
  std::span<const double> mass, radius;
  std::span<const double> drag_time;  ///< [s], 0: no drag; empty: no particle has drag.
  std::span<const Vec3> wind;         ///< Wind at each particle [m/s]; empty: still air.
  std::span<const Vec3> impulse;      ///< Impulses applied over the substep [N s]; empty: none.
  std::span<std::uint8_t> touched;    ///< Set to 1 if the particle met an obstacle; empty: not recorded.
};

/// The first `count` rows.
[[nodiscard]] MotionRows first_rows(const MotionRows& rows, std::size_t count);

/// The rows from `first` on, whose particles are born within this substep or after it.
struct NewbornRows {
  std::size_t first = 0;
  double time = 0;                   ///< At the start of the substep [s].
  std::span<const double> born;      ///< Birth times by row [s].
  std::span<const Vec3> birthplace;  ///< Birthplace of each particle from `first` on.
};

struct MotionInput {
  SchemeParams scheme;
  SurfaceMaterial surface;
  Vec3 gravity = Vec3::Zero();
  double dt = 0;
  std::span<const Collider> start, end;  ///< The same colliders at the start and the end of the substep.
};

/// Numbers of particles.
struct MotionCounts {
  std::uint64_t capped = 0;  ///< The scheme reached its iteration limit, see StepOutcome.
  std::uint64_t fast = 0;    ///< May have passed through an obstacle that is only tested for interference.
  std::uint64_t stiff = 0;   ///< The repulsion force would have needed shorter substeps at this position.
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

  /// Advances all rows by one substep.
  MotionCounts advance(const MotionInput& input, const MotionRows& rows);
  /// Advances the rows from `newborn.first` on; call it after `advance` for the rows before them. A particle that is
  /// born within the substep follows the exact path of gravity and drag from its birth on, and responds to obstacles by
  /// the scheme `exact`. A particle that is not born yet moves towards its birthplace.
  MotionCounts advance_newborn(const MotionInput& input, const MotionRows& rows, const NewbornRows& newborn);
  /// Advances all rows one by one; the reference for tests and benchmarks of the vector lanes.
  MotionCounts advance_plainly(const MotionInput& input, const MotionRows& rows);

 private:
  /// An obstacle given by data (mesh, grid), in the pose for which clearances were computed.
  struct Standing {
    std::shared_ptr<const Geometry> geometry;
    Vec3 position;
    Quat orientation;
    bool two_sided;
  };
  [[nodiscard]] bool clearances_hold(std::size_t count);
  [[nodiscard]] bool clears(const MotionInput& in, const MotionRows& rows, std::size_t i, const FlightPlan& plan,
                            const Load& load);

  /// Sum of partial(range) over chunks of rows, as ordered_sum computes it, but in reused storage.
  template <class F>
  [[nodiscard]] MotionCounts sum_over(std::size_t count, F partial);

  Barriers barriers_;
  std::vector<MotionCounts> chunk_counts_;
  std::vector<LaneBarrier> lanes_;
  std::vector<Standing> standing_;
  std::vector<Clearance> clearance_;  ///< By row. Not state, because results do not depend on it.
};

}  // namespace vw
