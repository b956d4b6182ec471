// Cost of displaying and saving a world. The benchmark measures snapshots with channels, hashes, and state blocks.
#include "bench/cases/voxel/voxel_scene.h"
#include "bench/measure.h"

namespace vw::bench {
namespace {

Result<std::unique_ptr<World>> cube_world(const Arguments& arguments) {
  auto scene = make_scene({.n = static_cast<int>(arguments.whole("n")), .spin = 1, .height_m = 1});
  if (!scene) return Unexpected(scene.error());
  return make_world(std::move(*scene));
}

}  // namespace

Result<Outcome> snapshot(const Arguments& arguments) {
  auto world = cube_world(arguments);
  if (!world) return Unexpected(world.error());
  if (!(*world)->step()) return fail((*world)->health().sentence());
  const double elements = static_cast<double>((*world)->system(0).elements().size());
  Snapshot picture;
  const auto write = [&](std::vector<std::string> channels) {
    (*world)->subscribe({.channels = std::move(channels)});
    return measure(arguments.whole("milliseconds"),
                   [&] {
                     (*world)->write_snapshot(picture);
                     return 1.0;
                   })
        .median_rate();
  };
  const double bare = write({}), rich = write({"speed", "strain"});
  Outcome outcome;
  outcome.rates = {{"snapshots_per_s", bare},
                   {"snapshot_elements_per_s", bare * elements},
                   {"snapshot_elements_with_channels_per_s", rich * elements}};
  outcome.figures = {{"elements", elements}};
  return outcome;
}

Result<Outcome> state(const Arguments& arguments) {
  auto world = cube_world(arguments);
  if (!world) return Unexpected(world.error());
  StateBlock block;
  (*world)->save_state(block);
  const double bytes = static_cast<double>(block.bytes.size());
  const Windows saving = measure(arguments.whole("milliseconds"), [&] {
    (*world)->save_state(block);
    return bytes;
  });
  std::uint64_t hash = 0;
  const Windows hashing = measure(arguments.whole("milliseconds"), [&] {
    hash ^= (*world)->hash();
    return bytes;
  });
  Outcome outcome;
  outcome.rates = {{"saved_bytes_per_s", saving.median_rate()}, {"hashed_bytes_per_s", hashing.median_rate()}};
  outcome.figures = {{"bytes", bytes}, {"elements", static_cast<double>((*world)->system(0).elements().size())}};
  return outcome;
}

}  // namespace vw::bench
