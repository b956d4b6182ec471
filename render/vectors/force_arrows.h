// Arrows for forces: the forces of rules on the elements of both systems, and the contact forces on rigid bodies. All
// force arrows use one scale. Each rule has its own colour. This class contains CPU data only, no GL objects.
#pragma once

#include <vector>

#include "render/vectors/arrows.h"

namespace vw {

/// Colour of the rule with this index in the snapshot; sRGB.
[[nodiscard]] glm::vec3 force_tint(std::size_t rule);
/// Colour of contact forces on rigid bodies; sRGB.
inline constexpr glm::vec3 contact_tint{1.0F, 0.62F, 0.18F};

class ForceArrows {
 public:
  /// Builds the arrows of the rules that the view selects, and of contact forces if the view shows them. `figures`:
  /// figures of the snapshot's systems, in the same order. `pixel_m`: width of a pixel at the distance of the camera's
  /// target [m].
  void build(const Snapshot& newest, const std::vector<Figure>& figures, const ViewParams& view, double time_s,
             float pixel_m);
  [[nodiscard]] const std::vector<Arrow>& arrows() const { return field_.arrows(); }
  [[nodiscard]] const VectorLegend& legend() const { return legend_; }

 private:
  struct Values {
    std::vector<glm::vec4> places;
    std::vector<glm::vec3> forces;
    std::vector<std::uint32_t> ids;
    glm::vec3 tint{0};
  };
  void add_side(const Figure& figure, std::span<const Vec3f> forces, const glm::vec3& tint);
  void add_contacts(const SystemSnapshot& system, const Figure& figure);
  Values& next();

  std::vector<Values> values_;
  std::size_t used_ = 0;
  std::vector<ArrowSource> sources_;
  ArrowField field_;
  VectorLegend legend_;
};

/// Returns the position of a contact for drawing [m]. The contact moves with the interpolated body.
[[nodiscard]] glm::vec3 shown_place(const ContactMark& contact, const SystemSnapshot& system, const Figure& figure);

}  // namespace vw
