// The table of rules, and the table of the pairs of kinds that no rule couples.
#include "sim/interaction/interaction.h"

#include <algorithm>
#include <utility>

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
  using enum Presence;
  static const InteractionKind kinds[] = {
      {&flock_flock_schema(), "flock", "flock", create_rule<FlockFlock>, by_default,
       "Members of two flocks avoid each other, or one flock hunts the other."},
      {&flock_fluid_schema(), "flock", "fluid", create_rule<FlockFluid>, by_default,
       "Fish push the water back, and the water exerts drag and buoyancy on them; other members avoid the surface of "
       "the water."},
      {&flock_particles_schema(), "flock", "particles", create_rule<FlockBallsRule>, on_request,
       "Members avoid particles, flee from fast ones and bounce off those that they hit; this rule acts only if the "
       "scene contains it."},
      {&flock_playback_schema(), "flock", "playback", create_rule<FlockBallsRule>, by_default,
       "Members avoid recorded voxels and flee from approaching ones; the recording does not react."},
      {&flock_rigid_schema(), "flock", "rigid", create_rule<FlockRigid>, by_default,
       "Members avoid rigid bodies and flee from approaching ones; collisions act on both."},
      {&flock_voxels_schema(), "flock", "voxel_body", create_rule<FlockBallsRule>, by_default,
       "Members avoid voxel bodies and flee from approaching ones; collisions act on both."},
      {&fluid_particles_schema(), "fluid", "particles", create_rule<FluidParticles>, by_default,
       "Drag, buoyancy and added mass act on both the fluid and the particles."},
      {&fluid_rigid_schema(), "fluid", "rigid", create_rule<FluidRigid>, by_default,
       "Pressure and friction act between water and rigid bodies."},
      {&fluid_voxels_schema(), "fluid", "voxel_body", create_rule<FluidVoxels>, by_default,
       "Pressure and friction act between water and wetted voxels."},
      {&grains_schema(), "particles", "particles", create_rule<Grains>, on_request,
       "Particles of two systems collide, with friction; this rule acts only if the scene contains it.",
       "Particles of one system collide, with friction; this rule acts only if the scene contains it."},
      {&particles_playback_schema(), "particles", "playback", create_rule<ParticlesVoxels>, by_default,
       "Particles bounce off recorded voxels; the recording does not react."},
      {&particles_rigid_schema(), "particles", "rigid", create_rule<ParticlesRigid>, by_default,
       "Particles bounce off rigid bodies and rest on them; contact forces act on both."},
      {&particles_voxels_schema(), "particles", "voxel_body", create_rule<ParticlesVoxels>, by_default,
       "Particles collide with voxels; contact forces act on both."},
      {&playback_rigid_schema(), "playback", "rigid", create_rule<ParticlesRigid>, by_default,
       "Recorded voxels push rigid bodies; the recording does not react."},
      {&rigid_rigid_schema(), "rigid", "rigid", create_rule<RigidRigid>, by_default,
       "Bodies of two rigid systems collide through springs, and each system keeps its own substep."},
      {&rigid_voxels_schema(), "rigid", "voxel_body", create_rule<RigidVoxels>, by_default,
       "Rigid bodies collide with voxels, with friction."},
      {&voxels_voxels_schema(), "voxel_body", "voxel_body", create_rule<VoxelsVoxels>, by_default,
       "Voxel bodies collide voxel by voxel, with friction."},
      {&weld_schema(), "rigid", "voxel_body", create_rule<Weld>, on_request, "A weld joins voxels to a rigid body."},
  };
  return kinds;
}

std::span<const PairWithoutRule> pairs_without_rule() {
  using enum PairAnswer;
  using enum Sides;
  static constexpr PairWithoutRule pairs[] = {
      {"collider", "flock", two_systems, system,
       "The flock steers its members around obstacles and keeps them outside."},
      {"collider", "fluid", two_systems, system, "Points on the surfaces of obstacles exert pressure on the fluid."},
      {"collider", "particles", two_systems, system,
       "Particles collide with obstacles by the collision scheme of their system."},
      {"collider", "playback", two_systems, none, "A recording moves as recorded and passes through obstacles."},
      {"collider", "rigid", two_systems, system,
       "Contact impulses of the rigid system keep its bodies outside obstacles."},
      {"collider", "voxel_body", two_systems, system,
       "Each voxel touches obstacles through a contact spring with friction."},
      {"field", "flock", two_systems, system,
       "Wind carries members with the medium \"air\", with the time constant `carry`."},
      {"field", "fluid", two_systems, system,
       "Wind exerts shear on the free surface and pressure on the sides of waves, and it carries spray."},
      {"field", "particles", two_systems, system,
       "Wind moves particles by the law that the parameter `drag` of their system selects."},
      {"field", "playback", two_systems, none, "A recording moves as recorded, independent of wind."},
      {"field", "rigid", two_systems, system,
       "Wind exerts pressure and friction on rigid bodies; parts of a mesh shelter each other."},
      {"field", "voxel_body", two_systems, system,
       "Wind exerts pressure and friction on open faces; parts of a body shelter each other."},
      {"flock", "flock", one_system, system, "The flock itself computes flocking and hunting among its species."},
      {"fluid", "fluid", two_systems, none,
       "Two fluid systems do not interact; liquids that are to touch must be phases of one fluid system."},
      {"fluid", "fluid", one_system, system, "Pressure, viscosity and tension act between the particles of a fluid."},
      {"fluid", "playback", two_systems, none,
       "A recording has no surface on which water can press; attach a collider to the recording (carried_by)."},
      {"playback", "playback", two_systems, none, "Both recordings move as recorded and do not interact."},
      {"playback", "playback", one_system, none, "A recording moves as recorded, without contact between its voxels."},
      {"playback", "voxel_body", two_systems, none,
       "No rule couples recordings with voxel bodies; attach a collider to the recording (carried_by)."},
      {"rigid", "rigid", one_system, system, "Contact impulses of the system keep its bodies apart."},
      {"voxel_body", "voxel_body", one_system, system,
       "A body collides with itself if self_contact is on, and always if it consists of several pieces."},
  };
  return pairs;
}

std::optional<PairDecision> decide_pair(std::string_view kind_a, std::string_view kind_b, Sides sides) {
  if (kind_b < kind_a) std::swap(kind_a, kind_b);
  PairDecision decision{.answer = PairAnswer::rule, .rules = {}, .because = {}};
  for (const InteractionKind& rule : interaction_kinds()) {
    if (rule.kind_a != kind_a || rule.kind_b != kind_b || !rule.joins(sides)) continue;
    decision.rules.push_back(&rule);
    decision.because += decision.because.empty() ? "" : " ";
    decision.because += sides == Sides::one_system ? rule.effect_within : rule.effect;
  }
  if (!decision.rules.empty()) return decision;
  const auto pairs = pairs_without_rule();
  const auto found = std::ranges::find_if(pairs, [&](const PairWithoutRule& row) {
    return row.kind_a == kind_a && row.kind_b == kind_b && row.sides == sides;
  });
  if (found == pairs.end()) return std::nullopt;
  return PairDecision{.answer = found->answer, .rules = {}, .because = std::string(found->because)};
}

}  // namespace vw
