// Imperfect meshes: triangles without area, duplicate vertices, holes, inconsistent winding, NaN coordinates, and too
// many triangles.
#include <gmock/gmock.h>

#include "tests/collision/mesh_test_support.h"

namespace {

using namespace vw;
using namespace vw::test;
using ::testing::HasSubstr;

std::string refusal(TriangleList list) {
  const auto mesh = TriangleMesh::make(std::move(list));
  return mesh ? "" : mesh.error().message();
}

/// Returns the mesh with separate vertices for every triangle, as in STL files.
TriangleList torn(const TriangleList& list) {
  TriangleList apart;
  for (const auto& t : list.triangle) {
    const auto n = static_cast<std::uint32_t>(apart.position.size());
    for (const std::uint32_t corner : t) apart.position.push_back(list.position[corner]);
    apart.triangle.push_back({n, n + 1, n + 2});
  }
  return apart;
}

TEST(MeshDegenerate, EqualVerticesAreWeldedAndTheMeshIsClosedAgain) {
  TriangleList apart = torn(rock(2, 0.3));
  apart.position[7] += Vec3(-0.0, 0, 0);
  const auto mesh = mesh_of(apart);
  EXPECT_EQ(mesh->report().welded, apart.position.size() - rock(2, 0.3).position.size());
  EXPECT_EQ(mesh->report().inside, MeshInside::by_side);
}

TEST(MeshDegenerate, VerticesApartByRoundingOnlyAreOneAndThatIsSaid) {
  for (const double size : {1e-3, 1.0, 1e4}) {
    TriangleList apart = torn(rock(2, 0.3));
    std::uint64_t n = 0;
    for (Vec3& p : apart.position) {
      for (Eigen::Index k = 0; k < 3; ++k) p[k] += 4e-16 * std::sin(static_cast<double>(++n));
      p *= size;
    }
    const auto mesh = mesh_of(apart);
    EXPECT_EQ(mesh->report().welded, apart.position.size() - rock(2, 0.3).position.size());
    EXPECT_GT(mesh->report().joined, 0U);
    EXPECT_EQ(mesh->report().open_edges, 0U);
    EXPECT_EQ(mesh->report().inside, MeshInside::by_side);
    EXPECT_THAT(mesh->report().sentence(), HasSubstr("merged with vertices closer than 1e-09 of the mesh size"));
  }
  // Vertices that are 1e-6 of the mesh size apart must not be merged.
  TriangleList slit = torn(box_mesh({1, 1, 1}));
  slit.position[0].x() += 1e-6;
  EXPECT_GT(mesh_of(slit)->report().open_edges, 0U);
}

TEST(MeshDegenerate, WhoAsksForASheetIsNotToldThatItIsOne) {
  const auto sheet = mesh_of(sheet_mesh(1, 2));
  EXPECT_THAT(sheet->report().sentence(), HasSubstr("hit from both sides"));
  EXPECT_EQ(sheet->report().sentence(true), "");
}

TEST(MeshDegenerate, TrianglesWithoutAreaAreLeftOutAndCounted) {
  TriangleList box = box_mesh({1, 1, 1});
  box.position.push_back(Vec3(0, 0, -1));
  for (const auto& t : {std::array<std::uint32_t, 3>{0, 0, 1}, {2, 2, 2}, {0, 3, 8}}) box.triangle.push_back(t);
  const auto mesh = mesh_of(box);
  EXPECT_EQ(mesh->report().without_area, 3U);
  EXPECT_EQ(mesh->report().triangles, 12U);
  EXPECT_THAT(mesh->report().sentence(), HasSubstr("3 triangles without area were omitted"));
  EXPECT_NEAR(mesh->query({0, 0, 0}, 10).distance, -1, 1e-12);
}

TEST(MeshDegenerate, WhatCannotBeAMeshIsSaidInOneSentence) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  TriangleList box = box_mesh({1, 1, 1});
  EXPECT_THAT(refusal({}), HasSubstr("has no triangles"));
  TriangleList bad = box;
  bad.position[3].y() = nan;
  EXPECT_THAT(refusal(bad),
              HasSubstr("vertex 3 of the mesh is at (1, nan, -1): coordinates must lie in [-1e9, 1e9] m"));
  bad.position[3].y() = inf;
  EXPECT_THAT(refusal(bad), HasSubstr("vertex 3"));
  bad = box;
  bad.triangle[5][1] = 8;
  EXPECT_THAT(refusal(bad), HasSubstr("triangle 5 of the mesh refers to vertex 8, but the number of vertices is 8"));
  bad = box;
  for (Vec3& p : bad.position) p = Vec3(1, 2, 3);
  EXPECT_THAT(refusal(bad), HasSubstr("no triangle of the mesh has an area above 0"));
  bad = box;
  bad.triangle.assign(max_triangles + 1, {0, 1, 2});
  EXPECT_THAT(refusal(std::move(bad)), HasSubstr("has 10000001 triangles; the limit is 10000000"));
}

