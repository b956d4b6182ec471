// The table of system kinds. To add a kind, add one row.
#include <array>

#include "sim/system/flock/flock.h"
#include "sim/system/fluid/fluid.h"
#include "sim/system/particles/particles.h"
#include "sim/system/playback/playback.h"
#include "sim/system/rigid/rigid.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "sim/system/voxel/voxel_body.h"
#include "sim/world/registry.h"

namespace vw {

std::span<const SystemKind> system_kinds() {
  static const auto kinds = std::to_array<SystemKind>({{&flock_schema(), create_flock},
                                                       {&fluid_schema(), create_fluid},
                                                       {&particles_schema(), create_particles},
                                                       {&playback_schema(), create_playback},
                                                       {&rigid_schema(), create_rigid},
                                                       {&voxel_body_schema(), create_voxel_body}});
  return kinds;
}

std::span<const Schema* const> material_schemas() {
  static const Schema* const schemas[] = {&voxel_material_schema()};
  return schemas;
}

}  // namespace vw
