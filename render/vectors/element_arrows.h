// Arrows for a per-element vector of the systems. The view selects the vector, the systems, the lengths and the
// colours. This class contains CPU data only, no GL objects.
#pragma once

#include <string>
#include <vector>

#include "render/camera.h"
#include "render/vectors/arrows.h"

namespace vw {

class ElementArrows {
 public:
  struct Scene {
    const Snapshot* previous;  ///< snapshot to interpolate from; null if the newest snapshot is the first one
    const Snapshot& newest;
    float blend;                         ///< interpolation weight: 0 shows `previous`, 1 shows `newest`
    const std::vector<Figure>& figures;  ///< figures of the snapshot's systems, in the same order
    const ViewParams& view;
    const Camera& camera;
    double time_s;  ///< time of the picture [s]
    float pixel;    ///< width of a pixel per unit distance from the eye
  };
  void build(const Scene& scene);
  [[nodiscard]] const std::vector<Arrow>& arrows() const { return arrows_; }
  [[nodiscard]] const VectorLegend& legend() const { return legend_; }

 private:
  [[nodiscard]] bool find_values(const Scene& scene, std::size_t system, std::vector<glm::vec3>& scratch,
                                 std::span<const glm::vec3>& values);

  ArrowField field_;
  std::vector<glm::vec4> no_turns_;
  std::vector<Arrow> arrows_;
  VectorLegend legend_;
  std::vector<ArrowSource> sources_;
  std::vector<std::vector<glm::vec3>> values_;  ///< indexed by system
  std::vector<glm::vec3> tints_;
  std::string shown_;  ///< the vector and the systems whose scale `field_` contains
};

}  // namespace vw
