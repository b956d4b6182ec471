// Values of the fields at single points, for the air quantities of plots and sensors.
#pragma once

#include <memory>
#include <string>

#include "sim/field/field.h"
#include "sim/plot/plot_set.h"

namespace vw {

/// Returns a quantity of the air at a position [m] and time [s], in the unit of the quantity. `field` is the name of
/// the field to measure; if it is empty, the sum of all fields is measured. The result is NaN if no such field provides
/// the quantity. The sum of all fields always has a velocity and a vorticity, which are 0 if there are no fields.
[[nodiscard]] double read_air(const FieldSet& fields, Quantity quantity, const std::string& field, const Vec3& place,
                              double time_s);

/// Makes an air gauge that reads `fields`, which must outlive it.
[[nodiscard]] std::shared_ptr<AirGauge> air_for_sensors(const FieldSet& fields);

}  // namespace vw
