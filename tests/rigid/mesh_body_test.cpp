// Rigid bodies from meshes: mass, centre and inertia, faulty files, and filling with particles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/shape/mass_properties.h"
#include "sim/system/rigid/rigid.h"
#include "tests/collision/mesh_files.h"
#include "tests/support/scratch.h"
#include "tests/support/validation.h"
#include "tests/support/world_of.h"

namespace vw {
using test::expect_case;
using test::set;
using test::world_of;
using ::testing::HasSubstr;
namespace {

MassProperties of(TriangleList list) {
  auto mesh = TriangleMesh::make(std::move(list));
  EXPECT_TRUE(mesh) << mesh.error().message();
  return mesh ? mass_properties(Shape(std::shared_ptr<const Geometry>(*mesh))) : MassProperties{};
}

TriangleList scaled(TriangleList list, const Vec3& by) {
  for (Vec3& p : list.position) p = p.cwiseProduct(by);
  return list;
}

TriangleList both(TriangleList list, const TriangleList& other, const Vec3& at, bool turned) {
  const auto first = static_cast<std::uint32_t>(list.position.size());
  for (const Vec3& p : other.position) list.position.push_back(p + at);
  for (const auto& t : other.triangle)
    list.triangle.push_back({t[0] + first, t[turned ? 2U : 1U] + first, t[turned ? 1U : 2U] + first});
  return list;
}

/// Returns the mass properties of a body that consists of several solids. `sign` is -1 for a solid that is cut out.
MassProperties sum_of(const std::vector<std::pair<MassProperties, Vec3>>& parts, const std::vector<double>& sign) {
  MassProperties all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    all.volume_m3 += sign[i] * parts[i].first.volume_m3;
    all.center += sign[i] * parts[i].first.volume_m3 * (parts[i].first.center + parts[i].second);
  }
  all.center /= all.volume_m3;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Vec3 off = parts[i].first.center + parts[i].second - all.center;
    const Mat3 steiner = off.squaredNorm() * Mat3::Identity() - off * off.transpose();
    all.inertia += sign[i] * (parts[i].first.inertia + parts[i].first.volume_m3 * steiner);
  }
  return all;
}

/// Expects equal mass properties. `share` is the tolerance relative to the volume, the size and the inertia.
void expect_same(const MassProperties& told, const MassProperties& expected, double share) {
  EXPECT_NEAR(told.volume_m3, expected.volume_m3, share * expected.volume_m3);
  EXPECT_LT((told.center - expected.center).norm(), share * std::cbrt(expected.volume_m3));
  EXPECT_LT((told.inertia - expected.inertia).norm(), share * expected.inertia.norm());
}

TEST(MeshMass, OfRoundSolidsIsThatOfTheFormulas) {
  // Facets of sphere_mesh(6) and of this torus lie up to 1e-4 of the radius below the surface. The relative errors of
  // volume and inertia are 3 and 5 times that value.
  expect_same(of(sphere_mesh(0.3, 6)), mass_properties(SphereShape{0.3}), 1e-3);
  const double a = 0.5, b = 0.2, c = 0.3, volume = 4.0 / 3 * pi * a * b * c;
  const Vec3 moments = volume / 5 * Vec3(b * b + c * c, a * a + c * c, a * a + b * b);
  expect_same(of(scaled(sphere_mesh(1, 6), {a, b, c})), {volume, Vec3::Zero(), moments.asDiagonal()}, 1e-3);
  const double ring = 0.35, tube = 0.1, torus = 2 * pi * pi * ring * tube * tube;
  const double across = torus * (ring * ring / 2 + tube * tube * 5 / 8),
               along = torus * (ring * ring + tube * tube * 3 / 4);
  expect_same(of(torus_mesh(ring, tube, 400, 200)), {torus, Vec3::Zero(), Vec3(across, along, across).asDiagonal()},
              1e-3);
}

