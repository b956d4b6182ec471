// What members of flocks look like: meshes made by code, shared by all that show them and never changed.
#pragma once

#include <array>
#include <memory>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// A fish with its fins, a bird with spread wings, the dart of Reynolds 1987, a ball. The same mesh each time.
[[nodiscard]] MemberLook fish_look();
[[nodiscard]] MemberLook bird_look();
[[nodiscard]] MemberLook dart_look();
[[nodiscard]] MemberLook ball_look();

/// The look's mesh, and the same shape with ever fewer triangles for where it is small on a picture; three times its own where there are none.
[[nodiscard]] std::array<std::shared_ptr<const SurfaceMesh>, 3> meshes_by_detail(const MemberLook& look);

/// Where a look's mesh has its eyes, on both sides: x and y of their middle, and their radius; 0: it has none.
[[nodiscard]] Vec3f eye_of(const MemberLook& look);

}  // namespace vw
