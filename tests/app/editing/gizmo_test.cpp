// Parts of scene nodes that have a position, and the gizmo that moves, rotates and scales them.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "app/window/document/scene_edit.h"
#include "app/window/gizmo/body_moves.h"
#include "app/window/gizmo/gizmo.h"
#include "app/window/gizmo/ground.h"
#include "app/window/gizmo/node_pose.h"
#include "app/window/gizmo/placement.h"
#include "app/window/gizmo/view_cube.h"
#include "sim/api/run.h"

namespace vw {
namespace {

Node& child(Node& parent, std::string_view slot, std::string_view kind, std::string name) {
  return add_child(parent, slot, kind, std::move(name));
}

/// Applies the change to part number `index` of the node at `path`. Reads the parts again and returns part `index`.
PosedPart changed(Node& scene, const std::string& path, const PoseChange& change, std::size_t index = 0) {
  for (const Assignment& one : assignments_of(posed_parts(scene, path).at(index), change)) {
    const auto good = set_parameter(scene, one.path, one.value);
    EXPECT_TRUE(good) << good.error().message();
  }
  return posed_parts(scene, path).at(index);
}

Vec3 vector(const Node& scene, const std::string& path) {
  return std::get<Vec3>(find_parameter(const_cast<Node&>(scene), path)->value());
}
double number(const Node& scene, const std::string& path) {
  return std::get<double>(find_parameter(const_cast<Node&>(scene), path)->value());
}

void expect_near(const Vec3& found, const Vec3& expected, double tolerance = 1e-12) {
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), tolerance)
      << found.transpose() << " is not " << expected.transpose();
}

TEST(NodePose, RotationVectorsAreConvertedBothWays) {
  for (const Vec3& vector : {Vec3(0, 0, 0), Vec3(0.3, -0.2, 1), Vec3(0, 3.1, 0), Vec3(-2, 1, 0.5)})
    expect_near(rotation_vector_of(rotation_of(vector)), vector);
  expect_near(rotation_vector_of(rotation_of(Vec3(0, 0, 4))), Vec3(0, 0, 4 - 2 * pi));  // the shorter rotation
}

TEST(NodePose, EveryKindOfNodeWithAPlaceIsMovedByExactlyTheTranslation) {
  Node scene = api::new_scene();
  std::size_t posed = 0;
  const Vec3 shift(0.01, -0.02, 0.015);
  const auto check = [&](const std::string& path) {
    const auto before = posed_parts(scene, path);
    for (std::size_t i = 0; i < before.size(); ++i) {
      Node copy = scene;
      const PosedPart after = changed(copy, path, {.translation = shift}, i);
      const Vec3 expected =
          before[i].place_axis < 0 ? shift : Vec3::Unit(before[i].place_axis) * shift[before[i].place_axis];
      expect_near(after.at - before[i].at, expected);
      expect_near(after.extent, before[i].extent);
      EXPECT_TRUE(assignments_of(before[i], {}).empty()) << path;
      ++posed;
    }
  };
  Node* body = nullptr;
  for (const Slot& slot : scene.schema->slots) {
    if (slot.name != "system" && slot.name != "field" && slot.name != "collider") continue;
    for (const Schema* kind : slot.kinds) {
      const std::string name = slot.name + "-" + kind->kind;
      child(scene, slot.name, kind->kind, name);
    }
  }
  for (const Slot& slot : scene.schema->slots)
    for (const Schema* kind : slot.kinds) {
      Node* parent =
          scene.schema->slots.empty() ? nullptr : find_node(scene, slot.name + "." + slot.name + "-" + kind->kind);
      if (parent == nullptr) continue;
      for (const Slot& inner : kind->slots)
        for (const Schema* inner_kind : inner.kinds)
          (void)child(*parent, inner.name, inner_kind->kind, inner_kind->kind);
      if (kind->kind == "voxel_body") body = parent;
    }
  ASSERT_NE(body, nullptr);
  body->set("rotation", Vec3(0.4, 0.2, -1));
  for (const Node& one : scene.children) {
    const std::string path = child_path(scene, "", one);
    check(path);
    for (const Node& inner : one.children) check(child_path(one, path, inner));
  }
  EXPECT_GT(posed, 40U);
}

