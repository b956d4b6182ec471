// Emitters: sources of particles. They emit at a point, on a disc, or in the volume or on the surface of a shape. They
// emit at a rate, in bursts, or both.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/base/random.h"
#include "sim/collision/shape/shape_params.h"
#include "sim/system/particles/life_curve.h"

namespace vw {

enum class EmitterKind { box, capsule, cylinder, disc, mesh, point, sphere };
/// Part of a shape that emits particles: its volume (along `direction`) or its surface (along the surface normals).
enum class EmitFrom { volume, surface };
/// Source of a particle's colour: its system, its emitter, or its age.
enum class ColorFrom { system, emitter, life };

struct EmitterParams : ShapeParams {
  EmitterParams() {
    radius_m = 0.05;
    size_m = Vec3(0.1, 0.1, 0.1);
  }

  bool enabled = true;
  Vec3 position{0, 0.5, 0};
  Vec3 rotation{0, 0, 0};
  Vec3 direction{0, 1, 0};
  EmitFrom from = EmitFrom::volume;
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

struct EmitterState {
  double carry = 0;           ///< Fraction of a particle that is due but not emitted yet.
  std::uint64_t emitted = 0;  ///< Index of the next particle in the emitter's random stream.
  std::uint64_t bursts_done = 0;
  template <class F>
  void each_number(F check) const {
    check(carry);
  }
  template <class F>
  void each_member(F take) const {
    take("carry", carry), take("emitted", emitted), take("bursts_done", bursts_done);
  }
};

struct Emitter {
  EmitterKind kind = EmitterKind::point;
  EmitterParams params;
  Shape shape;  ///< Shape in its own frame. Points and discs do not use it.
  Quat orientation = Quat::Identity();
  /// Lattice sites at which particles start, in the shape's frame. Null if particles may start at any position
  /// (spacing_m = 0).
  std::shared_ptr<const std::vector<Vec3>> sites;
  /// True if the shape has no interior, because it is an open mesh or has no extent. Particles then start on its
  /// surface.
  bool hollow = false;
  RandomKey key;
};

/// Properties of a particle. If an emitter does not specify a property, the value of the particle system applies.
struct Traits {
  double mass_kg = 1e-3;
  double radius_m = 0.005;
  double drag_time_s = 0;  ///< Time constant of drag [s]. 0 means no drag.
};

/// Initial state of a particle. The birthplace of a particle is its position at the time of birth.
struct Birth {
  Vec3 position, velocity;
  double lifetime = 0;  ///< Lifetime [s]. 0 means unlimited.
  /// True if a surface emits the particle. Such a particle always starts exactly at its birthplace, because a wall may
  /// lie behind the surface (see Population::make).
  bool from_surface = false;
};

/// Returns the kind of an emitter's node.
[[nodiscard]] EmitterKind emitter_kind(const Node& self);
[[nodiscard]] EmitterParams emitter_params(const Node& self);
/// Returns the kind of the shape that emits, or nullopt for points and discs.
[[nodiscard]] std::optional<ShapeKind> shape_kind(EmitterKind kind);
/// Returns the schemas of slot `emitter`, sorted by name.
[[nodiscard]] const std::vector<const Schema*>& emitter_schemas();
/// Creates an emitter. The random key is formed from the world's `seed` and the emitter's `stream`, or from the
/// emitter's own seed if it has one. `before` is the same emitter before its parameters changed, or null. If `before`
/// has already read the mesh file, the file is not read again. The key of an error names the emitter's parameter that
/// caused the error.
[[nodiscard]] Result<Emitter> make_emitter(const Node& self, std::uint64_t seed, std::string_view stream,
                                           const Emitter* before);

/// Particles that an emitter must emit in a step.
struct Due {
  /// Bursts [first_burst, first_burst + bursts). Each burst is emitted as a whole at its time.
  std::uint64_t first_burst = 0, bursts = 0;
  std::uint64_t steady = 0;  ///< Number of particles due by the rate.
  /// For the particles due by the rate: time from the start of the step to the first birth, and time between births
  /// [s].
  double first = 0, apart = 0;
};
/// Computes the particles due in the step (time, time + dt]. At a constant rate, the k-th particle is due k / rate
/// after the start of emission. Updates `state`. Periodic bursts that were due before the step are not emitted later,
/// even if parameters have changed. A single burst (burst_period_s = 0) of a disabled emitter is emitted when the
/// emitter is enabled.
[[nodiscard]] Due particles_due(const Emitter& emitter, double time, double dt, EmitterState& state);
/// Returns the time of a burst [s].
[[nodiscard]] double burst_time(const Emitter& emitter, std::uint64_t burst);
/// Returns the initial state of particle `index` of this emitter. The result depends only on the arguments. `radius_m`
/// is the initial contact radius [m].
[[nodiscard]] Birth birth(const Emitter& emitter, std::uint64_t index, double radius_m);
[[nodiscard]] Traits traits(const Emitter& emitter, std::uint64_t index, const Traits& of_system);
/// Returns the smallest mass of a particle that the emitter may emit [kg].
[[nodiscard]] double lightest_kg(const Emitter& emitter, const Traits& of_system);

}  // namespace vw
