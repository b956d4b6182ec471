// Large numbers of rigid bodies that fall into water. Speeds must stay bounded, and no particle may enter a body.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/base/cell_grid.h"
#include "sim/system/rigid/rigid.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Boxes, balls and cylinders in layers above a tank. The bodies are three spacings wide and have densities of 300, 900
/// and 2000 kg/m^3.
struct Crowd {
  double spacing = 0.04;
  Vec3 tank_m{0.8, 0.32, 0.8};
  Vec3 count{3, 2, 3};  ///< number of bodies of each kind along each axis
  const char* coupling = "pressure";
};

Node crowd_scene(const Crowd& crowd) {
  const double d = crowd.spacing;
  Node scene = tank(d, crowd.tank_m);
  add_child(scene, "system", "rigid", "bodies");
  const Vec3 step(crowd.tank_m.x() / crowd.count.x(), 15 * d, crowd.tank_m.z() / crowd.count.z());
  const std::vector<std::tuple<std::string, double>> kinds{{"box", 300}, {"sphere", 900}, {"cylinder", 2000}};
  double height = crowd.tank_m.y() + 3 * d;
  for (const auto& [kind, density] : kinds) {
    add_child(child_of(scene, "bodies"), "body", kind, kind);
    const std::string body = "system.bodies.body." + kind + ".";
    set(scene, body + "position", Vec3((step.x() - crowd.tank_m.x()) / 2, height, (step.z() - crowd.tank_m.z()) / 2));
    set(scene, body + "density", density);
    set(scene, body + "repeat", crowd.count);
    set(scene, body + "repeat_step", step);
    set(scene, body + "repeat_jitter", 0.4 * d);
    if (kind == "box") set(scene, body + "size", Vec3(3 * d, 3 * d, 3 * d));
    if (kind != "box") set(scene, body + "radius", 1.5 * d);
    if (kind == "cylinder") set(scene, body + "length", 3 * d);
    height += 5 * d;
  }
  add_default_interactions(scene);
  set(scene, "interaction.fluid_rigid.coupling", std::string(crowd.coupling));
  return scene;
}

/// Results of a run.
struct CrowdCourse {
  /// Number of particles inside a body for longer than a twentieth of a second. Particles squeezed between two bodies
  /// are not counted.
  std::size_t leaked = 0;
  /// Largest depth [spacings] of a particle inside a body at any check. Particles squeezed between two bodies are not
  /// counted.
  double deepest = 0;
  /// Largest fraction of particles that are inside a body because they are squeezed between it and another body or a
  /// wall.
  double wedged = 0;
  double fastest_mps = 0;                 ///< highest speed of any body or particle at any time
  double most_energy_j = 0;               ///< largest gain of energy since the first step [J]
  std::size_t lost = 0;                   ///< number of particles and bodies outside the tank
  std::vector<std::uint8_t> was_in = {};  ///< for each particle: whether it was inside a body at the last check
};

/// Checks for particles that are deeper inside a body than the gap of the wall clamp. A particle counts as squeezed if
/// another body or a wall is within one spacing.
void look_for_leaks(World& world, const Crowd& crowd, CrowdCourse& course) {
  const auto& rigid = static_cast<const RigidSystem&>(*world.find_system("bodies"));
  const Elements &e = rigid.elements(), &water = rows_of(world, "water");
  std::vector<double> nearest(water.size(), 10), second;
  for (const Vec3& x : water.position)
    second.push_back(std::min({x.y(), crowd.tank_m.x() / 2 - std::abs(x.x()), crowd.tank_m.z() / 2 - std::abs(x.z())}) /
                     crowd.spacing);
  double widest = 0;
  for (const RigidBody& body : rigid.bodies()) widest = std::max(widest, body.reach_m);
  CellGrid grid;
  grid.build(water.position, widest + crowd.spacing);
  for (std::size_t b = 0; b < e.size(); ++b) {
    const Pose pose = rigid.bodies()[b].shape_at(e.position[b], e.orientation[b]);
    grid.near(e.position[b], [&](std::uint32_t k) {
      const Vec3 at = pose.orientation.conjugate() * (water.position[k] - pose.position);
      const double distance = query(rigid.bodies()[b].shape, at).distance / crowd.spacing;
      second[k] = std::min(second[k], std::max(distance, nearest[k]));
      nearest[k] = std::min(nearest[k], distance);
    });
  }
  double wedged = 0;
  course.was_in.resize(nearest.size(), 0);
  for (std::size_t k = 0; k < nearest.size(); ++k) {
    const bool in = nearest[k] <= -0.15, squeezed = second[k] <= 1;
    if (in && squeezed) wedged += 1.0 / static_cast<double>(nearest.size());
    if (in && !squeezed) course.deepest = std::max(course.deepest, -nearest[k]);
    if (in && !squeezed && course.was_in[k] != 0) ++course.leaked;
    course.was_in[k] = in && !squeezed ? 1 : 0;
  }
  course.wedged = std::max(course.wedged, wedged);
}

