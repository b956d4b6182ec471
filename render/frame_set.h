// What any renderer needs of a frame before it draws: figures placed and coloured, arrows, trails, legends, the box that light and shadow care for.
// Keeps from frame to frame what must not flicker. Plain CPU data; no GL here.
#pragma once

#include <array>
#include <vector>

#include "render/air.h"
#include "render/arrows.h"
#include "render/cut.h"
#include "render/figure.h"
#include "render/fluid_cloud.h"
#include "render/force_arrows.h"
#include "render/marks.h"
#include "render/trails.h"

namespace vw {

struct FrameSet {
  std::vector<Figure> figures;  ///< of the systems in their order, then of what fills rigid bodies
  std::size_t count = 0;        ///< of figures in use
  ArrowField velocities;
  ForceArrows forces;
  Air air;
  std::vector<Arrow> arrows;  ///< of all three
  Marks marks;
  Trails trails;
  std::vector<Legend> legends;
  Bounds3 box;  ///< of the scene near the camera's target
  CutPlane cut;
  FluidCloud fluid;                      ///< fluids that are drawn as a surface
  std::vector<ColliderSnapshot> solids;  ///< obstacles that are shown, but planes, and rigid bodies where they are between the two moments
  bool surface_is_cheap = true;          ///< what fluid_style = automatic goes by

  /// `width` and `height` of the whole picture in pixels.
  void prepare(const Frame& frame, const ViewParams& view, const Camera& camera, const Selection& selection, int width, int height);

  [[nodiscard]] std::array<VectorLegend, 3> vector_legends() const { return {air.arrow_legend(), velocities.legend(), forces.legend()}; }

 private:
  void place_figures(const Snapshot* previous, const Snapshot& newest, float blend, const ViewParams& view, double time_s);
  void gather_solids(const Snapshot& newest, const ViewParams& view, const Selection& selection);
  void add_bodies(const SystemSnapshot& system, const Figure& figure, std::int64_t selected);
  void add_fills(const Snapshot& newest, const ViewParams& view, const Selection& selection);
  std::vector<SmoothRange> ranges_;
  std::vector<float> scratch_;
};

/// Width of a pixel per distance along the line of sight.
[[nodiscard]] float pixel_per_distance(const Camera& camera, int width, int height);
/// Unit, towards the sun.
[[nodiscard]] glm::vec3 sun_direction();
/// From the world to the clip space of the sun's shadow map over the box.
[[nodiscard]] glm::mat4 sun_clip(const Bounds3& box);
/// How far off a surface a shadow map of `size_px` texels a side is asked [m]: about the width of its filter.
[[nodiscard]] float shadow_offset(const Bounds3& box, int size_px);

}  // namespace vw
