// Appearance of flock members: procedurally generated meshes, shared by all users and immutable.
#pragma once

#include <array>
#include <memory>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// Appearance of a fish with fins, a bird with spread wings, the dart of Reynolds 1987, and a ball. Every call of one
/// function returns the same mesh.
[[nodiscard]] MemberLook fish_look();
[[nodiscard]] MemberLook bird_look();
[[nodiscard]] MemberLook dart_look();
[[nodiscard]] MemberLook ball_look();

/// Three levels of detail of the appearance's mesh, finest first. The coarser ones are for objects that are small on
/// screen. If the mesh has no coarser versions, the array holds it three times.
[[nodiscard]] std::array<std::shared_ptr<const SurfaceMesh>, 3> meshes_by_detail(const MemberLook& look);

/// Position and size of the eyes, one on each side of the body: x and y of the eye's centre, and the eye's radius as z.
/// Zero if the mesh has no eyes.
[[nodiscard]] Vec3f eye_of(const MemberLook& look);

}  // namespace vw
