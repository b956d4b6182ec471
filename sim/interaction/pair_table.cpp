#include "sim/interaction/pair_table.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vw {

std::span<const PairDecision> pair_table() {
  using enum PairAnswer;
  static const std::array<PairDecision, 39> table{{
      {"collider", "flock", false, system, "", "",
       "The flock steers its members around obstacles and keeps them outside."},
      {"collider", "fluid", false, system, "", "",
       "The fluid samples the surfaces of obstacles, and these samples exert pressure on it."},
      {"collider", "particles", false, system, "", "",
       "Particles collide with obstacles by the collision scheme of their system."},
      {"collider", "playback", false, none, "", "", "A recording moves as recorded and passes through obstacles."},
      {"collider", "rigid", false, system, "", "",
       "Contact impulses of the rigid system keep its bodies outside obstacles."},
      {"collider", "voxel_body", false, system, "", "",
       "Each voxel touches obstacles through a contact spring with friction."},
      {"field", "flock", false, system, "", "",
       "Wind carries members with the medium \"air\", with the time constant `carry`."},
      {"field", "fluid", false, system, "", "",
       "Wind exerts shear on the free surface and pressure on the sides of waves, and it carries spray."},
      {"field", "particles", false, system, "", "",
       "Wind drags particles with a time constant or as spheres, or particles follow it exactly."},
      {"field", "playback", false, none, "", "", "A recording moves as recorded, independent of wind."},
      {"field", "rigid", false, system, "", "",
       "Wind exerts pressure and friction on rigid bodies; parts of a mesh shelter each other."},
      {"field", "voxel_body", false, system, "", "",
       "Wind exerts pressure and friction on open faces; parts of a body shelter each other."},
      {"flock", "flock", false, rule, "flock_flock", "",
       "Members of two flocks avoid each other, or one flock hunts the other."},
      {"flock", "flock", true, system, "", "", "The flock itself computes flocking and hunting among its species."},
      {"flock", "fluid", false, rule, "flock_fluid", "",
       "Fish push the water back, and drag and buoyancy act on them; other members avoid its surface."},
      {"flock", "particles", false, rule, "flock_particles", "",
       "Members avoid particles, flee from fast ones and bounce off those that they hit; a scene must request the "
       "rule."},
      {"flock", "playback", false, rule, "flock_playback", "",
       "Members avoid recorded voxels and flee from approaching ones; the recording does not react."},
      {"flock", "rigid", false, rule, "flock_rigid", "",
       "Members avoid rigid bodies and flee from approaching ones; collisions act on both."},
      {"flock", "voxel_body", false, rule, "flock_voxel_body", "",
       "Members avoid voxel bodies and flee from approaching ones; collisions act on both."},
      {"fluid", "fluid", false, none, "", "",
       "Two fluid systems do not interact: make liquids that touch phases of one fluid system."},
      {"fluid", "fluid", true, system, "", "", "Pressure, viscosity and tension act between the particles of a fluid."},
      {"fluid", "particles", false, rule, "fluid_particles", "",
       "Drag, buoyancy and added mass act on both the fluid and the particles."},
      {"fluid", "playback", false, none, "", "",
       "Recordings have no surface for water pressure: attach a collider to the recording (carried_by)."},
      {"fluid", "rigid", false, rule, "fluid_rigid", "", "Pressure and friction act between water and rigid bodies."},
      {"fluid", "voxel_body", false, rule, "fluid_voxel_body", "",
       "Pressure and friction act between water and wetted voxels."},
      {"particles", "particles", false, rule, "grains", "",
       "Particles of two systems collide, with friction; a scene must request the rule."},
      {"particles", "particles", true, rule, "grains", "",
       "Particles of one system collide, with friction; a scene must request the rule."},
      {"particles", "playback", false, rule, "particles_playback", "",
       "Particles bounce off recorded voxels; the recording does not react."},
      {"particles", "rigid", false, rule, "particles_rigid", "",
       "Particles bounce off rigid bodies and rest on them; contact forces act on both."},
      {"particles", "voxel_body", false, rule, "particles_voxel_body", "",
       "Particles collide with voxels; contact forces act on both."},
      {"playback", "playback", false, none, "", "", "Both recordings move as recorded and do not interact."},
      {"playback", "playback", true, none, "", "",
       "A recording moves as recorded, without contact between its voxels."},
      {"playback", "rigid", false, rule, "playback_rigid", "",
       "Recorded voxels push rigid bodies; the recording does not react."},
      {"playback", "voxel_body", false, none, "", "",
       "No rule couples recordings with voxel bodies: attach a collider to the recording (carried_by)."},
      {"rigid", "rigid", false, rule, "rigid_rigid", "",
       "Bodies of two rigid systems collide through springs, and each system keeps its own substep."},
      {"rigid", "rigid", true, system, "", "", "Contact impulses of the system keep its bodies apart."},
      {"rigid", "voxel_body", false, rule, "rigid_voxel_body", "weld",
       "Rigid bodies collide with voxels, with friction; a weld joins voxels to a rigid body."},
      {"voxel_body", "voxel_body", false, rule, "voxel_body_voxel_body", "",
       "Voxel bodies collide voxel by voxel, with friction."},
      {"voxel_body", "voxel_body", true, system, "", "",
       "A body collides with itself if self_contact is true, and always if it consists of several pieces."},
  }};
  return table;
}

const PairDecision* decide_pair(std::string_view kind_a, std::string_view kind_b, bool within) {
  if (kind_b < kind_a) std::swap(kind_a, kind_b);
  const auto table = pair_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const PairDecision& row) {
    return row.kind_a == kind_a && row.kind_b == kind_b && row.within == within;
  });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace vw
