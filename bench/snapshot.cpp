// What it costs to show and to save a world: snapshots with channels, hashes, state blocks.
#include "bench/measure.h"

namespace vw::bench {

Result<Outcome> snapshot(const Arguments& arguments) {
  auto world = make_world(spinning_cube(arguments.at("n")));
  if (!world) return Unexpected(world.error());
  if (!(*world)->step()) return fail((*world)->health().sentence());
  const double elements = static_cast<double>((*world)->system(0).elements().size());
  Snapshot picture;
  const Measured bare = measure(arguments.at("milliseconds"), [&] { (*world)->write_snapshot(picture, {}); });
  const Measured rich = measure(arguments.at("milliseconds"), [&] { (*world)->write_snapshot(picture, {"speed", "strain"}); });
  Outcome outcome;
  outcome.rates = {{"snapshots_per_s", bare.per_s(1)},
                   {"snapshot_elements_per_s", bare.per_s(elements)},
                   {"snapshot_elements_with_channels_per_s", rich.per_s(elements)}};
  outcome.figures = {{"elements", elements}};
  return outcome;
}

Result<Outcome> state(const Arguments& arguments) {
  auto world = make_world(spinning_cube(arguments.at("n")));
  if (!world) return Unexpected(world.error());
  StateBlock block;
  (*world)->save_state(block);
  const double bytes = static_cast<double>(block.bytes.size());
  const Measured saving = measure(arguments.at("milliseconds"), [&] { (*world)->save_state(block); });
  std::uint64_t hash = 0;
  const Measured hashing = measure(arguments.at("milliseconds"), [&] { hash ^= (*world)->hash(); });
  Outcome outcome;
  outcome.rates = {{"saved_bytes_per_s", saving.per_s(bytes)}, {"hashed_bytes_per_s", hashing.per_s(bytes)}};
  outcome.figures = {{"bytes", bytes}, {"elements", static_cast<double>((*world)->system(0).elements().size())}};
  return outcome;
}

}  // namespace vw::bench
