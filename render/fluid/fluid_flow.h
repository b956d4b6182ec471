// Display of the flow inside particle fluids (FluidPicture of a snapshot): streamlines, ribbons, streaklines, and
// iso-surfaces of a quantity, such as the Q criterion, which shows the cores of vortices. Lines are stored as points,
// from which air_lines.h builds bands. Ribbons, tubes and surfaces are meshes that are drawn like obstacles. This file
// contains CPU data only, no GL objects.
#pragma once

#include <span>
#include <vector>

#include "render/air/air_lines.h"
#include "render/flow/flow_meshes.h"
#include "render/labels/figure.h"

namespace vw {

class FluidFlow {
 public:
  struct Scene {
    const Snapshot& newest;
    const ViewParams& view;
    double time_s;  ///< time of the picture [s]
    glm::vec3 eye;
    float pixel;  ///< width of a pixel per unit distance from the eye
    /// Whether lines are drawn as tubes, which stay visible inside a fluid that is drawn as a surface.
    bool draws_tubes = false;
    bool meshes_only = false;  ///< whether the renderer draws only ribbons, tubes and surfaces
  };
  /// Builds the lines and surfaces of all fluids, including fluids that the view hides.
  void build(const Scene& scene);
  /// Points of the lines, one line after the other. Lines that are drawn as ribbons or tubes have no points.
  [[nodiscard]] std::span<const LinePoint> points() const { return points_; }
  /// End index in points() of each line.
  [[nodiscard]] std::span<const std::size_t> ends() const { return ends_; }
  /// Ribbons, tubes and iso-surfaces.
  [[nodiscard]] std::span<const ColliderSnapshot> solids() const { return solids_; }
  [[nodiscard]] std::span<const Legend> legends() const { return legends_; }

 private:
  void draw_lines(const Scene& scene);
  void add_points(const Scene& scene, const FieldLines& lines, float width_m, const ValueRange& range);

  std::vector<const FluidPicture*> shown_;
  std::vector<FlowSurfaceDrawing> surfaces_;  ///< one for each fluid
  std::vector<ColliderSnapshot> solids_;
  std::vector<LinePoint> points_;
  std::vector<std::size_t> ends_;
  std::vector<Legend> legends_;
  std::vector<float> values_, scratch_;
  SmoothRange range_;
};

}  // namespace vw