TEST(MeshDegenerate, ASolidWithHolesHasAnInsideByItsWindingNumber) {
  TriangleList list = sphere_mesh(0.5, 4);
  for (std::size_t i = 0; i < 20; ++i) list.triangle.erase(list.triangle.begin() + static_cast<std::ptrdiff_t>(97 * i));
  const auto mesh = mesh_of(list);
  EXPECT_EQ(mesh->report().inside, MeshInside::by_winding);
  EXPECT_EQ(mesh->report().open_edges, 60U);
  std::size_t inside = 0;
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    const Vec3 p = point_in(widened(mesh->bounds(), 0.1), i);
    if (std::abs(p.norm() - 0.5) < 0.02) continue;  // near facets and holes, the mesh differs from a sphere
    const bool expected = p.norm() < 0.5;
    inside += expected ? 1 : 0;
    EXPECT_EQ(mesh->query(p, 0.01).distance < 0, expected) << p.transpose();
    EXPECT_EQ(mesh->query(p, 10).distance < 0, expected) << p.transpose();
    EXPECT_NEAR(std::abs(mesh->query(p, 10).distance), plain_distance(mesh->triangles(), p), 1e-12);
  }
  EXPECT_GT(inside, 700U);
}

TEST(MeshDegenerate, NearALargeHoleFarQueriesKnowTheSideThatTheWindingNumberSays) {
  TriangleList list = sphere_mesh(0.5, 4);
  // Removes a fifth of the mesh.
  std::erase_if(list.triangle, [&](const auto& t) { return list.position[t[0]].y() > 0.3; });
  const auto mesh = mesh_of(list);
  ASSERT_EQ(mesh->report().inside, MeshInside::by_winding);
  std::size_t inside = 0;
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    const Vec3 p = point_in(widened(mesh->bounds(), 0.1), i);
    const double winding = mesh->winding_number(p);
    if (std::abs(winding - 0.5) < 0.05) continue;  // the winding number of the tree has an error of some hundredths
    const bool expected = winding > 0.5;
    inside += expected ? 1 : 0;
    EXPECT_EQ(mesh->query(p, 0.01).distance < 0, expected) << p.transpose();
  }
  EXPECT_GT(inside, 500U);
}

TEST(MeshDegenerate, ASheetIsMetFromBothSidesAndHasNoInside) {
  const auto mesh = mesh_of(sheet_mesh(1, 4));
  EXPECT_EQ(mesh->report().inside, MeshInside::nowhere);
  for (const double y : {0.1, -0.1}) {
    const SurfaceQuery found = mesh->query({0.3, y, 0.2}, 1);
    EXPECT_NEAR(found.distance, 0.1, 1e-15);
    EXPECT_NEAR(found.normal.y(), std::copysign(1, y), 1e-12);
    EXPECT_GE(mesh->query({0.3, y, 0.2}, 0.01).distance, 0.01);
  }
}

