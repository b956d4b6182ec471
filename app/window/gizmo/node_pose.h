// Places, orientations and sizes that the parameters of a scene's nodes describe, and the assignments that move, rotate
// and scale them. This file depends on the kinds of nodes through the names of their parameters. It does not use the
// GUI.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/base/math.h"
#include "sim/base/rotation.h"

namespace vw {

/// Shape whose outline shows the extent of a posed part.
enum class OutlineShape { none, box, sphere, cylinder, disc, rectangle };

/// A parameter, with its value when the part was read.
struct PoseValue {
  std::string path;
  Value value;
};

/// A part of a node that has a place in the world: an obstacle, the anchor of a joint, the region of a field. A node
/// may have several parts. Places may be stored in another frame, such as fractions of the extent of a voxel body. A
/// stored place p is at `origin + basis * p` [m].
struct PosedPart {
  std::string label;                    ///< label of the part: "Position", "Anchor of the second body"
  Vec3 at = Vec3::Zero();               ///< place of the part in the world [m], about which it rotates and scales
  Quat axes = Quat::Identity();         ///< directions of the part's own axes
  Vec3 origin = Vec3::Zero();           ///< origin of stored places [m]
  Mat3 basis = Mat3::Identity();        ///< axes of stored places [m]
  Mat3 stored_axes = Mat3::Identity();  ///< rotation from the frame of a stored rotation vector to the world

  std::vector<PoseValue> places;      ///< parameters that are places; all of them move together
  std::size_t point = 0;              ///< for a list of places (the path of a goal): index of the point that moves
  int place_axis = -1;                ///< if >= 0, the place is a number: the coordinate on this axis of the world
  std::vector<PoseValue> rotations;   ///< parameters that are rotation vectors
  std::vector<PoseValue> directions;  ///< parameters that are directions
  std::vector<PoseValue> sizes;       ///< parameters that are edge lengths along the part's own x, y and z axes
  /// Parameters that are a single length. The length is scaled by the factor of the axes whose bits (1, 2, 4) are set.
  /// If several bits are set, the factor that differs most from 1 is used.
  struct Length {
    PoseValue parameter;
    unsigned axes = 7;
  };
  std::vector<Length> lengths;
  /// Size of a voxel body's lattice in voxels; zero for other parts. The place of a voxel body is the lower corner of
  /// its lattice. If the edge length of the voxels changes, this corner moves and the centre of the lattice does not.
  Vec3 lattice = Vec3::Zero();

  OutlineShape shape = OutlineShape::none;
  Vec3 extent = Vec3::Zero();  ///< full edge lengths of the outline along the part's own axes [m]
  bool is_live = true;         ///< whether a changed place takes effect in the running world at once
  /// An element of the running world with its present pose.
  struct Element {
    std::int64_t row = 0;
    Vec3 position = Vec3::Zero();
    Quat orientation = Quat::Identity();
  };
  /// If not empty, the part is a body of the running world (running_body.h): these elements of the system `system`
  /// move, and no parameter changes.
  std::vector<Element> elements = {};
  std::string system = {};
  [[nodiscard]] bool can_rotate() const { return !rotations.empty() || !directions.empty(); }
  [[nodiscard]] bool can_scale() const { return !sizes.empty() || !lengths.empty(); }
};

/// Parts of the node at `path`; empty if the node has no place. The first part is the main one.
[[nodiscard]] std::vector<PosedPart> posed_parts(const Node& root, const std::string& path);

/// A change of a part: scaling along the part's own axes and a rotation, both about `at`, and then a translation.
struct PoseChange {
  Vec3 translation = Vec3::Zero();  ///< [m]
  Vec3 rotation = Vec3::Zero();     ///< rotation vector in the world [rad]
  Vec3 factors = Vec3::Ones();      ///< factors along the part's own axes
};
/// Assignments that apply the change to the values that the part had when it was read. Lengths stay positive.
[[nodiscard]] std::vector<Assignment> assignments_of(const PosedPart& part, const PoseChange& change);

/// Line segments of a part's outline in the world, as pairs of points.
[[nodiscard]] std::vector<std::array<Vec3, 2>> outline_of(const PosedPart& part);

}  // namespace vw
