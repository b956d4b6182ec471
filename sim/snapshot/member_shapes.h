// Appearance of flock members. The meshes are generated procedurally, are shared by all users and are immutable.
#pragma once

#include <array>
#include <memory>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// Return the appearance of a fish with fins, of a bird with spread wings, of the dart of Reynolds ("Flocks, herds, and
/// schools: a distributed behavioral model", SIGGRAPH 1987), and of a ball. All calls of the same function return the
/// same mesh.
[[nodiscard]] SpeciesLook fish_look();
[[nodiscard]] SpeciesLook bird_look();
[[nodiscard]] SpeciesLook dart_look();
[[nodiscard]] SpeciesLook ball_look();

/// Returns three levels of detail of the appearance's mesh, finest first. The coarser meshes are used for objects that
/// are small on screen. If the mesh has no coarser versions, the array contains the same mesh three times.
[[nodiscard]] std::array<std::shared_ptr<const SurfaceMesh>, 3> meshes_by_detail(const SpeciesLook& look);

/// Returns the position and size of the eyes. There is an eye on each side of the body. x and y of the result are the
/// position of the eye's centre, and z is the eye's radius. The result is zero if the mesh has no eyes.
[[nodiscard]] Vec3f eye_of(const SpeciesLook& look);

}  // namespace vw
