// Synthetic snapshots of rigid bodies (boxes and a ball) with contacts and joints.
#pragma once

#include "stage_set.h"

namespace vw {

/// Returns a mesh of a rotated box with the centre at the origin. Each face has its own four vertices.
inline std::shared_ptr<const SurfaceMesh> box_mesh(const Vec3f& half, const Quatf& turn = Quatf::Identity()) {
  auto mesh = std::make_shared<SurfaceMesh>();
  for (int axis = 0; axis < 3; ++axis)
    for (const float side : {-1.0F, 1.0F}) {
      const auto first = static_cast<std::uint32_t>(mesh->position.size());
      Vec3f n = Vec3f::Zero(), u = Vec3f::Zero(), v = Vec3f::Zero();
      n[axis] = side, u[(axis + 1) % 3] = 1, v[(axis + 2) % 3] = side;
      for (const auto& [a, b] : {std::pair{-1.0F, -1.0F}, {1.0F, -1.0F}, {1.0F, 1.0F}, {-1.0F, 1.0F}}) {
        mesh->position.push_back(turn * half.cwiseProduct(n + a * u + b * v));
        mesh->normal.push_back(turn * n);
      }
      mesh->triangle.push_back({first, first + 1, first + 2});
      mesh->triangle.push_back({first, first + 2, first + 3});
    }
  return mesh;
}

/// Returns a row of boxes of 0.1 m on the ground. Their centres are 0.15 m apart along x. Boxes of higher index have
/// more red in their colour.
inline SystemSnapshot box_row(std::size_t count) {
  SystemSnapshot s;
  s.name = "boxes";
  s.kind = "rigid";
  s.use_look<RigidLook>();
  const auto mesh = box_mesh(Vec3f::Constant(0.05F));
  for (std::size_t i = 0; i < count; ++i) {
    s.position.emplace_back(0.15F * (static_cast<float>(i) - 0.5F * static_cast<float>(count - 1)), 0.05F, 0);
    s.velocity.emplace_back(0, 0, 0);
    s.orientation.push_back(Quatf::Identity());
    s.size.push_back(0.0866F);
    s.id.push_back(static_cast<std::uint32_t>(i));
    s.material.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(i, 255)));
    const Vec3f color((static_cast<float>(i) + 0.5F) / static_cast<float>(count), 0.2F, 0.1F);
    s.palette.push_back(color);
    s.palette_names.push_back("box-" + std::to_string(i + 1));
    s.tint.emplace_back(color.x(), color.y(), color.z(), 1.0F);
    s.use_look<RigidLook>().meshes.push_back(mesh);
  }
  return s;
}

/// Returns three boxes. A rope connects the first and the second box, and the third one has a hinge about z. Each box
/// has a contact with the ground. A force of a rule lifts the second box.
inline Snapshot rigid_set() {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  SystemSnapshot row = box_row(3);
  row.orientation[1] = Quatf(Eigen::AngleAxisf(0.5F, Vec3f::UnitY()));
  row.use_look<RigidLook>().joints.push_back({"painter", "rope", Vec3f(-0.15F, 0.1F, 0), Vec3f(0, 0.2F, 0)});
  row.use_look<RigidLook>().joints.push_back(
      {"axle", "hinge", Vec3f(0.2F, 0.12F, 0.05F), Vec3f(0.2F, 0.12F, 0.05F), Vec3f::UnitZ()});
  for (std::uint32_t i = 0; i < 3; ++i)
    row.use_look<RigidLook>().contacts.push_back({row.position[i] - Vec3f(0, 0.05F, 0), Vec3f(0, 2, 0), i});
  RuleSnapshot lift;
  lift.node = "lift";
  lift.force_a = {Vec3f::Zero(), Vec3f(0, 4, 0), Vec3f::Zero()};
  s.rules.push_back(lift);
  s.systems.push_back(std::move(row));
  return s;
}

}  // namespace vw
