// Hints about nodes of a scene for the tree and the inspector: nodes without content, parameters that actuators set,
// bodies that joints connect to the world. This file does not use the GUI.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

/// A node that has no effect because it lacks children.
struct EmptyNodeHint {
  std::string text;                ///< sentence: "This system has no bodies."
  std::vector<std::string> slots;  ///< slots in which a new child gives the node an effect
};
/// Hint for a system without elements and for a plot without curves. Empty if the node has content.
[[nodiscard]] std::optional<EmptyNodeHint> empty_node_hint(const Node& node);

/// An actuator that sets a parameter of a node or of its children.
struct Driver {
  std::string actuator;  ///< path of the actuator
  std::string target;    ///< path of the parameter
  std::string text;      ///< "sine wave, 1 Hz", "formula 0.2*sin(t)", "table gait.csv", "manual value"
  bool is_enabled = true;
};
/// Actuators that set parameters of the node at `path` or of nodes below it, in the order of the scene.
[[nodiscard]] std::vector<Driver> drivers_of(const Node& root, std::string_view path);

/// Name of a joint that connects the rigid body at `path` ("system.arm.body.link") to the world, directly or through
/// other bodies. Empty if there is none.
[[nodiscard]] std::string joint_to_world(const Node& root, const std::string& path);
/// Whether a joint connects the rigid body at `path` to anything.
[[nodiscard]] bool has_joint(const Node& root, const std::string& path);

}  // namespace vw
