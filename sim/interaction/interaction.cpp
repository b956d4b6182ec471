// The explicit table of rules. A new rule is one new file and one row of this table.
#include "sim/interaction/interaction.h"

#include <array>

#include "sim/interaction/bodies/rigid_rigid.h"
#include "sim/interaction/bodies/rigid_voxels.h"
#include "sim/interaction/bodies/voxels_voxels.h"
#include "sim/interaction/bodies/weld.h"
#include "sim/interaction/flock/flock_balls.h"
#include "sim/interaction/flock/flock_flock.h"
#include "sim/interaction/flock/flock_fluid.h"
#include "sim/interaction/flock/flock_rigid.h"
#include "sim/interaction/fluid/fluid_particles.h"
#include "sim/interaction/fluid/fluid_rigid.h"
#include "sim/interaction/fluid/fluid_voxels.h"
#include "sim/interaction/particles/grains.h"
#include "sim/interaction/particles/particles_rigid.h"
#include "sim/interaction/particles/particles_voxels.h"

namespace vw {

std::span<const InteractionKind> interaction_kinds() {
  static const std::array<InteractionKind, 18> kinds{{
      {&flock_flock_schema(), "flock", "flock", create_rule<FlockFlock>},
      {&flock_fluid_schema(), "flock", "fluid", create_rule<FlockFluid>},
      {&flock_particles_schema(), "flock", "particles", create_rule<FlockBallsRule>, false, false},
      {&flock_playback_schema(), "flock", "playback", create_rule<FlockBallsRule>},
      {&flock_rigid_schema(), "flock", "rigid", create_rule<FlockRigid>},
      {&flock_voxels_schema(), "flock", "voxel_body", create_rule<FlockBallsRule>},
      {&fluid_particles_schema(), "fluid", "particles", create_rule<FluidParticles>},
      {&fluid_rigid_schema(), "fluid", "rigid", create_rule<FluidRigid>},
      {&fluid_voxels_schema(), "fluid", "voxel_body", create_rule<FluidVoxels>},
      {&grains_schema(), "particles", "particles", create_rule<Grains>, true, false},
      {&particles_playback_schema(), "particles", "playback", create_rule<ParticlesVoxels>},
      {&particles_rigid_schema(), "particles", "rigid", create_rule<ParticlesRigid>},
      {&particles_voxels_schema(), "particles", "voxel_body", create_rule<ParticlesVoxels>},
      {&playback_rigid_schema(), "playback", "rigid", create_rule<ParticlesRigid>},
      {&rigid_rigid_schema(), "rigid", "rigid", create_rule<RigidRigid>},
      {&rigid_voxels_schema(), "rigid", "voxel_body", create_rule<RigidVoxels>},
      {&voxels_voxels_schema(), "voxel_body", "voxel_body", create_rule<VoxelsVoxels>},
      {&weld_schema(), "rigid", "voxel_body", create_rule<Weld>, false, false},
  }};
  return kinds;
}

}  // namespace vw