TEST(MeshDegenerate, TrianglesInDisorderAreWoundAlikeAndOutwards) {
  TriangleList list = rock(3, 0.3);
  for (std::size_t i = 0; i < list.triangle.size(); ++i)
    if (uniform(i, 3) < 0.3) std::swap(list.triangle[i][0], list.triangle[i][1]);
  TriangleList inside_out = rock(3, 0.3);
  for (auto& t : inside_out.triangle) std::swap(t[0], t[1]);
  for (const TriangleList& wrong : {list, inside_out}) {
    const auto mesh = mesh_of(wrong);
    EXPECT_TRUE(mesh->report().turned);
    EXPECT_EQ(mesh->report().inside, MeshInside::by_side);
    EXPECT_LT(mesh->query(Vec3::Zero(), 1).distance, 0);
    EXPECT_NEAR(mesh->winding_number({0.05, 0.02, 0.01}), 1, 1e-9);
  }
}

TEST(MeshDegenerate, APartThatFacesInwardsIsTurnedUnlessItIsACavity) {
  const auto with_small = [](const Vec3& at, bool inwards) {
    TriangleList list = box_mesh({0.5, 0.5, 0.5});
    const TriangleList small = box_mesh({0.2, 0.2, 0.2});
    for (const Vec3& p : small.position) list.position.push_back(p + at);
    for (const auto& t : small.triangle)
      list.triangle.push_back({t[0] + 8, t[inwards ? 2U : 1U] + 8, t[inwards ? 1U : 2U] + 8});
    return mesh_of(list);
  };
  const auto beside = with_small({1, 0, 0}, true);
  EXPECT_TRUE(beside->report().turned);
  EXPECT_EQ(beside->report().inside, MeshInside::by_side);
  EXPECT_NEAR(beside->query({1, 0, 0}, 1).distance, -0.2, 1e-12);
  const auto cavity = with_small({0.1, 0, 0}, true);
  EXPECT_FALSE(cavity->report().turned);
  EXPECT_EQ(cavity->report().inside, MeshInside::by_side);
  EXPECT_NEAR(cavity->query({0.1, 0, 0}, 1).distance, 0.2, 1e-12);
}

TEST(MeshDegenerate, WhatPartsShareIsInsideAndThatTheyOverlapIsSaid) {
  TriangleList list = box_mesh({0.5, 0.5, 0.5});
  const TriangleList other = box_mesh({0.5, 0.3, 0.3});
  for (const Vec3& p : other.position) list.position.push_back(p + Vec3(0.4, 0, 0));
  for (const auto& t : other.triangle) list.triangle.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  const auto mesh = mesh_of(list);
  EXPECT_TRUE(mesh->report().overlapping);
  EXPECT_EQ(mesh->report().sentence(),
            "parts of the mesh overlap, so the winding number of its triangles determines which points are inside");
  for (const double x : {-0.4, -0.15, 0.0, 0.3, 0.45, 0.6, 0.85})
    EXPECT_LT(mesh->query({x, 0.01, 0.02}, 1).distance, 0) << x;
  for (const double x : {-0.6, 0.95}) EXPECT_GT(mesh->query({x, 0.01, 0.02}, 1).distance, 0) << x;
}

TEST(MeshDegenerate, WhatIsClosedAndFlatIsASheet) {
  const auto mesh = mesh_of({{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 2, 1}}});
  EXPECT_EQ(mesh->report().inside, MeshInside::nowhere);
  EXPECT_FALSE(mesh->report().overlapping);
  for (const double y : {0.1, -0.1}) EXPECT_NEAR(mesh->query({0.2, y, 0.2}, 1).distance, 0.1, 1e-15);
  EXPECT_EQ(mesh->report().sentence(),
            "the mesh is not closed (one-sided or flat), so it is a sheet that is hit from both sides");
}

