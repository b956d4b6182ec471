// The parameters of a surface, declared once for everything that has one: a struct that derives from SurfaceMaterial lists them among its own.
#pragma once

#include "sim/base/parameter.h"
#include "sim/collision/contact/response.h"

namespace vw {

/// One of a surface's parameters, in a table of T, which derives from SurfaceMaterial; `defaults` are T's own.
template <class T>
[[nodiscard]] Param<T> restitution_param(const SurfaceMaterial& defaults) {
  return {static_cast<double T::*>(&SurfaceMaterial::restitution),
          "restitution",
          Unit::ratio,
          defaults.restitution,
          {0, 1},
          Scale::linear,
          Live::yes,
          "Share of the normal speed that a bounce gives back; the larger of the pair counts."};
}

template <class T>
[[nodiscard]] Param<T> mu_static_param(const SurfaceMaterial& defaults) {
  return {static_cast<double T::*>(&SurfaceMaterial::mu_static), "mu_static", Unit::ratio, defaults.mu_static, {0, 10}, Scale::linear, Live::yes,
          "Static friction; a pair takes the geometric mean."};
}

template <class T>
[[nodiscard]] Param<T> mu_dynamic_param(const SurfaceMaterial& defaults) {
  return {static_cast<double T::*>(&SurfaceMaterial::mu_dynamic), "mu_dynamic", Unit::ratio, defaults.mu_dynamic, {0, 10}, Scale::linear, Live::yes,
          "Dynamic friction; a pair takes the geometric mean."};
}

template <class T>
[[nodiscard]] Param<T> friction_law_param(const SurfaceMaterial& defaults) {
  return {static_cast<FrictionLaw T::*>(&SurfaceMaterial::friction),
          "friction",
          defaults.friction,
          {"dry", "wet", "wet_linear", "frictionless"},
          Live::yes,
          "What slows sliding: dry (Coulomb's cone), wet (exp(-D |dv_n|) of the sliding is left, and nothing ever sticks), wet_linear (1 - D |dv_n|, "
          "the same for weak impacts and cheaper), frictionless. One frictionless or wet side makes the pair so."};
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
          "D of wet friction; two wet sides take the geometric mean."};
}

template <class T>
[[nodiscard]] Param<T> decides_param(const SurfaceMaterial& defaults) {
  return {static_cast<bool T::*>(&SurfaceMaterial::decides), "decides", defaults.decides, Live::yes,
          "Whether its own values hold for every pair with a surface that does not decide, in place of the means."};
}

/// All of them, in the order in which they appear everywhere.
template <class T>
[[nodiscard]] std::vector<Param<T>> surface_params(const SurfaceMaterial& defaults) {
  return {restitution_param<T>(defaults),  mu_static_param<T>(defaults), mu_dynamic_param<T>(defaults),
          friction_law_param<T>(defaults), wetness_param<T>(defaults),   decides_param<T>(defaults)};
}

}  // namespace vw
