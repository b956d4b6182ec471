// The ways that elements of systems have gone of late: of an even selection, each fading towards its old end. Flows in: every snapshot that is drawn;
// flows out: points for the bands of air_lines.h. Alike for every renderer. Plain CPU data; no GL here.
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
  /// Takes the snapshot where it is later than the last one. An element that is chosen stays so while it is there; what is left of the way of one
  /// that is gone fades. Starts over at another epoch; where time has run back, what lay after it is forgotten.
  void note(const Snapshot& snapshot, const ViewParams& view);

  struct Scene {
    const Snapshot& newest;              ///< the last one that was noted
    const std::vector<Figure>& figures;  ///< of its systems, in their order
    const ViewParams& view;
    double time_s;  ///< of the picture; what was noted of later times is not drawn yet
    glm::vec3 eye;
    float pixel;  ///< width of a pixel per distance from the eye
  };
  void build(const Scene& scene);
  /// Points of one way after the other, the oldest first, and where each ends.
  [[nodiscard]] std::span<const LinePoint> points() const { return points_; }
  [[nodiscard]] std::span<const std::size_t> ends() const { return ends_; }
  /// What colours speeds have; no colours where there are none.
  [[nodiscard]] const Legend& legend() const { return legend_; }
  [[nodiscard]] std::size_t count() const { return tracks_.size(); }

 private:
  struct Point {
    Vec3f place, velocity;
    float after_s = 0;         ///< since start_s_
    std::uint32_t number = 0;  ///< of all samples
    bool is_apart = false;     ///< it crossed a periodic side on the way here
  };
  struct Track {
    std::size_t system = 0;
    std::uint32_t id = 0;
    std::int64_t row = -1;  ///< in the last snapshot; -1: gone
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
  std::vector<std::string> systems_, wanted_;  ///< names of the snapshot's; what the view asks for
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
