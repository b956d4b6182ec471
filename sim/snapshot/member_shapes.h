// Appearance of flock members: procedurally generated meshes, shared by all users and immutable.
#pragma once

#include <array>
#include <memory>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// A fish with fins, a bird with spread wings, the dart of Reynolds 1987, a ball. Each function always returns the same
/// mesh.
[[nodiscard]] MemberLook fish_look();
[[nodiscard]] MemberLook bird_look();
[[nodiscard]] MemberLook dart_look();
[[nodiscard]] MemberLook ball_look();

/// Three levels of detail of the look's mesh, finest first, for objects that are small on screen. If the mesh has no
/// coarser versions, it is returned three times.
[[nodiscard]] std::array<std::shared_ptr<const SurfaceMesh>, 3> meshes_by_detail(const MemberLook& look);

/// Position of the look's eyes, which lie on both sides of the body: x and y of their centre, and their radius as z.
/// Zero if the mesh has no eyes.
[[nodiscard]] Vec3f eye_of(const MemberLook& look);

}  // namespace vw
