// Hollow shapes (shapes turned inside out): distances, sweeps, render meshes, and scene parameters.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/collision/collider.h"
#include "sim/collision/contact/detection.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/shape/hollow.h"
#include "sim/collision/shape/thickness.h"

namespace vw {
namespace {

std::vector<Shape> closed_shapes() {
  const std::shared_ptr<const Geometry> mesh = *TriangleMesh::make(box_mesh({0.4, 0.3, 0.5}));
  return {SphereShape{0.4}, BoxShape{{0.3, 0.5, 0.2}}, CapsuleShape{0.2, 0.3}, CylinderShape{0.3, 0.25}, mesh};
}

Vec3 hollow_point(std::uint64_t i, double half) {
  const RandomKey key{29, 4};
  return half *
         (2 * Vec3(random_uniform(key, i, 0), random_uniform(key, i, 1), random_uniform(key, i, 2)) - Vec3::Ones());
}

TEST(Hollow, HasTheDistancesAndNormalsOfItsHoleTurnedAround) {
  for (const Shape& hole : closed_shapes()) {
    const Shape hollow = *turned_inside_out(hole);
    EXPECT_EQ(hole_of(hole), nullptr);
    ASSERT_NE(hole_of(hollow), nullptr);
    EXPECT_EQ(hole_of(hollow)->index(), hole.index());
    EXPECT_EQ(area(hollow), area(hole));
    EXPECT_TRUE(std::isinf(thickness(hollow)));
    for (std::uint64_t i = 0; i < 500; ++i) {
      const Vec3 p = hollow_point(i, 0.7);
      const SurfaceQuery in = query(hollow, p), out = query(hole, p);
      ASSERT_EQ(in.distance, -out.distance);
      ASSERT_EQ(in.normal, Vec3(-out.normal));
    }
  }
}

TEST(Hollow, SweepsEndWhereABallTouchesTheWallFromWithin) {
  const double radius = 0.02;
  for (const Shape& hole : closed_shapes()) {
    Collider room;
    room.shape = *turned_inside_out(hole);
    std::size_t hits = 0;
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const Vec3 from = hollow_point(2 * i, 0.5), to = hollow_point(2 * i + 1, 1.0);
      if (query(room, from).distance < radius) continue;
      const auto hit = sweep(room, room, from, to, radius);
      // The interior is convex, so a path has a contact exactly if its end is closer to the wall than the radius.
      ASSERT_EQ(hit.has_value(), query(room, to).distance < radius) << from.transpose() << " to " << to.transpose();
      if (!hit) continue;
      ++hits;
      const SurfaceQuery there = query(room, from + hit->share * (to - from));
      ASSERT_NEAR(there.distance, radius, 1e-9);
      ASSERT_LT(hit->normal.dot(to - from), 0);
    }
    EXPECT_GT(hits, 100U);
  }
}

TEST(Hollow, WhoSlidesAlongOneWallMeetsTheNext) {
  // The ball touches the floor and moves parallel to it, so only the wall is a new contact.
  Collider room;
  room.shape = *turned_inside_out(BoxShape{{0.5, 0.5, 0.5}});
  Collider sheet = room;
  sheet.shape = BoxShape{{0.5, 0.5, 0.5}};
  sheet.two_sided = true;
  for (const Collider& one : {room, sheet}) {
    const auto hit = sweep(one, one, {0, -0.4375, 0}, {1, -0.4375, 0}, 0.0625);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->share, 0.4375, 1e-12);
    EXPECT_LT((hit->normal - Vec3(-1, 0, 0)).norm(), 1e-12);
    EXPECT_FALSE(sweep(one, one, {0, -0.4375, 0}, {0.3, -0.4375, 0}, 0.0625));
  }
}

TEST(Hollow, PicturesFaceInAndShowTheHoleWhereTheyAreGlass) {
  Collider room;
  room.shape = *turned_inside_out(CylinderShape{0.3, 0.25});
  const auto mesh = picture_of(room.shape);
  ASSERT_NE(mesh, nullptr);
  for (const auto& triangle : mesh->triangle) {
    const Vec3f a = mesh->position[triangle[0]],
                face = (mesh->position[triangle[1]] - a).cross(mesh->position[triangle[2]] - a);
    ASSERT_GT(face.dot(mesh->normal[triangle[0]]), 0);
    ASSERT_LT(face.dot(a), 0);  // the face points towards the centre
  }
  EXPECT_EQ(&drawn_shape(room), &room.shape);
  room.opacity = 0.3;
  EXPECT_TRUE(std::holds_alternative<CylinderShape>(drawn_shape(room)));
}

Result<Collider> collider_of(const char* kind, const std::vector<std::pair<const char*, Value>>& values) {
  for (const Schema* schema : collider_schemas()) {
    if (schema->kind != kind) continue;
    Node node = make_node(*schema, kind);
    for (const auto& [key, value] : values) EXPECT_TRUE(set_parameter(node, key, value)) << key;
    return make_collider(node);
  }
  ADD_FAILURE() << kind;
  return Collider{};
}

TEST(Hollow, ScenesAskForItOfEveryClosedShape) {
  for (const char* kind : {"box", "capsule", "cylinder", "sphere"}) {
    const auto solid = collider_of(kind, {}), room = collider_of(kind, {{"solid", Value(std::string("around"))}});
    ASSERT_TRUE(solid && room) << kind;
    EXPECT_LT(query(*solid, Vec3::Zero()).distance, 0) << kind;
    EXPECT_GT(query(*room, Vec3::Zero()).distance, 0) << kind;
  }
}

TEST(Hollow, SheetsAndPlanesHaveNone) {
  const std::shared_ptr<const Geometry> sheet = *TriangleMesh::make(sheet_mesh(1, 2));
  EXPECT_FALSE(turned_inside_out(sheet));
  EXPECT_FALSE(turned_inside_out(PlaneShape{}));
}

}  // namespace
}  // namespace vw