TEST(NodePose, AnObstacleRotatesAboutItsOriginAndScalesAlongItsOwnAxes) {
  Node scene = api::new_scene();
  Node& wall = child(scene, "collider", "box", "wall");
  wall.set("position", Vec3(1, 2, 3)), wall.set("size", Vec3(0.2, 0.4, 0.6)), wall.set("rotation", Vec3(0, pi / 2, 0));
  (void)changed(scene, "collider.wall", {.rotation = Vec3(0, pi / 4, 0)});
  expect_near(vector(scene, "collider.wall.rotation"), Vec3(0, 0.75 * pi, 0));
  expect_near(vector(scene, "collider.wall.position"), Vec3(1, 2, 3));
  (void)changed(scene, "collider.wall", {.factors = Vec3(2, 1, 0.5)});
  expect_near(vector(scene, "collider.wall.size"), Vec3(0.4, 0.4, 0.3));
}

TEST(NodePose, RadiusAndLengthScaleSeparately) {
  Node scene = api::new_scene();
  Node& post = child(scene, "collider", "cylinder", "post");
  post.set("radius", 0.1), post.set("length", 1.0);
  (void)changed(scene, "collider.post", {.factors = Vec3(1, 3, 1)});
  EXPECT_DOUBLE_EQ(number(scene, "collider.post.length"), 3);
  EXPECT_DOUBLE_EQ(number(scene, "collider.post.radius"), 0.1);
  (void)changed(scene, "collider.post", {.factors = Vec3(2, 1, 1)});
  EXPECT_DOUBLE_EQ(number(scene, "collider.post.radius"), 0.2);
  EXPECT_DOUBLE_EQ(number(scene, "collider.post.length"), 3);
}

TEST(NodePose, AFanTurnsItsDirection) {
  Node scene = api::new_scene();
  child(scene, "field", "fan", "fan").set("direction", Vec3(1, 0, 0));
  (void)changed(scene, "field.fan", {.rotation = Vec3(0, 0, pi / 2)});
  expect_near(vector(scene, "field.fan.direction"), Vec3(0, 1, 0));
}

TEST(NodePose, AVoxelBodyScalesAboutTheCentreOfItsLattice) {
  Node scene = api::new_scene();
  Node& body = child(scene, "system", "voxel_body", "cube");
  body.set("size", Vec3(4, 2, 8)), body.set("voxel_size", 0.1), body.set("position", Vec3(1, 0, 0));
  const PosedPart before = posed_parts(scene, "system.cube").front();
  expect_near(before.at, Vec3(1.2, 0.1, 0.4));
  const PosedPart after = changed(scene, "system.cube", {.translation = Vec3(0, 1, 0), .factors = Vec3::Constant(2)});
  EXPECT_DOUBLE_EQ(number(scene, "system.cube.voxel_size"), 0.2);
  expect_near(after.at, before.at + Vec3(0, 1, 0));
}

TEST(NodePose, ARegionOfARotatedBodyMovesInTheWorldAndIsStoredAsFractions) {
  Node scene = api::new_scene();
  Node& body = child(scene, "system", "voxel_body", "beam");
  body.set("size", Vec3(10, 2, 2)), body.set("voxel_size", 0.1), body.set("rotation", Vec3(0, 0, pi / 2));
  Node& region = child(body, "region", "region", "end");
  region.set("min", Vec3(0, 0, 0)), region.set("max", Vec3(0.2, 1, 1));
  const PosedPart before = posed_parts(scene, "system.beam.region.end").front();
  expect_near(before.at, Vec3(0.5, 0.1 - 0.4, 0.1), 1e-12);  // the rotated beam begins at its lower end
  (void)changed(scene, "system.beam.region.end", {.translation = Vec3(0, 0.1, 0)});
  expect_near(vector(scene, "system.beam.region.end.min"), Vec3(0.1, 0, 0));
  expect_near(vector(scene, "system.beam.region.end.max"), Vec3(0.3, 1, 1));
  (void)changed(scene, "system.beam.region.end", {.factors = Vec3(2, 1, 1)});
  expect_near(vector(scene, "system.beam.region.end.min"), Vec3(0, 0, 0));
  expect_near(vector(scene, "system.beam.region.end.max"), Vec3(0.4, 1, 1));
}

