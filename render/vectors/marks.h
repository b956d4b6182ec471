// Lines and dots drawn over the scene: paths of centres of mass, joints, body axes, contacts, the parts that actuators
// drive, the outline of the selection, and the mouse spring. All renderers use the same data. This class contains CPU
// data only, no GL objects.
#pragma once

#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "render/scene/silhouette.h"
#include "render/vectors/force_arrows.h"
#include "render/vectors/principal_axes.h"
#include "render/vectors/trails.h"

namespace vw {

/// Line segments in one style; each pair of points is one segment. A segment of zero length is drawn as a dot.
struct MarkGroup {
  glm::vec3 tint{1};  ///< sRGB
  float half_width_px = 1;
  float opacity = 1, hidden_opacity = 1;  ///< `hidden_opacity` applies to parts behind solid objects
  std::vector<glm::vec3> points;
};

/// Colour (sRGB) of the marks at the parts that an actuator drives: orange for a positive value, blue for a negative
/// value, and grey if the value is NaN because the actuator does not drive them. Larger magnitudes are brighter.
[[nodiscard]] glm::vec3 actuator_color(const SignalSnapshot& actuator);

class Marks {
 public:
  struct Scene {
    const Snapshot& newest;
    const Snapshot* previous;  ///< snapshot to interpolate from; null if the newest snapshot is the first one
    float blend;               ///< interpolation weight: 0 shows `previous`, 1 shows `newest`
    /// Figures of the snapshot's systems in order, possibly followed by other figures.
    const std::vector<Figure>& figures;
    std::size_t count;
    const ViewParams& view;
    const Selection& selection;
    const Trails& trails;
    glm::vec3 eye;
    float pixel;  ///< width of a pixel per unit distance from the eye
  };
  void build(const Scene& scene);
  /// Groups in drawing order.
  [[nodiscard]] std::span<const MarkGroup> groups() const { return std::span(groups_).first(used_); }

 private:
  MarkGroup& start(const glm::vec3& tint, float half_width_px, float opacity, float hidden_opacity);
  void drop_if_empty();
  void add_trails(const Scene& scene);
  void add_joints(const Scene& scene);
  void add_contacts(const Scene& scene);
  void add_driven(const Scene& scene);
  void add_frames(const Scene& scene);
  void add_mass_centers(const Scene& scene);
  void add_outlines(const Scene& scene);
  void add_outline(const Scene& scene, const Selection& selection, MarkGroup& lines);
  void add_hand(const Scene& scene);
  void add_dots(std::span<const glm::vec3> places, float half_width_px, float rim_px, const glm::vec3& tint);

  std::vector<MarkGroup> groups_;
  std::size_t used_ = 0;
  std::vector<glm::vec3> places_;  ///< scratch
  PrincipalAxes axes_;
  Silhouette outline_;
};

}  // namespace vw