TEST(MeshMass, OfAnAngleIsThatOfItsTwoBoxesToRounding) {
  const double corner[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  TriangleList list;
  for (const double z : {0.0, 0.5})
    for (const auto& at : corner) list.position.emplace_back(at[0], at[1], z);
  for (const auto& t : {std::array<std::uint32_t, 3>{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}}) {
    list.triangle.push_back({t[0], t[2], t[1]});
    list.triangle.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
  }
  for (std::uint32_t k = 0; k < 6; ++k) {
    const std::uint32_t next = (k + 1) % 6;
    list.triangle.push_back({k, next, next + 6});
    list.triangle.push_back({k, next + 6, k + 6});
  }
  const MassProperties boxes = sum_of({{mass_properties(BoxShape{{1, 0.5, 0.25}}), {1, 0.5, 0.25}},
                                       {mass_properties(BoxShape{{0.5, 0.5, 0.25}}), {0.5, 1.5, 0.25}}},
                                      {1, 1});
  expect_same(of(list), boxes, 1e-14);
  EXPECT_TRUE(of(list).exact);
}

TEST(MeshMass, LeavesCavitiesOutExactly) {
  const Vec3 at(0.1, 0.05, 0);
  const MassProperties hollow = sum_of(
      {{mass_properties(BoxShape{{0.5, 0.4, 0.3}}), Vec3::Zero()}, {mass_properties(BoxShape{{0.2, 0.2, 0.2}}), at}},
      {1, -1});
  expect_same(of(both(box_mesh({0.5, 0.4, 0.3}), box_mesh({0.2, 0.2, 0.2}), at, true)), hollow, 1e-14);
}

TEST(MeshMass, OfWhatHasHolesOrOverlapsIsThatOfTheCellsInside) {
  TriangleList torn = sphere_mesh(0.5, 4);
  torn.triangle.erase(torn.triangle.begin() + 100, torn.triangle.begin() + 225);
  const MassProperties ball = of(torn);
  EXPECT_FALSE(ball.exact);
  // A fortieth of the mesh is missing. The algorithm closes the hole with the flattest possible surface.
  expect_same(ball, mass_properties(SphereShape{0.5}), 0.01);
  // Two crossing bars. The common part must count once.
  const MassProperties cross = sum_of({{mass_properties(BoxShape{{0.5, 0.1, 0.1}}), Vec3::Zero()},
                                       {mass_properties(BoxShape{{0.1, 0.5, 0.1}}), Vec3::Zero()},
                                       {mass_properties(BoxShape{{0.1, 0.1, 0.1}}), Vec3::Zero()}},
                                      {1, 1, -1});
  expect_same(of(both(box_mesh({0.5, 0.1, 0.1}), box_mesh({0.1, 0.5, 0.1}), Vec3::Zero(), false)), cross, 1e-10);
  TriangleList lid = box_mesh({0.5, 0.2, 0.3});
  lid.triangle.resize(10);
  expect_same(of(lid), mass_properties(BoxShape{{0.5, 0.2, 0.3}}), 1e-10);
}

TEST(MeshMassValidation, VolumesAndMomentsAreThoseOfTheSolids) {
  const auto expect_mass = [](const std::string& name, const MassProperties& told, double volume, double moment,
                              double tolerance) {
    expect_case("rigid", name + ": volume", told.volume_m3, volume, tolerance, "m^3");
    expect_case("rigid", name + ": moment about y", told.inertia(1, 1), moment, tolerance, "m^5");
  };
  const double ball = 4.0 / 3 * pi * 0.027, ellipsoid = 4.0 / 3 * pi * 0.03, torus = 2 * pi * pi * 0.35 * 0.01;
  TriangleList torn = sphere_mesh(0.3, 4);
  torn.triangle.erase(torn.triangle.begin() + 100, torn.triangle.begin() + 225);
  expect_mass("mesh of a sphere, 81,920 triangles", of(sphere_mesh(0.3, 6)), ball, 0.4 * ball * 0.09, 1e-3);
  expect_mass("mesh of an ellipsoid", of(scaled(sphere_mesh(1, 6), {0.5, 0.2, 0.3})), ellipsoid,
              ellipsoid / 5 * (0.25 + 0.09), 1e-3);
  expect_mass("mesh of a torus", of(torus_mesh(0.35, 0.1, 400, 200)), torus, torus * (0.35 * 0.35 + 0.0075), 1e-3);
  expect_mass("mesh of a sphere with a fortieth missing", of(torn), ball, 0.4 * ball * 0.09, 0.01);
  // The bars are 1 x 0.2 x 0.2 m along x and along y.
  const double bar = 0.04, core = 0.008;
  expect_mass("mesh of two bars that cross",
              of(both(box_mesh({0.5, 0.1, 0.1}), box_mesh({0.1, 0.5, 0.1}), Vec3::Zero(), false)), 2 * bar - core,
              bar / 12 * (1 + 0.04) + bar / 12 * 0.08 - core / 12 * 0.08, 1e-9);
}

TEST(MeshMass, OfASheetIsNone) { EXPECT_EQ(of(sheet_mesh(1, 4)).volume_m3, 0); }

class MeshBody : public ::testing::Test {
 protected:
  Node scene_of(const std::string& path) const {
    Node scene = make_node(scene_schema());
    Node& things = add_child(scene, "system", "rigid", "things");
    add_child(things, "body", "mesh", "thing").set("source", path);
    return scene;
  }
  Node scene_of(const TriangleList& list, const std::string& name = "thing.obj") const {
    return scene_of(folder_.write(name, test::obj_of(list)));
  }
  [[nodiscard]] std::string refusal(const std::string& name, const std::string& bytes) const {
    const auto world = World::create(scene_of(folder_.write(name, bytes)));
    return world ? std::string("accepted") : world.error().message();
  }

  test::Scratch folder_;
};

TEST_F(MeshBody, WhoseFileCannotBeABodyIsRefusedInOneSentenceWithItsKey) {
  const TriangleList box = box_mesh({0.5, 0.5, 0.5});
  TriangleList not_finite = box, far = box, two_sided{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 2, 1}}};
  far.position[3].x() = 1e30;
  const TriangleList dust = box_mesh(Vec3::Constant(1e-8)), planet = box_mesh(Vec3::Constant(1e6));
  std::string nan_obj = test::obj_of(box);
  nan_obj.replace(nan_obj.find("v -0.5"), 6, "v nan ");
  std::string bomb(80, ' ');
  test::put(bomb, std::uint32_t{4'000'000'000U});
  const std::vector<std::array<std::string, 3>> files{
      {"empty.obj", "", "has no triangles"},
      {"points.obj", "v 0 0 0\nv 1 0 0\n", "has no triangles"},
      {"sheet.obj", test::obj_of(sheet_mesh(1, 3)), "must be a closed mesh: this mesh encloses no volume"},
      {"flat.obj", test::obj_of(two_sided), "must be a closed mesh: this mesh encloses no volume"},
      {"nan.obj", nan_obj, "nan"},
      {"far.obj", test::obj_of(far), "coordinates must lie in [-1e9, 1e9] m"},
      {"dust.obj", test::obj_of(dust), "must be 1e-06 to 10000 m across: this mesh is 2e-08 m across"},
      {"planet.obj", test::obj_of(planet), "must be 1e-06 to 10000 m across: this mesh is 2e+06 m across"},
      {"bomb.stl", bomb, "4000000000"},
      {"thing.txt", "hello", "must end in .obj"},
  };
  for (const auto& [name, bytes, expected] : files) {
    const std::string said = refusal(name, bytes);
    EXPECT_THAT(said, HasSubstr("system.things.body.thing.source = ")) << name;
    EXPECT_THAT(said, HasSubstr(expected)) << name;
    EXPECT_THAT(said, HasSubstr(name)) << name;
    EXPECT_EQ(said.find('\n'), std::string::npos) << name;
  }
}

TEST_F(MeshBody, WhatWasAmissWithItsMeshIsToldOnce) {
  TriangleList turned = sphere_mesh(0.5, 3);
  for (auto& t : turned.triangle) std::swap(t[1], t[2]);
  Node scene = scene_of(turned);
  set(scene, "system.things.body.thing.repeat", Vec3(3, 1, 1));
  set(scene, "system.things.body.thing.repeat_step", Vec3(2, 0, 0));
  const auto world = world_of(std::move(scene));
  ASSERT_EQ(world->notes().size(), 1U);
  EXPECT_THAT(world->notes()[0], HasSubstr("thing.obj: some triangles were reversed so that they face outwards"));
  EXPECT_GT(world->system(0).elements().mass[2], 0);

  TriangleList torn = sphere_mesh(0.5, 4);
  torn.triangle.resize(torn.triangle.size() - 9);
  const auto other = world_of(scene_of(torn));
  ASSERT_EQ(other->notes().size(), 1U);
  EXPECT_THAT(other->notes()[0],
              HasSubstr("the winding number of its triangles determines which points are inside; the mass, centre and "
                        "inertia of the body are computed from the grid cells inside the mesh"));
  EXPECT_TRUE(world_of(scene_of(box_mesh({0.5, 0.5, 0.5})))->notes().empty());
}

TEST_F(MeshBody, OfBoxesThatShareAnEdgeIsBothOfThemWhicheverWayTheyAreWound) {
  for (const bool turned : {false, true}) {
    TriangleList list = both({}, box_mesh({0.5, 0.25, 0.25}), Vec3::Zero(), turned);
    list = both(list, box_mesh({0.5, 0.25, 0.25}), {0, 0.5, 0.5}, turned);
    const auto world = world_of(scene_of(list));
    EXPECT_NEAR(world->system(0).elements().mass[0], 500 * 2 * 0.25, 1e-6) << turned;
    ASSERT_EQ(world->notes().size(), 1U);
    EXPECT_THAT(world->notes()[0], HasSubstr("not closed (1 edge shared by more than two triangles), so the winding "
                                             "number of its triangles determines which points are inside"));
    EXPECT_EQ(world->notes()[0].find("were reversed") != std::string::npos, turned);
  }
}

TEST_F(MeshBody, FarFromTheOriginOfItsFileIsWhereItSaysAndDrawnAsSharply) {
  const Vec3 far(500'000, 0, -250'000);
  TriangleList list = box_mesh({0.5, 0.25, 0.5}), moved = list;
  for (Vec3& p : moved.position) p += far;
  const auto near_world = world_of(scene_of(list)), far_world = world_of(scene_of(moved, "far.obj"));
  const Elements &near_rows = near_world->system(0).elements(), &far_rows = far_world->system(0).elements();
  EXPECT_LT((far_rows.position[0] - near_rows.position[0] - far).norm(), 1e-9);
  EXPECT_NEAR(far_rows.mass[0], near_rows.mass[0], 1e-12 * near_rows.mass[0]);
  SystemSnapshot near_picture, far_picture;
  near_world->system(0).snapshot(near_picture);
  far_world->system(0).snapshot(far_picture);
  ASSERT_EQ(meshes_of(far_picture)[0]->position.size(), meshes_of(near_picture)[0]->position.size());
  for (std::size_t i = 0; i < meshes_of(far_picture)[0]->position.size(); ++i)
    EXPECT_LT((meshes_of(far_picture)[0]->position[i] - meshes_of(near_picture)[0]->position[i]).norm(), 1e-7F);
}

TEST_F(MeshBody, IsTurnedAboutTheOriginOfItsFile) {
  TriangleList list = box_mesh({0.5, 0.25, 0.5});
  for (Vec3& p : list.position) p += Vec3(2, 0, 0);
  Node scene = scene_of(list);
  set(scene, "system.things.body.thing.rotation", Vec3(0, 0, pi / 2));
  const auto world = world_of(std::move(scene));
  EXPECT_LT((world->system(0).elements().position[0] - Vec3(0, 2, 0)).norm(), 1e-12);
}

TEST_F(MeshBody, IsShownAsParticlesOfTheSizeAskedFor) {
  Node scene = scene_of(both(box_mesh({0.5, 0.25, 0.25}), box_mesh({0.25, 0.25, 0.25}), {0.75, 0, 0}, false));
  set(scene, "system.things.particle_size", 0.05);
  set(scene, "system.things.body.thing.repeat", Vec3(1, 1, 2));
  set(scene, "system.things.body.thing.repeat_step", Vec3(0, 0, 2));
  const auto world = world_of(std::move(scene));
  SystemSnapshot picture;
  world->system(0).snapshot(picture);
  ASSERT_EQ(picture.use_look<RigidLook>().particles.size(), 2U);
  EXPECT_EQ(picture.use_look<RigidLook>().particle_m, 0.05F);
  EXPECT_EQ(picture.use_look<RigidLook>().particles[0], picture.use_look<RigidLook>().particles[1])
      << "copies share their particles";
  ASSERT_EQ(picture.use_look<RigidLook>().particles[0]->size(), 30U * 10 * 10);
  Vec3f middle = Vec3f::Zero();
  for (const Vec3f& place : *picture.use_look<RigidLook>().particles[0]) middle += place / 3000;
  EXPECT_LT(middle.norm(), 1e-5F) << "they lie about the centre of mass";

  ASSERT_TRUE(world->apply(SetParameter{"system.things.particle_size", 0.0}));
  world->system(0).snapshot(picture);
  EXPECT_EQ(picture.use_look<RigidLook>().particles.size(), 2U) << "those that were asked for last";
  const auto refused = world->apply(SetParameter{"system.things.particle_size", 1e-5});
  ASSERT_FALSE(refused);
  EXPECT_THAT(
      refused.error().message(),
      HasSubstr("must be a diameter with which every body can be filled: body thing-1: particles of diameter 1e-05 m"));
}

TEST_F(MeshBody, NothingIsFilledUnlessSomebodyAsks) {
  const auto world = world_of(scene_of(box_mesh({0.5, 0.25, 0.25})));
  SystemSnapshot picture;
  world->system(0).snapshot(picture);
  EXPECT_TRUE(picture.use_look<RigidLook>().particles.empty());
  const auto particles = static_cast<const RigidSystem&>(world->system(0)).particles(0.125);
  EXPECT_EQ(particles->of(0).size(), 8U * 4 * 4);
  EXPECT_EQ(particles, static_cast<const RigidSystem&>(world->system(0)).particles(0.125)) << "made once";
  world->system(0).snapshot(picture);
  EXPECT_EQ(picture.use_look<RigidLook>().particles.size(), 1U);
}

}  // namespace
}  // namespace vw
