// Quantities of the air that can be displayed or exported, with the names that users type.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/field/field.h"

namespace vw {

/// Returns whether the quantity is a scalar.
[[nodiscard]] inline bool is_scalar(FieldQuantity quantity) {
  return quantity != FieldQuantity::velocity && quantity != FieldQuantity::vorticity;
}

struct AirQuantity {
  /// Components of the quantity: the vector itself, its length or one component. A scalar has only `whole`.
  enum class Part : std::uint8_t { whole, length, x, y, z };
  std::string_view name, unit;
  FieldQuantity of = FieldQuantity::velocity;
  Part part = Part::whole;
  [[nodiscard]] bool is_number() const { return part != Part::whole || is_scalar(of); }
  [[nodiscard]] bool is_signed() const { return part != Part::length; }
};

/// Returns all quantities of the air: velocity, speed, velocity_x, ..., q_criterion, pressure.
[[nodiscard]] std::span<const AirQuantity> air_quantities();
/// Returns the quantity with this name, or null.
[[nodiscard]] const AirQuantity* find_air_quantity(std::string_view name);

/// Kind of vector that arrows can show.
struct GlyphKind {
  std::string_view name, unit;
  FieldQuantity of;  ///< field quantity that is sampled; the acceleration is computed from samples of the velocity
};
inline constexpr std::string_view glyph_acceleration = "acceleration";  ///< material derivative of the velocity
inline constexpr auto glyph_kinds = std::to_array<GlyphKind>({{"velocity", "m/s", FieldQuantity::velocity},
                                                              {glyph_acceleration, "m/s^2", FieldQuantity::velocity},
                                                              {"vorticity", "1/s", FieldQuantity::vorticity}});
/// Returns the names of `glyph_kinds`.
[[nodiscard]] std::vector<std::string> air_glyphs();

/// Samples a quantity in batches of `round` positions, so that memory use is bounded for any number of positions.
class AirSampler {
 public:
  static constexpr std::size_t round = 32768;
  /// Writes one number per position if quantity.is_number(), else three, in the quantity's unit. Samples the field
  /// `name`, or the sum of all fields if `name` is empty. `place(i)` returns the i-th position [m].
  template <class Place>
  void sample(const FieldSet& fields, std::string_view name, const AirQuantity& quantity, double time,
              std::size_t count, const Place& place, std::span<float> out) {
    for (std::size_t first = 0; first < count; first += round) {
      const std::size_t now = std::min(round, count - first);
      place_.resize(now);
      for (std::size_t i = 0; i < now; ++i) place_[i] = place(first + i);
      ask(fields, name, quantity, time);
      write(quantity, out.subspan(first * (quantity.is_number() ? 1 : 3)));
    }
  }

 private:
  void ask(const FieldSet& fields, std::string_view name, const AirQuantity& quantity, double time);
  void write(const AirQuantity& quantity, std::span<float> out) const;

  std::vector<Vec3> place_, vector_;
  std::vector<double> number_;
};

}  // namespace vw
