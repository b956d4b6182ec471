#include "sim/world/recording/world_picture.h"

#include <algorithm>

namespace vw {

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
