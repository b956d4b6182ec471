// Voxel cubes that fall from 10 m onto a corner gain no energy at any stiffness.
#include <gtest/gtest.h>

#include "sim/base/rotation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

struct Landing {
  /// Highest sum of kinetic, elastic and potential energy, divided by the initial sum.
  double highest_energy = 0;
  double last_energy = 0;
  bool healthy = true;
};

/// Lets a cube hit the ground with a corner at the speed of a fall from `height`. The cube starts at the distance
/// `above` from the ground, with the speed that the fall has reached at this distance.
Landing land_on_a_corner(double youngs, int n, double nu, double height, double above, double seconds) {
  BoxSpec spec{n, n, n, 0.005};
  spec.material.youngs_modulus = youngs;
  spec.material.poissons_ratio = nu;
  spec.material.bond_damping = 0.1;
  VoxelBodyParams params;
  params.voxel_size_m = spec.edge_m;
  params.rotation = turn_of(rotation_between(Vec3(1, 1, 1), Vec3(0, 1, 0)));
  // Places the lowest corner at y = `above`.
  params.position = Vec3(0, 0.5 * std::sqrt(3.0) * n * spec.edge_m - 0.5 * n * spec.edge_m + above, 0);
  params.velocity = Vec3(0, -std::sqrt(2 * 9.81 * (height - above)), 0);
  Lab lab(box_lattice(spec), {}, params, {ground()});
  lab.context().gravity = Vec3(0, -9.81, 0);
  const auto energy = [&] {
    const Diagnostics d = lab.diagnostics();
    return d.kinetic + d.elastic + d.potential;
  };
  const double start = energy();
  Landing out;
  const double dt = lab.body().stable_dt(0);
  const auto substeps = static_cast<std::int64_t>(std::ceil(seconds / dt));
  constexpr std::int64_t look = 10;
  lab.context().dt = look * dt;
  for (std::int64_t i = 0; i < substeps; i += look) {
    lab.body().begin_step(lab.context());
    lab.body().substeps(lab.context(), lab.context().time, dt, look);
    lab.body().end_step(lab.context());
    lab.context().time += lab.context().dt;
    out.last_energy = energy() / start;
    out.highest_energy = std::max(out.highest_energy, out.last_energy);
    out.healthy = out.healthy && !lab.body().check_health().has_value();
  }
  return out;
}

class VoxelDrop : public ::testing::TestWithParam<std::tuple<double, double>> {};

TEST_P(VoxelDrop, OfTenMetresOntoACornerGainsNoEnergyAtAnyStiffness) {
  const auto [youngs, nu] = GetParam();
  // Time that sound takes to cross the cube. The run covers 60 such times and includes impact, rebound and vibration.
  const double crossing = 4 * 0.005 * std::sqrt(1000 / youngs);
  const Landing landing = land_on_a_corner(youngs, 4, nu, 10, 1e-3, std::min(0.2, 60 * crossing));
  EXPECT_TRUE(landing.healthy);
  EXPECT_LT(landing.highest_energy, 1.03);
  EXPECT_LT(landing.last_energy, 0.95);
}
INSTANTIATE_TEST_SUITE_P(Stiffnesses, VoxelDrop,
                         ::testing::Combine(::testing::Values(1e4, 1e5, 1e6, 1e7, 1e8, 1e9),
                                            ::testing::Values(0.0, 0.35)));

}  // namespace
}  // namespace vw::test
