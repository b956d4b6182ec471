// Lines through the air, for pictures: along the velocity as it stands (streamlines), and where markers went that the air carries (pathlines).
// In: fields, what stands in the air, a box. Out: points with the speed there. Nothing of it is state; the work is bounded whatever is asked.
#pragma once

#include <string_view>
#include <vector>

#include "sim/field/field.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

using Box3 = Eigen::AlignedBox3d;

/// The air of one field (or of all: an empty name) in a box.
struct Air {
  const FieldSet& fields;
  std::string_view name;
  const Obstacles* obstacles = nullptr;  ///< null: none
  Box3 box;                              ///< [m]
};

/// Place `index` of a sequence that fills the box evenly however far it is followed.
[[nodiscard]] Vec3 even_place(const Box3& box, std::uint64_t index);
/// How far the nearest obstacle is from each position [m], negative inside; `reach` where there is none within it.
void clearance(const Air& air, std::span<const Vec3> position, double time, double reach, std::vector<double>& out);

/// Streamlines, from evenly spread seeds upstream and downstream for half of `length` [m] each. A line ends at the box's border, at an obstacle,
/// where the air stands still, or with its share of the work.
class Streamlines {
 public:
  void trace(const Air& air, double time, std::size_t count, double length, FieldLines& out);

 private:
  /// The end of half a line.
  struct Tip {
    Vec3 place = Vec3::Zero(), direction = Vec3::Zero();
    double speed = 0, clear = 0, step = 0, left = 0;  ///< [m/s], to the nearest obstacle, of the next step, still to go [m]
    double sign = 1;
    std::uint32_t points = 0;
    bool alive = true;
  };
  void seed(const Air& air, double time, std::size_t count, double length);
  void step(const Air& air, double time);
  void look(const Air& air, double time, std::vector<Vec3>& direction, std::vector<double>& speed);
  void go_on(const Air& air, std::size_t row, Tip& tip);
  void add(std::size_t tip, const Vec3& place, double speed);
  void join(FieldLines& out) const;

  std::vector<Tip> tips_;  ///< two a line
  std::vector<std::uint32_t> active_;
  std::vector<Vec3> place_, velocity_, k2_, k3_, k4_;
  std::vector<double> speed_, clear_;
  std::vector<Vec3f> point_;  ///< `most_` a tip
  std::vector<float> point_speed_;
  std::uint32_t most_ = 0;
  double shortest_ = 0, longest_ = 0, error_ = 0, still_ = 0;
};

/// Pathlines: the last `seconds` of the ways of markers, which are born evenly in the box, end where they leave it, meet an obstacle or are old, and
/// are born anew when their way has faded. Markers move in steps of their own, so it does not matter when pictures are asked for. Line i is marker
/// i's, and may have no point.
class Pathlines {
 public:
  /// Carries the markers on to `time`; starts anew where that lies before or long after the last, or something else is asked for.
  void trace(const Air& air, double time, std::size_t count, double seconds, FieldLines& out);
  void forget() { marker_.clear(); }

 private:
  struct Marker {
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();  ///< at the latest step
    double clear = 0;                                    ///< to the nearest obstacle [m]
    double end_time = 0;                                 ///< when it is old [s]
    std::int64_t first = 0, last = 0;                    ///< steps of its way
    std::uint64_t births = 0;
    bool under_way = false;
  };
  void start(const Air& air, double time);
  void bear(const Air& air);
  void look(const Air& air);
  void advance(const Air& air);
  /// Runge-Kutta 4 of all markers under way (active_) over dt: places into end_, distances to obstacles into clear_.
  void carry(const Air& air, double dt);
  void keep(std::size_t marker, const Vec3& place);
  void write(const Air& air, double time, FieldLines& out);
  void write_way(std::size_t marker, double since, FieldLines& out) const;
  [[nodiscard]] std::size_t slot(std::int64_t step) const { return static_cast<std::size_t>(step) % most_; }

  std::string name_;
  double seconds_ = 0, time_ = 0, step_ = 0;  ///< of the latest step; to the next one
  std::int64_t steps_ = 0;
  std::size_t most_ = 1;  ///< steps that are kept
  std::vector<Marker> marker_;
  std::vector<Vec3f> point_;  ///< `most_` a marker, by slot
  std::vector<float> point_speed_;
  std::vector<double> step_time_;
  std::vector<std::uint32_t> active_, born_;
  std::vector<Vec3> place_, velocity_, sum_, end_;
  std::vector<double> clear_;
};

}  // namespace vw
