// Renderer-independent data of a frame: positions and colours of figures, arrows, trails, legends, and the bounding box
// for light and shadow. The scales and the choice of arrows persist between frames to avoid flicker. This file contains
// CPU data only, no GL objects.
#pragma once

#include <array>
#include <vector>

#include "render/air/air.h"
#include "render/fluid/fluid_cloud.h"
#include "render/fluid/fluid_flow.h"
#include "render/labels/figure.h"
#include "render/scene/cut.h"
#include "render/scene/light/environment.h"
#include "render/scene/light/shadow_maps.h"
#include "render/scene/members.h"
#include "render/vectors/element_arrows.h"
#include "render/vectors/force_arrows.h"
#include "render/vectors/marks.h"
#include "render/vectors/trails.h"

namespace vw {

struct FrameData {
  /// Figures of the systems in order, followed by figures of the particles that fill rigid bodies, and of spray.
  std::vector<Figure> figures;
  std::size_t count = 0;  ///< number of figures in use
  ElementArrows vectors;
  ForceArrows forces;
  AirDrawing air;
  std::vector<Arrow> arrows;  ///< arrows of `vectors`, `forces` and `air`
  Marks marks;
  Trails trails;
  ElementTrails element_trails;
  FluidFlow flow;  ///< lines, ribbons and iso-surfaces in fluids
  std::vector<Legend> legends;
  Bounds3 box;  ///< box of the scene near the camera's target
  ShadowMaps shadows;
  LightEnvironment light;
  CutPlanes cut;
  MemberDrawList members, shading_members;  ///< members of flocks selected for the camera and for the shadow maps
  FluidCloud fluid;                         ///< fluids that are drawn as a surface
  /// Visible colliders except planes, rigid bodies at their interpolated poses, and the caps of cuts (cut_caps.h). The
  /// name of a rigid body is that of its system.
  std::vector<ColliderSnapshot> solids;
  std::size_t obstacles = 0;   ///< number of colliders, which are the first elements of `solids`
  bool few_triangles = false;  ///< set by renderers for which triangles are expensive; flocks then have fewer triangles
  /// Level of detail of fluids. Fluids have spray at every level above `particles`.
  FluidDetail fluid_detail = FluidDetail::particles;
  bool surface_is_cheap = true;  ///< decides whether fluid_style = automatic draws a surface
  /// Set by a renderer that draws no slice planes, lines, trails and marks. They then have no legends.
  bool meshes_only = false;

  /// Computes the data of a frame. `width` and `height` are the dimensions of the whole picture [px].
  void prepare(const Frame& frame, const ViewParams& view, const Camera& camera, const Selection& selection, int width,
               int height);
  /// Records a snapshot for `trails` and `element_trails` without drawing it. prepare() records the snapshot that it
  /// draws.
  void note(const Snapshot& snapshot, const ViewParams& view) {
    trails.note(snapshot);
    element_trails.note(snapshot, view);
  }

  [[nodiscard]] std::array<VectorLegend, 3> vector_legends() const {
    return {air.arrow_legend(), vectors.legend(), forces.legend()};
  }

 private:
  void place_figures(const Snapshot* previous, const Snapshot& newest, float blend, const ViewParams& view,
                     double time_s);
  void gather_solids(const Snapshot& newest, const ViewParams& view, const Selection& selection);
  void add_bodies(const SystemSnapshot& system, const Figure& figure, std::int64_t selected);
  void order_members(const Snapshot& newest, const Selection& selection, const Camera& camera, int width, int height);
  void add_fills(const Snapshot& newest, const ViewParams& view, const Selection& selection);
  void add_spray();
  std::vector<SmoothRange> ranges_;
  std::vector<float> scratch_;
};

/// Width of a pixel at unit distance along the line of sight.
[[nodiscard]] float pixel_per_distance(const Camera& camera, int width, int height);

}  // namespace vw
