// Substep of particles: flight, and response to obstacles by the chosen scheme. Input: rows of particles, their loads,
// and colliders at the start and the end of the substep. Output: positions and velocities, which are overwritten, and
// counts of special cases. The functions are called on the simulation thread and use all threads.
//
// Several particles at once are processed in SIMD lanes. The lanes compute each particle's position after free flight
// and a lower bound of its distance to every obstacle. Particles that may touch an obstacle are processed one by one by
// advance() of scheme.h, except in simple contacts with a resting plane. Both code paths compute the step of a particle
// with the same operations, so that the result does not depend on the code path, on the number of threads or on the
// instruction set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/collision/contact/scheme.h"

namespace vw {

/// Arrays with one row per particle.
struct MotionRows {
  std::span<Vec3> position, velocity;
  std::span<const double> mass, radius;
  std::span<const double> drag_time;  ///< Drag time [s]. 0 means no drag. Empty if no particle has drag.
  std::span<const Vec3> wind;         ///< Wind at each particle [m/s]. Empty in still air.
  std::span<const Vec3> impulse;      ///< Impulses applied over the substep [N s]. Empty if there are none.
  /// Set to 1 if the particle touched an obstacle. Empty if contacts are not recorded.
  std::span<std::uint8_t> touched;
  std::span<Vec3> spin = {};  ///< Angular velocity [rad/s]. Empty if the particles do not spin.
};

/// Returns the first `count` rows of all arrays. Empty arrays stay empty.
[[nodiscard]] MotionRows first_rows(const MotionRows& rows, std::size_t count);

/// Rows of the particles that are born in the current world step: all rows from `first` on. At the start of a substep,
/// some of these particles may not be born yet.
struct NewbornRows {
  std::size_t first = 0;
  double time = 0;                   ///< Time at the start of the substep [s].
  std::span<const double> born;      ///< Birth times by row [s].
  std::span<const Vec3> birthplace;  ///< Birthplace of each particle from `first` on.
};

struct MotionInput {
  SchemeParams scheme;
  SurfaceMaterial surface;
  Vec3 gravity = Vec3::Zero();
  double dt = 0;
  std::span<const Collider> start, end;  ///< Colliders at the start and at the end of the substep.
};

/// Numbers of particles for which a special case occurred.
struct MotionCounts {
  std::uint64_t capped = 0;  ///< The scheme reached its iteration limit (StepOutcome::capped).
  /// The particle may have passed through an obstacle that is tested only at the end of the step.
  std::uint64_t fast = 0;
  std::uint64_t stiff = 0;  ///< The repulsion force at the particle's position requires shorter substeps.
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
  /// Advances the rows from `newborn.first` on. Call it after advance() for the rows before them. A particle that is
  /// born within the substep follows the exact path of gravity and drag after its birth, and responds to obstacles by
  /// the scheme `exact`, unless the scheme is `none`. A particle that is not born yet moves towards its birthplace.
  MotionCounts advance_newborn(const MotionInput& input, const MotionRows& rows, const NewbornRows& newborn);
  /// Advances all rows one by one without SIMD lanes. This function is the reference for tests and benchmarks.
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

  /// Returns the sum of partial(range) over chunks of rows. The order of summation is fixed, as in ordered_sum(), but
  /// the storage is reused.
  template <class F>
  [[nodiscard]] MotionCounts sum_over(std::size_t count, F partial);

  Barriers barriers_;
  std::vector<MotionCounts> chunk_counts_;
  std::vector<LaneBarrier> lanes_;
  std::vector<Standing> standing_;
  /// Result of the last distance query for each row. This cache is not part of the state, because results do not depend
  /// on it.
  std::vector<Clearance> clearance_;
};

}  // namespace vw
