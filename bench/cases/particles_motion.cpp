// The substep of particles: flight under gravity and drag among obstacles, with vector and scalar code, on one thread
// and on all threads.
#include <algorithm>

#include "bench/measure.h"
#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/shape/distance_grid.h"
#include "sim/system/particles/motion.h"
#include "sim/system/particles/motion_lanes.h"

namespace vw::bench {
namespace {

// Number of steps after which the particles restart from their initial state. The steps cover 0.5 s, in which a
// particle falls by about a metre.
constexpr int steps_a_ride = 60;
constexpr double motion_dt_s = 1.0 / 120;

struct Cloud {
  std::vector<Vec3> position, velocity, wind;
  std::vector<double> mass, radius, drag_time;
  [[nodiscard]] MotionRows rows() { return {position, velocity, mass, radius, drag_time, wind, {}, {}}; }
};

/// Returns particles with a radius of 2 mm in a cube with edges of 2 m. The centre of the cube is 1 m + `lift_m` above
/// the ground. If `lying` is true, the particles rest on the ground instead.
Cloud cloud_of(std::size_t count, double lift_m, bool lying) {
  Cloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    const auto draw = [&](std::uint64_t lane) { return 2 * random_uniform({31, 7}, i, lane) - 1; };
    cloud.position.push_back(lying ? Vec3(draw(0), 0.002, draw(2)) : Vec3(draw(0), 1 + lift_m + draw(1), draw(2)));
    cloud.velocity.push_back(lying ? Vec3(0, 0, 0) : Vec3(draw(3), draw(4), draw(5)));
    cloud.wind.push_back(lying ? Vec3(0, 0, 0) : Vec3(draw(6), 0.3 * draw(7), draw(8)));
    cloud.mass.push_back(1e-3);
    cloud.radius.push_back(0.002);
    cloud.drag_time.push_back(0.5);
  }
  return cloud;
}

struct Case {
  std::string name;
  std::vector<Collider> colliders;
  Cloud cloud;
};

/// Returns the first particles of a cloud, which are sufficient for the slow scalar code.
Case few_of(const Case& one) {
  Case few = one;
  const std::size_t count = std::min<std::size_t>(one.cloud.position.size(), 4096);
  for (auto* rows : {&few.cloud.position, &few.cloud.velocity, &few.cloud.wind}) rows->resize(count);
  for (auto* rows : {&few.cloud.mass, &few.cloud.radius, &few.cloud.drag_time}) rows->resize(count);
  return few;
}

Collider obstacle(Shape shape, const Vec3& at, const Vec3& rotation = Vec3::Zero()) {
  Collider c;
  c.shape = std::move(shape);
  c.position = at;
  if (rotation.norm() > 0) c.orientation = Quat(Eigen::AngleAxisd(rotation.norm(), rotation.normalized()));
  return c;
}

Result<std::vector<Case>> cases_of(std::size_t count) {
  std::vector<Case> all;
  const std::vector<Collider> ground{obstacle(PlaneShape{}, Vec3::Zero())};
  all.push_back({"plane, flying", ground, cloud_of(count, 100, false)});
  all.push_back({"plane, all resting", ground, cloud_of(count, 0, true)});
  all.push_back({"plane, rain", ground, cloud_of(count, 0, false)});
  all.push_back({"sphere", {obstacle(SphereShape{0.5}, Vec3(0, 0.8, 0))}, cloud_of(count, 0, false)});
  all.push_back(
      {"box", {obstacle(BoxShape{{0.5, 0.3, 0.4}}, Vec3(0, 0.8, 0), Vec3(0.3, 0.4, 0.5))}, cloud_of(count, 0, false)});
  const auto mesh = TriangleMesh::make(torus_mesh(0.5, 0.2, 100, 50));
  if (!mesh) return Unexpected(mesh.error());
  const Vec3 at(0, 0.8, 0), turned(0.5 * pi, 0, 0);
  all.push_back({"mesh of 10k triangles",
                 {obstacle(std::shared_ptr<const Geometry>(*mesh), at, turned)},
                 cloud_of(count, 0, false)});
  const auto ground_mesh = TriangleMesh::make(sheet_mesh(1.2, 71));
  if (!ground_mesh) return Unexpected(ground_mesh.error());
  all.push_back({"mesh, all resting",
                 {obstacle(std::shared_ptr<const Geometry>(*ground_mesh), Vec3::Zero())},
                 cloud_of(count, 0, true)});
  const auto grid = make_distance_grid(std::shared_ptr<const Geometry>(*mesh), 0.02);
  if (!grid) return Unexpected(grid.error());
  all.push_back({"distance grid", {obstacle(*grid, at, turned)}, cloud_of(count, 0, false)});
  return all;
}

Windows ride(const Case& one, const SchemeParams& scheme, bool plainly, std::int64_t milliseconds) {
  Motion motion;
  MotionInput in;
  in.scheme = scheme;
  in.gravity = Vec3(0, -9.81, 0);
  in.dt = motion_dt_s;
  in.start = in.end = one.colliders;
  Cloud cloud = one.cloud;
  int steps = 0;
  return measure(milliseconds, [&] {
    if (steps++ % steps_a_ride == 0) {
      cloud.position = one.cloud.position;
      cloud.velocity = one.cloud.velocity;
    }
    (void)(plainly ? motion.advance_plainly(in, cloud.rows()) : motion.advance(in, cloud.rows()));
    return static_cast<double>(cloud.position.size());
  });
}

}  // namespace

Result<Outcome> particles_motion(const Arguments& arguments) {
  auto cases = cases_of(static_cast<std::size_t>(arguments.whole("particles")));
  if (!cases) return Unexpected(cases.error());
  SchemeParams scheme;
  scheme.scheme = static_cast<Scheme>(arguments.whole("scheme"));
  scheme.detection = static_cast<Detection>(arguments.whole("detection"));
  const std::int64_t milliseconds = arguments.whole("milliseconds");
  const int threads = thread_count();
  Outcome outcome;
  outcome.columns = {"steps_per_s_1", "steps_per_s_all", "plain_steps_per_s_1", "over_plain"};
  for (const Case& one : *cases) {
    const double all = ride(one, scheme, false, milliseconds).median_rate();
    set_thread_count(1);
    const double alone = ride(one, scheme, false, milliseconds).median_rate(),
                 plain = ride(few_of(one), scheme, true, milliseconds).median_rate();
    set_thread_count(threads);
    outcome.rows.push_back({{{"obstacle", one.name}},
                            {{"steps_per_s_1", alone},
                             {"steps_per_s_all", all},
                             {"plain_steps_per_s_1", plain},
                             {"over_plain", alone / plain}}});
  }
  outcome.rates = {{"flying_particle_steps_per_s", outcome.rows.front().value("steps_per_s_1")}};
  for (const Row& row : outcome.rows)
    if (row.labels.front().second == "mesh of 10k triangles")
      outcome.rates.emplace_back("mesh_particle_steps_per_s", row.value("steps_per_s_1"));
  outcome.figures = {{"particles", arguments.real("particles")}};
  return outcome;
}

}  // namespace vw::bench
