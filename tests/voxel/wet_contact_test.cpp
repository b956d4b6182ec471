// Voxels on wet surfaces: the friction law of the collider with the explicit and the implicit integrator.
#include <gtest/gtest.h>

#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// Returns the speed [m/s] after `time` [s] of a slab of 3 x 1 x 3 voxels that slides on level ground with an initial
/// speed of 1 m/s.
double speed_after(double time, FrictionLaw law, double wetness, Integrator integrator) {
  BoxSpec spec{3, 1, 3, 0.01};
  spec.material.bond_damping = 0.5;
  spec.material.youngs_modulus = 1e5;
  Collider plane = ground(1, 1);
  plane.surface.friction = law;
  plane.surface.wetness = wetness;
  VoxelBodyParams params;
  params.integrator = integrator;
  params.position = Vec3(-0.015, -1e-3 * earth_gravity / (1e5 * 0.01), -0.015);  // at rest on its penalty springs
  params.velocity = Vec3(1, 0, 0);
  Lab lab(box_lattice(spec), {}, params, {plane});
  lab.context().gravity = Vec3(0, -earth_gravity, 0);
  lab.run(time);
  return lab.diagnostics().momentum.x() / (9 * 1e-3);
}

TEST(VoxelContact, OnAWetFloorABodySlowsAsTheForceSays) {
  // The equation of motion m dv/dt = -D m g v has the solution v = v0 exp(-D g t), where D is the wetness [s/m] and v0
  // = 1 m/s. Backward Euler has a relative error of D g dt / 2 per decay time, which is 2 % for steps of 1/120 s.
  const double wetness = 0.4, time = 0.5, expected = std::exp(-wetness * earth_gravity * time);
  for (const FrictionLaw law : {FrictionLaw::wet, FrictionLaw::wet_linear}) {
    const std::string name = law == FrictionLaw::wet ? "wet" : "wet, linear";
    expect_case("voxel", "Slab on a " + name + " floor, speed after 0.5 s, explicit",
                speed_after(time, law, wetness, Integrator::explicit_symplectic), expected, 0.01, "m/s");
    expect_case("voxel", "Slab on a " + name + " floor, speed after 0.5 s, implicit",
                speed_after(time, law, wetness, Integrator::implicit_euler), expected, 0.06, "m/s");
  }
}

TEST(VoxelContact, OnAFrictionlessFloorABodyGoesOn) {
  for (const Integrator integrator : {Integrator::explicit_symplectic, Integrator::implicit_euler})
    EXPECT_NEAR(speed_after(0.5, FrictionLaw::frictionless, 0, integrator), 1, 1e-6);
}

}  // namespace
}  // namespace vw::test
