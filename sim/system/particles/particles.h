// Particle system: emitters, gravity, drag towards the wind, collision. Input: fields, colliders, impulses. Output:
// elements, channels.
#pragma once

#include <memory>

#include "sim/system/system.h"

namespace vw {

/// Returns the schema of `[[system]] kind = "particles"`, with slot `emitter`.
[[nodiscard]] const Schema& particles_schema();
[[nodiscard]] Result<std::unique_ptr<System>> create_particles(const Node& self, const Node& scene);
/// Returns the factor on the world's gravity for a system of particles, or 0 for tracers and for systems of other
/// kinds.
[[nodiscard]] double particles_gravity_scale(const System& system);

}  // namespace vw
