// Fields of the world: air velocities as functions of position and time. Some fields also have a pressure. Others have
// a scalar value instead of a wind (scalar noise for display and measurement). The fields of a world add up. A field is
// a pure function of (x, t), its parameters and the obstacles; caches change its speed but never its result.
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

/// Time and surroundings for which a field is evaluated.
struct FieldMoment {
  double time = 0;                       ///< [s]
  const Obstacles* obstacles = nullptr;  ///< Null: no obstacles.
};

/// Nominal spectrum of a field, for comparison with a measured one: energy spectrum E(k) [m^3/s^2] (or power spectrum
/// of a scalar) at wave number k [rad/m]. Its integral over all k is half the mean square of the whole vector (half the
/// variance of a scalar).
struct NominalSpectrum {
  std::function<double(double k)> energy;
  double lowest = 0, highest = 0;  ///< Range of wave numbers in which it holds [rad/m].
  double slope = 0;                ///< Exponent of its power law within the range; NaN if it is no power law.
  double period_m = 0;             ///< Period of the field (of its first grid) [m]; 0: not periodic.
  int nodes = 0;                   ///< Nodes per side of that grid; 0: no grid.
};

class Field {
 public:
  virtual ~Field() = default;
  /// Called by one thread before evaluations at `moment`. Computes data shared by all positions, for example a grid
  /// interpolated in time.
  virtual void prepare(const FieldMoment& moment) const { (void)moment; }
  /// Adds this field's air velocity [m/s] at each position [m] to `velocity` (same length). Called from several threads
  /// at once.
  virtual void add_velocity(std::span<const Vec3> position, const FieldMoment& moment,
                            std::span<Vec3> velocity) const = 0;

  /// Whether the field has a scalar value instead of a wind. Then add_velocity() adds nothing.
  [[nodiscard]] virtual bool has_value() const { return false; }
  virtual void add_value(std::span<const Vec3> position, const FieldMoment& moment, std::span<double> value) const {
    (void)position, (void)moment, (void)value;
  }
  /// Whether the pressure is known: kinematic pressure p / rho [m^2/s^2] relative to still air.
  [[nodiscard]] virtual bool has_pressure() const { return false; }
  virtual void add_pressure(std::span<const Vec3> position, const FieldMoment& moment,
                            std::span<double> pressure) const {
    (void)position, (void)moment, (void)pressure;
  }
  /// Adds the vorticity curl u [1/s]. The default takes central differences of the velocity over a hundredth of
  /// length_m().
  virtual void add_vorticity(std::span<const Vec3> position, const FieldMoment& moment,
                             std::span<Vec3> vorticity) const;
  /// Smallest length [m] over which the field varies considerably; infinity: uniform.
  [[nodiscard]] virtual double length_m() const { return std::numeric_limits<double>::infinity(); }
  [[nodiscard]] virtual std::optional<NominalSpectrum> asked_spectrum() const { return std::nullopt; }

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

/// Quantities that can be sampled from a world's fields.
enum class FieldQuantity { velocity, vorticity, value, pressure };

/// Medium that fills the world, with or without wind. Density 0: there is air only where fields blow.
struct Medium {
  double density = 0;         ///< [kg/m^3]
  double viscosity = 1.8e-5;  ///< [Pa s]
};

/// A world's fields, in the order of their names. Results are the sum of all fields. Only one thread may evaluate at a
/// time; the work is distributed over fixed chunks.
class FieldSet {
 public:
  /// Replaces a field of the same name.
  void add(std::string name, std::unique_ptr<Field> field);
  /// Obstacles that the fields avoid. They must outlive the set's use. Null: none.
  void set_obstacles(const Obstacles* obstacles) { obstacles_ = obstacles; }
  /// Whether there is no enabled wind.
  [[nodiscard]] bool empty() const;
  void set_medium(const Medium& medium) { medium_ = medium; }
  /// Whether the world has a medium, which slows moving objects even without wind.
  [[nodiscard]] bool has_medium() const { return medium_.density > 0; }
  /// Whether faces and spheres feel the air: a wind blows, or there is a medium.
  [[nodiscard]] bool is_felt() const { return has_medium() || !empty(); }
  /// The world's medium, or `own` (the air that a system's parameters describe) if the world has none.
  [[nodiscard]] Medium medium_or(const Medium& own) const { return has_medium() ? medium_ : own; }
  [[nodiscard]] double density_or(double own) const { return has_medium() ? medium_.density : own; }
  [[nodiscard]] std::vector<std::string> names() const;
  /// Null if there is none.
  [[nodiscard]] const Field* find(std::string_view name) const;
  /// Whether the field of that name, or any field if the name is empty, has the quantity. Disabled fields count.
  [[nodiscard]] bool has(FieldQuantity quantity, std::string_view name = {}) const;
  /// Smallest length [m] over which an enabled field varies considerably.
  [[nodiscard]] double length_m() const;

  /// Air velocity [m/s]; overwrites `out`.
  void velocity(std::span<const Vec3> position, double time, std::span<Vec3> out) const;
  /// Velocity [m/s] or vorticity [1/s] of the field `name`, or of all fields if the name is empty; overwrites `out`.
  void sample(FieldQuantity quantity, std::string_view name, std::span<const Vec3> position, double time,
              std::span<Vec3> out) const;
  /// Scalar value or kinematic pressure [m^2/s^2] in the same way. Fields without the quantity contribute 0.
  void sample(FieldQuantity quantity, std::string_view name, std::span<const Vec3> position, double time,
              std::span<double> out) const;

 private:
  template <class T, class Add>
  void sum(std::string_view name, std::span<const Vec3> position, double time, std::span<T> out, const Add& add) const;

  std::vector<std::pair<std::string, std::unique_ptr<Field>>> fields_;
  Medium medium_;
  const Obstacles* obstacles_ = nullptr;
};

}  // namespace vw
