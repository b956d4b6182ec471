// Meshes that show a flow: ribbons, tubes, iso-surfaces, and the conversion of coloured meshes into solids of the
// frame. A solid has one colour, so a mesh that a quantity colours is divided into bands of equal colour. All renderers
// draw solids. This file contains CPU data only, no GL objects.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "render/labels/color_map.h"
#include "render/labels/figure.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// Divides a mesh into `bands` meshes. The range is divided into as many equal parts, and mesh k contains the region in
/// which the values lie in part k. `value` has one value for each vertex; values are interpolated linearly in the
/// triangles. Values outside the range belong to the first or the last part. Triangles with a value that is not finite
/// are left out.
[[nodiscard]] std::vector<SurfaceMesh> color_bands(const SurfaceMesh& mesh, std::span<const float> value,
                                                   const ValueRange& range, std::size_t bands);
/// Colour of the middle of band k of a map that is divided into `bands` equal parts; sRGB.
[[nodiscard]] glm::vec3 band_color(const ColorMap& map, std::size_t k, std::size_t bands);

enum class LineShape { ribbon, tube };
/// Number of colours of ribbons and tubes.
inline constexpr std::size_t line_bands = 24;
/// Adds a ribbon or a tube along each line. The range of speeds is divided into bands.size() equal parts, and each
/// segment is added to the mesh of the part that contains its mean speed. A ribbon extends along FieldLines::across,
/// half its width to each side. If `across` is empty, ribbons twist about their lines as little as possible. `width_m`:
/// width of a ribbon or diameter of a tube [m].
void add_line_meshes(const FieldLines& lines, LineShape shape, float width_m, const ValueRange& range,
                     std::vector<SurfaceMesh>& bands);
/// Adds a solid for each mesh that has triangles. The solid of mesh k has the colour of band k of the map
/// (band_color()).
void add_band_solids(std::vector<SurfaceMesh> bands, const ColorMap& map, std::vector<ColliderSnapshot>& solids);

/// Returns a solid that is drawn from both sides. `srgb`: colour of the solid.
[[nodiscard]] ColliderSnapshot flow_solid(std::shared_ptr<const SurfaceMesh> mesh, const glm::vec3& srgb);

/// Solids and legends of the iso-surfaces of one flow. The solids are kept until the surfaces or colours change.
class FlowSurfaceDrawing {
 public:
  /// Builds the solids and legends. `name`: prefix of the legends' titles, such as "air". If `opacity` is below 1, the
  /// solids are sorted from large to small, so that a surface comes after the surface that encloses it. The references
  /// need to be valid during the call only.
  void build(const FlowSurfaces& surfaces, const std::string& name, const ViewParams& view, double time_s,
             double opacity = 1);
  [[nodiscard]] std::span<const ColliderSnapshot> solids() const { return solids_; }
  [[nodiscard]] std::span<const Legend> legends() const { return legends_; }

 private:
  void list(const FlowSurfaces& surfaces, const std::string& name, const ViewParams& view, double time_s);
  void paint(const FlowSurfaces& surfaces, const ViewParams& view, double time_s, Legend& bar);

  std::vector<std::shared_ptr<const SurfaceMesh>> shown_;  ///< meshes from which solids_ was made
  ValueRange painted_;                                     ///< colour range of solids_
  ColorMap map_;
  SmoothRange range_;
  std::vector<ColliderSnapshot> solids_;
  std::vector<Legend> legends_;
  std::vector<float> values_, scratch_;
};

}  // namespace vw