double energy_of(const World& world) {
  double sum = 0;
  for (std::size_t i = 0; i < world.system_count(); ++i)
    sum += world.diagnostics(i).kinetic + world.diagnostics(i).potential;
  return sum;
}

CrowdCourse watch(const Crowd& crowd, double seconds) {
  CrowdCourse course;
  const auto world = world_of(crowd_scene(crowd));
  if (!world->step()) ADD_FAILURE() << world->health().sentence();
  const double start = energy_of(*world);
  for (int i = 1, n = static_cast<int>(seconds * 120); i < n; ++i) {
    if (!world->step()) {
      ADD_FAILURE() << world->health().sentence();
      return course;
    }
    course.most_energy_j = std::max(course.most_energy_j, energy_of(*world) - start);
    for (const char* name : {"water", "bodies"})
      for (const Vec3& v : rows_of(*world, name).velocity) course.fastest_mps = std::max(course.fastest_mps, v.norm());
    if (i % 6 == 0) look_for_leaks(*world, crowd, course);
  }
  const Vec3 half = 0.5 * crowd.tank_m;
  for (const char* name : {"water", "bodies"})
    for (const Vec3& x : rows_of(*world, name).position)
      course.lost += std::abs(x.x()) > half.x() || std::abs(x.z()) > half.z() || x.y() < 0 || x.y() > 10 ? 1U : 0U;
  return course;
}

void expect_calm(const CrowdCourse& course) {
  EXPECT_EQ(course.leaked, 0U);
  EXPECT_LT(course.deepest, 0.5);  // no particle is completely inside a body, even for a moment
  EXPECT_LT(course.wedged, 1e-3);
  EXPECT_LT(course.fastest_mps, 12);  // twice the speed of a fall from the highest layer
  EXPECT_EQ(course.lost, 0U);
}

TEST(ManyBodies, FallIntoWaterAndNothingLeaks) {
  const CrowdCourse course = watch({}, 0.8);
  expect_calm(course);
  EXPECT_LT(course.most_energy_j, 1);
}

TEST(ManyBodies, FallIntoWaterOfSpringsAndNothingLeaks) {
  Crowd crowd;
  crowd.coupling = "springs";
  const CrowdCourse course = watch(crowd, 0.5);
  expect_calm(course);
  EXPECT_LT(course.most_energy_j, 1);
}

TEST(ManyBodiesValidation, AThousandFallIntoFiftyThousandParticlesAndNothingLeaks) {
  Crowd crowd;
  crowd.spacing = 0.02;
  crowd.tank_m = Vec3(1.2, 0.28, 1.2);  // holds 50,400 particles
  crowd.count = Vec3(10, 4, 9);         // 360 bodies of each of the three kinds
  const CrowdCourse course = watch(crowd, 0.75);
  expect_calm(course);
  record_case("interaction", "1,000 bodies fall into 50,000 particles of water: particles that leaked into a body",
              static_cast<double>(course.leaked), 0, 0);
  record_case(
      "interaction",
      "1,000 bodies fall into 50,000 particles of water: deepest that one was in a body for a moment, in spacings",
      course.deepest, 0, 0.5);
  record_case("interaction", "1,000 bodies fall into 50,000 particles of water: largest share wedged between two",
              course.wedged, 0, 1e-3);
  EXPECT_LT(course.most_energy_j, 1);
}

}  // namespace
}  // namespace vw::test
