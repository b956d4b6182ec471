// How rigid bodies of a snapshot are called in their scene. No GUI.
#pragma once

#include <string>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// The node that a body is made from, by which its colour is named; empty where there are more nodes than its number can tell apart.
[[nodiscard]] std::string body_node(const SystemSnapshot& system, std::size_t body);
/// The body itself: copies of one node have a number behind its name.
[[nodiscard]] std::string body_name(const SystemSnapshot& system, std::size_t body);

}  // namespace vw
