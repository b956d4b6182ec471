// Particle arrangements, and measures of the meshes around them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "sim/base/random.h"
#include "sim/surface/fluid_surface.h"
#include "tests/support/checked.h"

namespace vw::test {

inline constexpr double fluid_spacing_m = 0.02;

/// Returns the points of a cubic lattice in the box from `low` to `high`, given in spacings, for which `contains`
/// holds. Each point is moved by a random displacement of up to `jitter` spacings along each axis.
template <class F>
std::vector<Vec3> lattice_particles(const Vec3& low, const Vec3& high, double jitter, F contains) {
  std::vector<Vec3> all;
  std::uint64_t number = 0;
  const Eigen::Vector3i count = (high - low).array().round().cast<int>();
  for (int k = 0; k < count.z(); ++k)
    for (int j = 0; j < count.y(); ++j)
      for (int i = 0; i < count.x(); ++i) {
        const Vec3 p = low + Vec3(i + 0.5, j + 0.5, k + 0.5);
        const auto random = [&](std::uint64_t axis) { return jitter * (2 * random_uniform({7, 5}, number, axis) - 1); };
        if (contains(p)) all.push_back(fluid_spacing_m * (p + Vec3(random(0), random(1), random(2))));
        ++number;
      }
  return all;
}

inline std::vector<Vec3> block_of_particles(const Vec3& size, double jitter = 0) {
  return lattice_particles(Vec3::Zero(), size, jitter, [](const Vec3&) { return true; });
}

inline std::vector<Vec3> ball_of_particles(double radius) {
  const Vec3 half = Vec3::Constant(std::ceil(radius));
  return lattice_particles(-half, half, 0, [&](const Vec3& p) { return p.norm() < radius; });
}

inline std::vector<Vec3> torus_of_particles(double radius, double tube) {
  const Vec3 half = Vec3::Constant(std::ceil(radius + tube));
  return lattice_particles(-half, half, 0, [&](const Vec3& p) {
    const double across = std::sqrt(p.x() * p.x() + p.z() * p.z()) - radius;
    return across * across + p.y() * p.y() < tube * tube;
  });
}

/// Returns drops of one particle each, at least three spacings apart.
inline std::vector<Vec3> separate_drops(std::uint64_t count) {
  std::vector<Vec3> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto random = [&](std::uint64_t axis) { return random_uniform({7, 5}, i, axis); };
    const Vec3 cell(static_cast<double>(i % 10), static_cast<double>(i / 10 % 10), static_cast<double>(i / 100));
    all.push_back(fluid_spacing_m * (4 * cell + Vec3(random(0), random(1), random(2))));
  }
  return all;
}

inline FluidMesh mesh_of(const std::vector<Vec3>& particles, FluidMeshOptions options = {}) {
  options.spacing_m = fluid_spacing_m;
  return checked(fluid_surface(particles, {}, options));
}

/// Returns the volume by the divergence theorem [m^3]. It is positive if the triangles face outwards.
inline double enclosed_volume(const FluidMesh& mesh) {
  double sum = 0;
  const Vec3 origin = mesh.position.empty() ? Vec3(Vec3::Zero()) : mesh.position[0];
  for (const auto& [a, b, c] : mesh.triangle)
    sum += (mesh.position[a] - origin).dot((mesh.position[b] - origin).cross(mesh.position[c] - origin)) / 6;
  return sum;
}

/// Returns the relative error of the enclosed volume against `particles` times spacing^3.
inline double volume_error(const FluidMesh& mesh, std::size_t particles) {
  const double expected = static_cast<double>(particles) * fluid_spacing_m * fluid_spacing_m * fluid_spacing_m;
  return enclosed_volume(mesh) / expected - 1;
}

struct MeshClosure {
  std::size_t open_edges = 0;  ///< edges without exactly one triangle on each side, in opposite directions
  std::size_t unused = 0;      ///< vertices without a triangle
  long euler = 0;              ///< vertices - edges + triangles
  double least_quality = 1;    ///< least 4 sqrt(3) area / (sum of squared sides); 1 for an equilateral triangle
};

inline MeshClosure closure_of(const FluidMesh& mesh) {
  MeshClosure out;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  std::vector<char> used(mesh.position.size(), 0);
  for (const auto& triangle : mesh.triangle) {
    double sides2 = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = triangle[k], b = triangle[(k + 1) % 3];
      ++edges[{a, b}];
      used[a] = 1;
      sides2 += (mesh.position[a] - mesh.position[b]).squaredNorm();
    }
    const Vec3 u = mesh.position[triangle[1]] - mesh.position[triangle[0]];
    const Vec3 w = mesh.position[triangle[2]] - mesh.position[triangle[0]];
    out.least_quality = std::min(out.least_quality, 2 * std::sqrt(3.0) * u.cross(w).norm() / sides2);
  }
  for (const auto& [edge, count] : edges) {
    const auto opposite = edges.find({edge.second, edge.first});
    if (count != 1 || opposite == edges.end() || opposite->second != 1) ++out.open_edges;
  }
  out.unused = static_cast<std::size_t>(std::count(used.begin(), used.end(), char{0}));
  out.euler = static_cast<long>(mesh.position.size()) - static_cast<long>(edges.size() / 2) +
              static_cast<long>(mesh.triangle.size());
  return out;
}

/// Mean and root mean square about the mean, in spacings, of distance(vertex) over the vertices for which it is not
/// NaN.
struct DistanceStatistics {
  double mean = 0, deviation = 0;
  std::size_t count = 0;
};

template <class F>
DistanceStatistics distance_statistics(const FluidMesh& mesh, F distance) {
  DistanceStatistics out;
  double sum = 0, sum2 = 0;
  for (const Vec3& p : mesh.position) {
    const double d = distance(p) / fluid_spacing_m;
    if (std::isnan(d)) continue;
    sum += d, sum2 += d * d, ++out.count;
  }
  const auto n = static_cast<double>(std::max<std::size_t>(out.count, 1));
  out.mean = sum / n;
  out.deviation = std::sqrt(std::max(0.0, sum2 / n - out.mean * out.mean));
  return out;
}

/// Returns the height over the plane y = level (in spacings) of vertices in the inner part of a face that is `side`
/// spacings wide.
inline auto height_over(double level, double side) {
  return [=](const Vec3& p) {
    const Vec3 q = p / fluid_spacing_m;
    const auto is_inner = [&](double at) { return at > 4 && at < side - 4; };
    const bool on_face = is_inner(q.x()) && is_inner(q.z()) && std::abs(q.y() - level) < 1;
    return on_face ? p.y() - level * fluid_spacing_m : std::numeric_limits<double>::quiet_NaN();
  };
}

}  // namespace vw::test
