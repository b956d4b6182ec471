// Water at rest in tanks of many shapes: round, pointed, tilted and with corners. In each tank, the water must fill the
// expected volume and come to rest. The pressure must be hydrostatic in the middle and beside the walls. No particle
// may leave.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/fluid/spacing.h"
#include "tests/fluid/tanks.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::dx;
using test::mesh_of;
using test::wall_of;
using test::WalledFluid;

struct Tank {
  std::vector<Collider> walls;
  Box3 around;          ///< box that contains all positions that water may reach
  double filled_m = 0;  ///< upper end of the initial lattice; the lattice begins at the lower end of `around`
  std::function<bool(const Vec3&)> inside = [](const Vec3&) { return true; };
  double seconds = 1.5;
};

/// Measured and expected values, averaged over half a second.
struct Found {
  double surface = 0;  ///< measured height of the surface [m]: mean of the highest particles plus half a spacing
  double top = 0;      ///< height of the surface [m] that follows from the volume
  double middle = 0, asked_middle = 0;  ///< measured and expected mean height of the water
  double depth = 0;
  /// Mean pressure divided by rho g h. `pressure` is the mean of the particles more than two spacings from all walls,
  /// `beside` the mean of the particles within one spacing of a wall.
  double pressure = 0, beside = 0;
  double load = 0;     ///< vertical load on the walls divided by the weight
  double kinetic = 0;  ///< kinetic energy per mass [J/kg]
  std::size_t leaked = 0;
};

/// Sum of pressures and sum of the expected pressures.
struct Pressed {
  double sum = 0, expected = 0;
  [[nodiscard]] double ratio() const { return sum / expected; }
};

/// Returns the mean surface height [m] over columns one spacing wide that lie wholly in water.
double surface_in(const WalledFluid& fluid, const Tank& tank, double top) {
  const Vec3 cells = (tank.around.sizes() / dx).array().ceil();
  const auto nx = static_cast<std::size_t>(cells.x()), nz = static_cast<std::size_t>(cells.z());
  std::vector<double> highest(nx * nz, -1e9);
  for (const Vec3& x : fluid.x()) {
    const Vec3 cell = ((x - tank.around.min()) / dx).array().floor().max(0).min(cells.array() - 1);
    double& y = highest[static_cast<std::size_t>(cell.z()) * nx + static_cast<std::size_t>(cell.x())];
    y = std::max(y, x.y());
  }
  double sum = 0, count = 0;
  for (std::size_t c = 0; c < highest.size(); ++c) {
    const Vec3 at(tank.around.min().x() + dx * (static_cast<double>(c % nx) + 0.5), top - 0.5 * dx,
                  tank.around.min().z() + dx * (static_cast<double>(c / nx) + 0.5));
    if (highest[c] > -1e8 && tank.inside(at) && test::to_walls(fluid, at) > 0.9 * dx) sum += highest[c], count += 1;
  }
  return sum / count + 0.5 * dx;
}

void add_pressures(const WalledFluid& fluid, const Found& found, Pressed& all, Pressed& beside) {
  const SphWorkspace& space = fluid.solver.space();
  for (std::size_t k = 0; k < space.size(); ++k) {
    const Vec3& at = fluid.x()[fluid.solver.order()[k]];
    const double depth = found.top - at.y(), off = test::to_walls(fluid, at);
    if (depth < 0.2 * found.depth || (off > dx && off < 2 * dx)) continue;
    Pressed& sum = off > dx ? all : beside;
    sum.sum += static_cast<double>(space.density[k].pressure(space.kappa[k]));
    sum.expected += 1000 * earth_gravity * depth;
  }
}

Found rest_in(const Tank& tank) {
  WalledFluid fluid(dx);
  fluid.params.smoothing = 0.05;
  fluid.colliders = tank.walls;
  Box3 water = tank.around;
  water.max().y() = tank.filled_m;
  fluid.fill(water, Vec3::Zero(),
             [&](const Vec3& at) { return tank.inside(at) && test::to_walls(fluid, at) > 0.02 * dx; });
  const double volume = static_cast<double>(fluid.rows.size()) * dx * dx * dx, mass = 1000 * volume;
  const auto level = test::WaterLevels(fluid, tank.around, tank.inside).of(volume);
  Found found{.top = level.top, .asked_middle = level.middle, .depth = level.top - tank.around.min().y()};
  test::start(fluid);
  EXPECT_TRUE(fluid.run(tank.seconds));
  Pressed all, beside;
  constexpr int looks = 25, steps = 4;
  for (int look = 0; look < looks; ++look) {
    for (int i = 0; i < steps; ++i) {
      EXPECT_TRUE(fluid.step());
      std::vector<WallLoad> loads;
      wall_loads(fluid.solver.space(), fluid.solver.wall_owners(), fluid.colliders, loads);
      for (const WallLoad& load : loads) found.load -= load.force.y() / (looks * steps * mass * earth_gravity);
    }
    add_pressures(fluid, found, all, beside);
    found.surface += surface_in(fluid, tank, level.top) / looks;
    found.kinetic += fluid.kinetic() / mass / looks;
    for (const Vec3& x : fluid.x()) found.middle += x.y() / static_cast<double>(looks * fluid.rows.size());
  }
  found.pressure = all.ratio(), found.beside = beside.ratio();
  for (const Vec3& x : fluid.x()) found.leaked += tank.inside(x) && test::to_walls(fluid, x) > 0 ? 0U : 1U;
  return found;
}

