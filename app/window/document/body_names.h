// Names of a snapshot's rigid bodies in their scene. No GUI.
#pragma once

#include <string>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// Name of the scene node from which a body was made. The entry of the palette that colours the body has the same name.
/// Empty if the node is ambiguous: in a system with more than 256 nodes, several nodes have the material number 255.
[[nodiscard]] std::string body_node(const SystemSnapshot& system, std::size_t body);
/// Name of the body's node. If several bodies are copies of one node, a number is appended.
[[nodiscard]] std::string body_name(const SystemSnapshot& system, std::size_t body);

}  // namespace vw