TEST(NodePose, AKeyMovesInTheFrameOfItsObstacle) {
  Node scene = api::new_scene();
  Node& door = child(scene, "collider", "box", "door");
  door.set("position", Vec3(1, 0, 0)), door.set("rotation", Vec3(0, pi / 2, 0));
  child(door, "key", "key", "open").set("position", Vec3(0, 0, 1));
  const PosedPart before = posed_parts(scene, "collider.door.key.open").front();
  expect_near(before.at, Vec3(2, 0, 0));
  (void)changed(scene, "collider.door.key.open", {.translation = Vec3(0, 0, 1), .rotation = Vec3(0.1, 0, 0)});
  expect_near(vector(scene, "collider.door.key.open.position"), Vec3(-1, 0, 1));
  expect_near(vector(scene, "collider.door.key.open.rotation"), Vec3(0, 0, 0.1));
}

/// Returns a picture of 800 x 600 px of a camera that looks at the origin from above and in front.
GizmoPicture picture() {
  GizmoPicture picture;
  picture.camera.eye = {0, 2, 5};
  picture.camera.target = {0, 0, 0};
  picture.size = {800, 600};
  return picture;
}

GizmoDrag drag_of(GizmoMode mode, GizmoConstraint constraint, const Vec3& at = Vec3::Zero(),
                  const Vec3& pressed = Vec3::Zero()) {
  return {mode, constraint, {at, Mat3::Identity()}, picture(), picture().project(pressed)};
}

constexpr auto along = [](int axis) { return GizmoConstraint{GizmoConstraint::Kind::axis, axis}; };
constexpr auto across = [](int axis) { return GizmoConstraint{GizmoConstraint::Kind::plane, axis}; };

TEST(Gizmo, ADragAlongAnAxisFollowsThePointer) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 pressed = 0.3 * Vec3::Unit(axis), released = 0.8 * Vec3::Unit(axis);
    GizmoDrag drag = drag_of(GizmoMode::move, along(axis), Vec3::Zero(), pressed);
    drag.move_pointer(picture().project(released));
    expect_near(drag.change().translation, 0.5 * Vec3::Unit(axis), 2e-5);
  }
}

TEST(Gizmo, ADragInAPlaneStaysInIt) {
  GizmoDrag drag = drag_of(GizmoMode::move, across(1));
  drag.move_pointer(picture().project(Vec3(0.4, 0, -0.7)));
  expect_near(drag.change().translation, Vec3(0.4, 0, -0.7), 2e-5);
}

TEST(Gizmo, AFreeDragStaysInThePlaneOfThePicture) {
  GizmoDrag drag = drag_of(GizmoMode::move, {});
  drag.move_pointer({500, 250});
  const Vec3 shift = drag.change().translation;
  EXPECT_NEAR(shift.dot(Vec3(0, -2, -5).normalized()), 0, 1e-5);
  EXPECT_LE(glm::distance(picture().project(shift), glm::vec2(500, 250)), 0.05F);
}

TEST(Gizmo, WithSnappingPlacesAreMultiplesOfTheStepAndAnglesOfFifteenDegrees) {
  const Vec3 at(0.013, 0, 0);
  const double step = snap_step_m({at, Mat3::Identity()}, picture());
  GizmoDrag drag = drag_of(GizmoMode::move, along(0), at, at);
  drag.set_snaps(true);
  drag.move_pointer(picture().project(Vec3(0.62, 0, 0)));
  const double place = at.x() + drag.change().translation.x();
  EXPECT_NEAR(place / step, std::round(place / step), 1e-9);
  EXPECT_NEAR(place, 0.62, step / 2 + 1e-6);

  GizmoDrag turn = drag_of(GizmoMode::rotate, along(1), Vec3::Zero(), Vec3(1, 0, 0));
  turn.set_snaps(true);
  turn.move_pointer(picture().project(Vec3(std::cos(0.6), 0, -std::sin(0.6))));
  expect_near(turn.change().rotation, Vec3(0, 2 * snap_angle_rad, 0), 1e-9);
}

TEST(Gizmo, ARotationFollowsThePointerAboutTheAxis) {
  GizmoDrag turn = drag_of(GizmoMode::rotate, along(1), Vec3::Zero(), Vec3(1, 0, 0));
  turn.move_pointer(picture().project(Vec3(std::cos(0.7), 0, -std::sin(0.7))));
  expect_near(turn.change().rotation, Vec3(0, 0.7, 0), 1e-4);
}