TEST(MeshDegenerate, WhatIsNearlyClosedAndFacesInwardsIsTurnedButABowlOfOneSheetIsNot) {
  TriangleList list = sphere_mesh(0.5, 4);
  for (auto& t : list.triangle) std::swap(t[1], t[2]);
  list.triangle.resize(list.triangle.size() - 10);
  const auto torn = mesh_of(list);
  EXPECT_TRUE(torn->report().turned);
  EXPECT_EQ(torn->report().inside, MeshInside::by_winding);
  EXPECT_NEAR(torn->query(Vec3::Zero(), 1).distance, -0.5, 0.01);
  std::erase_if(list.triangle, [&](const auto& t) { return list.position[t[0]].y() > 0; });
  const auto bowl = mesh_of(list);
  EXPECT_FALSE(bowl->report().turned);
  EXPECT_EQ(bowl->report().inside, MeshInside::nowhere);
}

TEST(MeshDegenerate, AStripWithATwistHasOneSideAndIsTakenAsASheet) {
  TriangleList strip;
  constexpr int around = 40;
  for (std::uint32_t i = 0; i < around; ++i) {
    const double turn = 2 * pi * i / around;
    const Vec3 out(std::cos(turn), 0, std::sin(turn)),
        across = std::cos(0.5 * turn) * Vec3(0, 1, 0) + std::sin(0.5 * turn) * out;
    strip.position.push_back(out - 0.2 * across);
    strip.position.push_back(out + 0.2 * across);
    const bool last = i + 1 == around;
    const std::uint32_t a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    strip.triangle.push_back({a, b, d});
    strip.triangle.push_back({a, d, c});
  }
  const auto mesh = mesh_of(strip);
  EXPECT_EQ(mesh->report().inside, MeshInside::nowhere);
  EXPECT_THAT(mesh->report().sentence(), HasSubstr("it is a sheet that is hit"));
}

TEST(MeshDegenerate, VeryManyTrianglesAtOneEdgeOrOnePlaceTakeNoLongerThanOthers) {
  TriangleList list;
  list.position = {{0, 0, 0}, {0, 1, 0}};
  for (std::uint32_t i = 0; i < 30'000; ++i) {
    list.position.push_back(Vec3(std::cos(0.001 * i), 0.5, std::sin(0.001 * i)));
    list.triangle.push_back({0, 1, i + 2});
    list.triangle.push_back({0, 1, 2});
  }
  const auto mesh = mesh_of(list);
  EXPECT_EQ(mesh->report().inside, MeshInside::nowhere);
  EXPECT_EQ(mesh->report().repeated, 30'000U);
  EXPECT_EQ(mesh->report().odd_edges, 1U);
  EXPECT_TRUE(mesh->sweep({-2, 0.4, 0.1}, {2, 0.4, 0.1}, 0.01));
  EXPECT_NEAR(mesh->query({0, 2, 0}, 10).distance, 1, 1e-12);
}

TEST(MeshDegenerate, OneTriangleIsAMesh) {
  const auto mesh = mesh_of({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  EXPECT_NEAR(mesh->query({0.2, 0.2, 0.5}, 10).distance, 0.5, 1e-15);
  EXPECT_NEAR(mesh->query({0.2, 0.2, -3}, 10).distance, 3, 1e-15);
  EXPECT_NEAR(mesh->area(), 0.5, 1e-15);
}

TEST(MeshPicture, RoundPartsAreSmoothAndEdgesAreHard) {
  const auto sphere = mesh_of(sphere_mesh(0.5, 3))->picture();
  EXPECT_EQ(sphere->position.size(), 642U);
  for (std::size_t i = 0; i < sphere->position.size(); ++i)
    EXPECT_GT(sphere->normal[i].dot(sphere->position[i].normalized()), 0.999F);
  const auto box = mesh_of(box_mesh({1, 1, 1}))->picture();
  EXPECT_EQ(box->position.size(), 24U);
  for (const auto& t : box->triangle) {
    const Vec3f n =
        (box->position[t[1]] - box->position[t[0]]).cross(box->position[t[2]] - box->position[t[0]]).normalized();
    for (const std::uint32_t corner : t) EXPECT_GT(n.dot(box->normal[corner]), 0.9999F);
  }
}

}  // namespace
