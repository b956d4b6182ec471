// Arrows for what elements have: which of them carry one, how long it is, what it looks like. Plain CPU data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "render/figure.h"

namespace vw {

struct Arrow {
  glm::vec4 tail;   ///< [m]; w: colour bits
  glm::vec4 shift;  ///< from tail to tip [m]; w: opacity where something is in front, 0: as all have, less: none; bold above 0 and at -1
};

/// What arrows are drawn of: a value at each of some places.
struct ArrowSource {
  std::span<const glm::vec4> places;  ///< [m]; w: radius; negative: cut away
  std::span<const glm::vec3> values;
  std::span<const std::uint32_t> ids;
  std::uint64_t revision = 0;
  bool is_bound = false;            ///< elements keep their neighbours
  bool is_sparse = false;           ///< values of zero have no arrow and stand for nothing
  const glm::vec3* tint = nullptr;  ///< sRGB; none: by the value's size
  float through = 0;                ///< Arrow::shift's w
};
/// How long an arrow is.
struct ArrowLaw {
  VectorLength length = VectorLength::linear;
  float per_unit = 0;  ///< [m] for a value of 1; 0: fitted
  std::size_t limit = 3000;
  float reach = 1.4F;  ///< of a fitted arrow, in sizes of an element or spacings
};

/// Keeps what must not flicker from frame to frame: the chosen elements of voxel bodies, cell sizes, the scale.
class ArrowField {
 public:
  /// Rebuilds arrows() for all sources. `pixel_m`: size of a pixel at the camera's target.
  void build(std::span<const ArrowSource> sources, const ArrowLaw& law, std::uint64_t epoch, double time_s, float pixel_m);
  /// Velocities of all figures, where the view asks for them.
  void build(const std::vector<Figure>& figures, std::size_t count, const ViewParams& view, std::uint64_t epoch, double time_s, float pixel_m);
  void clear();
  [[nodiscard]] const std::vector<Arrow>& arrows() const { return arrows_; }
  [[nodiscard]] const VectorLegend& legend() const { return legend_; }

 private:
  struct Choice {
    std::uint64_t epoch = 0, revision = 0;
    std::size_t elements = 0, limit = 0;
    int level = 0;  ///< cell size 2^(level / 4)
    std::vector<std::uint32_t> chosen;
  };
  void choose(const ArrowSource& source, std::size_t limit, std::uint64_t epoch, Choice& choice);
  std::size_t fill_cells(const ArrowSource& source, float cell_m);
  [[nodiscard]] float length_of(float value, const ArrowLaw& law) const;
  void set_scale(std::span<const ArrowSource> sources, const ArrowLaw& law, double time_s);
  void add(const ArrowSource& source, std::uint32_t i, const ArrowLaw& law);

  std::vector<Choice> choices_;
  std::vector<Arrow> arrows_;
  std::vector<std::uint64_t> cells_;    // hash table: cell keys ...
  std::vector<std::uint32_t> members_;  // ... and the element that stands for each
  std::vector<float> sizes_;
  VectorLegend legend_;
  float reference_ = 0, spacing_ = 0.01F;
  double time_s_ = 0;
};

}  // namespace vw
