// Parameters of a surface material, declared once for all structs that derive from SurfaceMaterial.
#pragma once

#include "sim/base/parameter.h"
#include "sim/collision/contact/response.h"

namespace vw {

/// One parameter of a surface, for a table of T, which derives from SurfaceMaterial. `defaults`: default values of T.
template <class T>
[[nodiscard]] Param<T> restitution_param(const SurfaceMaterial& defaults) {
  return {static_cast<double T::*>(&SurfaceMaterial::restitution),
          "restitution",
          Unit::ratio,
          defaults.restitution,
          {0, 1},
          Scale::linear,
          Live::yes,
          "Coefficient of restitution: share of the normal speed that a bounce returns. The larger value of the pair "
          "counts."};
}

template <class T>
[[nodiscard]] Param<T> mu_static_param(const SurfaceMaterial& defaults) {
  return {static_cast<double T::*>(&SurfaceMaterial::mu_static),
          "mu_static",
          Unit::ratio,
          defaults.mu_static,
          {0, 10},
          Scale::linear,
          Live::yes,
          "Coefficient of static friction. A pair uses the geometric mean."};
}

template <class T>
[[nodiscard]] Param<T> mu_dynamic_param(const SurfaceMaterial& defaults) {
  return {static_cast<double T::*>(&SurfaceMaterial::mu_dynamic),
          "mu_dynamic",
          Unit::ratio,
          defaults.mu_dynamic,
          {0, 10},
          Scale::linear,
          Live::yes,
          "Coefficient of dynamic friction. A pair uses the geometric mean."};
}

template <class T>
[[nodiscard]] Param<T> friction_law_param(const SurfaceMaterial& defaults) {
  return {static_cast<FrictionLaw T::*>(&SurfaceMaterial::friction),
          "friction",
          defaults.friction,
          {"dry", "wet", "wet_linear", "frictionless"},
          Live::yes,
          "Friction law. dry: Coulomb's cone. wet: the share exp(-D |dv_n|) of the tangential velocity remains, and "
          "nothing sticks. wet_linear: "
          "1 - D |dv_n|, the same for weak impacts, and cheaper. frictionless. If one side is frictionless or wet, the "
          "pair is."};
}

template <class T>
[[nodiscard]] Param<T> wetness_param(const SurfaceMaterial& defaults) {
  return {static_cast<double T::*>(&SurfaceMaterial::wetness),
          "wetness",
          Unit::second_per_meter,
          defaults.wetness,
          {0, 1e6},
          Scale::linear,
          Live::yes,
          "Constant D of wet friction. Two wet sides use the geometric mean."};
}

template <class T>
[[nodiscard]] Param<T> decides_param(const SurfaceMaterial& defaults) {
  return {static_cast<bool T::*>(&SurfaceMaterial::decides), "decides", defaults.decides, Live::yes,
          "Whether the values of this surface replace the means in pairs with a surface for which this is false."};
}

/// All surface parameters, in the order used everywhere.
template <class T>
[[nodiscard]] std::vector<Param<T>> surface_params(const SurfaceMaterial& defaults) {
  return {restitution_param<T>(defaults),  mu_static_param<T>(defaults), mu_dynamic_param<T>(defaults),
          friction_law_param<T>(defaults), wetness_param<T>(defaults),   decides_param<T>(defaults)};
}

}  // namespace vw
