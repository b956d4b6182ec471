// libFuzzer's side of one target, named by VOXWAKE_FUZZ_TARGET.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

// libFuzzer's own name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vw::fuzz::VOXWAKE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
