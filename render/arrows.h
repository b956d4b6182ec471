// The velocity overlay: which elements carry an arrow, how long it is, what it looks like. Plain CPU data.
#pragma once

#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

#include "render/figure.h"

namespace vw {

struct Arrow {
  glm::vec4 tail;   ///< [m]; w: colour bits
  glm::vec4 shift;  ///< from tail to tip [m]
};

/// Keeps what must not flicker from frame to frame: the chosen elements of voxel bodies, cell sizes, the scale.
class ArrowField {
 public:
  /// Rebuilds arrows() for all figures. `pixel_m`: size of a pixel at the camera's target.
  void build(const std::vector<Figure>& figures, std::size_t count, const ViewParams& view, std::uint64_t epoch, double time_s, float pixel_m);
  [[nodiscard]] const std::vector<Arrow>& arrows() const { return arrows_; }
  [[nodiscard]] const VectorLegend& legend() const { return legend_; }
  [[nodiscard]] float reference_speed() const { return reference_; }

 private:
  struct Choice {
    std::uint64_t epoch = 0, revision = 0;
    std::size_t elements = 0, limit = 0;
    int level = 0;  ///< cell size 2^(level / 4)
    std::vector<std::uint32_t> chosen;
  };
  void choose(const Figure& figure, std::size_t limit, std::uint64_t epoch, Choice& choice);
  std::size_t fill_cells(const Figure& figure, float cell_m);
  [[nodiscard]] float length_of(float speed, const ViewParams& view) const;
  void set_scale(const std::vector<Figure>& figures, std::size_t count, const ViewParams& view, double time_s);

  std::vector<Choice> choices_;
  std::vector<Arrow> arrows_;
  std::vector<std::uint64_t> cells_;    // hash table: cell keys ...
  std::vector<std::uint32_t> members_;  // ... and the element that stands for each
  std::vector<float> speeds_;
  VectorLegend legend_;
  float reference_ = 0, spacing_ = 0.01F;
  double time_s_ = 0;
};

}  // namespace vw
