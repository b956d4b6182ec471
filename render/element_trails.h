// Trails: recent paths of an evenly distributed selection of elements, fading towards the old end. Input is every
// snapshot that is drawn or noted; output is a list of points for the bands of air_lines.h. The data are the same for
// every renderer. Plain CPU data; no GL here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "render/air_lines.h"
#include "render/figure.h"

namespace vw {

class ElementTrails {
 public:
  /// Records the snapshot if its time differs from that of the last one. A selected element stays selected as long as
  /// it exists; the trail of a removed element fades out. Starts over if the epoch changes. If time has gone back,
  /// points at later times are discarded.
  void note(const Snapshot& snapshot, const ViewParams& view);

  struct Scene {
    const Snapshot& newest;              ///< the snapshot noted last
    const std::vector<Figure>& figures;  ///< figures of its systems, in the same order
    const ViewParams& view;
    double time_s;  ///< time of the picture; points noted at later times are not drawn yet
    glm::vec3 eye;
    float pixel;  ///< width of a pixel per unit distance from the eye
  };
  void build(const Scene& scene);
  /// Points of all trails, one trail after the other, oldest point first; and the end index of each trail.
  [[nodiscard]] std::span<const LinePoint> points() const { return points_; }
  [[nodiscard]] std::span<const std::size_t> ends() const { return ends_; }
  /// Legend for colouring by speed; without colours if the trails are coloured otherwise.
  [[nodiscard]] const Legend& legend() const { return legend_; }
  [[nodiscard]] std::size_t count() const { return tracks_.size(); }

 private:
  struct Point {
    Vec3f place, velocity;
    float after_s = 0;         ///< time since start_s_ [s]
    std::uint32_t number = 0;  ///< running number of the sample, common to all tracks
    bool is_apart = false;     ///< the element crossed a periodic boundary since the previous point
  };
  struct Track {
    std::size_t system = 0;
    std::uint32_t id = 0;
    std::int64_t row = -1;  ///< row in the last snapshot; -1: the element no longer exists
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
  /// Names of the snapshot's systems, and the view's selection (trail_systems)
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
