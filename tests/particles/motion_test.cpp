// The substep of particles. Vectorised motion must be bitwise identical to scalar motion, for all forces and contacts.
#include <cmath>
#include <cstring>

#include <set>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "sim/system/particles/motion.h"
#include "sim/system/particles/motion_lanes.h"

namespace vw {
namespace {

struct CloudRows {
  std::vector<Vec3> position, velocity, wind, impulse;
  std::vector<double> mass, radius, drag_time;
  std::vector<std::uint8_t> touched;
  MotionRows rows(bool drag, bool kicks) {
    MotionRows r{position, velocity, mass, radius, {}, {}, {}, touched};
    if (drag) r.drag_time = drag_time, r.wind = wind;
    if (kicks) r.impulse = impulse;
    return r;
  }
};

double uniform(std::uint64_t i, std::uint64_t lane) { return random_uniform({11, 12}, i, lane); }
Vec3 somewhere(std::uint64_t i, std::uint64_t lane) {
  return Vec3(uniform(i, lane) - 0.5, uniform(i, lane + 1) - 0.5, uniform(i, lane + 2) - 0.5);
}

CloudRows make_cloud(std::size_t n, double speed, bool mixed_drag) {
  CloudRows c;
  for (std::size_t i = 0; i < n; ++i) {
    c.position.push_back(2 * somewhere(i, 0) + Vec3(0, 1, 0));
    c.velocity.push_back(speed * somewhere(i, 3));
    c.wind.push_back(somewhere(i, 6));
    c.impulse.push_back(0.001 * somewhere(i, 9));
    c.mass.push_back(0.1 + uniform(i, 12));
    c.radius.push_back(0.01 * uniform(i, 13));
    c.drag_time.push_back(mixed_drag && i % 3 == 0 ? 0.1 + uniform(i, 14) : 0.5);
    c.touched.push_back(0);
  }
  return c;
}

Collider with(Shape shape, const Vec3& at, const Vec3& turn = Vec3::Zero(), const Vec3& velocity = Vec3::Zero(),
              const Vec3& spin = Vec3::Zero()) {
  Collider c;
  c.shape = std::move(shape);
  c.position = at;
  if (turn.norm() > 0) c.orientation = Quat(Eigen::AngleAxisd(turn.norm(), turn.normalized()));
  c.velocity = velocity;
  c.angular_velocity = spin;
  return c;
}

std::shared_ptr<const Geometry> torus() {
  static const std::shared_ptr<const Geometry> mesh = *TriangleMesh::make(torus_mesh(0.3, 0.1, 24, 12));
  return mesh;
}

std::vector<Collider> garden(int which) {
  std::vector<Collider> all{with(PlaneShape{}, Vec3::Zero())};
  if (which == 1) {
    all.push_back(with(SphereShape{0.3}, Vec3(0.4, 0.5, 0)));
    all.push_back(with(BoxShape{{0.2, 0.1, 0.3}}, Vec3(-0.5, 0.6, 0.2), Vec3(0.3, 0.4, 0.5)));
    all.push_back(with(CapsuleShape{0.1, 0.3}, Vec3(0, 1.2, 0.4), Vec3(0.3, 0, 1)));
    all.push_back(with(CylinderShape{0.2, 0.1}, Vec3(0.2, 1, -0.6), Vec3(1, 0, 0)));
  } else if (which == 2) {
    all[0].velocity = Vec3(0, 0.3, 0);
    all[0].angular_velocity = Vec3(0.1, 0, 0.2);
    all.push_back(with(SphereShape{0.3}, Vec3(0.4, 0.5, 0), Vec3::Zero(), Vec3(-0.5, 0, 0.3)));
    all.push_back(
        with(BoxShape{{0.5, 0.005, 0.5}}, Vec3(-0.3, 0.8, 0.2), Vec3(0.3, 0.4, 0.5), Vec3(0.1, 0, 0), Vec3(2, 1, 0)));
    all.push_back(with(PlaneShape{}, Vec3(0.5, 0.5, 0), Vec3(0, 0, 1.5)));
    all.back().two_sided = true;
  } else if (which == 3) {
    all.push_back(with(torus(), Vec3(0, 0.7, 0), Vec3(0.5, 0, 0.2)));
    all.push_back(with(torus(), Vec3(0.2, 1.3, 0), Vec3(1, 0, 0.2)));
    all.push_back(with(torus(), Vec3(-0.4, 0.3, 0.4), Vec3(0, 0, 0.2), Vec3(0.2, 0, 0), Vec3(0, 1, 0)));
  }
  return all;
}

struct WallCase {
  Scheme scheme;
  Detection detection = Detection::interference;
  FlightIntegrator integrator = FlightIntegrator::symplectic_euler;
  std::int64_t pieces = 1;
  Repulsion repulsion = Repulsion::none;
  bool drag = false, kicks = false, mixed_drag = false;
};

MotionCounts run(const WallCase& c, int which, bool plainly, CloudRows& cloud, int steps) {
  Motion motion;
  MotionInput in;
  in.scheme.scheme = c.scheme;
  in.scheme.detection = c.detection;
  in.scheme.integrator = c.integrator;
  in.scheme.subdivisions = c.pieces;
  in.scheme.repulsion = c.repulsion;
  in.scheme.repulsion_range_m = 0.05;
  in.surface = {0.5, 0.4, 0.3};
  in.gravity = Vec3(0, -9.81, 0);
  in.dt = 1.0 / 120;
  std::vector<Collider> start = garden(which), end;
  MotionCounts counts;
  for (int i = 0; i < steps; ++i) {
    end.clear();
    for (const Collider& one : start) end.push_back(at_time(one, in.dt));
    in.start = start;
    in.end = end;
    const MotionRows rows = cloud.rows(c.drag, c.kicks);
    counts += plainly ? motion.advance_plainly(in, rows) : motion.advance(in, rows);
    start = end;
  }
  return counts;
}

bool same_bits(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0;
}

TEST(Motion, LanesGiveTheBitsOfOneByOneWhateverActs) {
  std::vector<WallCase> cases;
  for (const Scheme scheme :
       {Scheme::single, Scheme::loop, Scheme::collision_then_contact, Scheme::exact, Scheme::none})
    for (const Detection detection : {Detection::interference, Detection::swept})
      cases.push_back({.scheme = scheme, .detection = detection, .drag = detection == Detection::swept});
  const Scheme usual = Scheme::collision_then_contact;
  for (const FlightIntegrator integrator :
       {FlightIntegrator::symplectic_euler, FlightIntegrator::velocity_verlet, FlightIntegrator::rk4})
    for (const bool drag : {false, true})
      cases.push_back({.scheme = usual, .integrator = integrator, .pieces = 3, .drag = drag, .kicks = drag});
  cases.push_back({.scheme = Scheme::exact, .drag = true, .kicks = true});
  cases.push_back({.scheme = usual, .drag = true, .kicks = true, .mixed_drag = true});
  for (const Repulsion repulsion : {Repulsion::spring, Repulsion::spring_offset, Repulsion::inverse}) {
    cases.push_back({.scheme = usual, .repulsion = repulsion});
    cases.push_back({.scheme = usual, .pieces = 20, .repulsion = repulsion});
    cases.push_back({.scheme = Scheme::none,
                     .integrator = FlightIntegrator::velocity_verlet,
                     .repulsion = repulsion,
                     .drag = true});
  }
  for (std::size_t k = 0; k < cases.size(); ++k)
    for (const int which : {0, 1, 2, 3})
      for (const double speed : {1.0, 30.0}) {
        const WallCase& c = cases[k];
        CloudRows a = make_cloud(257, speed, c.mixed_drag), b = a;
        const MotionCounts fast = run(c, which, false, a, 12), plain = run(c, which, true, b, 12);
        ASSERT_TRUE(same_bits(a.position, b.position) && same_bits(a.velocity, b.velocity))
            << "case " << k << " garden " << which << " speed " << speed;
        ASSERT_EQ(a.touched, b.touched) << "case " << k << " garden " << which;
        ASSERT_EQ(fast.capped, plain.capped) << "case " << k << " garden " << which;
        ASSERT_EQ(fast.fast, plain.fast) << "case " << k << " garden " << which << " speed " << speed;
        ASSERT_EQ(fast.stiff, plain.stiff) << "case " << k << " garden " << which;
      }
}

TEST(Motion, SameBitsWithEveryInstructionSet) {
  // The test runs one instruction set at a time, as on machines that support no better set.
  std::int64_t left = hwy::SupportedTargets();
  const WallCase usual{.scheme = Scheme::collision_then_contact, .drag = true, .kicks = true, .mixed_drag = true};
  CloudRows plain = make_cloud(1000, 4, true);
  (void)run(usual, 1, true, plain, 20);
  std::set<std::string> seen;
  for (; left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    if (seen.insert(motion_instruction_set()).second) {
      CloudRows cloud = make_cloud(1000, 4, true);
      (void)run(usual, 1, false, cloud, 20);
      EXPECT_TRUE(same_bits(cloud.position, plain.position) && same_bits(cloud.velocity, plain.velocity))
          << motion_instruction_set();
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  EXPECT_GE(seen.size(), 2U);
}

TEST(Motion, SameBitsAtAnyThreadCount) {
  const auto once = [](int threads) {
    set_thread_count(threads);
    CloudRows cloud = make_cloud(7000, 3, true);
    (void)run({.scheme = Scheme::collision_then_contact, .drag = true, .kicks = true}, 3, false, cloud, 15);
    return cloud;
  };
  const CloudRows alone = once(1);
  for (const int threads : {2, 3, 8}) {
    const CloudRows some = once(threads);
    EXPECT_TRUE(same_bits(some.position, alone.position) && same_bits(some.velocity, alone.velocity)) << threads;
  }
  set_thread_count(0);
}

TEST(Motion, ClearancesAreForgottenWhenAnObstacleIsMovedByHand) {
  // Particles store a large distance to a mesh. The mesh is then moved into their path. The particles must hit the
  // mesh.
  Motion motion;
  MotionInput in;
  in.dt = 1.0 / 120;
  CloudRows cloud = make_cloud(64, 0, false);
  for (std::size_t i = 0; i < 64; ++i)
    cloud.position[i] = Vec3(0.3, 1, 0) + 0.02 * somewhere(i, 0), cloud.velocity[i] = Vec3(0, -1, 0);
  std::vector<Collider> far{with(torus(), Vec3(0, 0.3, 0))};
  far[0].shape = *TriangleMesh::make(torus_mesh(0.3, 0.1, 24, 12));
  in.start = in.end = far;
  for (int i = 0; i < 5; ++i) (void)motion.advance(in, cloud.rows(false, false));
  far[0].position.y() = cloud.position[0].y() - 0.1;  // the mesh is now within the displacement of the next step
  (void)motion.advance(in, cloud.rows(false, false));
  int touched = 0;
  for (const std::uint8_t t : cloud.touched) touched += t;
  EXPECT_GT(touched, 32);
}

TEST(Motion, FastOnesAtAThinWallAreCounted) {
  Motion motion;
  MotionInput in;
  in.dt = 1.0 / 60;
  std::vector<Collider> wall{with(BoxShape{{0.01, 1, 1}}, Vec3::Zero())};
  in.start = in.end = wall;
  CloudRows cloud = make_cloud(16, 0, false);
  for (std::size_t i = 0; i < 16; ++i)
    cloud.position[i] = Vec3(-0.5, 0.01 * static_cast<double>(i), 0), cloud.velocity[i] = Vec3(60, 0, 0);
  CloudRows swept = cloud;
  const MotionCounts counts = motion.advance(in, cloud.rows(false, false));
  EXPECT_EQ(counts.fast, 16U);  // the particles pass through: they move 1 m per step, and the wall is 2 cm thick
  for (const Vec3& x : cloud.position) EXPECT_GT(x.x(), 0);
  in.scheme.detection = Detection::swept;
  const MotionCounts seen = motion.advance(in, swept.rows(false, false));
  EXPECT_EQ(seen.fast, 0U);
  for (const Vec3& x : swept.position) EXPECT_LT(x.x(), 0);
}

}  // namespace
}  // namespace vw
