#include "sim/api/build_info.h"

#include "sim/field/spectral/fourier.h"
#include "sim/world/build_info.h"

namespace vw::api {

BuildInfo build_info() {
  return {.description = build_description(),
          .instruction_set = vw::instruction_set(),
          .has_fftw = best_fourier() == FourierCode::fftw};
}

}  // namespace vw::api
