// Refinement of a mesh of a fluid where it bends, for pictures. Drops of a few particles have so few triangles that
// their outlines would be polygons.
#pragma once

#include "sim/surface/fluid_surface.h"

namespace vw {

/// Splits each edge at whose ends the normals differ by more than 20 degrees, at most twice. The new vertex lies on the
/// cubic curve that is perpendicular to both normals (A. Vlachos et al., "Curved PN triangles", 2001). A closed mesh
/// remains closed. Only positions, normals and triangles change, and the existing vertices stay in place.
void refine_bends(FluidMesh& mesh);

}  // namespace vw
