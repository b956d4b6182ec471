// Faces (caps) that close the openings that cut planes leave in bodies. The caps of voxel bodies have the colours of
// the voxels inside. The caps of fluids have the colours of a channel. The caps of obstacles and rigid bodies have a
// colour of their own. Caps are flat meshes, so that all renderers draw them like obstacles. This file contains CPU
// data only, no GL objects.
#pragma once

#include <span>
#include <vector>

#include "render/labels/figure.h"
#include "render/scene/cut.h"

namespace vw {

/// Appends the caps of the figures, and of the solids that are in `solids` on entry, to `solids`. Each cap has one mesh
/// for each colour. Fluids have caps only if their colours show a channel. Transparent and two-sided solids, surfaces
/// that are not closed, balls and members of flocks have no caps.
void add_cut_caps(const CutPlanes& cut, std::span<const Figure> figures, std::vector<ColliderSnapshot>& solids);

/// A segment of a section, in coordinates of the plane.
struct SectionSegment {
  glm::vec2 a{0}, b{0};
};
/// A trapezoid with two horizontal sides: corners at the lower level from left to right, then at the upper level from
/// right to left.
using Trapezoid = std::array<glm::vec2, 4>;
/// Divides the inside of closed contours into trapezoids by the even-odd rule. The contours may be in any order and
/// direction, and may contain others. Levels at which a contour is not closed are left out.
[[nodiscard]] std::vector<Trapezoid> fill_section(std::span<const SectionSegment> segments);

}  // namespace vw
