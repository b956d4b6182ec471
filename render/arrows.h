// Arrows for what elements have: which of them carry one, how long it is, what it looks like. Plain CPU data.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
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
  /// Quaternions x y z w of slender bodies along their own x axis, half as long as `places` says: their arrows begin at the skin, so that they do not
  /// hide a small body. Empty: arrows begin at the places.
  std::span<const glm::vec4> turns = {};
};
/// How long an arrow is, and its colour where its source has none.
struct ArrowLaw {
  VectorLength length = VectorLength::linear;
  float per_unit = 0;  ///< [m] for a value of 1; 0: fitted
  std::size_t limit = 3000;
  float reach = 1.4F;  ///< of a fitted arrow at the range's end, in sizes of an element or spacings
  float clamp = 0;     ///< no arrow is longer than so many of those; 0: no limit
  float range = 0;     ///< the range's end; 0: the 95th percentile of the values shown
  float decades = 2;   ///< of logarithmic lengths: they begin so far below the range's end
  VectorColor color = VectorColor::magnitude;
};
/// What a view says of all arrows; they are linear, and fitted.
[[nodiscard]] ArrowLaw law_of(const ViewParams& view);

/// Whether what has that unit is an axis of turning, which is drawn with two heads.
[[nodiscard]] bool is_axial(std::string_view unit);
/// Gives each arrow a second head behind the first, by an arrow more that is shorter by a head. `pixel`: width of a pixel per distance from the eye.
void add_second_heads(std::vector<Arrow>& arrows, const glm::vec3& eye, float pixel);

/// Keeps what must not flicker from frame to frame: the chosen elements of voxel bodies, cell sizes, the scale.
class ArrowField {
 public:
  /// Rebuilds arrows() for all sources. `pixel_m`: size of a pixel at the camera's target.
  void build(std::span<const ArrowSource> sources, const ArrowLaw& law, std::uint64_t epoch, double time_s, float pixel_m);
  void clear();
  /// Something else is shown from now on: choices and scales are made anew.
  void forget() {
    choices_.clear();
    scaled_ = false;
  }
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
  std::size_t fill_cells(const ArrowSource& source, float cell_m, std::size_t most);
  [[nodiscard]] float share_of(float value, const ArrowLaw& law) const;
  [[nodiscard]] float full_length(const ArrowLaw& law) const;
  [[nodiscard]] glm::vec3 color_of(const glm::vec3& value, float size, const ArrowLaw& law) const;
  void write_legend(std::span<const ArrowSource> sources, const ArrowLaw& law);
  void set_scale(std::span<const ArrowSource> sources, const ArrowLaw& law, double time_s);
  [[nodiscard]] float wanted_range(const ArrowLaw& law, float largest);
  void add(const ArrowSource& source, std::uint32_t i, const ArrowLaw& law);

  std::vector<Choice> choices_;
  std::vector<Arrow> arrows_;
  std::vector<std::uint64_t> cells_;    // hash table: cell keys ...
  std::vector<std::uint32_t> members_;  // ... and the element that stands for each
  std::vector<float> sizes_;
  VectorLegend legend_;
  float reference_ = 0, spacing_ = 0.01F;  ///< the range's end; what a fitted arrow there is long [m]
  double time_s_ = 0;
  bool scaled_ = false;
};

}  // namespace vw
