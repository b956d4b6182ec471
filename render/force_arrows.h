// Forces as arrows: what rules give the elements of their systems, and what rigid bodies are pressed with. All have one scale; each rule has a
// colour. Plain CPU data; no GL here.
#pragma once

#include <vector>

#include "render/arrows.h"

namespace vw {

/// Of the rule of that number among those of a snapshot; sRGB.
[[nodiscard]] glm::vec3 force_tint(std::size_t rule);
/// Of the pressure on a rigid body.
inline constexpr glm::vec3 contact_tint{1.0F, 0.62F, 0.18F};

class ForceArrows {
 public:
  /// `figures`: of the snapshot's systems, in their order.
  void build(const Snapshot& newest, const std::vector<Figure>& figures, const ViewParams& view, double time_s, float pixel_m);
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

/// Where a contact is while its body is drawn between two snapshots.
[[nodiscard]] glm::vec3 shown_place(const ContactMark& contact, const SystemSnapshot& system, const Figure& figure);

}  // namespace vw