void expect_tank_at_rest(const std::string& name, const Tank& tank) {
  const Found found = rest_in(tank);
  const double low = tank.around.min().y();
  const auto expect = [&](const std::string& what, double measured, double tolerance) {
    test::expect_case("fluid", "tank, " + name + ": " + what, measured, 1, tolerance);
  };
  // The pressure of the top particles is zero, so they lie an eighth of a spacing lower than in a lattice. The
  // tolerance of a quarter of a spacing, but at least 1 %, includes this offset.
  expect("surface / filled height", (found.surface - low) / found.depth, std::max(0.01, 0.25 * dx / found.depth));
  expect("height of its middle / that of its volume", (found.middle - low) / (found.asked_middle - low), 0.005);
  expect("pressure over rho g h", found.pressure, 0.03);
  expect("pressure beside walls over rho g h", found.beside, 0.03);
  expect("load on walls / weight", found.load, 0.01);
  EXPECT_LT(found.kinetic, 2e-4);  // kinetic energy per mass at a speed of 2 cm/s
  EXPECT_EQ(found.leaked, 0U);
}

/// Returns a tank with rotational symmetry about y, from a profile in the form of turned_mesh().
Tank round_tank(const std::vector<Eigen::Vector2d>& profile, double radius, double low, double high) {
  Tank tank;
  tank.walls = {wall_of(mesh_of(turned_mesh(profile, 48)))};
  tank.around = Box3(Vec3(-radius, low, -radius), Vec3(radius, high, radius));
  tank.inside = [=](const Vec3& at) { return std::hypot(at.x(), at.z()) < radius + 0.5 * dx; };
  return tank;
}

Tank cylinder(double radius, double filled) {
  const double wall = 2.5 * dx, high = filled + 20 * dx;
  Tank tank =
      round_tank({{0, -wall}, {radius + wall, -wall}, {radius + wall, high}, {radius, high}, {radius, 0}, {0, 0}},
                 radius, 0, filled + 5 * dx);
  tank.filled_m = filled;
  return tank;
}

/// Returns a tank with an open top and an inner width of 2 `half` along x and z. The walls are planes or boxes, and the
/// tank is rotated by `turn`.
Tank turned_box(const Vec3& turn, double half, double filled, bool of_boxes) {
  const double high = 2 * filled;
  const Box3 box(Vec3(-half, 0, -half), Vec3(half, high, half));
  Tank tank;
  tank.walls = of_boxes ? test::tank_of_boxes(box, 2.5 * dx) : test::tank_of_planes(box);
  const Quat q = rotation_of(turn);
  for (Collider& wall : tank.walls) wall.position = q * wall.position, wall.orientation = q * wall.orientation;
  const double wide = 2 * half + filled;
  tank.around = Box3(Vec3(-wide, -half, -wide), Vec3(wide, filled + 5 * dx, wide));
  tank.inside = [=](const Vec3& at) {
    const Vec3 own = q.conjugate() * at;
    return std::abs(own.x()) < half + 0.5 * dx && std::abs(own.z()) < half + 0.5 * dx && own.y() > -0.5 * dx;
  };
  double lowest = 0;
  for (const double x : {-half, half})
    for (const double z : {-half, half}) lowest = std::min(lowest, (q * Vec3(x, 0, z)).y());
  tank.around.min().y() = dx * std::floor(lowest / dx + 1e-9);
  tank.filled_m = tank.around.min().y() + filled;
  return tank;
}

/// Returns a pot with a flat floor as one mesh. The wall is the prism between an inner and an outer outline.
TriangleList pot_of(const std::vector<Eigen::Vector2d>& inner, const std::vector<Eigen::Vector2d>& outer, double wall,
                    double high) {
  TriangleList mesh;
  const auto quad = [&](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& e) {
    const auto i = static_cast<std::uint32_t>(mesh.position.size());
    mesh.position.insert(mesh.position.end(), {a, b, c, e});
    mesh.triangle.push_back({i, i + 1, i + 2});
    mesh.triangle.push_back({i, i + 2, i + 3});
  };
  const auto at = [](const Eigen::Vector2d& p, double y) { return Vec3(p.x(), y, p.y()); };
  const std::size_t n = inner.size();
  for (std::size_t k = 0; k < n; ++k) {
    const auto &i0 = inner[k], &i1 = inner[(k + 1) % n], &o0 = outer[k], &o1 = outer[(k + 1) % n];
    quad(at(o0, -wall), at(o0, high), at(o1, high), at(o1, -wall));
    quad(at(i0, 0), at(i1, 0), at(i1, high), at(i0, high));
    quad(at(i0, high), at(i1, high), at(o1, high), at(o0, high));
  }
  // The outline of a floor has six corners. The floor is the union of two rectangles. The first four corners span one
  // rectangle. The first corner and the last three corners span the other.
  for (const auto& [p, y, up] : {std::tuple(&inner, 0.0, true), {&outer, -wall, false}}) {
    const auto& c = *p;
    const Eigen::Vector2d split(c[0].x(), c[3].y());
    const auto floor = [&, y = y, up = up](const Eigen::Vector2d& low, const Eigen::Vector2d& high_end) {
      const Vec3 a = at(low, y), b(low.x(), y, high_end.y()), e = at(high_end, y), f(high_end.x(), y, low.y());
      up ? quad(a, b, e, f) : quad(a, f, e, b);
    };
    floor(c[0], c[2]);
    floor(split, c[4]);
  }
  return mesh;
}

