#include "sim/world/air/air_reading.h"

#include <span>

namespace vw {
namespace {

FieldQuantity asked_of_fields(Quantity quantity) {
  if (quantity == Quantity::air_pressure) return FieldQuantity::pressure;
  if (quantity == Quantity::air_value) return FieldQuantity::value;
  return quantity >= Quantity::air_vorticity ? FieldQuantity::vorticity : FieldQuantity::velocity;
}

double component_of(const Vec3& vector, Quantity quantity) {
  switch (quantity) {
    case Quantity::air_velocity_x:
    case Quantity::air_vorticity_x: return vector.x();
    case Quantity::air_velocity_y:
    case Quantity::air_vorticity_y: return vector.y();
    case Quantity::air_velocity_z:
    case Quantity::air_vorticity_z: return vector.z();
    default: return vector.norm();
  }
}

class FieldGauge final : public AirGauge {
 public:
  explicit FieldGauge(const FieldSet& fields) : fields_(fields) {}
  [[nodiscard]] double read(Quantity quantity, const std::string& field, const Vec3& place, double time_s) override {
    return read_air(fields_, quantity, field, place, time_s);
  }
  [[nodiscard]] bool is_like(const AirGauge& other) const override { return this == &other; }

 private:
  const FieldSet& fields_;
};

}  // namespace

std::shared_ptr<AirGauge> air_for_sensors(const FieldSet& fields) { return std::make_shared<FieldGauge>(fields); }

double read_air(const FieldSet& fields, Quantity quantity, const std::string& field, const Vec3& place, double time_s) {
  const FieldQuantity of = asked_of_fields(quantity);
  const bool is_vector = of == FieldQuantity::velocity || of == FieldQuantity::vorticity;
  if (!((is_vector && field.empty()) || fields.has(of, field))) return no_value;
  const std::span<const Vec3> places(&place, 1);
  if (!is_vector) {
    double number = 0;
    fields.sample(of, field, places, time_s, {&number, 1});
    return number;
  }
  Vec3 vector;
  fields.sample(of, field, places, time_s, {&vector, 1});
  return component_of(vector, quantity);
}

}  // namespace vw
