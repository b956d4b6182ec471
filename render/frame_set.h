// What any renderer needs of a frame before it draws: figures placed and coloured, arrows, trails, legends, the box that light and shadow care for.
// Keeps from frame to frame what must not flicker. Plain CPU data; no GL here.
#pragma once

#include <array>
#include <vector>

#include "render/air.h"
#include "render/cut.h"
#include "render/element_arrows.h"
#include "render/figure.h"
#include "render/fluid_cloud.h"
#include "render/force_arrows.h"
#include "render/marks.h"
#include "render/members.h"
#include "render/trails.h"

namespace vw {

struct FrameSet {
  std::vector<Figure> figures;  ///< of the systems in their order, then of what fills rigid bodies
  std::size_t count = 0;        ///< of figures in use
  ElementArrows vectors;
  ForceArrows forces;
  Air air;
  std::vector<Arrow> arrows;  ///< of all three
  Marks marks;
  Trails trails;
  ElementTrails element_trails;
  std::vector<Legend> legends;
  Bounds3 box;  ///< of the scene near the camera's target
  CutPlane cut;
  MemberOrder members, shading_members;  ///< of flocks: as the camera and as the sun see them
  FluidCloud fluid;                      ///< fluids that are drawn as a surface
  std::vector<ColliderSnapshot> solids;  ///< obstacles that are shown, but planes, and rigid bodies where they are between the two moments
  bool few_triangles = false;            ///< the renderer pays dearly for them
  bool surface_is_cheap = true;          ///< what fluid_style = automatic goes by

  /// `width` and `height` of the whole picture in pixels.
  void prepare(const Frame& frame, const ViewParams& view, const Camera& camera, const Selection& selection, int width, int height);
  /// What trails and traces need of a snapshot that is not drawn; part of prepare().
  void note(const Snapshot& snapshot, const ViewParams& view) {
    trails.note(snapshot);
    element_trails.note(snapshot, view);
  }

  [[nodiscard]] std::array<VectorLegend, 3> vector_legends() const { return {air.arrow_legend(), vectors.legend(), forces.legend()}; }

 private:
  void place_figures(const Snapshot* previous, const Snapshot& newest, float blend, const ViewParams& view, double time_s);
  void gather_solids(const Snapshot& newest, const ViewParams& view, const Selection& selection);
  void add_bodies(const SystemSnapshot& system, const Figure& figure, std::int64_t selected);
  void order_members(const Snapshot& newest, const Selection& selection, const Camera& camera, int width, int height);
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
