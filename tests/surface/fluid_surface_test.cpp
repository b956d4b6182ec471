// The mesh around a particle fluid: volume, closure, shape, equal bits, and unusual particles.
#include "sim/surface/fluid_surface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/surface/mesh_refinement.h"
#include "tests/support/validation.h"
#include "tests/surface/meshed_fluid.h"

namespace vw::test {
namespace {

void expect_closed(const FluidMesh& mesh) {
  const MeshClosure closure = closure_of(mesh);
  EXPECT_EQ(closure.open_edges, 0U);
  EXPECT_EQ(closure.unused, 0U);
  // The smoothing leaves no slivers: the least value of the cases in this file is 0.1.
  EXPECT_GT(closure.least_quality, 0.02);
  EXPECT_EQ(mesh.normal.size(), mesh.position.size());
}

void expect_volume(const char* name, const FluidMesh& mesh, std::size_t particles) {
  expect_case("surface", std::string("volume of ") + name + " over that of its particles",
              1 + volume_error(mesh, particles), 1, 1e-3);
  expect_closed(mesh);
}

TEST(FluidSurface, EnclosesTheVolumeOfABlock) {
  const auto particles = block_of_particles({20, 20, 20});
  const FluidMesh mesh = mesh_of(particles);
  expect_volume("a block of 20^3 particles", mesh, particles.size());
  EXPECT_EQ(mesh.bodies, 1U);
  EXPECT_EQ(closure_of(mesh).euler, 2);
  EXPECT_EQ(mesh.sentence(), "");
}

TEST(FluidSurface, EnclosesTheVolumeOfDisorderedParticles) {
  const auto particles = block_of_particles({20, 20, 20}, 0.3);
  expect_volume("a block of 20^3 disordered particles", mesh_of(particles), particles.size());
}

TEST(FluidSurface, EnclosesTheVolumeOfSheets) {
  for (const double thickness : {1.0, 2.0}) {
    const auto particles = block_of_particles({20, thickness, 20});
    const FluidMesh mesh = mesh_of(particles);
    expect_volume(thickness == 1 ? "a sheet one particle thick" : "a sheet two particles thick", mesh,
                  particles.size());
    EXPECT_EQ(closure_of(mesh).euler, 2) << "a sheet of " << thickness << " layers has holes";
    // At the rounded edges of the sheet, the surface loses volume. It is offset to restore the volume, so the middle of
    // the sheet is thicker by 0.06 spacings on each side.
    EXPECT_NEAR(distance_statistics(mesh, height_over(thickness, 20)).mean, 0, 0.08);
  }
}

TEST(FluidSurface, KeepsAStretchedSheetWhole) {
  std::vector<Vec3> particles;
  for (int i = 0; i < 15; ++i)
    for (int j = 0; j < 15; ++j) particles.emplace_back(fluid_spacing_m * Vec3(1.4 * i, 0, 1.4 * j));
  const FluidMesh mesh = mesh_of(particles);
  expect_volume("a sheet of particles 1.4 spacings apart", mesh, particles.size());
  EXPECT_EQ(closure_of(mesh).euler, 2);
}

TEST(FluidSurface, EnclosesTheVolumeOfAJet) {
  std::vector<Vec3> particles;
  for (int i = 0; i < 40; ++i) particles.emplace_back(fluid_spacing_m * Vec3(i, 0.1, 0.2));
  const FluidMesh mesh = mesh_of(particles);
  expect_volume("a jet one particle thick", mesh, particles.size());
  // Returns the distance [m] of a vertex from the cylinder with the volume of the particles, or NaN near the ends.
  const auto over_radius = [](const Vec3& p) {
    const Vec3 q = p / fluid_spacing_m;
    const double radius = std::sqrt((q.y() - 0.1) * (q.y() - 0.1) + (q.z() - 0.2) * (q.z() - 0.2));
    return q.x() > 4 && q.x() < 35 ? fluid_spacing_m * (radius - std::sqrt(1 / pi)) : std::nan("");
  };
  EXPECT_NEAR(distance_statistics(mesh, over_radius).mean, 0, 0.08);
}

TEST(FluidSurface, MakesOneBodyOfEachSeparateDrop) {
  const auto particles = separate_drops(500);
  const FluidMesh mesh = mesh_of(particles);
  expect_volume("500 separate drops", mesh, particles.size());
  EXPECT_EQ(mesh.bodies, 500U);
  EXPECT_EQ(closure_of(mesh).euler, 2 * 500);
}

TEST(FluidSurface, KeepsTheVolumesOfAPoolAndOfDropsAboveIt) {
  auto particles = block_of_particles({20, 5, 20}, 0.1);
  const std::size_t pool = particles.size();
  for (int i = 0; i < 5; ++i) particles.emplace_back(fluid_spacing_m * Vec3(4.0 * i, 10, 7));
  const FluidMesh mesh = mesh_of(particles);
  expect_volume("a pool and drops above it", mesh, particles.size());
  EXPECT_EQ(mesh.bodies, 6U);
  FluidMesh above = mesh;
  std::erase_if(above.triangle, [&](const auto& t) { return mesh.position[t[0]].y() < 8 * fluid_spacing_m; });
  EXPECT_NEAR(volume_error(above, particles.size() - pool), 0, 1e-3);
}

TEST(FluidSurface, HasTheTopologyOfABallATorusAndAHollowBall) {
  EXPECT_EQ(closure_of(mesh_of(ball_of_particles(6))).euler, 2);
  const auto torus = torus_of_particles(8, 3);
  const FluidMesh ring = mesh_of(torus);
  expect_volume("a torus of particles", ring, torus.size());
  EXPECT_EQ(closure_of(ring).euler, 0);
  const auto hollow = lattice_particles(Vec3::Constant(-9), Vec3::Constant(9), 0,
                                        [](const Vec3& p) { return p.norm() < 9 && p.norm() > 5; });
  const FluidMesh shell = mesh_of(hollow);
  expect_volume("a hollow ball of particles", shell, hollow.size());
  EXPECT_EQ(closure_of(shell).euler, 4);
  EXPECT_EQ(shell.bodies, 1U);
}

TEST(FluidSurface, OfABallIsNearTheSphere) {
  // The particles of a lattice inside a sphere have the volume of a slightly different sphere. The remaining deviation
  // is that of the steps of the lattice, which are one spacing high.
  for (const double radius : {3.0, 5.0, 10.0}) {
    const auto particles = ball_of_particles(radius);
    const FluidMesh mesh = mesh_of(particles);
    const double true_radius = std::cbrt(0.75 / pi * static_cast<double>(particles.size()));
    const auto statistics =
        distance_statistics(mesh, [&](const Vec3& p) { return p.norm() - true_radius * fluid_spacing_m; });
    const std::string name = "ball of radius " + std::to_string(static_cast<int>(radius)) + " spacings: ";
    expect_case("surface", name + "mean distance from the sphere, in spacings", statistics.mean, 0, 0.03);
    expect_case("surface", name + "rms distance from the sphere, in spacings", statistics.deviation, 0, 0.1);
  }
}

TEST(FluidSurface, NormalsOfABallPointOutwards) {
  const FluidMesh mesh = mesh_of(ball_of_particles(10));
  double least = 1, sum = 0;
  for (std::size_t v = 0; v < mesh.position.size(); ++v) {
    const double along = mesh.normal[v].cast<double>().dot(mesh.position[v].normalized());
    least = std::min(least, along), sum += along;
  }
  // Steps of the lattice tilt the surface by up to 30 degrees.
  EXPECT_GT(least, 0.85);
  EXPECT_GT(sum / static_cast<double>(mesh.position.size()), 0.98);
}

TEST(FluidSurface, OfALatticeIsFlat) {
  const auto particles = block_of_particles({20, 20, 20});
  for (const double shift : {0.0, 0.23, 0.5}) {
    auto moved = particles;
    for (Vec3& p : moved) p.y() += shift * fluid_spacing_m;
    const auto top = distance_statistics(mesh_of(moved), height_over(20 + shift, 20));
    EXPECT_GT(top.count, 400U);
    EXPECT_LT(top.deviation, 0.01);
    EXPECT_NEAR(top.mean, 0, 0.05);
  }
}

TEST(FluidSurface, SmoothsDisorderedParticles) {
  const auto rms = [](double jitter, int passes) {
    const FluidMesh mesh = mesh_of(block_of_particles({20, 20, 20}, jitter), {.smoothing = passes});
    return distance_statistics(mesh, height_over(20, 20)).deviation;
  };
  expect_case("surface", "rms height of a face, particles displaced by up to 0.1 d, in spacings", rms(0.1, 6), 0, 0.03);
  expect_case("surface", "rms height of a face, particles displaced by up to 0.3 d, in spacings", rms(0.3, 6), 0, 0.12);
  EXPECT_LT(rms(0.3, 6), 0.7 * rms(0.3, 0));
}

TEST(FluidSurface, HasTheSameBitsAtAnyThreadCount) {
  auto particles = block_of_particles({24, 12, 24}, 0.25);
  const auto drops = separate_drops(300);
  particles.insert(particles.end(), drops.begin(), drops.end());
  set_thread_count(1);
  const FluidMesh alone = mesh_of(particles);
  for (const int threads : {2, 8}) {
    set_thread_count(threads);
    const FluidMesh mesh = mesh_of(particles);
    EXPECT_TRUE(mesh.position == alone.position && mesh.normal == alone.normal && mesh.triangle == alone.triangle)
        << threads << " threads";
    EXPECT_EQ(mesh.volume_m3, alone.volume_m3);
  }
  set_thread_count(0);
}

TEST(FluidSurface, OfAFluidThatMovesByCellsMovesWithIt) {
  // The nodes are fixed in space, so a displacement by a whole number of cells changes the mesh by rounding only.
  auto particles = ball_of_particles(4);
  const FluidMesh before = mesh_of(particles);
  const Vec3 shift = fluid_spacing_m * Vec3(8, -4, 12);  // whole blocks of four spacings: the vertex order is kept
  for (Vec3& p : particles) p += shift;
  const FluidMesh after = mesh_of(particles);
  ASSERT_EQ(before.triangle, after.triangle);
  for (std::size_t v = 0; v < before.position.size(); ++v)
    ASSERT_LT((before.position[v] + shift - after.position[v]).norm(), 1e-4 * fluid_spacing_m);
}

TEST(FluidSurface, OfNoParticlesIsEmpty) {
  const FluidMesh mesh = mesh_of({});
  EXPECT_TRUE(mesh.position.empty() && mesh.triangle.empty() && mesh.normal.empty());
  EXPECT_EQ(mesh.bodies, 0U);
}

TEST(FluidSurface, OfOneParticleIsADrop) {
  // The loops cover all cell sizes and several positions of the particle relative to the grid nodes.
  for (const double cell : {0.3, 0.5, 0.7})
    for (const double shift : {0.0, 0.1, 0.25, 0.37}) {
      const Vec3 center = fluid_spacing_m * Vec3(shift, 2 * shift, 0.3);
      const FluidMesh mesh = mesh_of({center}, {.cell = cell});
      EXPECT_EQ(closure_of(mesh).euler, 2) << "cell " << cell << ", shift " << shift;
      EXPECT_NEAR(volume_error(mesh, 1), 0, 1e-3);
      const auto statistics = distance_statistics(
          mesh, [&](const Vec3& p) { return (p - center).norm() - std::cbrt(0.75 / pi) * fluid_spacing_m; });
      // The vertices of a coarse polyhedron are outside the sphere of the same volume.
      EXPECT_NEAR(statistics.mean, 0, 0.5 * cell * cell);
      EXPECT_LT(statistics.deviation, 0.12);
    }
}

/// Returns the largest angle between the normals at the ends of an edge [degrees].
double largest_bend_deg(const FluidMesh& mesh) {
  float least = 1;
  for (const auto& t : mesh.triangle)
    for (std::size_t k = 0; k < 3; ++k) least = std::min(least, mesh.normal[t[k]].dot(mesh.normal[t[(k + 1) % 3]]));
  return std::acos(static_cast<double>(least)) * 180 / 3.14159265358979;
}

TEST(MeshRefinement, RoundsDropsOfFewParticles) {
  for (const double radius : {0.5, 1.0, 1.5, 2.0}) {
    const auto particles =
        radius < 1 ? std::vector<Vec3>{Vec3::Zero(), Vec3(fluid_spacing_m, 0, 0)} : ball_of_particles(radius);
    FluidMesh mesh = mesh_of(particles);
    const std::vector<Vec3> before = mesh.position;
    const double coarse_deg = largest_bend_deg(mesh), volume = enclosed_volume(mesh);
    refine_bends(mesh);
    expect_closed(mesh);
    EXPECT_GT(coarse_deg, 25) << "a coarse drop of " << particles.size() << " particles has a polygonal outline";
    EXPECT_LT(largest_bend_deg(mesh), 22) << particles.size() << " particles";
    EXPECT_GT(enclosed_volume(mesh), volume);
    EXPECT_LT(enclosed_volume(mesh), 1.16 * volume);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), mesh.position.begin())) << "no vertex moves";
  }
}

