// Particle system: emitters, gravity, drag towards the wind, collision. Input: fields, colliders, impulses. Output:
// elements, channels.
#pragma once

#include <memory>
#include <span>

#include "sim/system/system.h"

namespace vw {

/// Schema of `[[system]] kind = "particles"`, with slot `emitter`.
[[nodiscard]] const Schema& particles_schema();
[[nodiscard]] Result<std::unique_ptr<System>> create_particles(const Node& self, const Node& scene);
/// Whether the system consists of particles that follow the air (tracers). Tracers exert no forces.
[[nodiscard]] bool are_tracers(const System& system);
/// Factor on the world's gravity for a system of particles; 0 for tracers and for other systems.
[[nodiscard]] double particles_gravity_scale(const System& system);
/// Removes the particles of these rows at the start of the next step. Returns false if it is not a system of particles.
bool remove_particles(System& system, std::span<const std::uint32_t> rows);

}  // namespace vw
