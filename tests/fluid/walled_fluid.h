// A fluid among colliders, for tests of walls. The test calls the solver directly, without a world.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/pose.h"
#include "sim/system/fluid/fluid_solver.h"
#include "sim/system/fluid/pressure/pressure_step_limit.h"
#include "sim/system/fluid/walls/walls_force.h"

namespace vw::test {

inline Collider wall_of(Shape shape, const Vec3& position = Vec3::Zero(), const Vec3& turn = Vec3::Zero()) {
  Collider collider;
  collider.shape = std::move(shape);
  collider.position = position;
  collider.orientation = rotation_of(turn);
  return collider;
}

inline Box3 box(const Vec3& low, const Vec3& high) { return {low, high}; }

inline std::shared_ptr<const Geometry> mesh_of(TriangleList list) { return *TriangleMesh::make(std::move(list)); }

/// Returns a tank of planes around the box `inside`, open at the top.
inline std::vector<Collider> tank_of_planes(const Box3& inside) {
  const Vec3 low = inside.min(), high = inside.max();
  return {wall_of(PlaneShape{}, low), wall_of(PlaneShape{}, low, Vec3(0, 0, -0.5 * pi)),
          wall_of(PlaneShape{}, low, Vec3(0.5 * pi, 0, 0)), wall_of(PlaneShape{}, high, Vec3(0, 0, 0.5 * pi)),
          wall_of(PlaneShape{}, high, Vec3(-0.5 * pi, 0, 0))};
}

/// Returns a tank of five boxes with the given wall thickness around the box `inside`, open at the top.
inline std::vector<Collider> tank_of_boxes(const Box3& inside, double wall) {
  const Vec3 middle = inside.center(), half = 0.5 * inside.sizes();
  std::vector<Collider> tank{wall_of(BoxShape{{half.x() + wall, 0.5 * wall, half.z() + wall}},
                                     {middle.x(), inside.min().y() - 0.5 * wall, middle.z()})};
  for (const int side : {-1, 1}) {
    tank.push_back(wall_of(BoxShape{{0.5 * wall, half.y(), half.z() + wall}},
                           middle + Vec3(side * (half.x() + 0.5 * wall), 0, 0)));
    tank.push_back(
        wall_of(BoxShape{{half.x(), half.y(), 0.5 * wall}}, middle + Vec3(0, 0, side * (half.z() + 0.5 * wall))));
  }
  return tank;
}

class WalledFluid {
 public:
  explicit WalledFluid(double spacing_m) { params.spacing_m = spacing_m; }

  FluidParams params;
  std::vector<FluidPhase> phases{FluidPhase{}};
  FluidDomain domain{Box3(Vec3::Constant(-100), Vec3::Constant(100)), {}};
  std::vector<Collider> colliders;
  std::vector<Guest> guests;
  FluidRows rows;
  FluidSolver solver;
  FluidReport last;
  Vec3 gravity{0, -9.81, 0};
  double time_s = 0;
  std::size_t guarded = 0, steps = 0, iterations = 0;

  [[nodiscard]] std::span<const Vec3> x() const { return rows.elements.position; }
  [[nodiscard]] std::span<const Vec3> v() const { return rows.elements.velocity; }
  /// Adds a lattice of particles that begins half a spacing inside the box. Sites for which `take` returns false stay
  /// empty.
  void fill(const Box3& box, const Vec3& velocity = Vec3::Zero(), const std::function<bool(const Vec3&)>& take = {}) {
    const double d = params.spacing_m;
    Vec3 cells = (box.sizes() / d).array().round();
    for (double k = 0; k < cells.z(); ++k)
      for (double j = 0; j < cells.y(); ++j)
        for (double i = 0; i < cells.x(); ++i) {
          const Vec3 at = box.min() + d * Vec3(i + 0.5, j + 0.5, k + 0.5);
          if (!take || take(at)) rows.add({at, velocity, phases[0].density_kgpm3 * d * d * d, 0.5 * d, 0, 0, 0});
        }
  }
  [[nodiscard]] double fastest() const {
    double most = 0;
    for (const Vec3& one : v()) most = std::max(most, one.squaredNorm());
    for (const Collider& c : colliders) most = std::max(most, c.velocity.squaredNorm());
    return std::sqrt(most);
  }
  /// Makes one substep. The Courant number and the pressures determine the length of the substep, as in the fluid
  /// system. Colliders move with their own velocities. Returns false if the solver fails.
  bool step(double longest_s = 0.005) {
    const double speed = fastest() + gravity.norm() * 1e-3;
    const double deep = pressure_step_limit(rows, params.spacing_m);
    return step_by(
        std::min({longest_s, params.max_dt_s, deep, speed > 0 ? params.cfl * params.spacing_m / speed : longest_s}));
  }
  bool step_by(double dt) {
    last = {};
    const FluidStep task{params, phases, domain, colliders, guests, {}, gravity, dt};
    if (!solver.advance(rows, task, last)) return false;
    for (Collider& collider : colliders) collider = at_time(collider, dt);
    guarded += last.guarded;
    iterations += static_cast<std::size_t>(last.iterations + last.rate_iterations);
    ++steps;
    time_s += dt;
    return true;
  }
  /// Runs until the time is at least `until_s`. The last step is not shortened. Returns false if a step fails.
  bool run(double until_s) {
    while (time_s < until_s)
      if (!step()) return false;
    return true;
  }
  [[nodiscard]] double kinetic() const {
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) sum += 0.5 * rows.elements.mass[i] * v()[i].squaredNorm();
    return sum;
  }
  [[nodiscard]] double potential() const {
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) sum -= rows.elements.mass[i] * gravity.dot(x()[i]);
    return sum;
  }
};

}  // namespace vw::test
