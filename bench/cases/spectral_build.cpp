// Cost of building a spectral wind and of computing the values of the wind at a new time. The time of the Fourier
// transforms is also measured separately.
#include <fmt/format.h>

#include "bench/measure.h"
#include "sim/field/spectral/fourier.h"
#include "sim/field/spectral/spectral_modes.h"

namespace vw::bench {
namespace {

SpectralRecipe recipe_of(int nodes, std::int64_t change) {
  SpectralRecipe recipe;
  recipe.nodes = nodes;
  recipe.period_m = 10;
  recipe.time = static_cast<SpectralTime>(change);
  recipe.spread_mps = 1;
  recipe.repeat_s = 5;
  return recipe;
}

/// Returns the rate of transforming the spectra of three components to values [1/s]. The non-zero modes fill a box:
/// along each axis, the wave numbers are at most a quarter of `nodes`.
double transforms_per_s(int nodes, std::int64_t milliseconds) {
  const Fourier fourier(nodes);
  std::vector<std::complex<float>> modes(fourier.mode_count());
  std::vector<float> values(fourier.value_count());
  const auto n = static_cast<std::size_t>(nodes), most = n / 4;
  return measure(milliseconds,
                 [&] {
                   for (int component = 0; component < 3; ++component) {
                     std::fill(modes.begin(), modes.end(), 0);
                     for (std::size_t k = 0; k < n; ++k)
                       for (std::size_t j = 0; j < n; ++j)
                         if (std::min(k, n - k) <= most && std::min(j, n - j) <= most)
                           std::fill_n(modes.begin() + static_cast<std::ptrdiff_t>((n / 2 + 1) * (j + n * k)), most, 1);
                     fourier.to_values(modes, values);
                   }
                   return 1.0;
                 })
      .median_rate();
}

}  // namespace

Result<Outcome> spectral_build(const Arguments& arguments) {
  Outcome outcome;
  outcome.columns = {"modes", "generate_ms", "refresh_ms", "transforms_ms"};
  const std::int64_t milliseconds = arguments.whole("milliseconds"), change = arguments.whole("change");
  for (const int nodes : {32, 64, 128}) {
    if (nodes > arguments.whole("max-nodes")) continue;
    SpectralRecipe recipe = recipe_of(nodes, change);
    GridValues values;
    std::shared_ptr<const SpectralModes> modes;
    Error failed;
    const Windows generation = measure(milliseconds, [&] {
      ++recipe.seed;
      modes.reset();
      auto made = SpectralModes::make(recipe);
      if (!made) {
        failed = made.error();
        return 1.0;
      }
      modes = std::move(*made);
      modes->values_at(0, values);
      return 1.0;
    });
    if (!modes) return Unexpected(failed);
    double time = 0;
    const Windows refresh = measure(milliseconds, [&] {
      modes->values_at(time += 0.01, values);
      return 1.0;
    });
    const auto ms = [](double rate) { return 1000 / rate; };
    outcome.rows.push_back({{{"nodes", fmt::format("{}^3", nodes)}},
                            {{"modes", static_cast<double>(modes->count())},
                             {"generate_ms", ms(generation.median_rate())},
                             {"best_generate_ms", ms(generation.best_rate())},
                             {"refresh_ms", ms(refresh.median_rate())},
                             {"best_refresh_ms", ms(refresh.best_rate())},
                             {"transforms_ms", ms(transforms_per_s(nodes, milliseconds))}}});
  }
  if (!outcome.rows.empty()) {
    outcome.rates = {{"generations_per_s", 1000 / outcome.rows.back().value("generate_ms")},
                     {"refreshes_per_s", 1000 / outcome.rows.back().value("refresh_ms")}};
  }
  return outcome;
}

}  // namespace vw::bench
