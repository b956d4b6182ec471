# The tests that run on Windows, and under Wine (packaging/windows/tests.sh). Left out:
# - house, fuzz, random: they check the source tree and the parsers, which are the same on each system;
# - app: its tests run programs and handle signals as POSIX systems do;
# - render, film: they need a display or a driver;
# - the sources below: limits of processes, devices, pipes and rights of POSIX; counted allocations (the C library has no
#   aligned_alloc()); MPFR.
set(voxwake_posix_sources
  field/field_cache scene/hostile export/series base/atomic_file base/elementary base/state base/file_descriptor
  particles/population history/film world/allocation plot/allocation)
list(JOIN voxwake_posix_sources "|" voxwake_posix_tests)
set(voxwake_posix_tests "/(${voxwake_posix_tests})_test\\.cpp$")
voxwake_test(base DEPS voxwake_base)
voxwake_test(snapshot DEPS voxwake_snapshot)
voxwake_test(surface DEPS voxwake_surface)
voxwake_test(export DEPS voxwake_export assimp::assimp ZLIB::ZLIB)
voxwake_test(field DEPS voxwake_field)
voxwake_test(collision DEPS voxwake_collision)
voxwake_test(voxel DEPS voxwake_voxel)
voxwake_test(particles DEPS voxwake_particles)
voxwake_test(fluid DEPS voxwake_scene)
voxwake_test(rigid DEPS voxwake_scene)
voxwake_test(flock DEPS voxwake_scene)
voxwake_test(playback DEPS voxwake_scene)
voxwake_test(interaction DEPS voxwake_world)
voxwake_test(world DEPS voxwake_world PkgConfig::HWY)
voxwake_test(scene DEPS voxwake_api)
voxwake_test(api FILES world/mock_world.cpp DEPS voxwake_api)
voxwake_test(history DEPS voxwake_api)
voxwake_test(plot DEPS voxwake_api)
voxwake_test(control DEPS voxwake_api)
