#include "sim/collision/surface_params.h"

namespace vw {

const ParamTable<SurfaceMaterial>& friction_params() {
  static const ParamTable<SurfaceMaterial> table{
      Param<SurfaceMaterial>{.member = &SurfaceMaterial::restitution,
                             .key = "restitution",
                             .unit = Unit::ratio,
                             .range = {0, 1},
                             .live = Live::yes,
                             .doc = "Coefficient of restitution: share of the normal speed that a bounce returns. The "
                                    "larger value of the pair counts."},
      Param<SurfaceMaterial>{.member = &SurfaceMaterial::mu_static,
                             .key = "mu_static",
                             .label = "Static friction",
                             .unit = Unit::ratio,
                             .range = {0, 10},
                             .live = Live::yes,
                             .doc = "Coefficient of static friction. A pair uses the geometric mean."},
      Param<SurfaceMaterial>{.member = &SurfaceMaterial::mu_dynamic,
                             .key = "mu_dynamic",
                             .label = "Sliding friction",
                             .unit = Unit::ratio,
                             .range = {0, 10},
                             .live = Live::yes,
                             .doc = "Coefficient of dynamic friction. A pair uses the geometric mean."},
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
          .doc = "Friction law. dry: Coulomb's cone. wet: the share exp(-D |dv_n|) of the tangential velocity remains, "
                 "and nothing sticks. wet_linear: 1 - D |dv_n|, the same for weak impacts, and cheaper. frictionless. "
                 "If one side is frictionless or wet, the pair is."},
      Param<SurfaceMaterial>{.member = &SurfaceMaterial::wetness,
                             .key = "wetness",
                             .unit = Unit::second_per_meter,
                             .range = {0, 1e6},
                             .live = Live::yes,
                             .doc = "Constant D of wet friction. Two wet sides use the geometric mean."},
      Param<SurfaceMaterial>{
          .member = &SurfaceMaterial::decides,
          .key = "decides",
          .live = Live::yes,
          .doc =
              "Whether the values of this surface replace the means in pairs with a surface for which this is false."},
  };
  return table;
}

}  // namespace vw
