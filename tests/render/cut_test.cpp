// Cuts of the view: planes, slabs and several cuts, and the caps that close the surfaces which a cut opens.
#include <gtest/gtest.h>

#include "render/scene/collider_drawing.h"
#include "render/scene/cut_caps.h"
#include "render/scene/frame_data.h"
#include "render/scene/mesh_pick.h"

namespace vw {
namespace {

TEST(CutPlanes, APickFindsNothingThatACutHides) {
  Snapshot s;
  for (const float z : {0.5F, 0.0F, -0.5F}) {
    ColliderSnapshot& box = s.colliders.emplace_back();
    box.name = z > 0 ? "front" : z < 0 ? "back" : "middle";
    box.kind = ColliderSnapshot::Kind::box;
    box.position = Vec3f(0, 0, z);
    box.half_extent = Vec3f::Constant(0.125F);
  }
  MeshTrees trees;
  const Ray ray{{0, 0, 2}, {0, 0, -1}};
  const auto picked = [&](double cut_at_m) {
    CutPlanes cut;
    add_cut(Cut::z, cut_at_m, false, 0, cut);
    return pick_element(s, ray, trees, FluidPick::opaque, {}, cut).value_or(Pick{});
  };
  EXPECT_EQ(picked(1).obstacle, "front");
  EXPECT_FLOAT_EQ(picked(1).distance, 1.375F);
  EXPECT_EQ(picked(0).obstacle, "middle");
  EXPECT_FLOAT_EQ(picked(0).distance, 2) << "the cut opens the box";
  EXPECT_EQ(picked(-0.25).obstacle, "back");
  EXPECT_EQ(picked(-1).obstacle, "");
}

TEST(CutPlanes, ACutASlabAndSeveralCutsHideWhatTheViewSays) {
  ViewParams view;
  EXPECT_FALSE(cut_of(view).is_open());
  view.cut = Cut::x;
  view.cut_at_m = 1;
  CutPlanes cut = cut_of(view);
  EXPECT_TRUE(cut.hides({1.1F, 0, 0}));
  EXPECT_FALSE(cut.hides({0.9F, 0, 0}));
  EXPECT_FALSE(cut.hides({1.1F, 0, 0}, 0.2F)) << "a ball that the plane cuts must stay visible";
  view.cut_thickness_m = 0.5;
  cut = cut_of(view);
  EXPECT_EQ(cut.count, 2U);
  EXPECT_FALSE(cut.hides({0.6F, 0, 0}));
  EXPECT_TRUE(cut.hides({0.4F, 0, 0})) << "below the slab";
  view.cut_flip = true;
  cut = cut_of(view);
  EXPECT_TRUE(cut.hides({0.9F, 0, 0}));
  EXPECT_FALSE(cut.hides({1.4F, 0, 0}));
  EXPECT_TRUE(cut.hides({1.6F, 0, 0})) << "above the slab of a reversed cut";
  view.cut_2 = Cut::y;
  view.cut_3 = Cut::z;
  view.cut_3_thickness_m = 1;
  cut = cut_of(view);
  EXPECT_EQ(cut.count, 5U);
  EXPECT_TRUE(cut.hides({1.2F, 0.1F, -0.1F}));
  EXPECT_FALSE(cut.hides({1.2F, -0.1F, -0.1F}));
}

float area_of(std::span<const Trapezoid> parts) {
  float area = 0;
  for (const Trapezoid& p : parts) area += 0.5F * (p[1].x - p[0].x + p[2].x - p[3].x) * (p[3].y - p[0].y);
  return area;
}

std::vector<SectionSegment> square_section(float half, const glm::vec2& middle = {}) {
  std::vector<SectionSegment> out;
  const std::array<glm::vec2, 4> corner{glm::vec2(-half, -half), glm::vec2(half, -half), glm::vec2(half, half),
                                        glm::vec2(-half, half)};
  for (std::size_t k = 0; k < 4; ++k) out.push_back({middle + corner[k], middle + corner[(k + 1) % 4]});
  return out;
}

TEST(CutCaps, FillASquareARingAndATiltedTriangle) {
  EXPECT_NEAR(area_of(fill_section(square_section(1))), 4, 1e-5F);
  std::vector<SectionSegment> ring = square_section(2);
  for (const SectionSegment& s : square_section(1, {0.25F, 0.1F})) ring.push_back(s);
  EXPECT_NEAR(area_of(fill_section(ring)), 16 - 4, 1e-4F) << "an inner contour is a hole";
  const glm::vec2 a(0, 0), b(3, 1), c(1, 4);
  const std::vector<SectionSegment> triangle{{a, b}, {c, b}, {c, a}};  // with mixed directions, which do not matter
  EXPECT_NEAR(area_of(fill_section(triangle)), 5.5F, 1e-4F);
  EXPECT_TRUE(fill_section({}).empty());
}

/// Total area [m^2] of the caps, and the colour of each cap.
struct CapSums {
  double area = 0;
  std::vector<Vec3f> colors;
};

CapSums sums_of(std::span<const ColliderSnapshot> caps) {
  CapSums out;
  for (const ColliderSnapshot& cap : caps) {
    out.colors.push_back(cap.color);
    for (const auto& t : cap.mesh->triangle) {
      const auto& p = cap.mesh->position;
      const Vec3f across = (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]);
      EXPECT_GE(across.dot(cap.mesh->normal[t[0]]), -1e-9F) << "triangles are counter-clockwise seen from outside";
      out.area += 0.5 * static_cast<double>(across.norm());
    }
  }
  return out;
}

TEST(CutCaps, OfABallHasTheAreaOfTheCircle) {
  ColliderSnapshot ball;
  ball.kind = ColliderSnapshot::Kind::sphere;
  ball.half_extent = Vec3f::Constant(1);
  ball.position = {0.2F, 0.1F, 0};
  ViewParams view;
  view.cut = Cut::x;
  view.cut_at_m = 0.7;
  std::vector<ColliderSnapshot> solids{ball};
  add_cut_caps(cut_of(view), {}, solids);
  ASSERT_EQ(solids.size(), 2U);
  // The plane cuts a circle of radius sqrt(1 - 0.25). The mesh has 64 segments around and covers 0.4 % less.
  EXPECT_NEAR(sums_of(std::span(solids).subspan(1)).area, 3.14159 * 0.75, 0.01 * 3.14159 * 0.75);
  // The second cut, through the middle, halves this circle and adds half of its own circle.
  view.cut_2 = Cut::y;
  view.cut_2_at_m = 0.1;
  solids = {ball};
  add_cut_caps(cut_of(view), {}, solids);
  const double own = 3.14159 - (std::acos(0.5) - 0.5 * std::sqrt(0.75));
  EXPECT_NEAR(sums_of(std::span(solids).subspan(1)).area, 0.5 * 3.14159 * 0.75 + own, 0.03);
}

TEST(CutCaps, OfAMeshOfOneMillimetreLiesAtThePlane) {
  ColliderSnapshot box, cube;
  box.kind = ColliderSnapshot::Kind::box;
  SurfaceMesh small = *surface_of(box);  // has the edge 2
  for (Vec3f& p : small.position) p *= 0.0005F;
  cube.kind = ColliderSnapshot::Kind::mesh;
  cube.mesh = std::make_shared<const SurfaceMesh>(std::move(small));
  ViewParams view;
  view.cut = Cut::z;
  view.cut_at_m = 0.0001;
  std::vector<ColliderSnapshot> solids{cube};
  add_cut_caps(cut_of(view), {}, solids);
  ASSERT_EQ(solids.size(), 2U);
  for (const Vec3f& p : solids[1].mesh->position) {
    EXPECT_LT(p.z(), 0.0001F);
    EXPECT_GT(p.z(), 0.000099F);
  }
}

TEST(CutCaps, GlassAndOpenSheetsHaveNone) {
  ColliderSnapshot glass, sheet;
  glass.kind = sheet.kind = ColliderSnapshot::Kind::box;
  glass.opacity = 0.2F;
  sheet.two_sided = true;
  ViewParams view;
  view.cut = Cut::z;
  std::vector<ColliderSnapshot> solids{glass, sheet};
  add_cut_caps(cut_of(view), {}, solids);
  EXPECT_EQ(solids.size(), 2U);
}

/// Returns two cubes of 1 m beside each other, red and green.
Figure two_voxels() {
  Figure figure;
  figure.look = LookKind::voxels;
  figure.shape = FigureShape::skin;
  auto skin = std::make_shared<VoxelSkin>();
  skin->edge_m = 1;
  figure.skin = skin;
  figure.places = {{0, 0, 0, 0.5F}, {1, 0, 0, 0.5F}};
  figure.turns = {{0, 0, 0, 1}, {0, 0, 0, 1}};
  figure.colors = {0xFF0000C8U, 0xFF00C800U};
  return figure;
}

TEST(CutCaps, OfAVoxelBodyHasTheColoursOfTheVoxelsInside) {
  Figure figure = two_voxels();
  figure.places[1].w = -1;  // marks the voxel as hidden by the cut
  ViewParams view;
  view.cut = Cut::z;
  view.cut_at_m = 0.1;
  std::vector<ColliderSnapshot> caps;
  add_cut_caps(cut_of(view), {&figure, 1}, caps);
  const CapSums sums = sums_of(caps);
  ASSERT_EQ(sums.colors.size(), 2U) << "one mesh for each colour";
  EXPECT_NEAR(sums.area, 2, 0.09) << "voxels overlap by 2 %";
  EXPECT_NE(sums.colors[0], sums.colors[1]);
  for (const ColliderSnapshot& cap : caps)
    for (const Vec3f& p : cap.mesh->position) {
      EXPECT_LT(p.z(), 0.1F) << "the plane must not clip its own cap";
      EXPECT_GT(p.z(), 0.08F);
    }
  view.cut_at_m = 0.9;
  caps.clear();
  add_cut_caps(cut_of(view), {&figure, 1}, caps);
  EXPECT_TRUE(caps.empty()) << "the plane meets nothing";
}

TEST(CutCaps, OfAFluidInterpolatesTheChannelAndEndsAtItsSurface) {
  Figure water;
  water.look = LookKind::fluid;
  water.shape = FigureShape::balls;
  water.spacing_m = 0.1F;
  water.own_colors = false;
  for (int x = 0; x < 12; ++x)
    for (int y = 0; y < 12; ++y)
      for (int z = 0; z < 12; ++z) {
        water.places.emplace_back(0.05F + 0.1F * static_cast<float>(x), 0.05F + 0.1F * static_cast<float>(y),
                                  0.05F + 0.1F * static_cast<float>(z), 0.05F);
        water.colors.push_back(x < 6 ? 0xFF0000C8U : 0xFF00C800U);
      }
  ViewParams view;
  view.cut = Cut::z;
  view.cut_at_m = 0.62;
  std::vector<ColliderSnapshot> caps;
  add_cut_caps(cut_of(view), {&water, 1}, caps);
  EXPECT_NEAR(sums_of(caps).area, 1.44, 0.12) << "the side is 1.2 m to within half a cell";
  EXPECT_GT(caps.size(), 2U) << "colours between red and green";
  water.places.emplace_back(3e4F, -2e4F, 0.6F, 0.05F);
  water.colors.push_back(0xFF0000C8U);
  caps.clear();
  add_cut_caps(cut_of(view), {&water, 1}, caps);
  EXPECT_NEAR(sums_of(caps).area, 1.44, 0.12) << "a drop far away must not coarsen the grid";
  water.own_colors = true;
  caps.clear();
  add_cut_caps(cut_of(view), {&water, 1}, caps);
  EXPECT_TRUE(caps.empty()) << "a fluid without a channel needs no cap";
}

}  // namespace
}  // namespace vw
