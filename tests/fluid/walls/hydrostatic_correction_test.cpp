// Lift of fixed bodies in water, and balance of forces on particles beside walls. The pressure on a wall must be the
// pressure at the surface of the wall, although the closest particles lie half a spacing in front of it.
#include "tests/fluid/tanks.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <fmt/format.h>

#include "sim/system/fluid/pressure/hydrostatic_correction.h"
#include "sim/system/fluid/pressure/pressure_push.h"
#include "tests/fluid/spacing.h"
#include "tests/support/fluid_tank.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::dx;
using test::wall_of;
using test::WalledFluid;

/// Returns the mean upward force on a fixed box of 8 x 6 x 8 spacings from 0.5 s to 1 s, divided by the weight of the
/// displaced water. The tank is 16 spacings wide and 12 spacings deep. The box is `bottom` spacings above the floor. If
/// `stirred` is true, the water starts disordered.
double lift_of_box(double bottom, const Vec3& aside, FluidMethod method, bool stirred = false) {
  WalledFluid fluid(dx);
  fluid.params.method = method;
  if (method == FluidMethod::wcsph) fluid.params.max_dt_s = 4e-4;
  fluid.colliders = test::tank_of_planes(Box3(Vec3(-8 * dx, 0, -8 * dx), Vec3(8 * dx, 1, 8 * dx)));
  const Collider box = wall_of(BoxShape{{4 * dx, 3 * dx, 4 * dx}}, Vec3(0, (bottom + 3) * dx, 0) + dx * aside);
  fluid.colliders.push_back(box);
  const Box3 water(Vec3(-8 * dx, 0, -8 * dx), Vec3(8 * dx, 12 * dx, 8 * dx));
  fluid.fill(water, Vec3::Zero(), [&](const Vec3& x) { return query(box, x).distance > (stirred ? 0.02 : 0.45) * dx; });
  if (stirred) test::stir(fluid), test::start(fluid);
  double sum = 0;
  int count = 0;
  while (fluid.time_s < 1) {
    if (!fluid.step()) return 0;
    if (fluid.time_s < 0.5) continue;
    std::vector<WallLoad> loads;
    wall_loads(fluid.solver.space(), fluid.solver.wall_owners(), fluid.colliders, loads);
    sum += loads.back().force.y();
    ++count;
  }
  return sum / count / (9810 * 8 * 6 * 8 * dx * dx * dx);
}

/// Returns the largest residual acceleration of a particle under gravity and pressure, divided by g. The particles form
/// a lattice of 6 x 14 x 6 between walls, and pressures balance their weight. The two top layers are excluded.
double unbalanced(SphKernel kernel) {
  test::TankSetup setup;
  setup.kernel = kernel;
  setup.cells = {6, 14, 6};
  test::FluidTank tank(setup);
  tank.fill({0, 0, 0}, {6, 14, 6});
  tank.prepare();
  SphWorkspace& space = tank.space;
  space.gravity = setup.gravity;
  const auto height_of = [&](std::size_t k) { return static_cast<double>(space.rows[k].y) + space.origin.y(); };
  // The virial (DensityRow::virial) is largest for a particle with neighbours on all sides. Each particle's kappa is
  // its hydrostatic pressure divided by this largest virial.
  double virial = 0;
  for (const DensityRow& row : space.density) virial = std::max(virial, static_cast<double>(row.virial));
  const double dt = 1e-3;
  for (std::size_t k = 0; k < space.size(); ++k) {
    space.kappa[k] = static_cast<float>(9810 * (14 * dx - height_of(k)) / virial);
    space.motion[k] = {0, static_cast<float>(-dt * 9.81), 0, 0};
  }
  HydrostaticCorrection depth;
  depth.push(space, std::vector<Walls::Owner>(space.walls.size()), {}, dt);
  space.before = space.motion;
  for (std::size_t k = 0; k < space.size(); ++k) space.rows[k].w = space.kappa[k];
  push_by_pressure(space, static_cast<float>(dt));
  double most = 0;
  for (std::size_t k = 0; k < space.size(); ++k)
    if (height_of(k) < 11.6 * dx)
      most = std::max(most, Vec3f(space.motion[k].x, space.motion[k].y, space.motion[k].z).cast<double>().norm());
  return most / (dt * 9.81);
}

TEST(HydrostaticCorrection, ALatticeWhosePressuresBearItsWeightStaysAtItsWalls) {
  // The tolerance allows for single-precision rounding, since pressure forces are about a hundred times the weight of a
  // particle. Without the virial term, particles beside walls would accelerate at 1 % to 3 % of g.
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    for (const SphKernel kernel : {SphKernel::wendland, SphKernel::cubic})
      EXPECT_LT(unbalanced(kernel), 2e-3) << hwy::TargetName(left & -left);
  }
  hwy::SetSupportedTargetsForTest(0);
}

