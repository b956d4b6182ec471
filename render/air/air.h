// Drawing data of a world's fields (FieldPicture of a snapshot): slice planes, field lines, iso-surfaces and arrows,
// with their colour legends. The class AirDrawing also builds the bands of element trails and of lines in fluids,
// because all lines are sorted and blended together. Smoothed ranges and scales persist between frames to avoid
// flicker. The class contains CPU data only, no GL objects.
#pragma once

#include <string>
#include <vector>

#include "render/air/air_lines.h"
#include "render/air/air_sheets.h"
#include "render/camera.h"
#include "render/flow/flow_meshes.h"
#include "render/fluid/fluid_flow.h"
#include "render/vectors/arrows.h"
#include "render/vectors/element_trails.h"

namespace vw {

class AirDrawing {
 public:
  struct Scene {
    const Snapshot* previous;  ///< snapshot to interpolate from; null if the newest snapshot is the first one
    const Snapshot& newest;
    float blend;  ///< interpolation weight: 0 shows `previous`, 1 shows `newest`
    const ViewParams& view;
    const Camera& camera;
    CutPlanes cut;
    double time_s;  ///< time of the picture [s]
    float pixel;    ///< width of a pixel per unit distance from the eye
    const ElementTrails& trails;
    const FluidFlow& flow;  ///< lines and surfaces in fluids
    /// Whether the renderer draws only the meshes. Slice planes, trails and lines without meshes then have no legends.
    bool meshes_only = false;
  };
  /// Builds all drawing data of a frame.
  void build(const Scene& scene);
  /// Whether any slice plane or line has to be blended into the picture.
  [[nodiscard]] bool any() const { return !sheets_.pieces().empty() || !lines_.bands().empty(); }
  [[nodiscard]] const AirSheets& sheets() const { return sheets_; }
  [[nodiscard]] const AirLines& lines() const { return lines_; }
  [[nodiscard]] const CutPlanes& cut() const { return cut_; }
  /// Colour map of the slice planes, from low to high values; linear RGB.
  [[nodiscard]] const std::vector<glm::vec3>& sheet_colors() const { return sheet_colors_; }
  [[nodiscard]] const std::vector<Arrow>& arrows() const { return arrows_; }
  [[nodiscard]] const VectorLegend& arrow_legend() const { return arrow_legend_; }
  [[nodiscard]] const std::vector<Legend>& legends() const { return legends_; }
  /// Meshes of ribbon streamlines and of iso-surfaces.
  [[nodiscard]] std::span<const ColliderSnapshot> solids() const { return solids_; }

 private:
  void build_glyphs(const Scene& scene);
  [[nodiscard]] ValueRange sheet_range(const Scene& scene);
  [[nodiscard]] ValueRange line_range(const Scene& scene);

  AirSheets sheets_;
  AirLines lines_;
  CutPlanes cut_;
  ArrowField glyphs_;
  std::vector<Arrow> arrows_;
  VectorLegend arrow_legend_;
  std::string shown_glyphs_;  ///< name of the quantity whose arrow scale `glyphs_` contains
  std::vector<Legend> legends_;
  FlowSurfaceDrawing surfaces_;
  std::vector<ColliderSnapshot> solids_;
  std::vector<glm::vec3> sheet_colors_;
  SmoothRange sheet_range_, line_range_;
  std::vector<float> values_, scratch_;
  std::vector<LinePoint> ways_;        ///< points of trails and of lines in fluids
  std::vector<std::size_t> ways_end_;  ///< end index in `ways_` of each line
  std::vector<glm::vec4> places_;
  std::vector<glm::vec3> velocity_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace vw
