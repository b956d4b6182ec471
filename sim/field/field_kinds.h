// The kinds of fields, one function for each. field.cpp lists them in a table.
#pragma once

#include <memory>
#include <utility>

#include "sim/field/field.h"

namespace vw {

[[nodiscard]] FieldKind fan_kind();
[[nodiscard]] FieldKind gust_kind();
[[nodiscard]] FieldKind jet_kind();
[[nodiscard]] FieldKind noise_kind();
[[nodiscard]] FieldKind spectral_kind();
[[nodiscard]] FieldKind spectral_noise_kind();
[[nodiscard]] FieldKind turbulence_kind();
[[nodiscard]] FieldKind uniform_kind();
[[nodiscard]] FieldKind updraft_kind();
[[nodiscard]] FieldKind vortex_kind();

/// Optional interface of a field that can write its air velocity [m/s] directly, instead of adding it to zeros. At a
/// million positions, memory bandwidth dominates the cost of a fast field. `past_caches` requests non-temporal stores,
/// for outputs so large that they would not stay in the caches until they are read.
class VelocityWriter {
 public:
  virtual ~VelocityWriter() = default;
  virtual void write_velocity(std::span<const Vec3> position, std::span<Vec3> velocity, bool past_caches) const = 0;
};

/// Creates a field from its parameters (derived from FieldParams) and further arguments, and sets the region of the
/// field.
template <class F, class P, class... More>
[[nodiscard]] Result<std::unique_ptr<Field>> make_field(const P& params, More&&... more) {
  auto field = std::make_unique<F>(params, std::forward<More>(more)...);
  field->limit_to(params);
  return std::unique_ptr<Field>(std::move(field));
}

}  // namespace vw
