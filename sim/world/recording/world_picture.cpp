#include "sim/world/recording/world_picture.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace vw {
namespace {

/// Place of a joint's first anchor; null if the path `system.NAME.joint.NAME.PARAMETER` does not name a joint.
const Vec3f* place_of_joint(std::string_view path, const std::vector<SystemSnapshot>& systems) {
  for (const SystemSnapshot& system : systems)
    for (const JointMark& joint : system.joints)
      if (path.starts_with("system." + system.name + ".joint." + joint.name + ".")) return &joint.a;
  return nullptr;
}

/// Value of the node's parameter that gives its place; null if there is none.
const Vec3* place_of_node(const Node& node) {
  for (const std::string_view key : std::to_array<std::string_view>({"position", "center"})) {
    const auto found = std::ranges::find(node.schema->params, key, &ParamSpec::name);
    if (found == node.schema->params.end()) continue;
    const Value& value = node.values[static_cast<std::size_t>(found - node.schema->params.begin())];
    if (const auto* place = std::get_if<Vec3>(&value)) return place;
  }
  return nullptr;
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

void place_signals(const ControlLoop& control, Node& scene, const std::vector<SystemSnapshot>& systems,
                   std::vector<SignalSnapshot>& out) {
  for (std::size_t i = 0; i < control.actuators().size(); ++i) {
    for (const std::string& target : control.actuators()[i].targets()) {
      if (target.find(".muscle.") != std::string::npos) continue;  // muscles are shown by the channel muscle_strain
      const auto number = driven_number(scene, target);
      if (!number) continue;
      if (const Vec3f* joint = place_of_joint(number->parameter, systems)) {
        out[i].places.push_back(*joint);
        continue;
      }
      const auto parameter = find_parameter(scene, number->parameter);
      if (!parameter) continue;
      if (const Vec3* place = place_of_node(*parameter->node)) out[i].places.push_back(place->cast<float>());
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
