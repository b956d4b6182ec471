// Upper bound of the substep at high pressure. The bound follows from the oscillation of a lattice under pressure,
// computed from the kernel. Columns must come to rest in substeps below this bound. In longer substeps, columns must
// become unstable.
#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Dense>

#include "tests/fluid/walled_fluid.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::expect_case;

using Matrix3 = Eigen::Matrix3d;

/// Returns the second derivatives of V W (particle volume times kernel) at a lattice site, by central differences of
/// the kernel gradient. The unit of length is the spacing.
Matrix3 bend_of(SphKernel kernel, const Vec3& place) {
  constexpr double reach = 2, step = 1e-4;
  const auto slope = [&](const Vec3& x) {
    const double q = x.norm() / reach;
    return q < 1 ? Vec3(lattice_factor(kernel) * kernel_slope(kernel, q) / std::pow(reach, 5) * x) : Vec3(Vec3::Zero());
  };
  Matrix3 bend;
  for (int a = 0; a < 3; ++a)
    bend.col(a) = (slope(place + step * Vec3::Unit(a)) - slope(place - step * Vec3::Unit(a))) / (2 * step);
  return bend;
}

/// Returns the largest coefficient lambda over all waves of a cubic lattice. A displacement u of the wave causes the
/// acceleration -lambda p u / (rho d^2) (p: pressure, d: spacing).
double stiffest_wave(SphKernel kernel) {
  double most = 0;
  constexpr int waves = 8;
  for (int kx = 0; kx <= waves; ++kx)
    for (int ky = 0; ky <= waves; ++ky)
      for (int kz = 0; kz <= waves; ++kz) {
        const Vec3 wave = pi / waves * Vec3(kx, ky, kz);
        Matrix3 sum = Matrix3::Zero();
        for (int x = -1; x <= 1; ++x)
          for (int y = -1; y <= 1; ++y)
            for (int z = -1; z <= 1; ++z)
              if (const Vec3 place(x, y, z); place != Vec3::Zero())
                sum += 2 * (1 - std::cos(wave.dot(place))) * bend_of(kernel, place);
        most = std::max(most, Eigen::SelfAdjointEigenSolver<Matrix3>(sum).eigenvalues()[2]);
      }
  return most;
}

/// A column of fluid between planes, and its mean speed at the end of a run with substeps of fixed length.
struct Column {
  static constexpr int wide = 6;
  FluidParams params;
  std::vector<FluidPhase> phases{FluidPhase{}};
  FluidDomain domain{Box3(Vec3::Constant(-50), Vec3::Constant(50)), {}};
  std::vector<Collider> walls;
  FluidRows rows;

  explicit Column(int layers) {
    const double d = params.spacing_m, width = wide * d;
    walls = test::tank_of_planes(Box3(Vec3::Zero(), Vec3::Constant(width)));
    for (int k = 0; k < wide; ++k)
      for (int j = 0; j < layers; ++j)
        for (int i = 0; i < wide; ++i)
          rows.add({d * Vec3(i + 0.5, j + 0.5, k + 0.5), Vec3::Zero(), 1000 * d * d * d, 0.5 * d, 0, 0, 0});
    set_hydrostatic_pressures(rows, Vec3(0, -earth_gravity, 0), d);
  }
  double speed_after(double seconds, double dt) {
    FluidSolver solver;
    FluidReport report;
    for (double t = 0; t < seconds; t += dt)
      EXPECT_TRUE(
          solver.advance(rows, {params, phases, domain, walls, {}, {}, Vec3(0, -earth_gravity, 0), dt}, report));
    double sum = 0;
    for (const Vec3& v : rows.elements.velocity) sum += v.squaredNorm();
    return std::sqrt(sum / static_cast<double>(rows.size()));
  }
};

TEST(DeepStep, IsShorterThanTheStiffestSwingOfALatticeUnderPressure) {
  expect_case("fluid", "stiffest wave of a lattice under pressure, d^2 rho / p (Wendland)",
              stiffest_wave(SphKernel::wendland), 9.15, 0.05);
  expect_case("fluid", "stiffest wave of a lattice under pressure, d^2 rho / p (cubic)",
              stiffest_wave(SphKernel::cubic), 8.52, 0.05);
  Column column(30);
  const double d = column.params.spacing_m, depth = 29 * d;
  const double dt = pressure_step_limit(column.rows, d),
               longest = 2 / std::sqrt(stiffest_wave(SphKernel::wendland)) * d / std::sqrt(earth_gravity * depth);
  EXPECT_LT(dt, longest);
  EXPECT_GT(dt, 0.8 * longest);
}

TEST(DeepStep, ColumnsRestJustBelowItAndBoilJustAbove) {
  for (const int layers : {12, 50}) {
    Column rests(layers), boils(layers);
    const double dt = pressure_step_limit(rests.rows, rests.params.spacing_m);
    EXPECT_LT(rests.speed_after(1, dt), 0.03) << layers;
    EXPECT_GT(boils.speed_after(1, 1.4 * dt), 0.1) << layers;
  }
}

TEST(DeepStep, LeavesAWeightlessFluidAlone) {
  Column column(12);
  set_hydrostatic_pressures(column.rows, Vec3::Zero(), column.params.spacing_m);
  EXPECT_TRUE(std::isinf(pressure_step_limit(column.rows, column.params.spacing_m)));
  EXPECT_TRUE(std::isinf(pressure_step_limit(FluidRows{}, 0.02)));
}

TEST(DeepStep, ExpectsThePressureOfTheWaterAbove) {
  Column column(30);
  const double d = column.params.spacing_m;
  for (std::size_t i = 0; i < column.rows.size(); i += 97)
    EXPECT_NEAR(static_cast<double>(column.rows.pressure[i]),
                1000 * earth_gravity * (29.5 * d - column.rows.elements.position[i].y()), 0.01);
}

TEST(DeepStep, ExpectsTheWeightOfAHeavyLiquidAboveALightOne) {
  Column column(30);
  const double d = column.params.spacing_m;
  Elements& e = column.rows.elements;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (e.position[i].y() < 15 * d) e.mass[i] *= 0.1;
  set_hydrostatic_pressures(column.rows, Vec3(0, -earth_gravity, 0), d);
  for (std::size_t i = 0; i < e.size(); i += 97) {
    const double y = e.position[i].y(),
                 above = earth_gravity * (y > 15 * d ? 1000 * (29.5 * d - y) : 1000 * 14.5 * d + 100 * (15 * d - y));
    EXPECT_NEAR(static_cast<double>(column.rows.pressure[i]), above, 0.01) << y;
  }
}

/// The column first becomes unstable in substeps 1.5 times as long as the bound. It must then come to rest in substeps
/// of the computed bound, although its pressures fluctuate strongly.
TEST(DeepStep, AColumnThatBoilsComesToRestAgain) {
  constexpr int layers = 50;
  test::WalledFluid column(0.02);
  column.params.smoothing = 0.05;
  column.colliders = test::tank_of_planes({Vec3::Zero(), Vec3(6 * 0.02, 2 * layers * 0.02, 6 * 0.02)});
  column.fill({Vec3::Zero(), Vec3(6 * 0.02, layers * 0.02, 6 * 0.02)});
  const double mass = 1000 * 8e-6 * static_cast<double>(column.x().size());
  while (column.time_s < 0.2) ASSERT_TRUE(column.step_by(0.005));
  const double boiling = column.kinetic() / mass;
  ASSERT_TRUE(column.run(2));
  EXPECT_GT(boiling, 0.01);
  EXPECT_LT(column.kinetic() / mass, 1e-3);
}

}  // namespace
}  // namespace vw
