#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/targets.h"

namespace vw::fuzz {

void promise(bool kept, const char* sentence) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", sentence);
  std::abort();
}

}  // namespace vw::fuzz
