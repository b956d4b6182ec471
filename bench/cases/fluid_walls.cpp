// Cost of the walls of a fluid: sampling every kind of shape when a scene starts, and moving the samples in each
// substep.
#include <algorithm>
#include <cmath>

#include "bench/measure.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/pose.h"
#include "sim/collision/shape/distance_grid.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw::bench {
namespace {

struct Timed {
  double seconds = 0, samples = 0;
};

/// Returns the time of one call of `make`, which returns the number of created samples.
template <class Make>
Timed time_of(std::int64_t milliseconds, const Make& make) {
  double samples = 0;
  const Windows windows = measure(milliseconds, [&] { return samples = make(); });
  return {samples / windows.median_rate(), samples};
}

Box3 tank_box() { return {Vec3::Zero(), Vec3(1, 0.5, 0.5)}; }

std::vector<Collider> tank_of_planes() {
  std::vector<Collider> walls(5);
  const Vec3 turns[] = {Vec3::Zero(), {0, 0, -0.5 * pi}, {0.5 * pi, 0, 0}, {0, 0, 0.5 * pi}, {-0.5 * pi, 0, 0}};
  for (std::size_t i = 0; i < walls.size(); ++i) {
    walls[i].shape = PlaneShape{};
    walls[i].position = i < 3 ? tank_box().min() : tank_box().max();
    walls[i].orientation = rotation_of(turns[i]);
  }
  return walls;
}

/// Creates the walls of a scene and the sorted rows of wall samples. Returns the number of samples.
double start(std::span<const Collider> colliders, const SphScale& scale) {
  Walls walls;
  WallRows rows;
  walls.configure(colliders, scale, tank_box());
  walls.place(colliders, {}, {Vec3::Zero(), scale.reach_m()}, Vec3::Zero(), rows);
  return static_cast<double>(rows.size());
}

Row walls_row(const std::string& kind, std::span<const Collider> colliders, const SphScale& scale,
              std::int64_t milliseconds) {
  const Timed begun = time_of(milliseconds, [&] { return start(colliders, scale); });
  std::vector<Collider> moving(colliders.begin(), colliders.end());
  for (Collider& collider : moving) collider.velocity = {0.1, 0, 0};
  Walls walls;
  WallRows rows;
  walls.configure(moving, scale, tank_box());
  const Timed moved = time_of(milliseconds, [&] {
    walls.place(moving, {}, {Vec3::Zero(), scale.reach_m()}, Vec3::Zero(), rows);
    return static_cast<double>(rows.size());
  });
  return {{{"walls", kind}},
          {{"samples", begun.samples}, {"start_s", begun.seconds}, {"moving_substep_ms", 1e3 * moved.seconds}}};
}

}  // namespace

Result<Outcome> fluid_walls(const Arguments& arguments) {
  const std::int64_t milliseconds = std::max<std::int64_t>(1, arguments.whole("milliseconds") / 8);
  const SphScale scale{SphKernel::wendland, 1 / arguments.real("cells")};
  const int across = std::max(3, static_cast<int>(std::lround(std::sqrt(0.25 * arguments.real("triangles")))));
  const auto mesh = TriangleMesh::make(torus_mesh(0.35, 0.15, 2 * across, across));
  if (!mesh) return Unexpected(mesh.error());
  const std::shared_ptr<const Geometry> solid = *mesh;
  const auto grid = make_distance_grid(solid, 1.0 / 64);
  if (!grid) return Unexpected(grid.error());
  Outcome outcome;
  const auto add = [&](const std::string& kind, const Shape& shape) {
    Collider collider;
    collider.shape = shape;
    outcome.rows.push_back(walls_row(kind, std::span(&collider, 1), scale, milliseconds));
  };
  outcome.rows.push_back(walls_row("tank of planes", tank_of_planes(), scale, milliseconds));
  add("box", BoxShape{{0.5, 0.25, 0.25}});
  add("sphere", SphereShape{0.5});
  add("mesh", solid);
  add("distance_grid", *grid);
  outcome.columns = {"samples", "start_s", "moving_substep_ms"};
  outcome.rates = {{"mesh_samples_per_s", outcome.rows[3].value("samples") / outcome.rows[3].value("start_s")}};
  outcome.figures = {{"triangles", static_cast<double>((*mesh)->triangles().triangle.size())},
                     {"mesh_start_s", outcome.rows[3].value("start_s")}};
  return outcome;
}

}  // namespace vw::bench
