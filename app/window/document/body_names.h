// Names of a snapshot's rigid bodies in their scene. No GUI.
#pragma once

#include <string>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// Name of the scene node from which a body was made; it also names the body's colour. Empty if the scene has more
/// nodes than the material number can distinguish.
[[nodiscard]] std::string body_node(const SystemSnapshot& system, std::size_t body);
/// Name of the body. If several bodies are copies of one node, a number is appended.
[[nodiscard]] std::string body_name(const SystemSnapshot& system, std::size_t body);

}  // namespace vw
