// Wind at scattered points. The rate is the number of samples of the sum of all fields per second.
#include "bench/measure.h"
#include "sim/base/random.h"
#include "sim/world/parts.h"

namespace vw::bench {

Result<Outcome> turbulence(const Arguments& arguments) {
  Node scene = make_node(scene_schema());
  add_child(scene, "field", "turbulence", "wind").set("octaves", arguments.whole("octaves"));
  const auto fields = build_fields(scene);
  if (!fields) return Unexpected(fields.error());
  std::vector<Vec3> position(static_cast<std::size_t>(arguments.whole("points"))), air(position.size());
  for (std::size_t i = 0; i < position.size(); ++i)
    for (int k = 0; k < 3; ++k) position[i][k] = 10 * random_uniform({1, 2}, i, static_cast<std::uint64_t>(k));
  double time = 0;
  const double points = static_cast<double>(position.size()), octaves = arguments.real("octaves");
  const Windows sampling = measure(arguments.whole("milliseconds"), [&] {
    fields->velocity(position, time += 0.01, air);
    return points;
  });
  Outcome outcome;
  outcome.rates = {{"samples_per_s", sampling.median_rate()},
                   {"octave_samples_per_s", sampling.median_rate() * octaves}};
  outcome.figures = {{"points", points}, {"octaves", octaves}};
  return outcome;
}

}  // namespace vw::bench
