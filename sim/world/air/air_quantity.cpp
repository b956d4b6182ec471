#include "sim/world/air/air_quantity.h"

#include <algorithm>
#include <array>

namespace vw {

std::span<const AirQuantity> air_quantities() {
  using Q = FieldQuantity;
  using P = AirQuantity::Part;
  static constexpr auto all = std::to_array<AirQuantity>({{"velocity", "m/s", Q::velocity, P::whole},
                                                          {"speed", "m/s", Q::velocity, P::length},
                                                          {"velocity_x", "m/s", Q::velocity, P::x},
                                                          {"velocity_y", "m/s", Q::velocity, P::y},
                                                          {"velocity_z", "m/s", Q::velocity, P::z},
                                                          {"vorticity", "1/s", Q::vorticity, P::whole},
                                                          {"vorticity_x", "1/s", Q::vorticity, P::x},
                                                          {"vorticity_y", "1/s", Q::vorticity, P::y},
                                                          {"vorticity_z", "1/s", Q::vorticity, P::z},
                                                          {"q_criterion", "1/s^2", Q::q_criterion, P::whole},
                                                          {"value", "", Q::value, P::whole},
                                                          {"pressure", "m^2/s^2", Q::pressure, P::whole}});
  return all;
}

const AirQuantity* find_air_quantity(std::string_view name) {
  for (const AirQuantity& quantity : air_quantities())
    if (quantity.name == name) return &quantity;
  return nullptr;
}

std::vector<std::string> air_glyphs() {
  std::vector<std::string> names;
  names.reserve(glyph_kinds.size());
  for (const GlyphKind& kind : glyph_kinds) names.emplace_back(kind.name);
  return names;
}

void AirSampler::ask(const FieldSet& fields, std::string_view name, const AirQuantity& quantity, double time) {
  if (is_scalar(quantity.of)) {
    number_.resize(place_.size());
    fields.sample(quantity.of, name, place_, time, number_);
  } else {
    vector_.resize(place_.size());
    fields.sample(quantity.of, name, place_, time, vector_);
  }
}

void AirSampler::write(const AirQuantity& quantity, std::span<float> out) const {
  const bool number = is_scalar(quantity.of);
  for (std::size_t i = 0; i < place_.size(); ++i) {
    if (number)
      out[i] = static_cast<float>(number_[i]);
    else if (quantity.part == AirQuantity::Part::whole)
      for (std::size_t axis = 0; axis < 3; ++axis)
        out[3 * i + axis] = static_cast<float>(vector_[i][static_cast<int>(axis)]);
    else if (quantity.part == AirQuantity::Part::length)
      out[i] = static_cast<float>(vector_[i].norm());
    else
      out[i] = static_cast<float>(vector_[i][static_cast<int>(quantity.part) - static_cast<int>(AirQuantity::Part::x)]);
  }
}

}  // namespace vw
