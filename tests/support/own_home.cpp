// Every test program has settings and caches of its own: it neither reads nor writes the user's, nor those of a program beside it.
#include <cstdlib>

#include "tests/support/scratch.h"

namespace {

[[maybe_unused]] const bool at_home = [] {
  ::setenv("XDG_CONFIG_HOME", vw::test::scratch_file("config").c_str(), 1);
  if (std::getenv("VOXWAKE_CACHE") == nullptr)
    ::setenv("VOXWAKE_CACHE", "off", 1);  // fields are made anew: one kept by another build could hide a fault
  return true;
}();

}  // namespace
