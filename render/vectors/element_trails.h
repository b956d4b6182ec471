// Trails: recent paths of a pseudo-random selection of elements, fading towards their old ends. The input is every
// snapshot that is drawn or recorded. The output is a list of points for the bands of air_lines.h. All renderers use
// the same data. This class contains CPU data only, no GL objects.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "render/air/air_lines.h"
#include "render/labels/figure.h"

namespace vw {

class ElementTrails {
 public:
  /// Updates the selection of elements, and adds a point to each trail if the sampling interval has passed since the
  /// last point. The interval is trail_s divided by the number of points per trail. A selected element stays selected
  /// as long as it exists and the view selects it. The trail of a removed element fades out. If the epoch or the
  /// systems have changed, or if the view shows no trails, all trails are discarded. If time has gone back, points at
  /// later times are discarded.
  void note(const Snapshot& snapshot, const ViewParams& view);

  struct Scene {
    const Snapshot& newest;              ///< snapshot that was recorded last
    const std::vector<Figure>& figures;  ///< figures of the systems of `newest`, in the same order
    const ViewParams& view;
    double time_s;  ///< time of the picture; points with a later time are not drawn
    glm::vec3 eye;
    float pixel;  ///< width of a pixel per unit distance from the eye
  };
  /// Builds the points of all trails of systems that are shown, and the legend.
  void build(const Scene& scene);
  /// Points of all trails, one trail after the other, each beginning with its oldest point.
  [[nodiscard]] std::span<const LinePoint> points() const { return points_; }
  /// End index in points() of each trail.
  [[nodiscard]] std::span<const std::size_t> ends() const { return ends_; }
  /// Legend if trails are coloured by speed. Otherwise the legend has no colours.
  [[nodiscard]] const Legend& legend() const { return legend_; }
  [[nodiscard]] std::size_t count() const { return tracks_.size(); }

 private:
  struct Point {
    Vec3f place, velocity;
    float after_s = 0;         ///< time since start_s_ [s]
    std::uint32_t number = 0;  ///< index of the sample, counted over all samples since the start
    bool is_apart = false;  ///< whether the element crossed a periodic boundary between the previous point and this one
  };
  struct Track {
    std::size_t system = 0;
    std::uint32_t id = 0;
    std::int64_t row = -1;  ///< row in the last recorded snapshot; -1 if the element no longer exists
    std::vector<Point> points;
  };
  void find_rows(const Snapshot& snapshot);
  void choose(const Snapshot& snapshot, const ViewParams& view);
  void forget(float from_s, float until_s);
  void add_point(Track& track, const SystemSnapshot& system, float now);
  [[nodiscard]] static std::uint32_t stride_of(const Scene& scene, const Track& track);
  void add_way(const Scene& scene, const Track& track, const ValueRange& range, float now);
  [[nodiscard]] ValueRange speeds(double time_s, float now);

  std::vector<Track> tracks_;
  /// Names of the systems in the snapshot, and the systems that the view selects (trail_systems).
  std::vector<std::string> systems_, wanted_;
  std::size_t limit_ = 0;
  std::uint64_t epoch_ = 0;
  std::uint32_t samples_ = 0;
  double start_s_ = 0, last_s_ = -1, sampled_s_ = 0;
  std::vector<LinePoint> points_, way_;
  std::vector<std::size_t> ends_;
  std::vector<float> values_, scratch_;
  SmoothRange range_;
  Legend legend_;
};

}  // namespace vw