TEST(Gizmo, TypedNumbersReplaceThePointer) {
  GizmoDrag drag = drag_of(GizmoMode::move, along(2));
  drag.move_pointer({0, 0});
  for (const char c : std::string("1.25")) drag.type(c);
  drag.type('-');
  drag.type('x');  // this key is ignored, because it cannot belong to a number
  expect_near(drag.change().translation, Vec3(0, 0, -1.25));
  EXPECT_EQ(drag.sentence(), "Move along z: -1.25 m");
  drag.erase_character();
  expect_near(drag.change().translation, Vec3(0, 0, -1.2));

  GizmoDrag in_plane = drag_of(GizmoMode::move, across(0));
  for (const char c : std::string("2")) in_plane.type(c);
  expect_near(in_plane.change().translation, Vec3(0, 2, 0));
  EXPECT_EQ(in_plane.sentence(), "Move along y: 2 m");

  GizmoDrag turn = drag_of(GizmoMode::rotate, along(0));
  for (const char c : std::string("90")) turn.type(c);
  expect_near(turn.change().rotation, Vec3(pi / 2, 0, 0));
  EXPECT_EQ(turn.sentence(), "Rotate about x: 90\xC2\xB0");

  GizmoDrag scale = drag_of(GizmoMode::scale, {});
  for (const char c : std::string("0.")) scale.type(c);
  expect_near(scale.change().factors, Vec3::Constant(1));  // the beginning of a factor must not collapse the object
  scale.type('5');
  expect_near(scale.change().factors, Vec3::Constant(0.5));
  scale.constrain(across(1));
  expect_near(scale.change().factors, Vec3(0.5, 1, 0.5));
}

TEST(Gizmo, TheSameAxisTwiceLiftsTheConstraint) {
  GizmoDrag drag = drag_of(GizmoMode::move, {});
  drag.constrain(along(0));
  EXPECT_EQ(drag.constraint(), along(0));
  drag.constrain(along(1));
  EXPECT_EQ(drag.constraint(), along(1));
  drag.constrain(along(1));
  EXPECT_EQ(drag.constraint(), GizmoConstraint{});
}

TEST(Gizmo, HandlesArePickedWhereTheyAreDrawn) {
  const GizmoFrame frame;
  for (const GizmoMode mode : {GizmoMode::move, GizmoMode::rotate, GizmoMode::scale}) {
    const auto handles = gizmo_handles(mode, frame, picture(), 90);
    ASSERT_GE(handles.size(), 4U);
    for (const GizmoHandle& handle : handles) {
      if (handle.is_filled) {
        glm::vec2 middle{0, 0};
        for (std::size_t i = 0; i + 1 < handle.line.size(); ++i)
          middle += handle.line[i] / static_cast<float>(handle.line.size() - 1);
        EXPECT_EQ(handle_at(handles, middle, 6), handle.constraint);
        continue;
      }
      // Lines of handles cross, so some of their points may belong to another handle.
      int own = 0, points = 0;
      for (std::size_t i = 0; i + 1 < handle.line.size(); ++i)
        for (const float t : {0.2F, 0.5F, 0.8F}) {
          const glm::vec2 point = (1 - t) * handle.line[i] + t * handle.line[i + 1];
          own += handle_at(handles, point, 6) == handle.constraint ? 1 : 0, ++points;
        }
      EXPECT_GT(own, points / 2);
    }
    EXPECT_FALSE(handle_at(handles, {5, 5}, 6));
  }
}

TEST(Gizmo, APartBehindTheCameraHasNoHandles) {
  EXPECT_TRUE(gizmo_handles(GizmoMode::move, {Vec3(0, 0, 10), Mat3::Identity()}, picture(), 90).empty());
}

TEST(Ground, AnObjectIsLoweredOntoTheHighestThingBelowIt) {
  Snapshot snapshot;
  ColliderSnapshot ground, step;
  ground.name = "ground";
  step.name = "step";
  step.kind = ColliderSnapshot::Kind::box;
  step.position = {0.4F, 0.1F, 0};
  step.half_extent = {0.2F, 0.1F, 0.2F};
  snapshot.colliders = {ground, step};
  PosedPart part;
  part.at = {0, 1, 0};
  part.shape = OutlineShape::box;
  part.extent = {0.2, 0.4, 0.2};
  MeshTrees trees;
  EXPECT_NEAR(lowest_height(part), 0.8, 1e-12);
  EXPECT_NEAR(height_below(snapshot, trees, part).value_or(-1), 0, 1e-5);
  part.at.x() = 0.2;  // the part stands partly on the step
  EXPECT_NEAR(height_below(snapshot, trees, part).value_or(-1), 0.2, 1e-5);
  snapshot.colliders.clear();
  EXPECT_FALSE(height_below(snapshot, trees, part));
}

