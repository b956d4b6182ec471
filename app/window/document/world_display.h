// The view and the plots of a scene beside the world of another moment. They may refer to nodes that the scene of that
// moment does not have. This file does not use the GUI.
#pragma once

#include "sim/base/data/node.h"

namespace vw {

/// Returns the scene without references of its view and its plots to nodes that the scene does not have. The parameters
/// of the view lose these names. Curves that measure such nodes are removed.
[[nodiscard]] Node without_lost_references(Node scene);
/// Returns `scene` with the view and the plots of `other`, which is a scene too.
[[nodiscard]] Node with_display_of(Node scene, const Node& other);

}  // namespace vw
