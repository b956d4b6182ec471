#include "sim/interaction/pair_table.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vw {

std::span<const PairDecision> pair_table() {
  using enum PairAnswer;
  static const std::array<PairDecision, 39> table{{
      {"collider", "flock", false, system, "", "",
       "Members steer clear of obstacles by themselves, and never enter them."},
      {"collider", "fluid", false, system, "", "",
       "The fluid meets obstacles by itself: samples of their surface press on it."},
      {"collider", "particles", false, system, "", "",
       "Particles meet obstacles by themselves, by the scheme that they choose."},
      {"collider", "playback", false, none, "", "", "What is played back goes its recorded way through everything."},
      {"collider", "rigid", false, system, "", "",
       "Rigid bodies meet obstacles by themselves, with impulses that keep them apart."},
      {"collider", "voxel_body", false, system, "", "",
       "Voxels meet obstacles by themselves, with a spring and friction each."},
      {"field", "flock", false, system, "", "", "Wind carries members whose medium is the air, in their carry time."},
      {"field", "fluid", false, system, "", "",
       "Wind drags along a fluid's free surface, presses on the sides of its waves and carries its spray."},
      {"field", "particles", false, system, "", "",
       "Wind drags particles along: in their drag time, as balls of their size, or exactly."},
      {"field", "playback", false, none, "", "", "What is played back goes its recorded way in any wind."},
      {"field", "rigid", false, system, "", "",
       "Surfaces of rigid bodies feel the wind's pressure and friction; parts of a mesh shield each other."},
      {"field", "voxel_body", false, system, "", "",
       "Wind presses on the faces that it reaches past the rest of the body, and rubs along them."},
      {"flock", "flock", false, rule, "flock_flock", "",
       "Members of two flocks keep clear of each other, or one flock hunts the other."},
      {"flock", "flock", true, system, "", "",
       "How members of a flock keep together, and which of its species hunt which, is its own."},
      {"flock", "fluid", false, rule, "flock_fluid", "",
       "Fish push the water back and are carried and borne by it, others keep clear of its surface."},
      {"flock", "particles", false, rule, "flock_particles", "",
       "Members steer clear of particles, flee from fast ones and bounce off the rest; only where asked for."},
      {"flock", "playback", false, rule, "flock_playback", "",
       "Members steer clear of recorded voxels and flee from them, which do not feel it."},
      {"flock", "rigid", false, rule, "flock_rigid", "",
       "Members steer clear of bodies, flee from those that fall among them, and both feel a blow."},
      {"flock", "voxel_body", false, rule, "flock_voxel_body", "",
       "Members steer clear of voxel bodies, flee from those that come at them, and both feel a blow."},
      {"fluid", "fluid", false, none, "", "",
       "Two fluid systems do not know each other: liquids that meet are phases of one fluid system."},
      {"fluid", "fluid", true, system, "", "", "The fluid's own pressure, viscosity and tension."},
      {"fluid", "particles", false, rule, "fluid_particles", "", "Drag, buoyancy and added mass, both ways."},
      {"fluid", "playback", false, none, "", "",
       "Recordings tell no faces that water could press on: let a collider ride on the body (carried_by)."},
      {"fluid", "rigid", false, rule, "fluid_rigid", "",
       "Water carries, pushes and drags rigid bodies, and is pushed by them."},
      {"fluid", "voxel_body", false, rule, "fluid_voxel_body", "",
       "Water presses on the voxels that it wets, and is pushed by them."},
      {"particles", "particles", false, rule, "grains", "",
       "Particles of two systems collide, rub and pile up; only where asked for."},
      {"particles", "particles", true, rule, "grains", "",
       "Particles of a system collide, rub and pile up; only where asked for."},
      {"particles", "playback", false, rule, "particles_playback", "",
       "Particles bounce off recorded voxels, which do not feel it."},
      {"particles", "rigid", false, rule, "particles_rigid", "",
       "Particles bounce off rigid bodies and rest on them, both feel it."},
      {"particles", "voxel_body", false, rule, "particles_voxel_body", "", "Particles press on voxels, both feel it."},
      {"playback", "playback", false, none, "", "", "Both go their recorded ways: nothing moves either."},
      {"playback", "playback", true, none, "", "", "It goes its recorded way: nothing moves it."},
      {"playback", "rigid", false, rule, "playback_rigid", "",
       "Recorded voxels push rigid bodies about, and do not feel it."},
      {"playback", "voxel_body", false, none, "", "",
       "Recordings meet particles and rigid bodies only: let a collider ride on the body (carried_by)."},
      {"rigid", "rigid", false, rule, "rigid_rigid", "",
       "Bodies of two rigid systems meet through springs, each at its own pace."},
      {"rigid", "rigid", true, system, "", "",
       "Bodies of one system meet each other by themselves, with impulses that keep them apart."},
      {"rigid", "voxel_body", false, rule, "rigid_voxel_body", "weld",
       "Rigid bodies press on voxels and rub, and hold those that a weld joins to them."},
      {"voxel_body", "voxel_body", false, rule, "voxel_body_voxel_body", "",
       "Voxel bodies press on each other and rub, voxel against voxel."},
      {"voxel_body", "voxel_body", true, system, "", "",
       "A body meets itself where its self_contact says so, and always when it is in pieces."},
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
