// Spectral wind at many points on one core. The grid is sampled by scalar code, by the vector kernel, and through a
// field of the world.
#include <algorithm>

#include "bench/measure.h"
#include "sim/base/random.h"
#include "sim/field/field.h"
#include "sim/field/spectral/grid_sampler.h"
#include "sim/field/spectral/spectral_modes.h"
#include "sim/world/parts.h"

namespace vw::bench {
namespace {

/// Returns random positions in one period. If `sorted` is true, the positions are sorted by grid cell.
std::vector<Vec3> places_of(std::size_t count, double period, int n, bool sorted) {
  std::vector<Vec3> places(count);
  for (std::size_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) places[i][k] = period * random_uniform({1, 2}, i, static_cast<std::uint64_t>(k));
  const auto cell = [&](const Vec3& x) {
    const Eigen::Vector3i c = (x * n / period).cast<int>();
    return (c.z() * n + c.y()) * n + c.x();
  };
  if (sorted) std::sort(places.begin(), places.end(), [&](const Vec3& a, const Vec3& b) { return cell(a) < cell(b); });
  return places;
}

}  // namespace

Result<Outcome> wind_grid(const Arguments& arguments) {
  const int n = static_cast<int>(arguments.whole("n"));
  const auto grids = static_cast<std::size_t>(arguments.whole("grids"));
  const GridSpline spline = arguments.whole("spline") == 0 ? GridSpline::linear : GridSpline::cubic;
  const double period = 4;
  const auto places =
      places_of(static_cast<std::size_t>(arguments.whole("points")), period, n, arguments.whole("order") == 1);
  SpectralRecipe recipe;
  recipe.nodes = n;
  recipe.period_m = period;
  const auto modes = SpectralModes::make(recipe);
  if (!modes) return Unexpected(modes.error());
  GridValues values;
  (*modes)->values_at(0, values);
  NodeGrid nodes(n);
  nodes.load(values.x, values.y, values.z);
  std::vector<PlacedGrid> placed(grids, PlacedGrid{.nodes = &nodes, .period_m = period});
  for (std::size_t g = 1; g < grids; ++g)
    placed[g].rotation = Eigen::AngleAxisd(static_cast<double>(g), Vec3(1, 2, 3).normalized()).toRotationMatrix();

  std::vector<Vec3> air(places.size());
  // The store mode and the chunk size are the same as in a world with a single field.
  const GridStore store = places.size() < 256 * 1024 ? GridStore::set : GridStore::stream;
  const std::size_t part = store == GridStore::set ? 1024 : 16 * 1024;
  const double count = static_cast<double>(places.size());
  const std::int64_t milliseconds = arguments.whole("milliseconds");
  const Windows lanes = measure(milliseconds, [&] {
    for (std::size_t first = 0; first < places.size(); first += part) {
      const std::size_t some = std::min(part, places.size() - first);
      add_grids(placed, spline, std::span(places).subspan(first, some), std::span(air).subspan(first, some), store);
    }
    return count;
  });
  const std::size_t few = std::min<std::size_t>(places.size(), 100'000);
  const Windows plain = measure(milliseconds, [&] {
    for (std::size_t i = 0; i < few; ++i) {
      air[i].setZero();
      for (const PlacedGrid& grid : placed) air[i] += plain_sample(grid, spline, places[i]).value;
    }
    return static_cast<double>(few);
  });

  Node scene = make_node(scene_schema());
  Node& wind = add_child(scene, "field", "spectral", "wind");
  wind.set("nodes", std::int64_t{n});
  wind.set("grids", static_cast<std::int64_t>(grids));
  wind.set("interpolation", std::string(spline == GridSpline::linear ? "linear" : "cubic"));
  const auto fields = build_fields(scene);
  if (!fields) return Unexpected(fields.error());
  double time = 0;
  const Windows field = measure(milliseconds, [&] {
    fields->velocity(places, time += 0.001, air);
    return count;
  });
  Outcome outcome;
  outcome.rates = {{"samples_per_s", lanes.median_rate()},
                   {"best_samples_per_s", lanes.best_rate()},
                   {"plain_samples_per_s", plain.median_rate()},
                   {"field_samples_per_s", field.median_rate()}};
  outcome.figures = {{"points", count}, {"speedup", lanes.median_rate() / plain.median_rate()}};
  return outcome;
}

}  // namespace vw::bench
