// Arrows for vectors of elements: selects the elements that get an arrow, and computes the length and colour of each
// arrow. This class contains CPU data only.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "render/labels/figure.h"

namespace vw {

struct Arrow {
  glm::vec4 tail;  ///< start point [m]; w: colour as packed sRGB bytes
  /// xyz: vector from tail to tip [m]. w: opacity of the parts behind other objects. If w is 0, the common opacity
  /// applies. If w is negative, hidden parts are not drawn. Arrows with w > 0 or w <= -1 are bold.
  glm::vec4 shift;
};

/// Input for arrows: one vector value at each of a set of places.
struct ArrowSource {
  /// Positions [m]. w: radius of the element, negative if a cut plane hides the element.
  std::span<const glm::vec4> places;
  std::span<const glm::vec3> values;
  std::span<const std::uint32_t> ids;
  std::uint64_t revision = 0;
  bool is_bound = false;            ///< whether elements keep their neighbours (voxel bodies)
  bool is_sparse = false;           ///< whether elements with a zero value get no arrow and are not counted
  const glm::vec3* tint = nullptr;  ///< sRGB; null if magnitude or direction determines the colour
  float through = 0;                ///< value of Arrow::shift.w for all arrows of this source
  /// Orientations (quaternions x y z w) of slender bodies whose long axis is the local x axis. For these bodies, the
  /// radius in `places` is the half length. Arrows begin at the surface of the body, so that they do not hide a small
  /// body. If `turns` is empty, arrows begin at `places`.
  std::span<const glm::vec4> turns = {};
};
/// Mapping from a vector's magnitude to the length of its arrow, and to the colour if the source has no tint.
struct ArrowScaling {
  VectorLength length = VectorLength::linear;
  float per_unit = 0;  ///< arrow length for a value of 1 [m]; 0 means that the length is fitted
  std::size_t limit = 3000;
  /// Length of the arrow for the value `range` if lengths are fitted automatically, as a multiple of the element size
  /// or of the element spacing, whichever is larger.
  float reach = 1.4F;
  float clamp = 0;    ///< maximum length, as a multiple of the length for the value `range`; 0 means no limit
  float range = 0;    ///< value that gets an arrow of full length; 0 means the 95th percentile of the values
  float decades = 2;  ///< logarithmic lengths reach zero at `range` / 10^decades
  VectorColor color = VectorColor::magnitude;
};
/// Returns a scaling with the settings of the view that apply to all arrows: limit, clamp and decades. The lengths of
/// this scaling are linear and fitted.
[[nodiscard]] ArrowScaling arrow_scaling_of(const ViewParams& view);

/// Whether vectors with this unit are axial (rotation vectors, vorticity). Axial vectors are drawn with two heads.
[[nodiscard]] bool is_axial(std::string_view unit);
/// Gives each arrow a second head behind the first by adding a shorter arrow with the same tail. `pixel`: width of a
/// pixel at unit distance from the eye.
void add_second_heads(std::vector<Arrow>& arrows, const glm::vec3& eye, float pixel);

/// Builds arrows. The selected elements of voxel bodies, the cell sizes and the length scale persist between frames to
/// avoid flicker.
class ArrowField {
 public:
  /// Rebuilds arrows() for all sources. `pixel_m`: width of a pixel at the distance of the camera's target [m].
  void build(std::span<const ArrowSource> sources, const ArrowScaling& law, std::uint64_t parts_number, double time_s,
             float pixel_m);
  void clear();
  /// Discards selections and scales. Call this function when the displayed quantity changes.
  void forget() {
    choices_.clear();
    scaled_ = false;
  }
  [[nodiscard]] const std::vector<Arrow>& arrows() const { return arrows_; }
  [[nodiscard]] const VectorLegend& legend() const { return legend_; }

 private:
  struct Choice {
    std::uint64_t parts_number = 0, revision = 0;
    std::size_t elements = 0, limit = 0;
    int level = 0;  ///< cell size is 2^(level / 4) [m]
    std::vector<std::uint32_t> chosen;
  };
  void choose(const ArrowSource& source, std::size_t limit, std::uint64_t parts_number, Choice& choice);
  std::size_t fill_cells(const ArrowSource& source, float cell_m, std::size_t most);
  [[nodiscard]] float share_of(float value, const ArrowScaling& law) const;
  [[nodiscard]] float full_length(const ArrowScaling& law) const;
  [[nodiscard]] glm::vec3 color_of(const glm::vec3& value, float size, const ArrowScaling& law) const;
  void write_legend(std::span<const ArrowSource> sources, const ArrowScaling& law);
  void set_scale(std::span<const ArrowSource> sources, const ArrowScaling& law, double time_s);
  [[nodiscard]] float wanted_range(const ArrowScaling& law, float largest);
  void add(const ArrowSource& source, std::uint32_t i, const ArrowScaling& law);

  std::vector<Choice> choices_;
  std::vector<Arrow> arrows_;
  std::vector<std::uint64_t> cells_;    // keys of the occupied cells (hash table with open addressing)
  std::vector<std::uint32_t> members_;  // element selected in each cell
  std::vector<float> sizes_;
  VectorLegend legend_;
  /// `reference_`: value that gets an arrow of full length. `spacing_`: length of that arrow [m] if lengths are fitted.
  float reference_ = 0, spacing_ = 0.01F;
  double time_s_ = 0;
  bool scaled_ = false;
};

}  // namespace vw
