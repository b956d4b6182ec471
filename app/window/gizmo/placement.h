// Objects that the user adds at a point of the picture. This file does not use the GUI.
#pragma once

#include <string>
#include <vector>

#include "app/window/gizmo/node_pose.h"
#include "sim/base/data/node_change.h"

namespace vw {

/// An object that can be added at a point: a body, an obstacle, an emitter, a fill or a source of wind.
struct Placeable {
  std::string group;                ///< submenu: "Rigid body"
  std::string label;                ///< "Sphere"
  std::string doc;                  ///< description of the kind
  std::vector<NodeChange> changes;  ///< additions; the last one is the object itself
  std::string path;                 ///< path of the object's node after the additions
};

/// Objects that can be added to the scene. Objects that need a system add it if the scene has none; fills, inflows and
/// drains are offered only if the scene has a fluid.
[[nodiscard]] std::vector<Placeable> placeable_objects(const Node& root);

/// Additions of the object, centred above `point` [m] with its lowest point at the height of `point`. The object is
/// scaled to a largest edge length of `width` [m]; 0 keeps its default size.
[[nodiscard]] std::vector<NodeChange> placed_at(const Node& root, const Placeable& object, const Vec3& point,
                                                double width);

/// Round length (1, 2 or 5 times a power of ten) that is nearest to `length` on a logarithmic scale.
[[nodiscard]] double round_length(double length);

}  // namespace vw
