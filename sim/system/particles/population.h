// Who lives in a particle system: rows of the living, births by emitters, deaths, and the state before a step to return to. Rows keep the order of
// birth, whatever dies; nothing is allocated once the arrays are as long as they get. Called on the simulation thread; loops inside are parallel.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sim/base/state.h"
#include "sim/system/particles/emitter.h"
#include "sim/system/system.h"

namespace vw {

/// One row a particle.
struct ParticleRows {
  Elements elements;
  std::vector<double> born;          ///< when [s]; before or after the step's start
  std::vector<double> lifetime;      ///< [s]; 0 = for ever
  std::vector<double> drag_time;     ///< [s]; 0 = no drag
  std::vector<double> birth_radius;  ///< [m]; the radius follows from it and the age
  std::vector<std::uint32_t> index;  ///< in its emitter's random stream
  std::vector<std::uint16_t> emitter;

  /// Calls f(row array of a, the same of b) for every array but the impulses, which may be empty.
  template <class F>
  static void each(ParticleRows& a, ParticleRows& b, F f) {
    f(a.elements.position, b.elements.position);
    f(a.elements.velocity, b.elements.velocity);
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
};

class Population {
 public:
  ParticleRows rows;

  [[nodiscard]] std::size_t size() const { return rows.elements.size(); }
  [[nodiscard]] const std::vector<Emitter>& emitters() const { return emitters_; }
  /// Age of a row at the end of the last step [s].
  [[nodiscard]] double age(std::size_t i) const { return now_ - rows.born[i]; }
  [[nodiscard]] double life_share_of(std::size_t i) const { return life_share(age(i), rows.lifetime[i]); }
  /// Rows of those that are born within the step that has begun: the last ones, and where each is at its birth.
  [[nodiscard]] std::size_t first_newborn() const { return size() - birthplace_.size(); }
  [[nodiscard]] std::span<const Vec3> birthplaces() const { return birthplace_; }
  [[nodiscard]] std::uint64_t born_ever() const { return next_id_; }
  [[nodiscard]] std::uint64_t died_ever() const { return next_id_ - size(); }
  /// Whether any particle may feel drag.
  [[nodiscard]] bool has_drag() const { return has_drag_; }
  /// Whether any emitter gives colours or opacities of its own.
  [[nodiscard]] bool has_tints() const { return has_tints_; }
  /// Radius of the picture of a row [m].
  [[nodiscard]] double seen_radius(std::size_t i) const;
  /// Whether that is not the radius that it touches with.
  [[nodiscard]] bool soft() const { return soft_; }
  /// Mass of the lightest particle that there may be.
  [[nodiscard]] double lightest_kg() const { return lightest_kg_; }

  /// New parameters: those of the living change, too, as far as they are not drawn at birth for good (flight, lifetime).
  /// `soft`: sizes over the life are those of the picture alone.
  void configure(std::vector<Emitter> emitters, const Traits& of_system, bool soft = false);
  /// Room for `capacity` rows (for the first million at once), so that births and deaths allocate nothing.
  void reserve(std::size_t capacity);
  /// Bursts due at the start are there before the first step: the first picture shows them.
  void emit_first();

  /// Removes who has outlived its time or is farther than `reach_m` from the origin, and lets emitters emit. Keeps the state before it, if asked.
  /// `farthest_m`: nobody is farther from the origin than that.
  void begin_step(double time, double dt, double reach_m, std::span<const Collider> colliders,
                  double farthest_m = std::numeric_limits<double>::infinity());
  /// Whether the last step's births had to wait for want of identities: so many can be told apart and no more.
  [[nodiscard]] bool out_of_identities() const { return out_of_identities_; }
  /// The step is over: ages and radii as of `now`.
  void end_step(double now);
  /// Ends the lives of the rows that are marked, at the next step's begin.
  void kill(std::span<const std::uint8_t> marked);

  void visit_state(StateVisitor& visit);
  [[nodiscard]] std::string state_problem() const;
  /// The next begin_step keeps what return_to_kept_state() restores.
  void keep_state();
  void return_to_kept_state();

 private:
  /// Small state and lengths before a step.
  struct Kept {
    bool asked = false;     ///< the next step is to be kept
    bool gathered = false;  ///< old_ has all rows, not only those that move
    std::size_t size = 0;
    std::vector<EmitterState> states;
    std::uint32_t next_id = 0;
    double now = 0;
    bool impulses = false, lifetimes = false;
  };

  [[nodiscard]] bool find_survivors(double time, double reach_m);
  void gather_survivors();
  void copy_moving();
  /// A step's births: its time, how long it takes and what stands about.
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
  bool has_drag_ = false, grows_ = false, has_tints_ = false, soft_ = false;
  double lightest_kg_ = 1e-3;
  std::size_t capacity_ = 0;
  std::uint32_t next_id_ = 0;
  double now_ = 0;
  bool out_of_identities_ = false;

  Kept kept_;
  ParticleRows old_;  ///< rows before the last deaths or the last step
  // Scratch.
  std::vector<Vec3> birthplace_;             ///< of those that are born in this step
  std::vector<std::uint8_t> over_;           ///< 1: the row's life is over
  std::vector<std::uint32_t> survivor_;      ///< rows that live on
  std::vector<std::size_t> chunk_survivor_;  ///< where each chunk's survivors begin
};

}  // namespace vw
