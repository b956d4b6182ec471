// Sources of particles: from a point, a disc, or the volume or surface of a shape; at a rate, in bursts, or both.
#pragma once

#include <memory>
#include <vector>

#include "sim/base/node.h"
#include "sim/base/random.h"
#include "sim/collision/shape/shape.h"
#include "sim/system/particles/life_curve.h"

namespace vw {

enum class EmitterKind { box, capsule, cylinder, disc, mesh, point, sphere };
/// Where a shape emits from: anywhere inside it along `direction`, or anywhere on it along its normal.
enum class EmitFrom { volume, surface };
/// Whose colour a particle has: its system's, its emitter's, or the one of its age.
enum class ColorFrom { system, emitter, life };

struct EmitterParams {
  bool enabled = true;
  Vec3 position{0, 0.5, 0};
  Vec3 rotation{0, 0, 0};
  Vec3 direction{0, 1, 0};
  EmitFrom from = EmitFrom::volume;
  double radius_m = 0.05;
  double length_m = 0.2;
  Vec3 size_m{0.1, 0.1, 0.1};
  std::string source;
  double scale = 1;
  double spacing_m = 0;

  double rate = 100;
  std::int64_t burst = 0;
  double burst_period_s = 0;
  double start_s = 0;
  double duration_s = 0;
  std::int64_t seed = 0;

  double speed = 1;
  double speed_jitter = 0;
  double spread = 0;
  double lifetime_s = 5;
  double lifetime_jitter = 0;

  double mass_kg = 0;
  double mass_jitter = 0;
  double density_kgpm3 = 0;
  double particle_radius_m = 0;
  double particle_radius_jitter = 0;
  double drag_time_s = -1;
  double drag_jitter = 0;

  double middle_at = 0.5;
  double size_birth = 1, size_middle = 1, size_death = 1;
  ColorFrom color_from = ColorFrom::system;
  Vec3 color_birth{0.25, 0.5, 0.9}, color_middle{0.25, 0.5, 0.9}, color_death{0.25, 0.5, 0.9};
  double opacity_birth = 1, opacity_middle = 1, opacity_death = 1;

  [[nodiscard]] Stops<double> size() const { return {size_birth, size_middle, size_death}; }
  [[nodiscard]] Stops<Vec3> color() const { return {color_birth, color_middle, color_death}; }
  [[nodiscard]] Stops<double> opacity() const { return {opacity_birth, opacity_middle, opacity_death}; }
};

/// What an emitter must remember.
struct EmitterState {
  double carry = 0;           ///< part of a particle due
  std::uint64_t emitted = 0;  ///< index of the next particle in its random stream
  std::uint64_t bursts_done = 0;
  template <class F>
  void each_number(F check) const {
    check(carry);
  }
};

struct Emitter {
  EmitterKind kind = EmitterKind::point;
  EmitterParams params;
  Shape shape;  ///< in its own frame; of point and disc unused
  Quat orientation = Quat::Identity();
  std::shared_ptr<const std::vector<Vec3>> sites;  ///< in its own frame, where particles are to be apart; null: anywhere
  bool hollow = false;                             ///< nothing is inside (an open mesh, no extent): it emits from its surface
  RandomKey key;
};

/// What a particle is made of, as far as its emitter leaves it to the system.
struct Traits {
  double mass_kg = 1e-3;
  double radius_m = 0.005;
  double drag_time_s = 0;  ///< 0: no drag
};

/// Where and how a particle begins.
struct Birth {
  Vec3 position, velocity;
  double lifetime = 0;        ///< [s]; 0 = for ever
  bool from_surface = false;  ///< must not start behind its place: there may be a wall
};

/// The kind of an emitter's node and its parameters.
[[nodiscard]] EmitterKind emitter_kind(const Node& self);
[[nodiscard]] EmitterParams emitter_params(const Node& self);
/// The schemas of slot `emitter`, by name.
[[nodiscard]] const std::vector<const Schema*>& emitter_schemas();
/// `seed` is the world's, `stream` names the emitter; its own seed, if it has one, takes the place of both. A file that `before` has read already is
/// not read again. An error's key is the emitter's own parameter.
[[nodiscard]] Result<Emitter> make_emitter(const Node& self, std::uint64_t seed, std::string_view stream, const Emitter* before);

/// What is due in a step.
struct Due {
  std::uint64_t first_burst = 0, bursts = 0;  ///< bursts [first, first + bursts), each whole at its time
  std::uint64_t steady = 0;                   ///< by the rate
  double first = 0, apart = 0;                ///< of those: when the first is born [s after the step's start], and from one to the next
};
/// How much is due in the step (time, time + dt]: bursts, and by a rate the k-th particle k / rate after the start. Updates `state`. Bursts that were
/// due before the step are over, whatever was changed since.
[[nodiscard]] Due particles_due(const Emitter& emitter, double time, double dt, EmitterState& state);
/// Time of a burst [s].
[[nodiscard]] double burst_time(const Emitter& emitter, std::uint64_t burst);
/// The index-th particle of this emitter: a pure function of key and index.
[[nodiscard]] Birth birth(const Emitter& emitter, std::uint64_t index, double radius_m);
[[nodiscard]] Traits traits(const Emitter& emitter, std::uint64_t index, const Traits& of_system);
/// Mass of the lightest particle that it may emit.
[[nodiscard]] double lightest_kg(const Emitter& emitter, const Traits& of_system);

}  // namespace vw
