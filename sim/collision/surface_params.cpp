#include "sim/collision/surface_params.h"

namespace vw {

const ParamTable<SurfaceMaterial>& friction_params() {
  static const ParamTable<SurfaceMaterial> table{
      Param<SurfaceMaterial>{.member = &SurfaceMaterial::restitution,
                             .key = "restitution",
                             .unit = Unit::ratio,
                             .range = {0, 1},
                             .live = Live::yes,
                             .doc = "Coefficient of restitution: fraction of the normal speed that remains after a "
                                    "bounce. Of two surfaces in contact, the larger value applies."},
      Param<SurfaceMaterial>{
          .member = &SurfaceMaterial::mu_static,
          .key = "mu_static",
          .label = "Static friction",
          .unit = Unit::ratio,
          .range = {0, 10},
          .live = Live::yes,
          .doc = "Coefficient of static friction. Two surfaces in contact use the geometric mean of their values."},
      Param<SurfaceMaterial>{
          .member = &SurfaceMaterial::mu_dynamic,
          .key = "mu_dynamic",
          .label = "Sliding friction",
          .unit = Unit::ratio,
          .range = {0, 10},
          .live = Live::yes,
          .doc = "Coefficient of dynamic friction. Two surfaces in contact use the geometric mean of their values."},
  };
  return table;
}

const ParamTable<SurfaceMaterial>& surface_params() {
  static const ParamTable<SurfaceMaterial> table{
      friction_params(),
      Param<SurfaceMaterial>{
          .member = &SurfaceMaterial::friction,
          .key = "friction",
          .live = Live::yes,
          .choices = {"dry", "wet", "wet_linear", "frictionless"},
          .doc =
              "Friction law. If one of two surfaces is frictionless or wet, the law of that surface applies to both. "
              "dry: Coulomb friction. wet: an impact leaves the fraction exp(-D w) of the tangential velocity, and "
              "nothing sticks. D is the wetness and w is the change of the normal velocity. wet_linear: the fraction "
              "is 1 - D w, which is equal to wet for weak impacts and cheaper. frictionless: no tangential force."},
      Param<SurfaceMaterial>{.member = &SurfaceMaterial::wetness,
                             .key = "wetness",
                             .unit = Unit::second_per_meter,
                             .range = {0, 1e6},
                             .live = Live::yes,
                             .doc = "Friction constant D of the wet laws. Two wet surfaces in contact use the "
                                    "geometric mean of their values."},
      Param<SurfaceMaterial>{.member = &SurfaceMaterial::decides,
                             .key = "decides",
                             .live = Live::yes,
                             .doc = "Whether a contact uses the values of this surface alone. If both surfaces of a "
                                    "contact have `decides` on or both off, their values are combined."},
  };
  return table;
}

}  // namespace vw
