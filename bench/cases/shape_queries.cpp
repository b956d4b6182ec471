// Distance queries and sweeps per second for every kind of shape, near the surface and anywhere around the shape.
// Meshes are also compared with a loop over all triangles.
#include <algorithm>
#include <cmath>

#include "bench/measure.h"
#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/mesh/triangle.h"
#include "sim/collision/shape/distance_grid.h"
#include "sim/collision/shape/heightfield.h"

namespace vw::bench {
namespace {

/// Query positions in random order, like the positions of particles in flight.
struct Places {
  /// `near` are positions at most `reach_m` from the surface. `anywhere` are positions in the bounds of the shape.
  /// `after` are the positions of `near` after a displacement.
  std::vector<Vec3> near, anywhere, after;
};

constexpr double reach_m = 0.03, radius_m = 0.005, step_m = 0.01;

Places places_about(const Shape& shape, std::size_t count) {
  Places places;
  const Box3 whole =
      bounds(shape).sizes().allFinite() ? bounds(shape) : Box3(Vec3(-0.5, -0.1, -0.5), Vec3(0.5, 0.1, 0.5));
  for (std::size_t i = 0; i < count; ++i) {
    const auto draw = [&](std::uint64_t lane) { return random_uniform({4, 2}, i, lane); };
    const SurfacePoint on = sample_surface(shape, {draw(0), draw(1), draw(2)});
    places.near.push_back(on.position + reach_m * draw(3) * on.normal);
    places.after.push_back(places.near.back() + step_m * random_direction({4, 3}, i));
    places.anywhere.push_back(whole.min() + whole.sizes().cwiseProduct(Vec3(draw(4), draw(5), draw(6))));
  }
  return places;
}

/// Calls `one(i)` for all indices on all threads. The sum of the results is checked, so that the compiler cannot remove
/// the work.
template <class One>
double rate(std::int64_t milliseconds, std::size_t count, const One& one) {
  double kept = 0;
  const Windows windows = measure(milliseconds, [&] {
    kept = ordered_sum(count, 1024, 0.0, [&](Range range) {
      double sum = 0;
      for (std::size_t i = range.begin; i < range.end; ++i) sum += one(i);
      return sum;
    });
    return static_cast<double>(count);
  });
  return std::isnan(kept) ? kept : windows.median_rate();
}

Row queries_row(const std::string& kind, const Shape& shape, std::size_t count, std::int64_t milliseconds) {
  const Places places = places_about(shape, count);
  const double near =
      rate(milliseconds, count, [&](std::size_t i) { return query(shape, places.near[i], reach_m).distance; });
  const double anywhere =
      rate(milliseconds, count, [&](std::size_t i) { return query(shape, places.anywhere[i], reach_m).distance; });
  const double sweeps = rate(milliseconds, count, [&](std::size_t i) {
    const auto hit = sweep(shape, places.near[i], places.after[i], radius_m);
    return hit ? hit->share : 1;
  });
  return {{{"shape", kind}}, {{"near_queries_per_s", near}, {"queries_per_s", anywhere}, {"sweeps_per_s", sweeps}}};
}

/// Returns the rate of finding the nearest point on a mesh by a loop over all triangles.
double plain_rate(const TriangleMesh& mesh, std::int64_t milliseconds) {
  const Places places = places_about(Shape(std::shared_ptr<const Geometry>(std::shared_ptr<void>(), &mesh)), 64);
  const TriangleList& list = mesh.triangles();
  return rate(milliseconds, places.near.size(), [&](std::size_t i) {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& t : list.triangle) {
      const Triangle triangle{list.position[t[0]], list.position[t[1]], list.position[t[2]]};
      best = std::min(best, (nearest_on_triangle(triangle, places.near[i]).point - places.near[i]).squaredNorm());
    }
    return best;
  });
}

Result<std::shared_ptr<const Geometry>> hills() {
  HeightGrid grid;
  grid.columns = grid.rows = 72;  // yields 10,082 triangles
  for (std::size_t i = 0; i < 72 * 72; ++i)
    grid.height_m.push_back(0.05 * std::sin(0.3 * static_cast<double>(i % 72)) *
                            std::cos(0.2 * static_cast<double>(i / 72)));
  return make_heightfield(std::move(grid));
}

}  // namespace

Result<Outcome> shape_queries(const Arguments& arguments) {
  const auto count = static_cast<std::size_t>(arguments.whole("points"));
  const std::int64_t milliseconds = std::max<std::int64_t>(1, arguments.whole("milliseconds") / 8);
  // The torus is 1 m wide and consists of 2 * across^2 quadrilaterals of two triangles each.
  const int across = std::max(3, static_cast<int>(std::lround(std::sqrt(0.25 * arguments.real("triangles")))));
  const auto mesh = TriangleMesh::make(torus_mesh(0.35, 0.15, 2 * across, across));
  if (!mesh) return Unexpected(mesh.error());
  const std::shared_ptr<const Geometry> solid = *mesh;
  const auto ground = hills();
  if (!ground) return Unexpected(ground.error());
  const auto grid = make_distance_grid(solid, 1.0 / 64);
  if (!grid) return Unexpected(grid.error());
  Outcome outcome;
  for (const auto& [kind, shape] : std::vector<std::pair<std::string, Shape>>{{"plane", PlaneShape{}},
                                                                              {"sphere", SphereShape{0.5}},
                                                                              {"box", BoxShape{{0.5, 0.4, 0.3}}},
                                                                              {"capsule", CapsuleShape{0.2, 0.3}},
                                                                              {"cylinder", CylinderShape{0.3, 0.4}},
                                                                              {"mesh", solid},
                                                                              {"heightfield", *ground},
                                                                              {"distance_grid", *grid}})
    outcome.rows.push_back(queries_row(kind, shape, count, milliseconds));
  outcome.columns = {"near_queries_per_s", "queries_per_s", "sweeps_per_s"};
  const double plain = plain_rate(**mesh, milliseconds);
  for (const Row& row : outcome.rows)
    if (row.labels[0].second == "mesh")
      outcome.rates = {{"mesh_near_queries_per_s", row.value("near_queries_per_s")},
                       {"mesh_sweeps_per_s", row.value("sweeps_per_s")}};
  outcome.rates.emplace_back("plain_queries_per_s", plain);
  outcome.figures = {{"triangles", static_cast<double>((*mesh)->triangles().triangle.size())},
                     {"tree_over_plain", outcome.rates[0].second / plain}};
  return outcome;
}

}  // namespace vw::bench
