// Population of a particle system: rows of living particles, births by emitters, deaths, and the state before a step
// for a rollback. Rows keep the order of birth. No memory is allocated once the arrays have reached their full length.
// The functions are called on the simulation thread. Their loops run in parallel.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sim/base/data/state.h"
#include "sim/system/particles/emitter.h"
#include "sim/system/system.h"

namespace vw {

/// Arrays with one row per particle.
struct ParticleRows {
  Elements elements;
  std::vector<double> born;       ///< Time of birth [s]. For newborn particles, this time lies within the current step.
  std::vector<double> lifetime;   ///< Lifetime [s]. 0 means unlimited.
  std::vector<double> drag_time;  ///< Drag time [s]. 0 means no drag.
  /// Radius at birth [m]. Unless soft() is true, the current radius is this radius times a factor that depends on the
  /// age.
  std::vector<double> birth_radius;
  std::vector<std::uint32_t> index;  ///< Index in the random stream of the particle's emitter.
  std::vector<std::uint16_t> emitter;
  bool spins = false;  ///< Whether the particles have angular velocities.

  /// Calls f(array of a, corresponding array of b) for every array except the impulses, which may be empty. The angular
  /// velocities are included if a.spins.
  template <class F>
  static void each(ParticleRows& a, ParticleRows& b, F f) {
    f(a.elements.position, b.elements.position);
    f(a.elements.velocity, b.elements.velocity);
    if (a.spins) f(a.elements.angular_velocity, b.elements.angular_velocity);
    f(a.elements.mass, b.elements.mass);
    f(a.elements.radius, b.elements.radius);
    f(a.elements.id, b.elements.id);
    f(a.born, b.born);
    f(a.lifetime, b.lifetime);
    f(a.drag_time, b.drag_time);
    f(a.birth_radius, b.birth_radius);
    f(a.index, b.index);
    f(a.emitter, b.emitter);
  }
  /// Calls f(impulses of a, impulses of b) and, if a.spins, f(angular impulses of a, angular impulses of b).
  template <class F>
  static void each_impulse(ParticleRows& a, ParticleRows& b, F f) {
    f(a.elements.impulse, b.elements.impulse);
    if (a.spins) f(a.elements.angular_impulse, b.elements.angular_impulse);
  }
};

class Population {
 public:
  ParticleRows rows;

  [[nodiscard]] std::size_t size() const { return rows.elements.size(); }
  [[nodiscard]] const std::vector<Emitter>& emitters() const { return emitters_; }
  /// Returns the age of a row at the end of the last step [s].
  [[nodiscard]] double age(std::size_t i) const { return now_ - rows.born[i]; }
  [[nodiscard]] double life_share_of(std::size_t i) const { return life_share(age(i), rows.lifetime[i]); }
  /// Returns the first row of the particles that are born within the current step. These particles occupy the last
  /// rows.
  [[nodiscard]] std::size_t first_newborn() const { return size() - birthplace_.size(); }
  /// Returns the birthplace of each particle from first_newborn() on.
  [[nodiscard]] std::span<const Vec3> birthplaces() const { return birthplace_; }
  [[nodiscard]] std::uint64_t born_ever() const { return next_id_; }
  [[nodiscard]] std::uint64_t died_ever() const { return next_id_ - size(); }
  /// Returns whether any particle may have a drag time.
  [[nodiscard]] bool has_drag() const { return has_drag_; }
  /// Returns whether any particle may have no drag time.
  [[nodiscard]] bool lacks_drag() const { return lacks_drag_; }
  /// Returns whether any emitter specifies colours or opacities.
  [[nodiscard]] bool has_tints() const { return has_tints_; }
  /// Returns the radius at which a row is displayed [m].
  [[nodiscard]] double seen_radius(std::size_t i) const;
  /// Returns whether the size curve affects only the displayed radius and not the contact radius.
  [[nodiscard]] bool soft() const { return soft_; }
  /// Returns the smallest mass of a particle that may be emitted [kg].
  [[nodiscard]] double lightest_kg() const { return lightest_kg_; }

