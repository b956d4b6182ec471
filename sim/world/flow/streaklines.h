// Streaklines for display. Each streakline joins the markers that one seed point has released one after the other, like
// smoke from a nozzle or dye from a needle. The medium (air or a fluid) carries the markers. The resulting lines begin
// at the oldest marker and end at the seed point. Nothing here belongs to the state. The cost is bounded for any
// request.
#pragma once

#include <span>
#include <vector>

#include "sim/base/math.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// Medium that carries markers.
class CarryingMedium {
 public:
  virtual ~CarryingMedium() = default;
  /// Writes the velocity [m/s] at each position [m] at `time` [s] to `out`.
  virtual void velocity(std::span<const Vec3> place, double time, std::span<Vec3> out) = 0;
  /// Writes 1 for each position at which the medium exists at `time` [s], and 0 for all other positions.
  virtual void contains(std::span<const Vec3> place, double time, std::span<std::uint8_t> out) = 0;
};

class Streaklines {
 public:
  struct Request {
    std::span<const Vec3> seeds;
    double seconds = 1;      ///< age of the oldest markers [s]
    double reach_m = 0.01;   ///< largest distance that a marker moves in a step, unless there are too many steps
    double known_since = 0;  ///< earliest time for which the medium's velocity is known [s]
  };
  /// Advances the markers to `time` [s] and writes the lines. The markers are released again if the seeds or the age in
  /// the request have changed, if `time` is before the time of the last call, or if the time since the last call
  /// exceeds 2 * Request::seconds. A line is interrupted where a marker has left the medium and where adjacent markers
  /// have moved far apart.
  void trace(CarryingMedium& medium, const Request& request, double time, FieldLines& out);
  void forget() { seed_.clear(); }
  /// Returns the time at which the next marker is released [s].
  [[nodiscard]] double next_time() const { return time_ + step_; }

 private:
  void start(CarryingMedium& medium, double time);
  void release(CarryingMedium& medium);
  void look(CarryingMedium& medium);
  void carry(CarryingMedium& medium, double dt);
  void advance(CarryingMedium& medium);
  void write(CarryingMedium& medium, double time, FieldLines& out);
  [[nodiscard]] std::size_t slot(std::int64_t step) const { return static_cast<std::size_t>(step) % most_; }
  [[nodiscard]] std::size_t row_of(std::size_t seed, std::int64_t step) const { return seed * most_ + slot(step); }
  [[nodiscard]] std::int64_t oldest(double since) const;

  std::vector<Vec3> seed_;
  double seconds_ = 0, reach_m_ = 0;
  double time_ = 0, step_ = 0;  ///< time of the latest step, length of the next step [s]
  std::int64_t steps_ = 0;
  std::size_t most_ = 1;  ///< number of markers that are stored for each seed, one for each step
  // For each marker, at the index row_of(): position, speed at the latest step, and whether the medium still carries
  // it.
  std::vector<Vec3> place_;
  std::vector<float> speed_;
  std::vector<std::uint8_t> is_carried_;
  std::vector<double> step_time_;  ///< time of each stored step, by slot()
  // For the carried markers: rows, velocities at the latest step, and positions at the end of the next step.
  std::vector<std::uint32_t> active_;
  std::vector<Vec3> velocity_, end_, at_, slope_, sum_;
  std::vector<std::uint8_t> inside_;
};

/// Computes FieldLines::across from the vorticity [1/s] at each point. Along a line, the ribbon turns about the line at
/// half of the tangential vorticity, which is the rate at which the medium turns.
void twist_ribbons(std::span<const Vec3f> vorticity, FieldLines& lines);

/// Returns `count` positions at equal distances from one end of a line to the other. A single position lies in the
/// middle.
[[nodiscard]] std::vector<Vec3> rake_places(const Vec3& from, const Vec3& to, std::size_t count);

}  // namespace vw
