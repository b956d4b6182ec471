// Narrow phase: contact points, normals and gaps of two solids, at most four points per flat patch. Boxes are tested by
// faces and edges, and balls exactly. Other shapes are tested by the distances of each solid's feelers (sample points,
// feelers.h) from the surface of the other solid, and by crossing edges.
#pragma once

#include <span>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/collision/pose.h"
#include "sim/system/rigid/contacts/feelers.h"

namespace vw {

/// A solid in its current pose.
struct Party {
  const Shape* shape = nullptr;
  const Collider* obstacle = nullptr;  ///< The obstacle that has this shape; null for a body.
  Pose pose;                           ///< Pose of the shape's frame.
  Vec3 middle = Vec3::Zero();          ///< Centre of mass of a body, or origin of an obstacle.
  /// Upper bound of the distance of the solid's points from `middle` [m]. 0 for an obstacle.
  double reach_m = 0;
  std::span<const Feeler> feelers;
  std::size_t corners = 0;  ///< The first `corners` feelers suffice for contact with a plane.
  std::span<const Edge> edges;
};

struct Touch {
  Vec3 point = Vec3::Zero();  ///< Midpoint between the two surfaces.
  Vec3 normal{0, 1, 0};       ///< Unit normal, from the second solid to the first.
  double gap = 0;             ///< Distance of the surfaces [m]. A negative value is the penetration depth.
};

/// Buffers of the contact search. Threads must not share an object.
struct TouchScratch {
  std::vector<Touch> met;
  std::vector<std::uint8_t> used;
};

/// Appends to `out` the contacts of a body `a` with a body or obstacle `b` whose gap is less than `margin`.
void find_touches(const Party& a, const Party& b, double margin, TouchScratch& scratch, std::vector<Touch>& out);

/// Returns false if the contact must be discarded. `way` is the displacement of `a` relative to `b`. The contact is
/// discarded if this displacement would close the gap along the normal, but `a` passes `b` without touching it, for
/// example beside an edge.
[[nodiscard]] bool closes(const Party& a, const Party& b, const Touch& touch, const Vec3& way);

/// Appends all contacts of two boxes: up to eight corners of the overlap of two faces, or one point where edges cross.
void touch_boxes(const Vec3& half_a, const Pose& a, const Vec3& half_b, const Pose& b, double margin,
                 std::vector<Touch>& out);

}  // namespace vw
