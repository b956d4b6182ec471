// Gives every test program its own settings and cache folder. The program then neither reads nor writes the files of
// the user or of another test program that runs at the same time.
#include <cstdlib>

#include "tests/support/scratch.h"

namespace {

[[maybe_unused]] const bool at_home = [] {
  ::setenv("XDG_CONFIG_HOME", vw::test::scratch_file("config").c_str(), 1);
  if (std::getenv("VOXWAKE_CACHE") == nullptr)
    // Turns the cache of computed fields off, because a field cached by another build could hide a fault.
    ::setenv("VOXWAKE_CACHE", "off", 1);
  return true;
}();

}  // namespace
