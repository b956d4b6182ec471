// Lines through the air for display: streamlines follow the instantaneous velocity, pathlines follow markers carried by
// the air. The inputs are fields, obstacles and a box. The results are points with the speed at each point. Nothing
// here belongs to the state. The cost is bounded for any request.
#pragma once

#include <string_view>
#include <vector>

#include "sim/field/field.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

using Box3 = Eigen::AlignedBox3d;

/// Region of the air in which lines are integrated. The velocity is that of the field `name` or, if `name` is empty, of
/// the sum of all fields.
struct Air {
  const FieldSet& fields;
  std::string_view name;
  const Obstacles* obstacles = nullptr;  ///< obstacles in the air; null means none
  Box3 box;                              ///< region in which lines are drawn; they end at its surface [m]
};

/// Returns element `index` of a low-discrepancy sequence. The first n elements fill the box evenly for any n.
[[nodiscard]] Vec3 even_place(const Box3& box, std::uint64_t index);
/// Computes the signed distance [m] from each position to the nearest obstacle, limited to `reach` [m]. The distance is
/// negative inside an obstacle.
void clearance(const Air& air, std::span<const Vec3> position, double time, double reach, std::vector<double>& out);

/// Streamlines from evenly distributed seed points, each integrated upstream and downstream by half of `length` [m]. A
/// line ends at the box's border, at an obstacle, at a stagnation point, or at its largest number of points.
class Streamlines {
 public:
  void trace(const Air& air, double time, std::size_t count, double length, FieldLines& out);
  /// Computes streamlines from the given seed points, which must lie inside the box.
  void trace(const Air& air, double time, std::span<const Vec3> seeds, double length, FieldLines& out);

 private:
  /// The growing end of one half of a line.
  struct Tip {
    Vec3 place = Vec3::Zero(), direction = Vec3::Zero();
    /// Speed [m/s]; distance to the nearest obstacle, length of the next step, and arc length still to integrate [m].
    double speed = 0, clear = 0, step = 0, left = 0;
    double sign = 1;
    std::uint32_t points = 0;
    bool alive = true;
  };
  void seed(const Air& air, double time, std::span<const Vec3> seeds, double length);
  void step(const Air& air, double time);
  void look(const Air& air, double time, std::vector<Vec3>& direction, std::vector<double>& speed);
  void go_on(const Air& air, std::size_t row, Tip& tip);
  void add(std::size_t tip, const Vec3& place, double speed);
  void join(FieldLines& out) const;

  std::vector<Tip> tips_;  ///< two tips for each line, upstream and downstream
  std::vector<std::uint32_t> active_;
  std::vector<Vec3> place_, velocity_, k2_, k3_, k4_;
  std::vector<double> speed_, clear_;
  std::vector<Vec3f> point_;  ///< points of the lines, with space for `most_` points of each tip
  std::vector<float> point_speed_;
  std::uint32_t most_ = 0;
  double shortest_ = 0, longest_ = 0, error_ = 0, still_ = 0;
};

/// Pathlines: the paths of markers over the last `seconds`. Markers are released evenly in the box. A marker ends when
/// it leaves the box, hits an obstacle or reaches its age limit. When its path has faded, it is released again
/// elsewhere. Markers have their own time steps, so their paths do not depend on when snapshots are requested. Line i
/// is the path of marker i and may have no points.
class Pathlines {
 public:
  /// Advances the markers to `time` [s]. All markers are released again in three cases: `time` is before the time of
  /// the last call, the time since the last call exceeds 2 * `seconds`, or the field, `count` or `seconds` has changed.
  void trace(const Air& air, double time, std::size_t count, double seconds, FieldLines& out);
  void forget() { marker_.clear(); }

 private:
  struct Marker {
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();  ///< at the latest step
    double clear = 0;                                    ///< distance to the nearest obstacle [m]
    double end_time = 0;                                 ///< time at which the marker reaches its age limit [s]
    std::int64_t first = 0, last = 0;                    ///< numbers of the first and last step of the path
    std::uint64_t births = 0;
    bool under_way = false;
  };
  void start(const Air& air, double time);
  void bear(const Air& air);
  void look(const Air& air);
  void advance(const Air& air);
  /// Advances all active markers (active_) by dt with the classical fourth-order Runge-Kutta method. Writes the new
  /// positions to end_ and their distances to the nearest obstacle to clear_.
  void carry(const Air& air, double dt);
  void keep(std::size_t marker, const Vec3& place);
  void write(const Air& air, double time, FieldLines& out);
  void write_way(std::size_t marker, double since, FieldLines& out) const;
  [[nodiscard]] std::size_t slot(std::int64_t step) const { return static_cast<std::size_t>(step) % most_; }

  std::string name_;
  double seconds_ = 0, time_ = 0, step_ = 0;  ///< span of a path, time of the latest step, length of the next step [s]
  std::int64_t steps_ = 0;
  std::size_t most_ = 1;  ///< number of steps that are stored for each marker
  std::vector<Marker> marker_;
  std::vector<Vec3f> point_;  ///< positions at the stored steps: `most_` for each marker, at the index slot(step)
  std::vector<float> point_speed_;
  std::vector<double> step_time_;
  std::vector<std::uint32_t> active_, born_;
  std::vector<Vec3> place_, velocity_, sum_, end_;
  std::vector<double> clear_;
};

}  // namespace vw
