// libFuzzer entry point of one target, which VOXWAKE_FUZZ_TARGET names at compile time.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

// This name is fixed by libFuzzer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vw::fuzz::VOXWAKE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
