// Sources of particles: a point, a disc or a box that emits at a rate, or all at once.
#pragma once

#include "sim/base/node.h"
#include "sim/base/random.h"

namespace vw {

enum class EmitterShape { point, disc, box };

struct EmitterParams {
  bool enabled = true;
  Vec3 position{0, 0.5, 0};
  Vec3 direction{0, 1, 0};
  double rate = 100;
  std::int64_t burst = 0;
  double start_s = 0;
  double duration_s = 0;
  double speed = 1;
  double speed_jitter = 0;
  double spread = 0;
  double lifetime_s = 5;
  double lifetime_jitter = 0;
  double radius_m = 0.05;
  Vec3 size_m{0.1, 0.1, 0.1};
};

/// What an emitter must remember.
struct EmitterState {
  double carry = 0;           ///< part of a particle due
  std::uint64_t emitted = 0;  ///< index of the next particle in its random stream
  std::uint64_t burst_done = 0;
};

struct Emitter {
  EmitterShape shape = EmitterShape::point;
  EmitterParams params;
  RandomKey key;
};

struct Birth {
  Vec3 position, velocity;
  double lifetime = 0;  ///< [s]; 0 = for ever
};

/// The schemas of slot `emitter`, by name: box, disc, point.
[[nodiscard]] const std::vector<const Schema*>& emitter_schemas();
[[nodiscard]] Emitter make_emitter(const Node& self, RandomKey key);

/// How many particles are due in the step [time, time + dt); updates `state`.
[[nodiscard]] std::uint64_t particles_due(const Emitter& emitter, double time, double dt, EmitterState& state);
/// The index-th particle of this emitter: a pure function of key and index.
[[nodiscard]] Birth birth(const Emitter& emitter, std::uint64_t index);

}  // namespace vw
