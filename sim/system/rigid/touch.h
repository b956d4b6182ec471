// Where two solids are near each other: places, normals and gaps, at most four a flat patch. Boxes by their faces and edges, balls exactly, the
// others by feelers of each at the surface of the other and by edges that cross.
#pragma once

#include <span>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/collision/pose.h"
#include "sim/system/rigid/feelers.h"

namespace vw {

/// A solid where it stands.
struct Party {
  const Shape* shape = nullptr;
  const Collider* obstacle = nullptr;  ///< whose shape it is; null: a body's
  Pose pose;                           ///< of the shape's frame
  Vec3 middle = Vec3::Zero();          ///< somewhere inside
  double reach_m = 0;                  ///< of its farthest point from the middle; of an obstacle 0
  std::span<const Feeler> feelers;
  std::size_t corners = 0;  ///< of the first feelers: enough to meet a plane
  std::span<const Edge> edges;
};

struct Touch {
  Vec3 point = Vec3::Zero();  ///< midway between the two surfaces
  Vec3 normal{0, 1, 0};       ///< from the second solid to the first
  double gap = 0;             ///< [m], negative: depth
};

/// What a search needs; one a thread.
struct TouchScratch {
  std::vector<Touch> met;
  std::vector<std::uint8_t> used;
};

/// Touches of a body `a` with a body or an obstacle `b` that are nearer than `margin`, appended to `out`.
void find_touches(const Party& a, const Party& b, double margin, TouchScratch& scratch, std::vector<Touch>& out);

/// Whether a touch with a gap closes if `a` goes by `way` against `b`. A gap that is told along one face may be passed by an edge beside it.
[[nodiscard]] bool closes(const Party& a, const Party& b, const Touch& touch, const Vec3& way);

/// The same of two boxes, all of them: up to eight corners of the overlap of two faces, or one place where edges cross.
void touch_boxes(const Vec3& half_a, const Pose& a, const Vec3& half_b, const Pose& b, double margin, std::vector<Touch>& out);

}  // namespace vw
