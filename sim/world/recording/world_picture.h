// Fills the members of a snapshot that describe colliders and the targets of actuators, and the members of a system's
// snapshot that the system does not fill itself.
#pragma once

#include <string>
#include <vector>

#include "sim/snapshot/snapshot.h"
#include "sim/system/system.h"
#include "sim/world/health/health.h"
#include "sim/world/step/collider_set.h"
#include "sim/world/step/control_loop.h"

namespace vw {

void fill_collider(const ColliderSet& colliders, std::size_t i, double time, ColliderSnapshot& out);
/// Fills the channels of `wanted` that the system has.
void fill_channels(const System& system, const std::vector<std::string>& wanted, SystemSnapshot& out);
/// Sets the positions of the joints, emitters, taps, sources of wind and obstacles that the actuators of `control`
/// drive. ControlLoop::write() must already have filled the signals of `out`. Joints and obstacles get their present
/// positions, which are read from `out`. The others get the positions declared in `scene`.
void place_signals(const ControlLoop& control, Node& scene, Snapshot& out);
void fill_statistics(const Diagnostics& diagnostics, const SystemTiming& timing, SystemSnapshot& out);

}  // namespace vw