TEST(MeshRefinement, LeavesFlatFacesUnchanged) {
  FluidMesh mesh = mesh_of(block_of_particles({12, 12, 12}));
  const auto on_face = [&] {
    std::size_t count = 0;
    for (const auto& t : mesh.triangle) {
      const Vec3 at = mesh.position[t[0]] / fluid_spacing_m;
      count += at.y() > 11 && at.x() > 3 && at.x() < 9 && at.z() > 3 && at.z() < 9 ? 1 : 0;
    }
    return count;
  };
  const std::size_t before = on_face();
  refine_bends(mesh);
  expect_closed(mesh);
  EXPECT_GT(before, 0U);
  EXPECT_EQ(on_face(), before);
}

TEST(FluidSurface, OfCoincidentParticlesIsClosed) {
  const FluidMesh two = mesh_of({Vec3(0.1, 0.2, 0.3), Vec3(0.1, 0.2, 0.3)});
  expect_closed(two);
  EXPECT_NEAR(volume_error(two, 2), 0, 1e-3);
  const FluidMesh many = mesh_of(std::vector<Vec3>(200, Vec3(0.1, 0.2, 0.3)));
  expect_closed(many);
  EXPECT_EQ(many.off_volume, 1U);
  EXPECT_EQ(many.sentence(),
            "bodies of fluid whose mesh misses the volume of their particles, because particles are too close: 1");
}

