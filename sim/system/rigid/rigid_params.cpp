#include "sim/system/rigid/rigid_params.h"

namespace vw {

const ParamTable<RigidParams>& rigid_params() {
  using P = RigidParams;
  static const ParamTable<P> table{
      Param<P>{.member = &P::longest_dt_s,
               .key = "longest_dt",
               .label = "Longest substep",
               .unit = Unit::second,
               .range = {1e-6, 1},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Longest substep of the rigid bodies. Shorter substeps make contacts and joints more accurate."},
      Param<P>{
          .member = &P::gravity_scale,
          .key = "gravity_scale",
          .unit = Unit::ratio,
          .range = {-10, 10},
          .live = Live::yes,
          .doc =
              "Factor by which the gravity of the world is multiplied for this system. 0 makes the system weightless."},
      Param<P>{.member = &P::contact_rounds,
               .key = "contact_rounds",
               .label = "Contact iterations",
               .unit = Unit::count,
               .range = {1, 1000},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Largest number of iterations of the contact solver in a substep. More iterations make piles "
                      "stiffer. In piles with more than a few hundred contacts, the solver uses fewer iterations than "
                      "this value, but at least 40 if the value is 40 or more."},
      Param<P>{.member = &P::particle_size_m,
               .key = "particle_size",
               .unit = Unit::meter,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc =
                   "Diameter of the particles that fill the bodies in pictures, if `view.rigid_style` is particles. "
                   "0 means automatic: the particle spacing of a fluid that interacts with the bodies. Without such a "
                   "fluid, the surfaces of the bodies are drawn."},
      Param<P>{.member = &P::sleep,
               .key = "sleep",
               .live = Live::yes,
               .doc = "Whether bodies that rest for some time fall asleep. Sleeping bodies cost no computing time "
                      "until something moves them."},
      Param<P>{.member = &P::sleep_drift_m,
               .key = "sleep_drift",
               .label = "Largest drift at rest",
               .unit = Unit::meter,
               .range = {1e-9, 1},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Largest distance that any point of a body may move within `sleep_after` if the body is to count "
                      "as resting."},
      Param<P>{.member = &P::sleep_after_s,
               .key = "sleep_after",
               .label = "Time before sleep",
               .unit = Unit::second,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Time for which a body and all bodies in contact with it must rest before they fall asleep. A "
                      "body rests if it moves by less than `sleep_drift` in this time. 0 means 0.5 s."},
      rigid_wind_params(),
  };
  return table;
}

}  // namespace vw
