// Appearance of flock members: procedurally generated meshes, shared by all users and immutable.
#pragma once

#include <array>
#include <memory>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// Return the appearance of a fish with fins, a bird with spread wings, the dart of Reynolds ("Flocks, herds, and
/// schools: a distributed behavioral model", SIGGRAPH 1987), and a ball. Every call of the same function returns the
/// same mesh.
[[nodiscard]] SpeciesLook fish_look();
[[nodiscard]] SpeciesLook bird_look();
[[nodiscard]] SpeciesLook dart_look();
[[nodiscard]] SpeciesLook ball_look();

/// Returns three levels of detail of the appearance's mesh, finest first. The coarser meshes are for objects that are
/// small on screen. If the mesh has no coarser versions, the array holds the mesh three times.
[[nodiscard]] std::array<std::shared_ptr<const SurfaceMesh>, 3> meshes_by_detail(const SpeciesLook& look);

/// Returns the position and size of the eyes, one on each side of the body: x and y of the eye's centre, and the eye's
/// radius as z. The result is zero if the mesh has no eyes.
[[nodiscard]] Vec3f eye_of(const SpeciesLook& look);

}  // namespace vw
