#include "sim/system/flock/obstacles/surroundings.h"

namespace vw {

void Surroundings::clear() {
  solids.clear();
  balls.clear();
  threats.clear();
  lures.clear();
  marks.clear();
  water.clear();
}

}  // namespace vw
