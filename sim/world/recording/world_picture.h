// Fills the parts of a snapshot that describe colliders and the targets of actuators, and those parts of a system's
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
/// Fills the places of the joints, emitters, taps, sources of wind and obstacles that the actuators of `control` drive.
/// ControlLoop::write() must have filled the signals of `out`. Joints and obstacles get their present places, which are
/// read from `out`. The other parts get the places declared in `scene`.
void place_signals(const ControlLoop& control, Node& scene, Snapshot& out);
void fill_statistics(const Diagnostics& diagnostics, const SystemTiming& timing, SystemSnapshot& out);

}  // namespace vw
