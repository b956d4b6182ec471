#include "app/window/gizmo/running_body.h"

#include <algorithm>
#include <limits>

#include "app/window/document/body_names.h"
#include "app/window/document/node_hints.h"
#include "sim/base/rotation.h"

namespace vw {
namespace {

PosedPart::Element element_of(const SystemSnapshot& system, std::size_t row) {
  return {static_cast<std::int64_t>(row), system.position[row].cast<double>(), system.orientation[row].cast<double>()};
}

/// Row of the voxel that is nearest to `place`.
std::size_t nearest_row(const SystemSnapshot& system, const Vec3& place) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < system.position.size(); ++row)
    if (const double far = (system.position[row].cast<double>() - place).squaredNorm(); far < least)
      least = far, best = row;
  return best;
}

}  // namespace

std::optional<PosedPart> running_part(const Node& root, const Snapshot& snapshot, const std::string& path) {
  constexpr std::string_view slot = "system.";
  if (!path.starts_with(slot)) return std::nullopt;
  const std::string name = path.substr(slot.size(), path.find('.', slot.size()) - slot.size());
  const auto system = std::ranges::find(snapshot.systems, name, &SystemSnapshot::name);
  if (system == snapshot.systems.end() || system->position.empty()) return std::nullopt;
  const bool is_soft = system->look_kind() == LookKind::voxels, is_body = system->look_kind() == LookKind::rigid;
  const std::string body = std::string(slot) + name + ".body.";
  if (!(is_soft && path == std::string(slot) + name) && !(is_body && path.starts_with(body))) return std::nullopt;
  std::vector<PosedPart> parts = posed_parts(root, path);
  if (parts.empty()) return std::nullopt;
  PosedPart part = std::move(parts.front());
  part.system = name;
  part.sizes.clear(), part.lengths.clear();
  part.at.setZero();
  std::size_t count = 0;
  for (std::size_t row = 0; row < system->position.size(); ++row) {
    if (is_body && body_node(*system, row) != path.substr(body.size())) continue;
    part.at += system->position[row].cast<double>();
    ++count;
    if (is_body) part.elements.push_back(element_of(*system, row));
  }
  if (count == 0) return std::nullopt;
  part.at /= static_cast<double>(count);
  if (is_soft) part.elements.push_back(element_of(*system, nearest_row(*system, part.at)));
  part.axes = part.elements.front().orientation;
  return part;
}

std::vector<SetPose> poses_after(const PosedGroup& group, const PoseChange& change, const GizmoFrame& frame) {
  std::vector<SetPose> all;
  const Quat turn = rotation_of(change.rotation);
  for (const PosedPart& part : group.parts)
    for (const PosedPart::Element& one : part.elements)
      all.push_back(
          {part.system, one.row, moved_point(one.position, change, frame), rotation_vector_of(turn * one.orientation)});
  return all;
}

std::vector<SetPose> present_poses(const Node& root, const Snapshot& snapshot, const std::string& path) {
  std::vector<SetPose> all;
  const Node* node = find_node(root, path);
  if (node == nullptr) return all;
  for (const Node* body : node->all("body"))
    for (const SetPose& pose : present_poses(root, snapshot, path + ".body." + body->name)) all.push_back(pose);
  if (!all.empty() || has_joint(root, path)) return all;
  if (const auto part = running_part(root, snapshot, path))
    for (const PosedPart::Element& one : part->elements)
      all.push_back({part->system, one.row, one.position, rotation_vector_of(one.orientation)});
  return all;
}

}  // namespace vw
