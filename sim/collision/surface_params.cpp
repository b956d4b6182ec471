#include "sim/collision/surface_params.h"

namespace vw {

const ParamTable<SurfaceMaterial>& friction_params() {
  static const ParamTable<SurfaceMaterial> table{
      Param<SurfaceMaterial>{.member = &SurfaceMaterial::restitution,
                             .key = "restitution",
                             .unit = Unit::ratio,
                             .range = {0, 1},
                             .live = Live::yes,
                             .doc = "Coefficient of restitution, which is the fraction of the normal speed that "
                                    "remains after a bounce. A contact uses the larger value of the two surfaces."},
      Param<SurfaceMaterial>{.member = &SurfaceMaterial::mu_static,
                             .key = "mu_static",
                             .label = "Static friction",
                             .unit = Unit::ratio,
                             .range = {0, 10},
                             .live = Live::yes,
                             .doc = "Coefficient of static friction, which acts while surfaces do not slide on each "
                                    "other. A contact uses the geometric mean of the values of the two surfaces."},
      Param<SurfaceMaterial>{.member = &SurfaceMaterial::mu_dynamic,
                             .key = "mu_dynamic",
                             .label = "Sliding friction",
                             .unit = Unit::ratio,
                             .range = {0, 10},
                             .live = Live::yes,
                             .doc = "Coefficient of dynamic friction, which acts while surfaces slide on each other. A "
                                    "contact uses the geometric mean of the values of the two surfaces."},
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
          .doc = "Friction law. If two surfaces have different laws, their contact uses the law that comes first in "
                 "the order frictionless, wet, wet_linear, dry. dry: Coulomb friction. wet: an impact that changes the "
                 "normal velocity by w leaves the fraction exp(-D w) of the tangential velocity, where D is the "
                 "wetness. There is no static friction. wet_linear: as wet, but the fraction is 1 - D w, or 0 if D w "
                 "exceeds 1. For weak impacts, this is nearly equal to wet, and cheaper to compute. frictionless: no "
                 "tangential force."},
      Param<SurfaceMaterial>{
          .member = &SurfaceMaterial::wetness,
          .key = "wetness",
          .unit = Unit::second_per_meter,
          .range = {0, 1e6},
          .live = Live::yes,
          .doc = "Friction constant D, used if friction = \"wet\" or \"wet_linear\". Larger values take away more of "
                 "the tangential velocity. If both surfaces of a contact are wet, the contact uses the geometric mean "
                 "of their values. If only one is wet, the contact uses its value."},
      Param<SurfaceMaterial>{
          .member = &SurfaceMaterial::decides,
          .key = "decides",
          .label = "Override of other surface",
          .live = Live::yes,
          .doc = "Whether a contact uses only the restitution and friction of this surface, not those of the other "
                 "surface. If this is on for both surfaces of a contact, or off for both, the values of the two "
                 "surfaces are combined."},
  };
  return table;
}

}  // namespace vw
