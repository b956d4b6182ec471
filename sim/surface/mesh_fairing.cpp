#include "sim/surface/mesh_fairing.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t vertex_grain = 2048;
constexpr int position_averages = 4;    ///< Number of averaging rounds of the positions per pass.
constexpr int shift_averages = 8;       ///< Number of averaging rounds of the normal displacement per pass.
constexpr double averaging_step = 0.6;  ///< Fraction of the distance to the mean of the neighbours by which a value
                                        ///< moves.

template <class F>
void each_vertex(std::size_t count, F body) {
  parallel_for(count, vertex_grain, [&](Range range, std::size_t) {
    for (std::size_t v = range.begin; v < range.end; ++v) body(v);
  });
}

/// Moves each value towards the mean of its neighbours, `rounds` times. `scratch` contains the values of the previous
/// round.
template <class T>
void average_neighbors(const VertexFans& fans, int rounds, std::vector<T>& value, std::vector<T>& scratch) {
  scratch.resize(value.size());
  for (int round = 0; round < rounds; ++round) {
    each_vertex(value.size(), [&](std::size_t v) {
      const auto fan = fans.at(v);
      T sum = value[fan[0].next];
      for (std::size_t k = 1; k < fan.size(); ++k) sum += value[fan[k].next];
      scratch[v] = (1 - averaging_step) * value[v] + (averaging_step / static_cast<double>(fan.size())) * sum;
    });
    value.swap(scratch);
  }
}

/// Returns a sum over the triangles of each body. Positions are relative to an origin in the body, so that precision is
/// not lost if the body is far from the world's origin.
template <class F>
std::vector<double> sum_of_bodies(const BodyMesh& mesh, std::size_t bodies, F term) {
  std::vector<Vec3> origin(bodies, Vec3::Zero());
  for (std::size_t v = mesh.body.size(); v-- > 0;) origin[mesh.body[v]] = mesh.position[v];
  constexpr std::size_t grain = 4096;
  std::vector<double> part(mesh.triangle.size());
  parallel_for(mesh.triangle.size(), grain, [&](Range range, std::size_t) {
    for (std::size_t t = range.begin; t < range.end; ++t) {
      const auto& [a, b, c] = mesh.triangle[t];
      const Vec3& o = origin[mesh.body[a]];
      part[t] = term(Vec3(mesh.position[a] - o), Vec3(mesh.position[b] - o), Vec3(mesh.position[c] - o));
    }
  });
  std::vector<double> sum(bodies, 0.0);
  for (std::size_t t = 0; t < part.size(); ++t) sum[mesh.body[mesh.triangle[t][0]]] += part[t];
  return sum;
}

std::vector<double> body_areas(const BodyMesh& mesh, std::size_t bodies) {
  return sum_of_bodies(mesh, bodies,
                       [](const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * (b - a).cross(c - a).norm(); });
}

}  // namespace

VertexFans::VertexFans(const BodyMesh& mesh) : first_(mesh.position.size() + 1, 0) {
  for (const auto& triangle : mesh.triangle)
    for (const std::uint32_t v : triangle) ++first_[v + 1];
  for (std::size_t v = 0; v + 1 < first_.size(); ++v) first_[v + 1] += first_[v];
  corners_.resize(3 * mesh.triangle.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const auto& [a, b, c] : mesh.triangle) {
    corners_[next[a]++] = {b, c};
    corners_[next[b]++] = {c, a};
    corners_[next[c]++] = {a, b};
  }
}

void find_normals(const BodyMesh& mesh, const VertexFans& fans, std::vector<Vec3>& normal) {
  normal.resize(mesh.position.size());
  each_vertex(normal.size(), [&](std::size_t v) {
    Vec3 sum = Vec3::Zero();
    for (const VertexFans::Corners& corners : fans.at(v)) {
      const Vec3 a = mesh.position[corners.next] - mesh.position[v], b = mesh.position[corners.last] - mesh.position[v];
      const double weight = a.squaredNorm() * b.squaredNorm();
      if (weight > 0) sum += a.cross(b) / weight;
    }
    const double length = sum.norm();
    normal[v] = length > 0 ? Vec3(sum / length) : Vec3::UnitY();
  });
}

void smooth_mesh(BodyMesh& mesh, const VertexFans& fans, int passes, double bound_m) {
  const std::vector<Vec3> start = mesh.position;
  std::vector<Vec3> before, normal, scratch;
  std::vector<double> shift(start.size()), shift_scratch;
  for (int pass = 0; pass < passes; ++pass) {
    before = mesh.position;
    average_neighbors(fans, position_averages, mesh.position, scratch);
    find_normals(mesh, fans, normal);
    each_vertex(shift.size(), [&](std::size_t v) { shift[v] = normal[v].dot(mesh.position[v] - before[v]); });
    average_neighbors(fans, shift_averages, shift, shift_scratch);
    each_vertex(shift.size(), [&](std::size_t v) {
      Vec3 moved = mesh.position[v] - shift[v] * normal[v] - start[v];
      const double length = moved.norm();
      if (length > bound_m) moved *= bound_m / length;
      mesh.position[v] = start[v] + moved;
    });
  }
}

std::vector<double> body_volumes(const BodyMesh& mesh, std::size_t bodies) {
  return sum_of_bodies(mesh, bodies, [](const Vec3& a, const Vec3& b, const Vec3& c) { return a.dot(b.cross(c)) / 6; });
}

std::size_t offset_to_volumes(BodyMesh& mesh, const VertexFans& fans, std::span<const double> target_m3,
                              double bound_m) {
  const std::size_t bodies = target_m3.size();
  std::vector<double> total(bodies, 0.0);
  std::vector<char> is_limited(bodies, 0);
  std::vector<Vec3> normal;
  for (int round = 0; round < 8; ++round) {
    const std::vector<double> volume = body_volumes(mesh, bodies), area = body_areas(mesh, bodies);
    std::vector<double> offset(bodies, 0.0);
    bool done = true;
    for (std::size_t b = 0; b < bodies; ++b) {
      is_limited[b] = 0;
      if (!(area[b] > 0) || std::abs(target_m3[b] - volume[b]) <= 1e-5 * target_m3[b]) continue;
      const double wanted = total[b] + (target_m3[b] - volume[b]) / area[b];
      const double next = std::clamp(wanted, -bound_m, bound_m);
      is_limited[b] = next != wanted;
      offset[b] = next - total[b], total[b] = next;
      done = done && offset[b] == 0;
    }
    if (done) break;
    find_normals(mesh, fans, normal);
    each_vertex(normal.size(), [&](std::size_t v) { mesh.position[v] += offset[mesh.body[v]] * normal[v]; });
  }
  return static_cast<std::size_t>(std::ranges::count(is_limited, 1));
}

}  // namespace vw
