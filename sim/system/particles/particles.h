// A particle system: emitters, gravity, drag toward the wind, collision. Flows in: fields, colliders, impulses. Flows out: elements, channels.
#pragma once

#include <memory>
#include <span>

#include "sim/system/system.h"

namespace vw {

/// Schema of `[[system]] kind = "particles"`, with slot `emitter`.
[[nodiscard]] const Schema& particles_schema();
[[nodiscard]] Result<std::unique_ptr<System>> create_particles(const Node& self, const Node& scene);
/// Whether a system is one of particles that follow the air: tracers, which push nobody.
[[nodiscard]] bool are_tracers(const System& system);
/// Share of the world's gravity that a system of particles feels; 0 of tracers, and of other systems.
[[nodiscard]] double particles_gravity_scale(const System& system);
/// Ends the lives of these rows as the next step begins. False: it is no system of particles.
bool remove_particles(System& system, std::span<const std::uint32_t> rows);

}  // namespace vw
