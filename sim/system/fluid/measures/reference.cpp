#include "sim/system/fluid/measures/reference.h"

#include <algorithm>

#include "sim/base/cell_grid.h"
#include "sim/base/elementary/elementary.h"

namespace vw {

double ReferenceSph::shape(const Vec3& apart) const {
  return factor_ * kernel_shape(kernel, apart.norm() / reach()) / 8;
}

Vec3 ReferenceSph::slope(const Vec3& apart) const {
  return factor_ * volume() * kernel_slope(kernel, apart.norm() / reach()) / elementary::pow(reach(), 5) * apart;
}

void ReferenceSph::find_neighbours() {
  factor_ = lattice_factor(kernel);
  near.assign(x.size(), {});
  near_walls.assign(x.size(), {});
  CellGrid fluid, walls;
  fluid.build(x, reach());
  walls.build(wall, reach());
  for (std::size_t i = 0; i < x.size(); ++i) {
    fluid.near(x[i], [&](std::uint32_t j) {
      if (j != i && (x[i] - x[j]).squaredNorm() < reach() * reach()) near[i].push_back(j);
    });
    walls.near(x[i], [&](std::uint32_t b) {
      if ((x[i] - wall[b]).squaredNorm() < reach() * reach()) near_walls[i].push_back(b);
    });
  }
}

void ReferenceSph::sum_densities() {
  density.assign(x.size(), 0), answer.assign(x.size(), 0), virial.assign(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    density[i] = shape(Vec3::Zero());
    Vec3 own = Vec3::Zero();
    double others = 0;
    for (const std::size_t j : near[i]) {
      const Vec3 apart = x[i] - x[j], g = slope(apart);
      density[i] += shape(apart), own += g, others += g.squaredNorm() / rest_density[j], virial[i] -= g.dot(apart) / 3;
    }
    for (const std::size_t b : near_walls[i]) {
      const Vec3 apart = x[i] - wall[b], g = slope(apart);
      density[i] += shape(apart), own += 2 * g, virial[i] -= g.dot(apart) / 3;
    }
    answer[i] = own.squaredNorm() / rest_density[i] + others;
  }
}

std::vector<double> ReferenceSph::rates(const std::vector<Vec3>& u) const {
  std::vector<double> out(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (const std::size_t j : near[i]) out[i] += (u[i] - u[j]).dot(slope(x[i] - x[j]));
    for (const std::size_t b : near_walls[i]) out[i] += 2 * u[i].dot(slope(x[i] - wall[b]));
  }
  return out;
}

std::vector<Vec3> ReferenceSph::pushed(const std::vector<Vec3>& u, const std::vector<double>& k, double dt) const {
  std::vector<Vec3> out = u;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Vec3 sum = Vec3::Zero();
    for (const std::size_t j : near[i]) sum += (k[i] + k[j]) * slope(x[i] - x[j]);
    for (const std::size_t b : near_walls[i]) sum += 2 * k[i] * slope(x[i] - wall[b]);
    out[i] -= dt / rest_density[i] * sum;
  }
  return out;
}

int ReferenceSph::step_dfsph(double dt, const Vec3& gravity, double error) {
  find_neighbours();
  sum_densities();
  const std::size_t n = x.size();
  kappa.assign(n, 0);
  for (Vec3& u : v) u += dt * gravity;
  const std::vector<Vec3> before = v;
  for (int iteration = 0;; ++iteration) {
    const std::vector<double> rate = rates(v);
    double left = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double excess = density[i] - 1 + dt * rate[i];
      left += std::max(0.0, excess) / static_cast<double>(n);
      if (answer[i] > 0) kappa[i] = std::max(0.0, kappa[i] + 0.5 * excess / (dt * dt * answer[i]));
    }
    if ((left <= error && iteration > 0) || iteration == 100) {
      for (std::size_t i = 0; i < n; ++i) x[i] += dt * v[i];
      return iteration;
    }
    v = pushed(before, kappa, dt);
  }
}

void ReferenceSph::step_wcsph(double dt, const Vec3& gravity, double stiffness_pa) {
  find_neighbours();
  sum_densities();
  kappa.assign(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i)
    kappa[i] = std::max(0.0, stiffness_pa * (elementary::pow(density[i], 7) - 1)) / (density[i] * density[i]);
  for (Vec3& u : v) u += dt * gravity;
  v = pushed(v, kappa, dt);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * v[i];
}

}  // namespace vw
