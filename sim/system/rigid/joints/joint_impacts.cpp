// Joints during impacts: projects velocity changes onto the constraints that act in an arbitrarily short impact.
#include <algorithm>

#include "sim/system/rigid/joints/joints.h"

namespace vw {

bool RigidJoints::is_free_in_impact(std::size_t index) const {
  const JointParams& p = joints_[index].params;
  return has_axis(p.kind) || p.kind == JointKind::rope || is_spring(p);
}

bool RigidJoints::is_synchronous(const RigidContact& contact) const {
  const auto is_so = [&](std::size_t body) {
    return body != no_body && is_jointed_[body] != 0 && is_driven_[body] == 0 && pending_kick_s_[body] == 0;
  };
  return is_so(contact.a) || is_so(contact.b);
}

void RigidJoints::begin_impact(const RigidScene& scene, std::size_t index) {
  Group& group = groups_[index];
  compute_jacobians(scene, group);
  for (std::size_t i = 0; i < group.bodies.size(); ++i) {
    group.movers[i].free_velocity = scene.velocity_then[group.bodies[i]];
    group.movers[i].free_spin = scene.spin_then[group.bodies[i]];
  }
  group.is_impact = true, group.uses_end_jacobian = false, group.soft = 1;
  factorize(scene, group);
  group.is_impact = false;
  group.has_rows = false;
}

double RigidJoints::project_impact(const RigidScene& scene, std::size_t index, std::span<Vec3> velocity,
                                   std::span<Vec3> spin) {
  Group& group = groups_[index];
  const std::size_t n = group.bodies.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t body = group.bodies[i];
    group.unknown[i].setZero();
    velocity[body] -= group.movers[i].free_velocity, spin[body] -= group.movers[i].free_spin;
  }
  for (std::size_t k = 0; k < group.joints.size(); ++k) {
    const std::size_t at = group.joints[k];
    Vec6 rate = rates(at, velocity, spin);
    if (is_free_in_impact(at)) rate[drive_row(joints_[at].params.kind)] = 0;
    for (Eigen::Index r = row_count(joints_[at].params.kind); r < 6; ++r) rate[r] = 0;
    group.unknown[n + k] = -rate;
  }
  group.factor.solve(group.unknown);
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t body = group.bodies[i];
    velocity[body] += group.movers[i].free_velocity + group.unknown[i].head<3>();
    spin[body] += group.movers[i].free_spin + group.unknown[i].tail<3>();
    most = std::max(
        {most, group.unknown[i].head<3>().norm(), scene.bodies[body].reach_m * group.unknown[i].tail<3>().norm()});
  }
  return most;
}

}  // namespace vw
