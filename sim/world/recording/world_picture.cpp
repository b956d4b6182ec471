#include "sim/world/recording/world_picture.h"

#include <algorithm>
#include <string_view>

namespace vw {
namespace {

/// Path of a target, split at its dots, such as system.machine.joint.elbow.motor_speed. Missing components are empty.
struct TargetPath {
  std::string_view slot, name, child_slot, child;
  explicit TargetPath(std::string_view path) {
    for (std::string_view* part : {&slot, &name, &child_slot, &child}) {
      const std::size_t dot = path.find('.');
      if (dot == std::string_view::npos) return;
      *part = path.substr(0, dot);
      path.remove_prefix(dot + 1);
    }
  }
};

/// Returns a pointer to the element of a range with this name, or null.
template <class Range>
auto named(const Range& all, std::string_view name) -> decltype(&*all.begin()) {
  const auto found = std::ranges::find(all, name, [](const auto& one) { return std::string_view(one.name); });
  return found == all.end() ? nullptr : &*found;
}

/// Returns the value of the node's parameter `position`, or null if there is no such parameter.
const Vec3* place_of_node(const Node& node) {
  const auto found = std::ranges::find(node.schema->params, "position", &ParamSpec::name);
  if (found == node.schema->params.end()) return nullptr;
  return std::get_if<Vec3>(&node.values[static_cast<std::size_t>(found - node.schema->params.begin())]);
}

}  // namespace

void fill_collider(const ColliderSet& colliders, std::size_t i, double time, ColliderSnapshot& out) {
  const Collider& collider = colliders.as_declared()[i];
  const Pose pose = colliders.pose(i, time);
  out.kind = ColliderSnapshot::Kind::plane;
  out.name = collider.name;
  out.position = pose.position.cast<float>();
  out.orientation = pose.orientation.cast<float>();
  out.color = collider.color.cast<float>();
  out.two_sided = collider.two_sided;
  out.opacity = static_cast<float>(collider.opacity);
  out.mesh = nullptr;
  const Shape& shape = drawn_shape(collider);
  if (std::holds_alternative<SphereShape>(shape)) {
    out.kind = ColliderSnapshot::Kind::sphere;
    out.half_extent = Vec3f::Constant(static_cast<float>(std::get<SphereShape>(shape).radius_m));
  } else if (std::holds_alternative<BoxShape>(shape)) {
    out.kind = ColliderSnapshot::Kind::box;
    out.half_extent = std::get<BoxShape>(shape).half_extent_m.cast<float>();
  } else if (!std::holds_alternative<PlaneShape>(shape)) {
    out.kind = ColliderSnapshot::Kind::mesh;
    out.mesh = colliders.picture(i);
  }
}

void fill_channels(const System& system, const std::vector<std::string>& wanted, SystemSnapshot& out) {
  const auto available = system.channels();
  out.available.assign(available.begin(), available.end());
  std::size_t used = 0;
  for (std::size_t i = 0; i < available.size(); ++i) {
    if (std::find(wanted.begin(), wanted.end(), available[i].name) == wanted.end()) continue;
    if (used == out.channels.size()) out.channels.emplace_back();
    out.channels[used].name = available[i].name;
    out.channels[used].index = i;
    ++used;
  }
  out.channels.resize(used);
  system.fill_channels(out.channels);
}

void place_signals(const ControlLoop& control, Node& scene, Snapshot& out) {
  for (std::size_t i = 0; i < control.actuators().size(); ++i) {
    std::vector<Vec3f>& places = out.signals[i].places;
    for (const std::string& target : control.actuators()[i].targets()) {
      const TargetPath path(target);
      if (path.slot == "collider") {
        if (const ColliderSnapshot* collider = named(out.colliders, path.name)) places.push_back(collider->position);
      } else if (path.child_slot == "joint") {
        const SystemSnapshot* system = named(out.systems, path.name);
        const JointMark* joint = system == nullptr ? nullptr : named(joints_of(*system), path.child);
        if (joint != nullptr) places.push_back(joint->a);
      } else if (path.slot == "field" || path.child_slot == "emitter" || path.child_slot == "inflow" ||
                 path.child_slot == "drain") {
        const auto number = driven_number(scene, target);
        const auto parameter = number ? find_parameter(scene, number->parameter) : Unexpected(number.error());
        if (!parameter) continue;
        if (const Vec3* place = place_of_node(*parameter->node)) places.push_back(place->cast<float>());
      }
    }
  }
}

void fill_statistics(const Diagnostics& diagnostics, const SystemTiming& timing, SystemSnapshot& out) {
  out.mass_kg = diagnostics.mass;
  out.kinetic_j = diagnostics.kinetic;
  out.potential_j = diagnostics.potential;
  out.elastic_j = diagnostics.elastic;
  out.center_of_mass = diagnostics.center_of_mass;
  out.momentum = diagnostics.momentum;
  out.angular_momentum = diagnostics.angular_momentum;
  out.substeps = timing.substeps;
  out.substep_dt_s = timing.substep_dt;
  out.stable_dt_s = timing.stable_dt;
  out.wall_s = timing.wall_s;
}

}  // namespace vw