  /// Sets new parameters. The parameters also apply to living particles, except that velocity and lifetime do not
  /// change. If `soft` is true, the size curve over the lifetime affects only the displayed radius.
  void configure(std::vector<Emitter> emitters, const Traits& of_system, bool soft = false);
  /// Gives the particles angular velocities. Call this function before the first birth.
  void let_spin() { rows.spins = old_.spins = true; }
  /// Takes over particles, ids and time of a former population, after emitters were added, removed or renamed. Emitter
  /// i of the former population becomes emitter now[i]. If there is no emitter now[i], the particles of emitter i are
  /// removed.
  void continue_from(const Population& former, std::span<const std::size_t> now);
  /// Reserves memory for `capacity` rows, but for at most a million, so that births and deaths do not allocate.
  void reserve(std::size_t capacity);
  /// Emits the bursts that are due at time 0. Call this function before the first step, so that the first picture shows
  /// these particles.
  void emit_first();

  /// Sets the present time to `time` [s] and adds `time` to the time of birth of each existing particle. Call this
  /// function before the first step.
  void begin_at(double time);
  /// Removes particles that have exceeded their lifetime or are farther than `reach_m` from the origin. Then lets the
  /// emitters emit. If keep_state() was called, stores the state before the step. `farthest_m` is an upper bound of the
  /// particles' distance from the origin.
  void begin_step(double time, double dt, double reach_m, std::span<const Collider> colliders,
                  double farthest_m = std::numeric_limits<double>::infinity());
  /// Returns whether births of the last step were omitted because all 32-bit ids are used up.
  [[nodiscard]] bool out_of_identities() const { return out_of_identities_; }
  /// Ends the step and updates ages and radii to the time `now` [s].
  void end_step(double now);
  /// Makes the next begin_step() remove each row i for which marked[i] is not 0.
  void kill(std::span<const std::uint8_t> marked);

  void visit_state(StateVisitor& visit);
  [[nodiscard]] std::string state_problem() const;
  /// Makes the next begin_step() store the state that return_to_kept_state() restores.
  void keep_state();
  void return_to_kept_state();

 private:
  /// Scalar state and array lengths before a step.
  struct Kept {
    bool asked = false;  ///< True if the next begin_step() must store the state.
    /// True if `old_` holds all arrays. Otherwise `old_` holds only the arrays that change in a step without deaths.
    bool gathered = false;
    std::size_t size = 0;
    std::vector<EmitterState> states;
    std::uint32_t next_id = 0;
    double now = 0;
    bool impulses = false, lifetimes = false;
  };

  [[nodiscard]] bool find_survivors(double time, double reach_m);
  void gather_survivors();
  void copy_moving();
  /// Conditions for the births of a step: time, duration and obstacles.
  struct Nursery {
    double time = 0, dt = 0;
    std::span<const Collider> colliders;
  };
  void give_birth(std::size_t e, std::uint64_t due, const Nursery& nursery, double first_wait, double apart);
  void make(std::size_t row, std::size_t e, std::uint32_t index, const Nursery& nursery, double wait);
  void update_traits();
  void update_radii();
  void resize(std::size_t n);

  std::vector<Emitter> emitters_;
  std::vector<EmitterState> states_;
  Traits of_system_;
  bool has_drag_ = false, lacks_drag_ = true, grows_ = false, has_tints_ = false, soft_ = false;
  double lightest_kg_ = 1e-3;
  std::size_t capacity_ = 0;
  std::uint32_t next_id_ = 0;
  double now_ = 0;
  bool out_of_identities_ = false;

  Kept kept_;
  ParticleRows old_;  ///< Rows before the last removal of particles, or before the last step.
  // Scratch memory.
  std::vector<Vec3> birthplace_;             ///< Birthplaces of the particles born in this step.
  std::vector<std::uint8_t> over_;           ///< 1 if the particle is to be removed.
  std::vector<std::uint32_t> survivor_;      ///< Rows of the remaining particles.
  std::vector<std::size_t> chunk_survivor_;  ///< Index in `survivor_` of the first survivor of each chunk.
};

}  // namespace vw
