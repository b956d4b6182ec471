// Marks of rigid bodies: axes, centres of mass, contacts, joints and forces. The test of bodies that are drawn as
// particles is here too.
#include "render/scene/frame_data.h"
#include "rigid_set.h"

namespace vw {
namespace {

Camera camera_of(const Snapshot& snapshot) {
  Camera camera;
  camera.frame(scene_bounds(snapshot), 4.0F / 3);
  return camera;
}

FrameData prepared_marks(const Snapshot& snapshot, const ViewParams& view, const Selection& selection = {}) {
  FrameData set;
  set.prepare({nullptr, &snapshot, 1}, view, camera_of(snapshot), selection, 320, 240);
  return set;
}

ViewParams nothing_but_surfaces() {
  ViewParams view;
  view.joints = JointStyle::none;
  return view;
}

TEST(RenderMarks, PrincipalAxesOfABoxAreItsEdgesHoweverItIsTurned) {
  for (const float angle : {0.0F, 0.3F, -0.6F}) {
    const Quatf turn(Eigen::AngleAxisf(angle, Vec3f(1, 2, -1).normalized()));
    const glm::mat3 axes = principal_axes(*box_mesh(Vec3f(0.1F, 0.3F, 0.2F), turn));
    for (int k = 0; k < 3; ++k) {
      const Vec3f edge = turn * Vec3f::Unit(k);
      // principal_axes() adds thousandths of the trace to the moments of inertia, to separate equal moments. This tilts
      // the axes slightly, so the alignment is checked with a tolerance.
      EXPECT_GT(std::abs(edge.dot(Vec3f(axes[k].x, axes[k].y, axes[k].z))), 0.999F) << angle << ", axis " << k;
    }
    EXPECT_NEAR(glm::determinant(axes), 1, 1e-5F);
  }
}

TEST(RenderMarks, ACubeTurnsAlikeAboutAllAxesAndKeepsItsOwn) {
  const glm::mat3 axes = principal_axes(*box_mesh(Vec3f::Constant(0.2F)));
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(axes[k][k], 1, 1e-5F);
  EXPECT_EQ(principal_axes(SurfaceMesh{}), glm::mat3(1)) << "an empty mesh has the default axes";
}

TEST(RenderMarks, RopesAreDrawnUnlessJointsAreNotAndHingesWhereAllAre) {
  const Snapshot s = rigid_set();
  EXPECT_TRUE(prepared_marks(s, nothing_but_surfaces()).marks.groups().empty());
  const FrameData links = prepared_marks(s, {});
  ASSERT_EQ(links.marks.groups().size(), 1U);
  ASSERT_EQ(links.marks.groups()[0].points.size(), 2U);
  EXPECT_EQ(links.marks.groups()[0].points[1], glm::vec3(0, 0.2F, 0));
  ViewParams view;
  view.joints = JointStyle::all;
  const FrameData all = prepared_marks(s, view);
  ASSERT_EQ(all.marks.groups().size(), 4U) << "the groups are rope, axes, dots, and rims of dots";
  const auto& axis = all.marks.groups()[1].points;
  ASSERT_EQ(axis.size(), 2U + 2U + 40U) << "lines to both bodies, the axis, and a ring";
  EXPECT_NEAR(glm::dot(glm::normalize(axis[3] - axis[2]), glm::vec3(0, 0, 1)), 1, 1e-5F);
  for (std::size_t k = 4; k < axis.size(); ++k) EXPECT_NEAR(axis[k].z, 0.05F, 1e-5F) << "perpendicular to the axis";
}

TEST(RenderMarks, ABrokenRopeIsGoneAndItsEndsAreMarkedRed) {
  Snapshot s = rigid_set();
  s.systems[0].use_look<RigidLook>().joints[0].broken = true;
  EXPECT_TRUE(prepared_marks(s, {}).marks.groups().empty());
  ViewParams view;
  view.joints = JointStyle::all;
  const FrameData set = prepared_marks(s, view);
  const MarkGroup& last = set.marks.groups().back();
  EXPECT_GT(last.tint.r, 2 * last.tint.g);
  EXPECT_EQ(last.points.front(), glm::vec3(-0.15F, 0.1F, 0));
}

TEST(RenderMarks, JointsMoveBetweenTwoSnapshotsAsBodiesDo) {
  const Snapshot before = rigid_set();
  Snapshot now = rigid_set();
  now.systems[0].use_look<RigidLook>().joints[0].b.y() = 0.4F;
  FrameData set;
  set.prepare({&before, &now, 0.5F}, {}, camera_of(now), {}, 320, 240);
  ASSERT_EQ(set.marks.groups().size(), 1U);
  EXPECT_NEAR(set.marks.groups()[0].points[1].y, 0.3F, 1e-6F);
}

TEST(RenderMarks, FramesStandOutOfTheirBodiesAndCentresAreDots) {
  ViewParams view = nothing_but_surfaces();
  view.body_frames = true;
  const FrameData frames = prepared_marks(rigid_set(), view);
  ASSERT_EQ(frames.marks.groups().size(), 3U) << "each axis has its own colour";
  const auto& x = frames.marks.groups()[0].points;
  ASSERT_EQ(x.size(), 6U) << "each body has one line";
  const glm::vec3 turned = glm::normalize(x[3] - x[2]);
  EXPECT_NEAR(turned.x, std::cos(0.5F), 1e-4F);
  EXPECT_NEAR(turned.z, -std::sin(0.5F), 1e-4F);
  EXPECT_GT(glm::length(x[3] - x[2]), 0.0866F);
  view.body_frames = false;
  view.mass_centers = true;
  const FrameData centers = prepared_marks(rigid_set(), view);
  ASSERT_EQ(centers.marks.groups().size(), 2U) << "the groups are dots and their rims";
  EXPECT_EQ(centers.marks.groups()[1].points.size(), 6U);
}

TEST(RenderMarks, ForcesOfARuleAreArrowsInNewtonsWhereTheyAreAskedFor) {
  const Snapshot s = rigid_set();
  EXPECT_TRUE(prepared_marks(s, {}).arrows.empty());
  ViewParams view;
  view.forces = {"lift"};
  view.force_scale = 0.05;
  const FrameData set = prepared_marks(s, view);
  ASSERT_EQ(set.arrows.size(), 1U) << "a force of zero has no arrow";
  EXPECT_LT(glm::length(glm::vec3(set.arrows[0].shift) - glm::vec3(0, 0.2F, 0)), 1e-6F) << "4 N at 0.05 m/N";
  EXPECT_EQ(glm::vec3(set.arrows[0].tail), glm::vec3(0, 0.05F, 0));
  const VectorLegend& legend = set.forces.legend();
  EXPECT_TRUE(legend.shown);
  EXPECT_EQ(legend.unit, "N");
  EXPECT_FLOAT_EQ(legend.max_speed, 4);
  ASSERT_EQ(legend.entries.size(), 1U);
  EXPECT_EQ(legend.entries[0].first, "lift");
  EXPECT_FALSE(set.vectors.legend().shown);
}

TEST(RenderMarks, ContactsAreDotsWithTheirForceOnTheScaleOfTheRules) {
  ViewParams view = nothing_but_surfaces();
  view.contacts = true;
  view.forces = {"lift"};
  view.force_scale = 0.05;
  const FrameData set = prepared_marks(rigid_set(), view);
  ASSERT_EQ(set.marks.groups().size(), 2U);
  EXPECT_EQ(set.marks.groups()[1].points.size(), 6U);
  ASSERT_EQ(set.arrows.size(), 4U);
  EXPECT_EQ(glm::vec3(set.arrows[1].tail), glm::vec3(-0.15F, 0, 0));
  EXPECT_NEAR(set.arrows[1].shift.y, 0.1F, 1e-6F);
  EXPECT_NE(set.arrows[0].tail.w, set.arrows[1].tail.w) << "the arrows must differ in colour";
  EXPECT_EQ(set.forces.legend().entries.back().first, "contacts");
}

TEST(RenderMarks, WhatActuatorsDriveGlowsByTheStrengthAndTheSignOfTheirValue) {
  Snapshot s = rigid_set();
  s.signals = {{"actuator.fan", 0.5, 1, {Vec3f(1, 2, 3)}},
               {"actuator.rest", std::nan(""), 0, {Vec3f(4, 5, 6)}},
               {"sensor.tilt", 1, 0, {}}};
  const FrameData strong = prepared_marks(s, nothing_but_surfaces());
  ASSERT_EQ(strong.marks.groups().size(), 3U) << "the groups are a halo, a dot and its rim";
  EXPECT_EQ(strong.marks.groups()[0].points.front(), glm::vec3(1, 2, 3));
  EXPECT_GT(strong.marks.groups()[0].tint.r, strong.marks.groups()[0].tint.b);
  ASSERT_FALSE(strong.legends.empty());
  const Legend& legend = strong.legends.back();
  EXPECT_EQ(legend.title, "Actuators");
  ASSERT_EQ(legend.entries.size(), 2U);
  EXPECT_EQ(legend.entries[0].first, "fan");
  EXPECT_EQ(legend.entries[0].second, strong.marks.groups()[2].tint) << "the legend has the colours of the dots";

  s.signals[0].value = -0.1;
  const FrameData weak = prepared_marks(s, nothing_but_surfaces());
  EXPECT_LT(weak.marks.groups()[0].half_width_px, strong.marks.groups()[0].half_width_px);
  EXPECT_GT(weak.marks.groups()[0].tint.b, weak.marks.groups()[0].tint.r);

  ViewParams off = nothing_but_surfaces();
  off.actuators = false;
  const FrameData none = prepared_marks(s, off);
  EXPECT_TRUE(none.marks.groups().empty());
  EXPECT_TRUE(none.legends.empty() || none.legends.back().title != "Actuators");
}

TEST(RenderMarks, ParticlesStandInForBodiesThatHaveSome) {
  Snapshot s = rigid_set();
  ViewParams view;
  view.rigid_style = RigidStyle::particles;
  EXPECT_EQ(prepared_marks(s, view).solids.size(), 3U) << "bodies without particles must be drawn as surfaces";
  const auto fill = std::make_shared<const std::vector<Vec3f>>(std::vector<Vec3f>{{-0.02F, 0, 0}, {0.02F, 0, 0}});
  s.systems[0].use_look<RigidLook>().particles.assign(3, fill);
  s.systems[0].use_look<RigidLook>().particle_m = 0.04F;
  const FrameData set = prepared_marks(s, view, {"boxes", 1});
  EXPECT_TRUE(set.solids.empty());
  ASSERT_EQ(set.count, 2U);
  const Figure& balls = set.figures[1];
  ASSERT_EQ(balls.places.size(), 6U);
  EXPECT_EQ(balls.shape, FigureShape::balls);
  EXPECT_EQ(balls.places[0], glm::vec4(-0.17F, 0.05F, 0, 0.02F));
  EXPECT_NEAR(balls.places[3].z, -0.02F * std::sin(0.5F), 1e-6F) << "the particles must have the body's pose";
  EXPECT_EQ(balls.colors[0], set.figures[0].colors[0]);
  EXPECT_NE(balls.colors[2], set.figures[0].colors[1]) << "the selected body must have another colour";
  EXPECT_EQ(prepared_marks(s, {}).count, 1U) << "marks are drawn only if the view requests them";
}

TEST(RenderMarks, SleepingBodiesAreDarkerWhereThatIsAskedFor) {
  Snapshot s = rigid_set();
  const FrameData awake = prepared_marks(s, {});
  s.systems[0].asleep = {0, 1, 0};
  EXPECT_EQ(prepared_marks(s, {}).solids[1].color, awake.solids[1].color);
  ViewParams view;
  view.sleepers = true;
  const FrameData set = prepared_marks(s, view);
  EXPECT_EQ(set.solids[0].color, awake.solids[0].color);
  EXPECT_LT(set.solids[1].color.sum(), 0.7F * awake.solids[1].color.sum());
}

using RenderRigid = RenderTest;

TEST_F(RenderRigid, MoreThan255BodiesAreEachColouredAndPickedForThemselves) {
  Snapshot s;
  s.systems.push_back(box_row(400));
  const FrameData set = prepared_marks(s, {});
  ASSERT_EQ(set.solids.size(), 400U);
  for (const std::size_t i : {0U, 254U, 255U, 256U, 399U}) {
    EXPECT_NEAR(set.solids[i].color.x(), s.systems[0].tint[i].x(), 0.01F) << i;
    const Vec3f& p = s.systems[0].position[i];
    const auto hit = renderer_->pick(s, {{p.x(), p.y(), 1}, {0, 0, -1}});
    ASSERT_TRUE(hit) << i;
    EXPECT_EQ(hit->element, static_cast<std::int64_t>(i));
  }
  ASSERT_EQ(set.legends.size(), 1U);
  EXPECT_EQ(set.legends[0].entries.size(), 1U) << "the legend must not list so many names";
  EXPECT_EQ(set.legends[0].title, "boxes (400)");
}

}  // namespace
}  // namespace vw
