// What brings fluid in while it runs, and what takes it out: inflows lead layer after layer out of an opening, drains remove what comes into them.
#pragma once

#include <memory>
#include <vector>

#include "sim/system/fluid/fluid_rows.h"

namespace vw {

/// An opening that fluid comes out of, evenly over its area: speed times area is what flows, whatever the spacing.
struct Inflow {
  bool enabled = true;
  Vec3 position{0, 0.5, 0};
  Vec3 direction{0, -1, 0};  ///< unit
  double speed_mps = 1;
  double start_s = 0, duration_s = 0;
  std::uint8_t phase = 0;
  double layer_m = 0;       ///< from layer to layer
  std::vector<Vec3> sites;  ///< of a layer, about the position, in the world's frame
  [[nodiscard]] bool open_at(double time) const { return enabled && time >= start_s && (duration_s <= 0 || time < start_s + duration_s); }
  [[nodiscard]] Vec3 velocity() const { return speed_mps * direction; }
};

/// A region that removes fluid.
struct Drain {
  bool enabled = true;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  bool round = false;
  double radius_m = 0.1;
  Vec3 half_m{0.1, 0.1, 0.1};
  double rate_m3ps = 0;  ///< 0: everything that comes in
  double start_s = 0, duration_s = 0;
  [[nodiscard]] bool open_at(double time) const { return enabled && time >= start_s && (duration_s <= 0 || time < start_s + duration_s); }
  [[nodiscard]] bool holds(const Vec3& x) const;
};

/// The schemas of slots `inflow` and `drain`, by name.
[[nodiscard]] const std::vector<const Schema*>& inflow_schemas();
[[nodiscard]] const std::vector<const Schema*>& drain_schemas();
/// An opening with the places of one layer, `spacing_m` apart [m]. Errors: no direction, no such phase, more places than a layer may have; their key
/// is the inflow's own parameter.
[[nodiscard]] Result<Inflow> make_inflow(const Node& self, std::span<const FluidPhase> phases, double spacing_m);
/// A drain as its node says; every checked value is allowed.
[[nodiscard]] Drain make_drain(const Node& self);

/// What flows remember and count.
struct FlowState {
  std::vector<double> travelled;        ///< of each inflow: how far its last layer has come [m]
  std::vector<double> owed;             ///< of each drain with a rate: volume that it may still remove [m^3]
  std::uint64_t came_in = 0;            ///< particles, ever
  std::uint64_t drained = 0, left = 0;  ///< removed by drains, and for having left the domain
};

/// Lets out layers that are due at `time`; nothing is placed where something is. `capacity`: rows that there may be.
void bring_in(std::span<const Inflow> inflows, std::span<const FluidPhase> phases, double spacing_m, double time, std::size_t capacity,
              FlowState& state, FluidRows& rows);
/// After a substep: how far layers have come by now, and whom their inflows lead no longer.
void lead_out(std::span<const Inflow> inflows, double spacing_m, double time, double dt, FlowState& state, FluidRows& rows);
/// Marks rows in drains that are open during [time, time + dt]; returns how many.
std::size_t mark_drained(std::span<const Drain> drains, double spacing_m, double time, double dt, FlowState& state, const FluidRows& rows,
                         std::vector<std::uint8_t>& marked);

}  // namespace vw
