// Lines and dots laid over the scene: paths of centres, joints, axes, contacts, what is selected, the grab spring. Alike for every renderer.
// Plain CPU data; no GL here.
#pragma once

#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "render/force_arrows.h"
#include "render/principal_axes.h"
#include "render/silhouette.h"
#include "render/trails.h"

namespace vw {

/// Lines between each two of its points, of one look; two that are one place are a dot.
struct MarkGroup {
  glm::vec3 tint{1};  ///< sRGB
  float half_width_px = 1;
  float opacity = 1, hidden_opacity = 1;  ///< where something solid is in front
  std::vector<glm::vec3> points;
};

class Marks {
 public:
  struct Scene {
    const Snapshot& newest;
    const Snapshot* previous;  ///< null: there is none that the newest follows
    float blend;
    const std::vector<Figure>& figures;  ///< first those of the snapshot's systems
    std::size_t count;
    const ViewParams& view;
    const Selection& selection;
    const Trails& trails;
    glm::vec3 eye;
    float pixel;  ///< width of a pixel per distance from the eye
  };
  void build(const Scene& scene);
  /// In the order in which they are drawn.
  [[nodiscard]] std::span<const MarkGroup> groups() const { return std::span(groups_).first(used_); }

 private:
  MarkGroup& start(const glm::vec3& tint, float half_width_px, float opacity, float hidden_opacity);
  void drop_if_empty();
  void add_trails(const Scene& scene);
  void add_joints(const Scene& scene);
  void add_contacts(const Scene& scene);
  void add_frames(const Scene& scene);
  void add_mass_centers(const Scene& scene);
  void add_outline(const Scene& scene);
  void add_hand(const Scene& scene);
  void add_dots(std::span<const glm::vec3> places, float half_width_px, float rim_px, const glm::vec3& tint);

  std::vector<MarkGroup> groups_;
  std::size_t used_ = 0;
  std::vector<glm::vec3> places_;  ///< scratch
  PrincipalAxes axes_;
  Silhouette outline_;
};

}  // namespace vw