/// Returns the lift of a fixed body divided by rho g V, averaged over two initial positions half a spacing apart. The
/// tank leaves five spacings of water around the body. The water starts disordered, as it is after motion: an
/// undisturbed lattice bears shear like a crystal and lifts a ball of 5 spacings by only 0.95 rho g V.
double lift_of(const Shape& shape, const Vec3& half, double volume, SphKernel kernel) {
  double sum = 0;
  for (const Vec3& off : {Vec3(0, 0, 0), Vec3(0.5, 0.5, 0)}) {
    WalledFluid fluid(dx);
    fluid.params.kernel = kernel;
    fluid.params.smoothing = 0.05;
    const double gap = 5 * dx;
    const Vec3 size = half + Vec3::Constant(gap);
    const Box3 water(Vec3(-size.x(), 0, -size.z()), Vec3(size.x(), 2 * size.y(), size.z()));
    fluid.colliders = test::tank_of_planes(Box3(water.min(), water.max() + Vec3(0, 1, 0)));
    const Collider body = wall_of(shape, Vec3(0, size.y(), 0) + dx * off);
    fluid.colliders.push_back(body);
    fluid.fill(water, Vec3::Zero(), [&](const Vec3& x) { return query(body, x).distance > 0.02 * dx; });
    test::stir(fluid);
    test::start(fluid);
    EXPECT_TRUE(fluid.run(1));
    constexpr int steps = 40;
    for (int i = 0; i < steps; ++i) {
      EXPECT_TRUE(fluid.step());
      std::vector<WallLoad> loads;
      wall_loads(fluid.solver.space(), fluid.solver.wall_owners(), fluid.colliders, loads);
      sum += loads.back().force.y() / (2 * steps);
    }
  }
  return sum / (9810 * volume);
}

TEST(WallsDepthValidation, ImmersedRoundBodiesAreLiftedByTheWeightOfWhatTheyDisplace) {
  const double r = 5 * dx, ball = 4 * pi / 3 * r * r * r, tube = pi * r * r * 8 * dx;
  const auto half = [&](double more) { return Vec3(r, r + more, r); };
  const SphKernel wendland = SphKernel::wendland, cubic = SphKernel::cubic;
  test::expect_case("fluid", "lift of a held ball of 5 spacings", lift_of(SphereShape{r}, half(0), ball, wendland), 1,
                    0.02);
  test::expect_case("fluid", "lift of a held ball, cubic spline", lift_of(SphereShape{r}, half(0), ball, cubic), 1,
                    0.02);
  test::expect_case("fluid", "lift of a held ball of 8 spacings",
                    lift_of(SphereShape{1.6 * r}, 1.6 * half(0), std::pow(1.6, 3) * ball, wendland), 1, 0.02);
  // Four and six spacings are the smallest diameters for which the guide states the lift. The arrangement of the
  // particles around a ball is random, which changes the mean lift by about 3 %.
  for (const double across : {4.0, 6.0}) {
    const double small = 0.5 * across * dx;
    test::expect_case("fluid", fmt::format("lift of a held ball of {:g} spacings across", across),
                      lift_of(SphereShape{small}, Vec3::Constant(small), 4 * pi / 3 * small * small * small, wendland),
                      1, 0.05);
  }
  test::expect_case("fluid", "lift of a held ball of triangles",
                    lift_of(test::mesh_of(sphere_mesh(r, 4)), half(0), ball, wendland), 1, 0.02);
  test::expect_case("fluid", "lift of a held capsule",
                    lift_of(CapsuleShape{r, 4 * dx}, half(4 * dx), ball + tube, wendland), 1, 0.02);
  test::expect_case("fluid", "lift of a held cylinder", lift_of(CylinderShape{r, 4 * dx}, half(-dx), tube, wendland), 1,
                    0.03);
}

TEST(WallsDepthValidation, AnImmersedBoxIsLiftedByTheWeightOfWhatItDisplaces) {
  // If walls only mirrored pressures, the box would act as if it were half a spacing longer at each end, and the lift
  // would be a sixth too large.
  test::expect_case("fluid", "lift of a held box, on the lattice", lift_of_box(3, Vec3::Zero(), FluidMethod::dfsph), 1,
                    0.03);
  test::expect_case("fluid", "lift of a held box, between the lattice",
                    lift_of_box(3.5, Vec3(0.5, 0, 0.25), FluidMethod::dfsph, true), 1, 0.05);
  test::expect_case("fluid", "lift of a held box, wcsph", lift_of_box(3, Vec3::Zero(), FluidMethod::wcsph), 1, 0.05);
}

}  // namespace
}  // namespace vw
