// Synthetic snapshots of water: a pool with waves, drops above the pool, and a rigid body.
#pragma once

#include <cmath>
#include <random>

#include "tests/render/stage_set.h"

namespace vw {

/// Returns a lattice of particles that fills a box of this size. The box stands on y = 0, centred about the y axis. The
/// waves of its surface have the amplitude `wave_m`.
inline SystemSnapshot water_block(const Vec3f& size, float spacing, float wave_m = 0) {
  SystemSnapshot s;
  s.name = "water";
  s.kind = "fluid";
  s.use_look<FluidLook>();
  s.use_look<FluidLook>().spacing_m = spacing;
  const Eigen::Vector3i n = (size / spacing).array().round().cast<int>();
  for (int z = 0; z < n.z(); ++z)
    for (int y = 0; y < n.y() + 40; ++y)
      for (int x = 0; x < n.x(); ++x) {
        const Vec3f p = spacing * (Vec3f(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)) +
                                   Vec3f::Constant(0.5F)) -
                        Vec3f(0.5F * size.x(), 0, 0.5F * size.z());
        if (p.y() > size.y() + wave_m * std::sin(12 * p.x()) * std::cos(9 * p.z())) continue;
        s.position.push_back(p);
      }
  const auto wave = [](std::size_t a) { return std::sin(12.9898F * static_cast<float>(a)); };
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    if (wave_m > 0) s.position[i] += 0.15F * spacing * Vec3f(wave(i), wave(3 * i + 1), wave(7 * i + 2));
    s.velocity.emplace_back(Vec3f::Zero());
    s.size.push_back(0.5F * spacing);
    s.id.push_back(static_cast<std::uint32_t>(i));
    s.material.push_back(0);
  }
  s.palette = {Vec3f(0.16F, 0.42F, 0.78F)};
  s.palette_names = {"water"};
  s.available = {{"speed", "m/s"}, {"pressure", "Pa"}};
  return s;
}

/// Adds drops in a cube of half width `reach` [m] about `center`. Each drop moves away from the centre at `speed` times
/// its relative position in the cube.
inline void add_drops(SystemSnapshot& water, int count, const Vec3f& center, float reach, float speed) {
  std::mt19937 random(7);
  const auto part = [&random] { return static_cast<float>(random() % 2001) / 1000 - 1; };
  for (int i = 0; i < count; ++i) {
    Vec3f way;
    for (int k = 0; k < 3; ++k) way[k] = part();
    water.position.emplace_back(center + reach * way);
    water.velocity.emplace_back(speed * way);
    water.size.push_back(0.5F * spacing_of_fluid(water));
    water.id.push_back(static_cast<std::uint32_t>(water.id.size()));
    water.material.push_back(0);
  }
}

/// Returns a system of one rigid box.
inline SystemSnapshot rigid_box(const Vec3f& position, const Quatf& turn, const Vec3f& half, const Vec3f& color) {
  SystemSnapshot s;
  s.name = "bodies";
  s.kind = "rigid";
  s.use_look<RigidLook>();
  auto mesh = std::make_shared<SurfaceMesh>();
  for (int axis = 0; axis < 3; ++axis)
    for (const float side : {-1.0F, 1.0F}) {
      Vec3f n = Vec3f::Zero(), u = Vec3f::Zero(), v = Vec3f::Zero();
      n[axis] = side;
      u[(axis + 1) % 3] = side;
      v[(axis + 2) % 3] = 1;
      const auto first = static_cast<unsigned>(mesh->position.size());
      for (const Vec3f& p : {Vec3f(n - u - v), Vec3f(n + u - v), Vec3f(n + u + v), Vec3f(n - u + v)}) {
        mesh->position.emplace_back(p.cwiseProduct(half));
        mesh->normal.push_back(n);
      }
      mesh->triangle.push_back({first, first + 1, first + 2});
      mesh->triangle.push_back({first, first + 2, first + 3});
    }
  s.position = {position};
  s.velocity = {Vec3f(0, 0, 0)};
  s.orientation = {turn};
  s.size = {half.norm()};
  s.id = {0};
  s.material = {0};
  s.palette = {color};
  s.palette_names = {"box"};
  s.use_look<RigidLook>().meshes = {mesh};
  return s;
}

/// Returns a block of water that stands on the ground. Its surface has waves.
inline Snapshot pool(float wave_m = 0.03F) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  s.systems = {water_block({0.6F, 0.2F, 0.4F}, 0.02F, wave_m)};
  return s;
}

/// Returns a pane of glass.
inline ColliderSnapshot wall(const Vec3f& position, const Vec3f& axis, float angle) {
  ColliderSnapshot w = obstacle("wall", ColliderSnapshot::Kind::plane, position, Quatf(Eigen::AngleAxisf(angle, axis)),
                                Vec3f::Ones(), {0.5F, 0.5F, 0.5F});
  w.opacity = 0.15F;
  return w;
}

/// Returns a pool between four panes of glass.
inline Snapshot tank(float wave_m = 0.03F) {
  constexpr float right_angle = 1.5707964F;
  Snapshot s = pool(wave_m);
  s.colliders.push_back(wall({-0.3F, 0, 0}, {0, 0, 1}, -right_angle));
  s.colliders.push_back(wall({0.3F, 0, 0}, {0, 0, 1}, right_angle));
  s.colliders.push_back(wall({0, 0, -0.2F}, {1, 0, 0}, right_angle));
  s.colliders.push_back(wall({0, 0, 0.2F}, {1, 0, 0}, -right_angle));
  return s;
}

}  // namespace vw
