// Fields of the world. Most fields are air velocities that depend on position and time; some of these also have a
// pressure. Other fields (scalar noise for display and measurement) have a scalar value instead of a velocity. The
// fields of a world are added. A field is a pure function of (x, t), its parameters and the obstacles: caches change
// its speed, but never its result.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/field/obstacles.h"
#include "sim/field/region.h"

namespace vw {

/// Time and surroundings for which a field is evaluated.
struct FieldMoment {
  double time = 0;                       ///< Time [s].
  const Obstacles* obstacles = nullptr;  ///< Obstacles in the air, or null if there are none.
};

/// Nominal spectrum of a field, to be compared with a measured spectrum. It is the energy spectrum E(k) [m^3/s^2] of a
/// velocity, or the power spectrum of a scalar, at the wave number k [rad/m]. The integral of E over all k is half the
/// mean square of the vector, or half the variance of the scalar.
struct NominalSpectrum {
  std::function<double(double k)> energy;
  double lowest = 0, highest = 0;  ///< Range of wave numbers in which the spectrum is valid [rad/m].
  double slope = 0;                ///< Exponent of the power law in that range, or NaN if there is no power law.
  double period_m = 0;             ///< Period of the field or of its first grid [m], or 0 if it is not periodic.
  int nodes = 0;                   ///< Number of grid nodes per side of the first grid, or 0 if there is no grid.
};

class Field {
 public:
  virtual ~Field() = default;
  /// Prepares data that are shared by all positions, for example a grid that is interpolated in time. One thread must
  /// call prepare() before the field is evaluated at `moment`.
  virtual void prepare(const FieldMoment& moment) const { (void)moment; }
  /// Adds the air velocity [m/s] of this field at each position [m] to `velocity`, which must have the same length as
  /// `position`. Several threads may call this function at the same time.
  virtual void add_velocity(std::span<const Vec3> position, const FieldMoment& moment,
                            std::span<Vec3> velocity) const = 0;

  /// Returns whether the field has a scalar value instead of a velocity. add_velocity() then adds nothing.
  [[nodiscard]] virtual bool has_value() const { return false; }
  virtual void add_value(std::span<const Vec3> position, const FieldMoment& moment, std::span<double> value) const {
    (void)position, (void)moment, (void)value;
  }
  /// Returns whether the kinematic pressure p / rho [m^2/s^2] relative to still air is known.
  [[nodiscard]] virtual bool has_pressure() const { return false; }
  virtual void add_pressure(std::span<const Vec3> position, const FieldMoment& moment,
                            std::span<double> pressure) const {
    (void)position, (void)moment, (void)pressure;
  }
  /// Adds the vorticity curl u [1/s] of the velocity u. The default implementation uses central differences with a step
  /// of 0.01 length_m() to either side. It adds nothing if length_m() is infinite.
  virtual void add_vorticity(std::span<const Vec3> position, const FieldMoment& moment,
                             std::span<Vec3> vorticity) const;
  /// Returns the smallest length [m] over which the field varies considerably, or infinity for a uniform field.
  [[nodiscard]] virtual double length_m() const { return std::numeric_limits<double>::infinity(); }
  [[nodiscard]] virtual std::optional<NominalSpectrum> asked_spectrum() const { return std::nullopt; }

  [[nodiscard]] const FieldParams& where() const { return where_; }
  void limit_to(const FieldParams& where) { where_ = where; }

 private:
  FieldParams where_;
};

/// One kind of field: its schema, and the function that creates a field of this kind from a node.
struct FieldKind {
  const Schema* schema;
  Result<std::unique_ptr<Field>> (*create)(const Node& self, std::uint64_t world_seed);
};
/// Returns all field kinds, ordered by name.
[[nodiscard]] std::span<const FieldKind> field_kinds();

/// Quantity that can be sampled from a world's fields.
/// q_criterion: second invariant of the velocity gradient (velocity_gradient.h).
enum class FieldQuantity { velocity, vorticity, q_criterion, value, pressure };

/// Medium that fills the world, with or without wind. If its density is 0, air acts only where there is a wind.
struct Medium {
  double density = 0;         ///< Density [kg/m^3].
  double viscosity = 1.8e-5;  ///< Dynamic viscosity [Pa s].
};

/// The fields of a world, ordered by name. Results are sums over the fields. Only one thread at a time may evaluate the
/// set; each evaluation runs on several threads internally.
class FieldSet {
 public:
  /// Adds a field. Replaces a field of the same name.
  void add(std::string name, std::shared_ptr<Field> field);
  /// Adds the field `name` of another set. Both sets then contain the same object and must not be evaluated at the same
  /// time.
  void share(const FieldSet& other, std::string_view name);
  /// Sets the obstacles that the fields avoid, or null for none. The obstacles must outlive all evaluations.
  void set_obstacles(const Obstacles* obstacles) { obstacles_ = obstacles; }
  /// Returns whether the set has no enabled field with a velocity.
  [[nodiscard]] bool empty() const;
  void set_medium(const Medium& medium) { medium_ = medium; }
  /// Returns whether the world has a medium, which slows moving objects even without wind.
  [[nodiscard]] bool has_medium() const { return medium_.density > 0; }
  /// Returns whether air acts on faces and spheres: there is a wind or a medium.
  [[nodiscard]] bool is_felt() const { return has_medium() || !empty(); }
  /// Returns the medium of the world. If the world has none, returns `own`, the air that a system's parameters
  /// describe.
  [[nodiscard]] Medium medium_or(const Medium& own) const { return has_medium() ? medium_ : own; }
  /// Returns the density of the medium [kg/m^3]. If the world has no medium, returns `own`.
  [[nodiscard]] double density_or(double own) const { return has_medium() ? medium_.density : own; }
  [[nodiscard]] std::vector<std::string> names() const;
  /// Returns the field of that name, or null if there is none.
  [[nodiscard]] const Field* find(std::string_view name) const;
  /// Returns whether the field `name` has the quantity. If `name` is empty, returns whether any field has it. Disabled
  /// fields are considered too.
  [[nodiscard]] bool has(FieldQuantity quantity, std::string_view name = {}) const;
  /// Returns the smallest length [m] over which any enabled field varies considerably.
  [[nodiscard]] double length_m() const;

  /// Writes the air velocity [m/s] to `out`.
  void velocity(std::span<const Vec3> position, double time, std::span<Vec3> out) const;
  /// Writes the velocity [m/s] or vorticity [1/s] to `out`, of the field `name`, or of all fields if `name` is empty.
  void sample(FieldQuantity quantity, std::string_view name, std::span<const Vec3> position, double time,
              std::span<Vec3> out) const;
  /// Writes a scalar quantity of the field `name`, or of all fields if `name` is empty, to `out`: the value, the
  /// kinematic pressure [m^2/s^2] or the Q criterion [1/s^2]. Fields without the value or pressure contribute 0. The Q
  /// criterion is computed from central differences of the velocity with a step of 0.01 length_m() to either side.
  void sample(FieldQuantity quantity, std::string_view name, std::span<const Vec3> position, double time,
              std::span<double> out) const;

 private:
  [[nodiscard]] double length_m(std::string_view name) const;
  void sample_q(std::string_view name, std::span<const Vec3> position, double time, std::span<double> out) const;
  template <class T, class Add>
  void sum(std::string_view name, std::span<const Vec3> position, double time, std::span<T> out, const Add& add) const;

  std::vector<std::pair<std::string, std::shared_ptr<Field>>> fields_;
  Medium medium_;
  const Obstacles* obstacles_ = nullptr;
};

}  // namespace vw
