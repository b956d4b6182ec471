// Snapshots and frames for tests of exports, and helpers that write them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "sim/export/writer.h"

namespace vw::test {

inline std::shared_ptr<SurfaceMesh> tetrahedron() {
  auto mesh = std::make_shared<SurfaceMesh>();
  mesh->position = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh->normal.assign(4, Vec3f::UnitY());
  mesh->triangle = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

/// Returns particles with the scalar channel "speed", whose second value is NaN, and the vector channel "vorticity".
inline SystemSnapshot drops(std::size_t count, float time_s) {
  SystemSnapshot system;
  system.name = "drops", system.kind = "particles", system.use_look<SphereLook>();
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<float>(i);
    system.position.emplace_back(x, time_s, -x);
    system.velocity.emplace_back(0, 1, 0);
    system.size.push_back(0.5F);
    system.id.push_back(static_cast<std::uint32_t>(10 + i));
    system.material.push_back(0);
  }
  system.palette = {{1, 0.5F, 0}};
  system.available = {{"speed", "m/s"}};
  std::vector<float> speed(count, 1);
  if (count > 1) speed[1] = std::numeric_limits<float>::quiet_NaN();
  system.channels = {{"speed", speed, 0}};
  system.vectors = {{"vorticity", std::vector<Vec3f>(count, Vec3f(1, 2, 3))}};
  return system;
}

/// Returns a voxel body of one voxel with an edge of 2 m, centred at `at`.
inline SystemSnapshot voxel(const Vec3f& at) {
  SystemSnapshot system;
  system.name = "cube", system.kind = "voxel_body", system.use_look<VoxelLook>();
  system.position = {at}, system.velocity = {Vec3f::Zero()}, system.orientation = {Quatf::Identity()};
  system.size = {2}, system.id = {0}, system.material = {0}, system.palette = {{0, 1, 0}};
  system.channels = {{"strain", {0.25F}, 0}};
  auto skin = std::make_shared<VoxelSkin>();
  for (std::uint8_t corner = 0; corner < 8; ++corner)
    skin->vertices.push_back({{0, -1, -1, -1, -1, -1, -1, -1}, {corner}});
  constexpr std::array<std::array<std::int32_t, 4>, 6> sides{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (std::uint8_t side = 0; side < 6; ++side) skin->quads.push_back({sides[side], 0, side});
  skin->edge_m = 2;
  system.use_look<VoxelLook>().skin = skin;
  return system;
}

/// Returns two rigid bodies, the second one turned by 90 degrees about z.
inline SystemSnapshot blocks(float time_s) {
  SystemSnapshot system;
  system.name = "blocks", system.kind = "rigid", system.use_look<RigidLook>();
  const float half = std::sqrt(0.5F);
  system.position = {{0, time_s, 0}, {5, 0, 0}};
  system.velocity = {Vec3f::UnitY(), Vec3f::Zero()};
  system.orientation = {Quatf::Identity(), Quatf(half, 0, 0, half)};
  system.size = {1, 1}, system.id = {0, 1}, system.material = {0, 0}, system.palette = {{0, 0, 1}};
  const auto mesh = tetrahedron();
  system.use_look<RigidLook>().meshes = {mesh, mesh};
  return system;
}

inline Snapshot snapshot_at(float time_s, std::size_t drop_count = 3) {
  Snapshot snapshot;
  snapshot.time_s = static_cast<double>(time_s);
  snapshot.systems = {blocks(time_s), voxel({0, 2 + time_s, 0}), drops(drop_count, time_s)};
  ColliderSnapshot ball;
  ball.name = "ball", ball.kind = ColliderSnapshot::Kind::sphere, ball.half_extent = Vec3f::Constant(0.5F);
  ColliderSnapshot ground;
  ground.name = "ground";
  snapshot.colliders = {ball, ground};
  return snapshot;
}

inline ExportGrid small_grid() {
  ExportGrid grid{.name = "wind-grid", .count = {2, 3, 4}, .origin = {1, 2, 3}, .spacing = {0.5, 0.5, 0.5}};
  std::vector<float> values(24 * 3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  grid.data.push_back({"velocity", "m/s", 3, values});
  return grid;
}

inline ExportFrame frame_of(const Snapshot& snapshot) {
  ExportFrame frame;
  const auto good = make_export_frame(snapshot, {}, frame);
  EXPECT_TRUE(good) << good.error().message();
  frame.grids.push_back(small_grid());
  return frame;
}

/// Writes snapshots to `path` and returns the first error, or an empty text.
inline std::string write_export(const std::string& path, const std::vector<Snapshot>& snapshots) {
  auto writer = open_export(path, {.title = "Test", .every_s = 0.1, .camera = {}, .frame = {}});
  if (!writer) return writer.error().message();
  for (const Snapshot& snapshot : snapshots)
    if (auto good = (*writer)->add(snapshot, frame_of(snapshot)); !good) return good.error().message();
  const auto finished = (*writer)->finish();
  return finished ? "" : finished.error().message();
}

inline std::string bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Returns the names of all files in a folder and below it, sorted.
inline std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) names.push_back(std::filesystem::relative(entry.path(), folder).generic_string());
  std::ranges::sort(names);
  return names;
}

}  // namespace vw::test