TEST(FluidSurface, LeavesOutParticlesThatAreNotUsable) {
  auto particles = ball_of_particles(4);
  const FluidMesh whole = mesh_of(particles);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  particles.insert(particles.begin() + 20, {Vec3(nan, 0, 0), Vec3(0, infinite, 0), Vec3(0, 0, -1e20)});
  const FluidMesh mesh = mesh_of(particles);
  EXPECT_EQ(mesh.skipped, 3U);
  EXPECT_EQ(mesh.sentence(),
            "particles left out of the fluid surface, because their position or volume is unusable: 3");
  EXPECT_TRUE(mesh.position == whole.position && mesh.triangle == whole.triangle);
}

TEST(FluidSurface, ContainsAParticleThatIsFarAway) {
  auto particles = ball_of_particles(4);
  particles.emplace_back(1e9, -1e9, 1e9);
  const FluidMesh mesh = mesh_of(particles, {.most_nodes = 100'000});
  EXPECT_EQ(mesh.bodies, 2U);
  EXPECT_EQ(closure_of(mesh).open_edges, 0U);
  EXPECT_NEAR(mesh.volume_m3 / mesh.particle_volume_m3, 1, 1e-3);
}

TEST(FluidSurface, UsesTheVolumeOfEachParticle) {
  const auto particles = block_of_particles({12, 12, 12});
  const std::vector<double> volume(particles.size(), 0.9 * fluid_spacing_m * fluid_spacing_m * fluid_spacing_m);
  const FluidMesh mesh = checked(fluid_surface(particles, volume, {.spacing_m = fluid_spacing_m}));
  EXPECT_NEAR(volume_error(mesh, particles.size()), -0.1, 1e-3);
}

TEST(FluidSurface, ReportsWrongOptions) {
  const std::vector<Vec3> particles(2, Vec3::Zero());
  const auto error = [&](const FluidMeshOptions& options, std::span<const double> volume_m3 = {}) {
    const auto mesh = fluid_surface(particles, volume_m3, options);
    return mesh ? std::string() : mesh.error().message();
  };
  EXPECT_THAT(error({}), testing::HasSubstr("spacing of the fluid surface = 0 m: expected a positive value"));
  EXPECT_THAT(error({.spacing_m = 1, .cell = 0.2}), testing::HasSubstr("cell of the fluid surface = 0.2"));
  EXPECT_THAT(error({.spacing_m = 1, .smoothing = -1}), testing::HasSubstr("expected a value in [0, 20]"));
  EXPECT_THAT(error({.spacing_m = 1}, std::vector<double>(3, 1.0)), testing::HasSubstr("3 volumes for 2 particles"));
  EXPECT_THAT(error({.spacing_m = 1, .most_nodes = 1000}), testing::HasSubstr("needs more than 1000 grid nodes"));
}

TEST(FluidSurface, ConvertsToAPicture) {
  const FluidMesh mesh = mesh_of(ball_of_particles(3));
  const SurfaceMesh picture = to_surface_mesh(mesh);
  ASSERT_EQ(picture.position.size(), mesh.position.size());
  EXPECT_EQ(picture.position[5], mesh.position[5].cast<float>());
  EXPECT_EQ(picture.triangle, mesh.triangle);
  EXPECT_EQ(picture.normal, mesh.normal);
}

}  // namespace
}  // namespace vw::test
