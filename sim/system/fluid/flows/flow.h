// Sources and sinks of a running fluid: inflows emit layers of particles from an opening, drains remove particles from
// a region.
#pragma once

#include <memory>
#include <vector>

#include "sim/system/fluid/rows/domain.h"
#include "sim/system/fluid/rows/fluid_rows.h"

namespace vw {

/// An opening that emits fluid evenly over its area. The volume flow is speed times area. It may be lower if the
/// opening is narrower than 2.5 spacings, because layers are at least 0.7 spacings apart.
struct Inflow {
  bool enabled = true;
  Vec3 position{0, 0.5, 0};
  Vec3 direction{0, -1, 0};  ///< Unit vector.
  double speed_mps = 1;
  double start_s = 0, duration_s = 0;
  std::uint8_t phase = 0;
  double layer_m = 0;       ///< Distance between layers [m].
  std::vector<Vec3> sites;  ///< Positions of a layer's particles relative to `position`, in world axes.
  [[nodiscard]] bool open_at(double time) const {
    return enabled && time >= start_s && (duration_s <= 0 || time < start_s + duration_s);
  }
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
  double rate_m3ps = 0;  ///< Largest volume removed per second [m^3/s]. 0 means that all fluid inside is removed.
  double start_s = 0, duration_s = 0;
  [[nodiscard]] bool open_at(double time) const {
    return enabled && time >= start_s && (duration_s <= 0 || time < start_s + duration_s);
  }
  [[nodiscard]] bool holds(const Vec3& x) const;
};

/// Schemas of slots `inflow` and `drain`, ordered by name.
[[nodiscard]] const std::vector<const Schema*>& inflow_schemas();
[[nodiscard]] const std::vector<const Schema*>& drain_schemas();
/// Reads an inflow and computes the positions of one layer of particles at the particle spacing `spacing_m` [m].
/// Errors: zero direction, unknown phase, too many positions in a layer. The key of an error is the name of the
/// parameter that caused the error.
[[nodiscard]] Result<Inflow> make_inflow(const Node& self, std::span<const FluidPhase> phases, double spacing_m);
/// Reads a drain. Every value that passed the schema's check is allowed.
[[nodiscard]] Drain make_drain(const Node& self);

/// State and counters of inflows and drains.
struct FlowState {
  std::vector<double> travelled;        ///< Distance of each inflow's last layer from the opening [m].
  std::vector<double> owed;             ///< Volume that each drain with a rate may still remove [m^3].
  std::uint64_t came_in = 0;            ///< Number of particles emitted since the start.
  std::uint64_t drained = 0, left = 0;  ///< Number of particles that drains removed, and number that left the domain.
};

/// Emits the layers that are due at `time`. No particle is placed at an occupied position. `capacity`: maximum number
/// of particles.
void bring_in(std::span<const Inflow> inflows, std::span<const FluidPhase> phases, double spacing_m, double time,
              std::size_t capacity, FlowState& state, FluidRows& rows);
/// Advances the layers after a substep of length dt that began at `time`. Stops prescribing the velocity of particles
/// that are far from the opening or whose inflow has closed.
void lead_out(std::span<const Inflow> inflows, const FluidDomain& domain, double spacing_m, double time, double dt,
              FlowState& state, FluidRows& rows);
/// Marks the particles inside drains that are open at `time`, the start of a substep of length dt. A drain with a rate
/// marks only as many particles as its rate allows. Returns the number of particles that this call marked.
std::size_t mark_drained(std::span<const Drain> drains, double spacing_m, double time, double dt, FlowState& state,
                         const FluidRows& rows, std::vector<std::uint8_t>& marked);

}  // namespace vw
