// What members of flocks look like: meshes made by code, shared by all that show them and never changed.
#pragma once

#include <memory>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// A fish with its fins, a bird with spread wings, the dart of Reynolds 1987, a ball. The same mesh each time.
[[nodiscard]] MemberLook fish_look();
[[nodiscard]] MemberLook bird_look();
[[nodiscard]] MemberLook dart_look();
[[nodiscard]] MemberLook ball_look();

/// The same shape with fewer triangles, for where it is small on a picture; the look's own mesh where there is none.
[[nodiscard]] std::shared_ptr<const SurfaceMesh> coarse_mesh(const MemberLook& look);

}  // namespace vw
