// Display of the flow in fluids and of iso-surfaces: lines, ribbons, tubes and bands of colour.
#include "render/fluid/fluid_flow.h"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace vw {
namespace {

/// Returns a fluid with two streamlines and a streakline. The directions in which ribbons extend across the streamlines
/// rotate by 0.1 rad per point.
Snapshot flowing_water() {
  Snapshot snapshot;
  SystemSnapshot& water = snapshot.systems.emplace_back();
  water.name = "water";
  water.use_look<FluidLook>();
  water.use_look<FluidLook>().spacing_m = 0.05F;
  FluidPicture& flow = snapshot.fluids.emplace_back();
  const auto add = [](FieldLines& lines, float z) {
    if (lines.start.empty()) lines.start = {0};
    for (int i = 0; i <= 20; ++i) {
      const auto along = static_cast<float>(i);
      lines.point.emplace_back(0.05F * along, 0.1F, z);
      lines.speed.push_back(along);
    }
    lines.start.push_back(static_cast<std::uint32_t>(lines.point.size()));
  };
  add(flow.streamlines, 0);
  add(flow.streamlines, 0.1F);
  for (int i = 0; i < 42; ++i) {
    const float angle = 0.1F * static_cast<float>(i);
    flow.streamlines.across.emplace_back(0, std::cos(angle), std::sin(angle));
  }
  add(flow.streaklines, 0.2F);
  return snapshot;
}

SurfaceMesh unit_square() {
  SurfaceMesh mesh;
  mesh.position = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.normal.assign(4, Vec3f::UnitZ());
  mesh.triangle = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

FluidFlow built_flow(const Snapshot& snapshot, const ViewParams& view, bool tubes = false, bool meshes_only = false) {
  FluidFlow flow;
  flow.build({snapshot, view, 0, glm::vec3(0, 2, 2), 1e-3F, tubes, meshes_only});
  return flow;
}

double mesh_area(const SurfaceMesh& mesh) {
  double area = 0;
  for (const auto& t : mesh.triangle) {
    const Vec3f a = mesh.position[t[0]], b = mesh.position[t[1]], c = mesh.position[t[2]];
    area += 0.5 * static_cast<double>((b - a).cross(c - a).norm());
  }
  return area;
}

TEST(FluidFlow, ShowsNothingWithoutPictures) {
  Snapshot snapshot = flowing_water();
  snapshot.fluids.clear();
  const FluidFlow flow = built_flow(snapshot, {});
  EXPECT_TRUE(flow.points().empty());
  EXPECT_TRUE(flow.solids().empty());
  EXPECT_TRUE(flow.legends().empty());
  ViewParams view;
  view.hidden = {"water"};
  EXPECT_FALSE(built_flow(flowing_water(), view).points().empty()) << "the flow in hidden water is shown";
  snapshot = flowing_water();
  snapshot.fluids[0].system = 7;
  EXPECT_TRUE(built_flow(snapshot, {}).points().empty()) << "no such system";
}

TEST(FluidFlow, LinesThatARendererLeavesOutHaveNoLegend) {
  ViewParams view;
  const Snapshot snapshot = flowing_water();
  EXPECT_TRUE(built_flow(snapshot, view, false, true).legends().empty());
  EXPECT_EQ(built_flow(snapshot, view, true, true).legends().size(), 1U) << "tubes are meshes";
  view.fluid_ribbons = true;
  EXPECT_EQ(built_flow(snapshot, view, false, true).legends().size(), 1U) << "ribbons are meshes";
}

TEST(FluidFlow, DrawsLinesTubesOrRibbons) {
  ViewParams view;
  const Snapshot snapshot = flowing_water();
  const FluidFlow lines = built_flow(snapshot, view);
  EXPECT_EQ(lines.ends().size(), 3U);
  EXPECT_EQ(lines.points().size(), 63U);
  EXPECT_EQ(lines.ends().back(), lines.points().size());
  EXPECT_TRUE(lines.solids().empty());
  ASSERT_EQ(lines.legends().size(), 1U);
  EXPECT_EQ(lines.legends()[0].title, "lines: speed");
  const FluidFlow tubes = built_flow(snapshot, view, true);
  EXPECT_TRUE(tubes.points().empty());
  ASSERT_GT(tubes.solids().size(), 10U) << "a mesh for each colour";
  for (const ColliderSnapshot& solid : tubes.solids())
    for (const auto& t : solid.mesh->triangle) {
      const auto& p = solid.mesh->position;
      EXPECT_GT((p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).dot(solid.mesh->normal[t[0]]), 0)
          << "counter-clockwise seen from outside";
    }
  view.fluid_ribbons = true;
  const FluidFlow ribbons = built_flow(snapshot, view);
  EXPECT_EQ(ribbons.ends().size(), 1U) << "streaklines have no ribbons";
  ASSERT_GT(ribbons.solids().size(), 10U);
  double area = 0;
  for (const ColliderSnapshot& solid : ribbons.solids()) {
    EXPECT_TRUE(solid.two_sided);
    for (const Vec3f& n : solid.mesh->normal) {
      EXPECT_NEAR(n.norm(), 1, 1e-4F);
      EXPECT_NEAR(n.x(), 0, 1e-4F);
    }
    area += mesh_area(*solid.mesh);
  }
  // The expected area is that of two ribbons of 1 m with a width of 0.7 spacings. The triangles of a twisted ribbon are
  // slightly larger.
  EXPECT_NEAR(area, 2 * 0.7 * 0.05, 0.01 * 0.07);
}

TEST(FlowSurfaces, HaveAColourForEachValue) {
  FlowSurfaces surfaces{"q_criterion", "1/s^2", {}, {}, false, {}};
  const auto square = std::make_shared<const SurfaceMesh>(unit_square());
  surfaces.surface = {{2, square, {}}, {5, square, {}}};
  FlowSurfaceDrawing drawing;
  drawing.build(surfaces, "air", {}, 0);
  ASSERT_EQ(drawing.solids().size(), 2U);
  EXPECT_EQ(drawing.solids()[0].mesh, square);
  EXPECT_NE(drawing.solids()[0].color, drawing.solids()[1].color);
  ASSERT_EQ(drawing.legends().size(), 1U);
  EXPECT_EQ(drawing.legends()[0].title, "air: Q criterion");
  ASSERT_EQ(drawing.legends()[0].entries.size(), 2U);
  EXPECT_EQ(drawing.legends()[0].entries[1].first, "5 1/s^2");
  drawing.build({}, "air", {}, 0);
  EXPECT_TRUE(drawing.solids().empty());
  EXPECT_TRUE(drawing.legends().empty());
}

TEST(FlowSurfaces, AreTransparentFromLargeToSmall) {
  FlowSurfaces surfaces{"speed", "m/s", {}, {}, false, {}};
  SurfaceMesh small = unit_square();
  for (Vec3f& p : small.position) p *= 0.5F;
  const auto inner = std::make_shared<const SurfaceMesh>(std::move(small)),
             outer = std::make_shared<const SurfaceMesh>(unit_square());
  surfaces.surface = {{2, inner, {}}, {5, outer, {}}};
  FlowSurfaceDrawing drawing;
  drawing.build(surfaces, "air", {}, 0, 0.4);
  ASSERT_EQ(drawing.solids().size(), 2U);
  EXPECT_EQ(drawing.solids()[0].mesh, outer);
  for (const ColliderSnapshot& solid : drawing.solids()) EXPECT_EQ(solid.opacity, 0.4F);
  drawing.build(surfaces, "air", {}, 0);
  EXPECT_EQ(drawing.solids()[0].mesh, inner) << "opaque surfaces are listed by their values";
  EXPECT_EQ(drawing.solids()[0].opacity, 1);
}

TEST(FlowSurfaces, AreDividedIntoBandsOfColour) {
  FlowSurfaces surfaces{"speed", "m/s", "pressure", "Pa", false, {}};
  surfaces.surface = {{2, std::make_shared<const SurfaceMesh>(unit_square()), {0, 1, 1, 0}}};
  ViewParams view;
  view.color_levels = 4;
  FlowSurfaceDrawing drawing;
  drawing.build(surfaces, "water", view, 0);
  ASSERT_EQ(drawing.solids().size(), 4U);
  double area = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const SurfaceMesh& mesh = *drawing.solids()[k].mesh;
    EXPECT_NEAR(mesh_area(mesh), 0.25, 0.02) << "equal parts of the range";
    for (const Vec3f& p : mesh.position) {
      EXPECT_GT(p.x(), 0.25F * static_cast<float>(k) - 0.03F);
      EXPECT_LT(p.x(), 0.25F * static_cast<float>(k + 1) + 0.03F);
    }
    for (const auto& t : mesh.triangle)
      EXPECT_GE((mesh.position[t[1]] - mesh.position[t[0]]).cross(mesh.position[t[2]] - mesh.position[t[0]]).z(), 0)
          << "the triangles keep their orientation";
    area += mesh_area(mesh);
  }
  EXPECT_NEAR(area, 1, 1e-6) << "the bands cover the surface";
  ASSERT_EQ(drawing.legends().size(), 1U);
  EXPECT_EQ(drawing.legends()[0].title, "water: pressure at speed = 2 m/s");
  EXPECT_EQ(drawing.legends()[0].unit, "Pa");
  const SurfaceMesh* kept = drawing.solids()[0].mesh.get();
  drawing.build(surfaces, "water", view, 0.1);
  EXPECT_EQ(drawing.solids()[0].mesh.get(), kept) << "the same surface is not divided again";
}

TEST(FlowSurfaces, LeaveOutTrianglesWithoutAValue) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  const auto bands = color_bands(unit_square(), std::array{0.0F, 0.0F, 0.0F, none}, {0, 1}, 3);
  EXPECT_NEAR(mesh_area(bands[0]), 0.5, 1e-6);
  EXPECT_TRUE(bands[1].triangle.empty());
  EXPECT_TRUE(color_bands(unit_square(), std::array{1.0F}, {0, 1}, 3)[0].triangle.empty());
}

}  // namespace
}  // namespace vw
