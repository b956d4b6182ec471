// Parameters of a particle system as a whole. Emitters may override some of these parameters (emitter.h).
#pragma once

#include "sim/base/data/parameter.h"
#include "sim/collision/collider.h"
#include "sim/collision/contact/scheme.h"

namespace vw {

/// Drag model. time: exponential approach to the air's velocity with a given time constant. sphere: drag of a sphere at
/// its Reynolds number. follow: particles follow the air exactly.
enum class AirDrag { time, sphere, follow };

struct ParticleParams : SchemeParams, SurfaceMaterial {
  ParticleParams() : SurfaceMaterial{.restitution = 0.5, .mu_static = 0.5, .mu_dynamic = 0.4} {}

  std::int64_t capacity = 100000;
  double mass_kg = 1e-3;
  double radius_m = 0.005;
  AirDrag drag = AirDrag::time;
  double drag_time_s = 0;
  double air_density_kgpm3 = 1.2;
  double air_viscosity_pas = 1.8e-5;
  double gravity_scale = 1;
  bool spin = false;
  double collision_dt_s = 1.0 / 120;
  bool kill_on_contact = false;
  double keep_within_m = 1000;
  bool soft = false;
  Vec3 color{0.25, 0.5, 0.9};
};

[[nodiscard]] const ParamTable<ParticleParams>& particle_params();

}  // namespace vw