/// Returns an L-shaped tank with two arms of width `arm` and length 2 `arm`.
Tank l_tank(double arm, double filled) {
  const double w = 2.5 * dx, a = arm, high = filled + 20 * dx;
  const std::vector<Eigen::Vector2d> inner{{0, 0}, {2 * a, 0}, {2 * a, a}, {a, a}, {a, 2 * a}, {0, 2 * a}};
  const std::vector<Eigen::Vector2d> outer{{-w, -w},       {2 * a + w, -w},    {2 * a + w, a + w},
                                           {a + w, a + w}, {a + w, 2 * a + w}, {-w, 2 * a + w}};
  Tank tank;
  tank.walls = {wall_of(mesh_of(pot_of(inner, outer, w, high)))};
  tank.around = Box3(Vec3::Zero(), Vec3(2 * a, filled + 5 * dx, 2 * a));
  tank.filled_m = filled;
  tank.inside = [=](const Vec3& at) { return at.x() < a + 0.5 * dx || at.z() < a + 0.5 * dx; };
  return tank;
}

TEST(FluidTanks, CylindersOfTrianglesHoldAsMuchAsTheirVolume) {
  expect_tank_at_rest("a mesh cylinder of 12 spacings", cylinder(12 * dx, 20 * dx));
}

TEST(FluidTanksValidation, AWideCylinderOfTrianglesHoldsAsMuchAsItsVolume) {
  expect_tank_at_rest("a mesh cylinder of 20 spacings", cylinder(20 * dx, 25 * dx));
}

TEST(FluidTanks, AHalfFilledBowlHoldsAsMuchAsItsVolume) {
  const double r = 20 * dx, wall = 2.5 * dx;
  std::vector<Eigen::Vector2d> profile{{0, -r - wall}, {r + wall, -r - wall}, {r + wall, 0}};
  for (int k = 24; k > 0; --k) profile.emplace_back(r * std::sin(0.5 * pi * k / 24), -r * std::cos(0.5 * pi * k / 24));
  profile.emplace_back(0, -r);
  Tank tank = round_tank(profile, r, -r, 0);
  tank.filled_m = -0.5 * r;
  expect_tank_at_rest("a mesh bowl", tank);
}

TEST(FluidTanks, AConeHoldsAsMuchAsItsVolume) {
  const double r = 14 * dx, high = 2 * r, wall = 2.5 * dx;
  Tank tank = round_tank({{0, -2 * wall}, {r + wall, -2 * wall}, {r + wall, high}, {r, high}, {0, 0}}, r, 0, high);
  tank.filled_m = 21 * dx;
  expect_tank_at_rest("a mesh cone", tank);
}

TEST(FluidTanks, WallsAtFortyFiveDegreesBearWaterAsItsDepthSays) {
  Tank tank;
  const double half = 4 * dx, wide = 30 * dx;
  tank.walls = {wall_of(PlaneShape{}, Vec3::Zero(), Vec3(0, 0, 0.25 * pi)),
                wall_of(PlaneShape{}, Vec3::Zero(), Vec3(0, 0, -0.25 * pi)),
                wall_of(PlaneShape{}, {0, 0, -half}, Vec3(0.5 * pi, 0, 0)),
                wall_of(PlaneShape{}, {0, 0, half}, Vec3(-0.5 * pi, 0, 0))};
  tank.around = Box3(Vec3(-wide, 0, -half), Vec3(wide, 25 * dx, half));
  tank.filled_m = 20 * dx;
  expect_tank_at_rest("planes at 45 degrees", tank);
}

TEST(FluidTanks, TanksTurnedAgainstTheLatticeHoldAsMuchAsTheirVolume) {
  for (const bool of_boxes : {false, true}) {
    const std::string walls = of_boxes ? "boxes" : "planes";
    expect_tank_at_rest(walls + " turned about the vertical",
                        turned_box(Vec3(0, pi / 6, 0), 4 * dx, 25 * dx, of_boxes));
    expect_tank_at_rest(walls + " tilted", turned_box(Vec3(pi / 6, 0, 0), 4 * dx, 25 * dx, of_boxes));
  }
}

TEST(FluidTanks, AnLOfTrianglesHoldsAsMuchAsItsVolume) {
  expect_tank_at_rest("an L of triangles", l_tank(5 * dx, 25 * dx));
}

}  // namespace
}  // namespace vw