TEST(Placement, LengthsAreRoundedToTheNearestOfOneTwoAndFive) {
  EXPECT_DOUBLE_EQ(round_length(0.13), 0.1);
  EXPECT_DOUBLE_EQ(round_length(0.17), 0.2);
  EXPECT_DOUBLE_EQ(round_length(0.4), 0.5);
  EXPECT_DOUBLE_EQ(round_length(0.8), 1);
  EXPECT_DOUBLE_EQ(round_length(0), 1);
}

TEST(Placement, EveryObjectStandsOnThePointWithTheAskedWidthAndMakesAWorld) {
  Node scene = api::new_scene();
  Node& water = add_child(scene, "system", "fluid", "water");
  add_child(water, "fill", "box", "pool");
  add_child(scene, "collider", "plane", "ground");
  const Vec3 point(2, 0.5, -1);
  std::set<std::string> groups;
  for (const Placeable& object : placeable_objects(scene)) {
    SCOPED_TRACE(object.group + ", " + object.label);
    groups.insert(object.group);
    Node with = scene;
    std::vector<NodeChange> changes = placed_at(scene, object, point, 0.2);
    for (NodeChange& change : changes) {
      const auto good = apply(with, change);
      ASSERT_TRUE(good) << good.error().message();
    }
    const PosedPart part = posed_parts(with, object.path).front();
    EXPECT_NEAR(part.at.x(), 2, 1e-9);
    EXPECT_NEAR(part.at.z(), -1, 1e-9);
    EXPECT_NEAR(lowest_height(part), 0.5, 1e-9);
    if (!part.extent.isZero()) {
      EXPECT_NEAR(part.extent.maxCoeff(), 0.2, 1e-9);
    }
    Amendments amends;
    const auto run = run_with("scene", with, changes, amends);
    EXPECT_TRUE(run) << run.error().message();
  }
  EXPECT_EQ(groups.size(), 8U);
}

TEST(ViewCube, TheFaceTowardsTheEyeIsUnderTheMiddle) {
  for (std::size_t side = 0; side < view_sides.size(); ++side) {
    Camera camera;
    camera.target = {1, 2, 3};
    camera.eye = camera.target + 4.0F * view_sides[side].normal;
    const auto faces = view_cube_faces(camera, {50, 60}, 20);
    EXPECT_EQ(faces.size(), 1U) << "the other faces are seen edge-on";
    EXPECT_EQ(view_side_at(faces, {50, 60}), side);
    EXPECT_EQ(view_side_at(faces, {50 + 19, 60 - 19}), side);
    EXPECT_FALSE(view_side_at(faces, {50 + 21, 60}));
  }
}

TEST(BodyMove, AMoveAtAPastMomentIsTakenBackInTheBranchThatItBegins) {
  Snapshot shown;
  shown.epoch = 3;
  shown.place.branch = 1;
  shown.place.elapsed_s = 2;
  shown.place.is_past = true;
  BodyMoves moves;
  BodyMoves::Move move;
  move.epoch = shown.epoch;
  move.place = shown.place;
  moves.add(move);
  shown.place.branch = 2;
  shown.place.elapsed_s = 2.5;
  shown.place.is_past = false;
  ASSERT_NE(moves.to_undo(0, shown), nullptr);
  EXPECT_EQ(moves.to_undo(1, shown), nullptr) << "an edit after the move is undone first";
  moves.undo(shown);
  EXPECT_EQ(moves.to_undo(0, shown), nullptr);
  ASSERT_NE(moves.to_redo(0, shown), nullptr);
  shown.place.branch = 0;
  EXPECT_EQ(moves.to_redo(0, shown), nullptr);
  shown.place.branch = 2;
  shown.epoch = 4;
  EXPECT_EQ(moves.to_redo(0, shown), nullptr) << "the run went to another moment";
}

TEST(ViewCube, FromACornerThreeFacesAreVisible) {
  Camera camera;
  camera.target = {0, 0, 0};
  camera.eye = {3, 3, 3};
  const auto faces = view_cube_faces(camera, {0, 0}, 20);
  EXPECT_EQ(faces.size(), 3U);
  // Front is at the lower left, right at the lower right, top above.
  EXPECT_EQ(view_side_at(faces, {-10, 8}), 0U);
  EXPECT_EQ(view_side_at(faces, {10, 8}), 2U);
  EXPECT_EQ(view_side_at(faces, {0, -12}), 4U);
}

}  // namespace
}  // namespace vw
