// Fields of the world: what fills space without being made of particles. A field answers with an air velocity at a place and time; some also have a
// pressure, or a value that is no wind (scalar noise, to be looked at and measured).
// Fields add up. They are pure functions of (x, t), their parameters and the obstacles: what they keep is how soon they answer, never what.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/node.h"
#include "sim/field/obstacles.h"
#include "sim/field/region.h"

namespace vw {

/// When and among what a field is asked.
struct FieldMoment {
  double time = 0;                       ///< [s]
  const Obstacles* obstacles = nullptr;  ///< null: none
};

/// What a field was asked to be, for comparing with what is measured: energy spectrum E(k) [m^3/s^2] (or power of a scalar) of wave number k [rad/m],
/// integral over all k = half the mean square of the whole vector (half the variance of a scalar).
struct AskedSpectrum {
  std::function<double(double k)> energy;
  double lowest = 0, highest = 0;  ///< wave numbers [rad/m] between which it holds
  double slope = 0;                ///< its power law in between, where it is one; else NaN
  double period_m = 0;             ///< where the field repeats (of its first grid); 0: nowhere
  int nodes = 0;                   ///< a side of that grid; 0: none
};

class Field {
 public:
  virtual ~Field() = default;
  /// Called by one thread before questions about `moment`: makes what is made once for all places (a grid blended in time).
  virtual void prepare(const FieldMoment& moment) const { (void)moment; }
  /// Adds this field's air velocity [m/s] at each position [m] to `velocity` (same length). From several threads at once.
  virtual void add_velocity(std::span<const Vec3> position, const FieldMoment& moment, std::span<Vec3> velocity) const = 0;

  /// Whether it has a value that is no wind; then add_velocity adds nothing.
  [[nodiscard]] virtual bool has_value() const { return false; }
  virtual void add_value(std::span<const Vec3> position, const FieldMoment& moment, std::span<double> value) const {
    (void)position, (void)moment, (void)value;
  }
  /// Whether its pressure is known: kinematic, p / rho [m^2/s^2] relative to still air.
  [[nodiscard]] virtual bool has_pressure() const { return false; }
  virtual void add_pressure(std::span<const Vec3> position, const FieldMoment& moment, std::span<double> pressure) const {
    (void)position, (void)moment, (void)pressure;
  }
  /// Adds the vorticity curl u [1/s]. Unless a field knows better: differences of its velocity over a hundredth of length_m().
  virtual void add_vorticity(std::span<const Vec3> position, const FieldMoment& moment, std::span<Vec3> vorticity) const;
  /// The smallest length [m] over which it varies much; infinity: it is the same everywhere.
  [[nodiscard]] virtual double length_m() const { return std::numeric_limits<double>::infinity(); }
  [[nodiscard]] virtual std::optional<AskedSpectrum> asked_spectrum() const { return std::nullopt; }

  [[nodiscard]] const FieldParams& where() const { return where_; }
  void limit_to(const FieldParams& where) { where_ = where; }

 private:
  FieldParams where_;
};

/// A row of the explicit table of field kinds.
struct FieldKind {
  const Schema* schema;
  Result<std::unique_ptr<Field>> (*create)(const Node& self, std::uint64_t world_seed);
};
/// All kinds, ordered by name.
[[nodiscard]] std::span<const FieldKind> field_kinds();

/// What may be asked of a world's fields.
enum class FieldQuantity { velocity, vorticity, value, pressure };

/// What fills a world with or without a wind. Density 0: the world is empty but for what its fields blow.
struct Medium {
  double density = 0;         ///< [kg/m^3]
  double viscosity = 1.8e-5;  ///< [Pa s]
};

/// A world's fields, in the order of their names; answers are their sum. One thread asks at a time; the work is shared over fixed chunks.
class FieldSet {
 public:
  /// Takes the place of a field of the same name.
  void add(std::string name, std::unique_ptr<Field> field);
  /// What fields keep off; outlives the set's use. Null: nothing.
  void set_obstacles(const Obstacles* obstacles) { obstacles_ = obstacles; }
  /// Whether nothing blows: no wind, or none that is enabled.
  [[nodiscard]] bool empty() const;
  void set_medium(const Medium& medium) { medium_ = medium; }
  /// Whether the world itself is filled, so that what moves is slowed where nothing blows.
  [[nodiscard]] bool has_medium() const { return medium_.density > 0; }
  /// Whether faces and balls feel the air: a wind blows, or there is a medium to move through.
  [[nodiscard]] bool is_felt() const { return has_medium() || !empty(); }
  /// The world's medium, or where it has none `own`: the air that a system's parameters describe.
  [[nodiscard]] Medium medium_or(const Medium& own) const { return has_medium() ? medium_ : own; }
  [[nodiscard]] double density_or(double own) const { return has_medium() ? medium_.density : own; }
  [[nodiscard]] std::vector<std::string> names() const;
  /// Null where there is none.
  [[nodiscard]] const Field* find(std::string_view name) const;
  /// Whether a field of that name, or any if it is empty, has it (enabled or not).
  [[nodiscard]] bool has(FieldQuantity quantity, std::string_view name = {}) const;
  /// The smallest length [m] over which an enabled field varies much.
  [[nodiscard]] double length_m() const;

  /// Air velocity [m/s], overwritten.
  void velocity(std::span<const Vec3> position, double time, std::span<Vec3> out) const;
  /// Velocity [m/s] or vorticity [1/s] of the field `name`, or of all if it is empty; overwritten.
  void sample(FieldQuantity quantity, std::string_view name, std::span<const Vec3> position, double time, std::span<Vec3> out) const;
  /// Value or kinematic pressure [m^2/s^2] likewise; 0 of fields that have none.
  void sample(FieldQuantity quantity, std::string_view name, std::span<const Vec3> position, double time, std::span<double> out) const;

 private:
  template <class T, class Add>
  void sum(std::string_view name, std::span<const Vec3> position, double time, std::span<T> out, const Add& add) const;

  std::vector<std::pair<std::string, std::unique_ptr<Field>>> fields_;
  Medium medium_;
  const Obstacles* obstacles_ = nullptr;
};

}  // namespace vw
