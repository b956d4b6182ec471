// The kinds of fields, one function each: for the table in field.cpp and those who implement them.
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

/// What a field is besides that can put its air velocity [m/s] where it is wanted, in place of adding it to zeros: past the caches, if so much of it
/// is asked that none is left there when somebody reads it. A million places of a fast field wait for memory more than for anything else.
class VelocityWriter {
 public:
  virtual ~VelocityWriter() = default;
  virtual void write_velocity(std::span<const Vec3> position, std::span<Vec3> velocity, bool past_caches) const = 0;
};

/// A field made of its parameters (which derive from FieldParams) and whatever else it needs, where they say that it is.
template <class F, class P, class... More>
[[nodiscard]] Result<std::unique_ptr<Field>> make_field(const P& params, More&&... more) {
  auto field = std::make_unique<F>(params, std::forward<More>(more)...);
  field->limit_to(params);
  return std::unique_ptr<Field>(std::move(field));
}

}  // namespace vw
