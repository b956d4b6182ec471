# The tests that run on Windows, and under Wine (packaging/windows/tests.sh). The following tests are left out:
# - house, fuzz, random: they check the source tree and the parsers, which are the same on each system;
# - app: its tests run programs and handle signals as POSIX systems do;
# - render, film: they need a display or a driver; bench: not tried yet;
# - the sources below: limits of processes, devices, pipes and file permissions of POSIX; counted allocations (the C
#   library has no aligned_alloc()); MPFR.
set(voxwake_posix_sources
  field/field_cache scene/hostile export/series base/atomic_file base/elementary base/state base/file_descriptor
  particles/population history/film world/allocation plot/allocation)
list(JOIN voxwake_posix_sources "|" voxwake_posix_tests)
set(voxwake_posix_tests "/(${voxwake_posix_tests})_test\\.cpp$")
