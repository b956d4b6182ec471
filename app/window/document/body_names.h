// Names of a snapshot's rigid bodies in their scene. This file does not use the GUI.
#pragma once

#include <string>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// Returns the name of the scene node from which a body was made. The palette entry that colours the body has the same
/// name. The result is empty if the node is ambiguous: in a system with more than 256 nodes, several nodes have the
/// material number 255.
[[nodiscard]] std::string body_node(const SystemSnapshot& system, std::size_t body);
/// Returns the name of the body's node. If several bodies are copies of one node, a number is appended.
[[nodiscard]] std::string body_name(const SystemSnapshot& system, std::size_t body);

}  // namespace vw
