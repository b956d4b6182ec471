// Components that the panels use: choice of widgets, history, display clock, file lists, mouse tools, and log.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/window/display_clock.h"
#include "app/window/document/body_names.h"
#include "app/window/document/file_listing.h"
#include "app/window/document/recent_files.h"
#include "app/window/document/scene_edit.h"
#include "app/window/document/scene_loader.h"
#include "app/window/frame_pace.h"
#include "app/window/labels/message_log.h"
#include "app/window/labels/param_style.h"
#include "app/window/labels/quantity_labels.h"
#include "app/window/mouse_tools.h"
#include "app/window/near_pick.h"
#include "app/window/results/history.h"
#include "sim/api/open_scene.h"
#include "sim/scene/scene.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {
namespace fs = std::filesystem;

ParamSpec real(double value, Bounds bounds, Scale scale = Scale::linear) {
  return {
      .name = "x", .unit = Unit::meter_per_second2, .default_value = Value(value), .bounds = bounds, .scale = scale};
}

TEST(WindowParamStyle, ABoundedNumberIsASliderAndAnUnboundedOneIsDragged) {
  EXPECT_EQ(style_of(real(0.5, {0, 1}), 0.5).widget, WidgetKind::slider);
  EXPECT_EQ(style_of(real(1e6, {1e2, 1e12}, Scale::log), 1e6).widget, WidgetKind::log_slider);
  EXPECT_EQ(style_of(real(1, {}), 1.0).widget, WidgetKind::drag);
  EXPECT_EQ(style_of(real(1, {0, std::numeric_limits<double>::max()}), 1.0).widget, WidgetKind::drag);
  EXPECT_EQ(style_of(real(0.05, {0, 1e6}), 0.05).widget, WidgetKind::drag)
      << "a slider of 300 pixels could not set 0.05 of 1e6";
}

TEST(WindowParamStyle, ADragFollowsTheSizeOfTheValue) {
  const ParamSpec spec = real(1, {});
  EXPECT_NEAR(style_of(spec, 1e6).drag_speed / style_of(spec, 1.0).drag_speed, 1e6, 1);
}

TEST(WindowParamStyle, ADragFromZeroGoesSomewhere) {
  const auto reach = [](Unit unit) {  // change of the value over a drag of 200 pixels
    const ParamSpec spec{.name = "x", .unit = unit, .default_value = Value(0.0), .bounds = {0, 1e13}};
    return 200 * static_cast<double>(style_of(spec, 0.0).drag_speed);
  };
  EXPECT_GT(reach(Unit::pascal), 1e4) << "a yield stress";
  EXPECT_GT(reach(Unit::kelvin), 5) << "a temperature's amplitude";
  EXPECT_LT(reach(Unit::meter), 0.1) << "a place within a body of centimetres";
  EXPECT_GT(reach(Unit::meter), 0.005);
  EXPECT_GT(reach(Unit::ratio), 0.05) << "a strain at which bonds break";
}

TEST(WindowParamStyle, UnitsAndBoundsReadAsAPersonWritesThem) {
  EXPECT_EQ(pretty_value(real(0, {}), -9.81), "-9.81 m/s\xC2\xB2");
  EXPECT_EQ(pretty_bounds(real(0, {0, 1})), "0 to 1 m/s\xC2\xB2");
  EXPECT_EQ(pretty_bounds(real(0, {})), "");
  EXPECT_EQ(spelt_out("voxel_size"), "Voxel size");
  const auto& slots = api::new_scene().schema->slots;  // the schema outlives the scene
  const auto& rules = std::ranges::find(slots, "interaction", &Slot::name)->kinds;
  EXPECT_EQ(label_of(**std::ranges::find(rules, "fluid_rigid", &Schema::kind)), "Fluids and rigid bodies");
  EXPECT_EQ(pretty_unit("kg/m^3"), "kg/m\xC2\xB3") << "units of channels are text";
  ParamSpec viscosity = real(0, {0, 1e4});
  viscosity.unit = Unit::pascal_second;
  EXPECT_EQ(pretty_value(viscosity, 0.1), "0.1 Pa\xC2\xB7s");
  EXPECT_EQ(style_of(viscosity, 10.0).format, "%.4g Pa\xC2\xB7s");
  EXPECT_EQ(style_of(viscosity, 5e4).format, "%.0f Pa\xC2\xB7s") << "must be written as 50000, not 5e+04";
  Node scene = api::new_scene();
  add_child(scene, "material", "voxel_material", "skin");
  EXPECT_EQ(path_label(scene, "world.dt"), "Time step");
  EXPECT_EQ(path_label(scene, "material.skin.cte"), "Thermal expansion (skin)");
  EXPECT_EQ(path_label(scene, "system.grains.emitter.gate.rate"), "Rate (grains.emitter.gate)")
      << "a path to a node that does not exist";
}

TEST(WindowParamStyle, EveryDocumentedChoiceHasItsOwnSentence) {
  ParamSpec spec;
  spec.choices = {"single", "loop", "exact", "none"};
  spec.doc = "How it goes. single: cheap; at rest it creeps; loop: safe; exact: slow, right.";
  EXPECT_EQ(choice_doc(spec, "single"), "cheap; at rest it creeps.");
  EXPECT_EQ(choice_doc(spec, "loop"), "safe.");
  EXPECT_EQ(choice_doc(spec, "exact"), "slow, right.");
  EXPECT_EQ(choice_doc(spec, "none"), "");
  const Node lab = test::packaged_scene("lab-bounce");
  int schemes = 0;
  for (const ParamSpec& param : lab.find("system", "exact")->schema->params) {
    if (param.name != "scheme") continue;
    for (const std::string& scheme : param.choices) {
      EXPECT_GT(choice_doc(param, scheme).size(), 10U) << scheme << ": the text must state the trade-off";
      ++schemes;
    }
  }
  EXPECT_EQ(schemes, 5);
}

TEST(WindowParamStyle, TheSearchWantsEveryWordInAnyOrderAndCase) {
  EXPECT_TRUE(matches_filter("system.creature.material.youngs_modulus", "YOUNG creature"));
  EXPECT_FALSE(matches_filter("system.creature.material.youngs_modulus", "young particles"));
  EXPECT_TRUE(matches_filter("anything", ""));
}

TEST(WindowParamStyle, ColoursGoToSrgbAndBack) {
  for (double c = 0; c <= 1; c += 0.01)
    // The linear and the power branch of the sRGB curve differ by up to 1e-7 where they join (IEC 61966-2-1).
    EXPECT_NEAR(linear_from_srgb(srgb_from_linear(c)), c, 1e-7);
  EXPECT_NEAR(srgb_from_linear(0.5), 0.735357, 1e-6);
}

TEST(WindowBodyNames, TellCopiesApartAndSayNothingWhereNumbersRunOut) {
  SystemSnapshot system;
  system.palette_names = {"crate", "ball"};
  system.material = {0, 0, 1};
  system.position.resize(3);
  EXPECT_EQ(body_name(system, 1), "crate-2");
  EXPECT_EQ(body_node(system, 1), "crate");
  EXPECT_EQ(body_name(system, 2), "ball");
  EXPECT_EQ(body_name(system, 3), "");
  system.palette_names.clear();
  system.material.clear();
  for (std::size_t i = 0; i < 300; ++i) {
    system.palette_names.push_back("body" + std::to_string(i));
    system.material.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(i, 255)));
  }
  system.position.resize(300);
  EXPECT_EQ(body_name(system, 280), "body280");
  // With 301 bodies and 300 names, at least one body is a copy. `material` has only 8 bits: the index 255 stands for
  // all nodes from the 256th on, so the node of body 280 is unknown.
  system.material.push_back(255);
  system.position.resize(301);
  EXPECT_EQ(body_node(system, 280), "");
  EXPECT_EQ(body_name(system, 12), "body12");
}

TEST(WindowHistory, KeepsTheWholeCourseInBoundedMemory) {
  History history;
  Snapshot snapshot;
  snapshot.systems.resize(2);
  for (int step = 0; step < 200000; ++step) {
    snapshot.time_s = step / 120.0;
    snapshot.systems[0].kinetic_j = step;
    snapshot.systems[1].kinetic_j = 1;
    snapshot.systems[1].center_of_mass = Vec3(1, step, 0);
    history.add(snapshot);
  }
  const auto& rows = history.rows();
  ASSERT_LT(rows.size(), History::limit);
  ASSERT_GT(rows.size(), History::limit / 4);
  EXPECT_EQ(rows.front().time_s, 0);
  EXPECT_GT(rows.back().time_s, 0.99 * 200000 / 120.0);
  for (std::size_t i = 1; i < rows.size(); ++i) ASSERT_GT(rows[i].time_s, rows[i - 1].time_s);
  for (const HistoryRow& row : rows) {
    ASSERT_EQ(row.centers.size(), 2U);
    ASSERT_NEAR(row.centers[1].y(), row.time_s * 120, 1e-6);
  }
  EXPECT_NEAR(rows.back().kinetic_j, rows.back().time_s * 120 + 1, 1e-6);
}

TEST(WindowHistory, StartsAgainAfterAReset) {
  History history;
  Snapshot snapshot;
  for (int step = 0; step < 100; ++step) {
    snapshot.time_s = step / 120.0;
    history.add(snapshot);
  }
  snapshot.epoch = 1;
  snapshot.time_s = 0;
  history.add(snapshot);
  EXPECT_EQ(history.rows().size(), 1U);
}

/// Returns the simulation time that the clock displays in each frame. The world takes steps of `dt` [s] at `speed`
/// times real time. The display draws `fps` frames per second until the wall time `wall_end` [s].
std::vector<double> shown_times(double dt, double speed, double fps, double wall_end) {
  DisplayClock clock;
  Snapshot previous, newest;
  previous.paused = newest.paused = false;
  newest.asked_speed = speed;
  std::vector<double> shown;
  for (double wall = 0; wall < wall_end; wall += 1 / fps) {
    const double time = dt * std::floor(wall * speed / dt);
    if (time > newest.time_s) {
      previous = newest;
      newest.time_s = time;
    }
    const double blend = static_cast<double>(clock.advance(previous, newest, wall));
    shown.push_back(previous.time_s + blend * (newest.time_s - previous.time_s));
  }
  return shown;
}

TEST(WindowDisplayClock, MotionIsEvenAndLagsLessThanTwoSnapshots) {
  // Three steps: shorter than a frame and in phase with the frames, shorter and out of phase, and far longer than a
  // frame.
  for (const double dt : {1.0 / 120, 1.0 / 90, 0.2}) {
    const auto shown = shown_times(dt, 1, 60, 6);
    for (std::size_t i = 180; i < shown.size(); ++i) {
      const double moved = shown[i] - shown[i - 1];
      EXPECT_GE(moved, 0) << dt << " frame " << i;  // the displayed time never goes backwards
      // Frames sample the snapshots at discrete times, so the increments jitter. A jump to the next snapshot, however,
      // would be as long as 12 frames with steps of 0.2 s.
      EXPECT_LE(moved, 2.6 / 60) << dt << " frame " << i;
      EXPECT_LE(static_cast<double>(i) / 60 - shown[i], 2 * std::max(dt, 1.0 / 60) + 1e-9) << dt << " frame " << i;
    }
  }
}

TEST(WindowDisplayClock, APausedWorldIsShownAsItIs) {
  DisplayClock clock;
  Snapshot previous, newest;
  newest.time_s = 1;
  newest.paused = true;
  EXPECT_EQ(clock.advance(previous, newest, 3), 1.0F);
}

TEST(WindowFiles, FoldersComeFirstThenScenesByName) {
  const test::Scratch folder;
  fs::create_directory(folder.path("zoo"));
  for (const char* name : {"b.toml", "A.VXA", "c.txt", ".hidden.toml"}) folder.write(name, "x");
  const auto entries = list_folder(folder.folder(), scene_extensions());
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].name, "zoo");
  EXPECT_TRUE(entries[0].folder);
  EXPECT_EQ(entries[1].name, "A.VXA");
  EXPECT_EQ(entries[2].name, "b.toml");
  EXPECT_TRUE(list_folder(folder.path("missing"), scene_extensions()).empty());
}

TEST(WindowFiles, NamesOfCapturesNeverCollide) {
  const test::Scratch folder;
  const std::string first = dated_name(folder.folder(), "scene", ".png");
  std::ofstream(first) << "x";
  EXPECT_NE(dated_name(folder.folder(), "scene", ".png"), first);
}

TEST(WindowFiles, ATildeIsTheHomeOfTheUser) {
  const char* home = std::getenv("HOME");
  if (home == nullptr) GTEST_SKIP() << "no home";
  EXPECT_EQ(in_home("~/Videos"), std::string(home) + "/Videos");
  EXPECT_EQ(in_home("~"), home);
  EXPECT_EQ(in_home("a/~/b"), "a/~/b");
  EXPECT_EQ(in_home("~old"), "~old") << "a name that begins with ~ is not the home";
}

TEST(WindowFiles, RecentFilesAreRememberedNewestFirstOnceEach) {
  const test::Scratch folder;
  {
    RecentFiles recent(folder.folder());
    for (int i = 0; i < 20; ++i) recent.add(folder.path(std::to_string(i) + ".toml"));
    recent.add(folder.path("15.toml"));
  }
  const RecentFiles again(folder.folder());
  ASSERT_EQ(again.paths().size(), 12U);
  EXPECT_EQ(fs::path(again.paths()[0]).filename(), "15.toml");
  EXPECT_EQ(fs::path(again.paths()[1]).filename(), "19.toml");
  EXPECT_EQ(std::count(again.paths().begin(), again.paths().end(), again.paths()[0]), 1);
}

TEST(WindowFiles, TwoWindowsKeepTheRecentFilesOfEachOther) {
  const test::Scratch folder;
  RecentFiles first(folder.folder()), second(folder.folder());
  first.add(folder.path("a.toml"));
  second.add(folder.path("b.toml"));
  for (const RecentFiles& recent : {second, RecentFiles(folder.folder())}) {
    ASSERT_EQ(recent.paths().size(), 2U);
    EXPECT_EQ(fs::path(recent.paths()[0]).filename(), "b.toml");
    EXPECT_EQ(fs::path(recent.paths()[1]).filename(), "a.toml");
  }
}

TEST(WindowLog, ARepeatedLineIsCountedNotRepeated) {
  MessageLog log;
  for (int i = 0; i < 5; ++i) log.info("again");
  ASSERT_EQ(log.messages().size(), 1U);
  EXPECT_EQ(log.messages()[0].repeats, 5);
}

TEST(WindowLog, IsBounded) {
  MessageLog log;
  for (int i = 0; i < 10000; ++i) log.info("line " + std::to_string(i));
  EXPECT_LE(log.messages().size(), 2000U);
  EXPECT_EQ(log.messages().back().text, "line 9999");
}

TEST(WindowMouse, ADragStaysInThePlaneParallelToThePictureThroughTheGrabbedPoint) {
  Camera camera;
  camera.eye = {0, 1, 5};
  camera.target = {0, 0, 0};
  const glm::vec3 forward = glm::normalize(camera.target - camera.eye);
  const glm::vec3 grabbed{0.3F, 0.2F, -0.4F};
  for (const glm::vec3 direction : {forward, glm::normalize(forward + glm::vec3(0.2F, 0.1F, 0)),
                                    glm::normalize(forward - glm::vec3(0.3F, 0, 0.1F))}) {
    const auto target = drag_target(camera, {camera.eye, direction}, grabbed);
    ASSERT_TRUE(target);
    EXPECT_NEAR(glm::dot(*target - grabbed, forward), 0, 1e-5) << "up to the rounding of floats of a few metres";
  }
  EXPECT_FALSE(drag_target(camera, {camera.eye, -forward}, grabbed)) << "behind the camera";
}

TEST(WindowMouse, TheSpringLiftsTheBodyByAThirdOfItsSizeWhereverItIs) {
  SystemSnapshot body;
  body.use_look<VoxelLook>();
  // The body's centre is at y = 0, so its potential energy is 0 for any mass. The mass must be taken from mass_kg, not
  // from the energy.
  body.position = {Vec3f(-0.1F, -0.1F, 0), Vec3f(0.1F, 0.1F, 0)};
  body.mass_kg = 0.25;
  const double g = 9.81;
  const Handle handle = handle_of(body, 0);
  EXPECT_EQ(handle.mass_kg, body.mass_kg);
  EXPECT_NEAR(handle.mass_kg * g / grab_stiffness(handle, g), system_radius(body) / 3, 1e-9);
}

TEST(WindowLabels, TimesHaveEnoughDecimalsForShortSteps) {
  EXPECT_EQ(clock_text(0.25, 1.0 / 120), "0.250 s");
  EXPECT_EQ(clock_text(1.2e-5, 1e-6), "0.000012 s");
  EXPECT_EQ(clock_text(3, 0), "3.000 s");
}

TEST(WindowMouse, APushMovesABodyOfASingleVoxel) {
  SystemSnapshot body;
  body.use_look<VoxelLook>();
  body.position = {Vec3f(0, 1, 0)};
  body.size = {0.5F};
  body.mass_kg = 2;
  EXPECT_EQ(push_along(body, 0, Vec3(0, 1, 0), 5).impulse, Vec3(0, 2, 0)) << "two edges per second";
}

TEST(WindowMouse, APushOnAParticleMovesItsNeighboursOnly) {
  SystemSnapshot grains;
  grains.use_look<SphereLook>();
  grains.mass_kg = 0.004;  // four grains of one gram each
  grains.size.assign(4, 0.01F);
  grains.position = {Vec3f(0, 0, 0), Vec3f(0.03F, 0, 0), Vec3f(1, 0, 0), Vec3f(-1, 0, 0)};
  EXPECT_NEAR(handle_of(grains, 0).mass_kg, 0.001, 1e-12);
  const Push push = push_along(grains, 0, Vec3(0, 1, 0), 0.5);
  EXPECT_LT(push.radius_m, 1);
  EXPECT_GT(push.radius_m, 0.03);
  EXPECT_NEAR(push.impulse.y(), 0.002 * 2 * 0.5, 1e-9) << "two grains, at two scene radii per second";
}

TEST(WindowMouse, ARigidBodyIsTakenAndPushedAlone) {
  SystemSnapshot bodies;
  bodies.use_look<RigidLook>();
  bodies.mass_kg = 6;
  bodies.size.assign(3, 0.1F);
  bodies.position = {Vec3f(0, 0, 0), Vec3f(0.21F, 0, 0), Vec3f(0.42F, 0, 0)};  // almost touching
  const Handle handle = handle_of(bodies, 1);
  EXPECT_NEAR(handle.size_m, 0.2, 1e-7) << "the size must be the width of the body";
  EXPECT_NEAR(handle.mass_kg * 9.81 / grab_stiffness(handle, 9.81), 0.2 / 3, 1e-7);
  const Push push = push_along(bodies, 1, Vec3(1, 0, 0), 5);
  EXPECT_EQ(push.radius_m, 0) << "the neighbours must not be pushed";
  EXPECT_NEAR(push.impulse.x(), 2 * 0.4, 1e-6) << "two body lengths per second";
}

TEST(WindowLoader, AMissingSceneIsAnErrorNotAnException) {
  SceneLoader loader;
  loader.start({"/nowhere/at/all.toml", {}, false});
  std::optional<Result<LoadedRun>> outcome;
  while (!outcome) outcome = loader.poll();
  ASSERT_FALSE(*outcome);
  EXPECT_NE(outcome->error().message().find("all.toml"), std::string::npos);
  EXPECT_FALSE(loader.busy());
}

TEST(WindowLoader, OnlyTheNewestRequestCounts) {
  SceneLoader loader;
  loader.start({"/nowhere/first.toml", {}, false});
  loader.start({"/nowhere/second.toml", {}, false});
  std::optional<Result<LoadedRun>> outcome;
  while (!outcome) outcome = loader.poll();
  EXPECT_NE(outcome->error().message().find("second"), std::string::npos);
  EXPECT_FALSE(loader.poll());
}

TEST(FramePace, SparesASimulationThatIsBehindOnlyWhereTheProcessorDrawsAndNobodyIsAtIt) {
  FramePace pace;
  FramePace::Now now{0, 1.0 / 60, true, false, false};
  EXPECT_EQ(pace.period_s(now), now.display_s);
  now.behind = true;
  const double spared = pace.period_s(now);
  EXPECT_GT(spared, 1.0 / 25);
  EXPECT_LT(spared, 1.0 / 20);
  now.in_use = true;
  EXPECT_EQ(pace.period_s(now), now.display_s);
  now.in_use = now.behind = false;
  now.wall_s = 4;
  // After the simulation was too slow, the reduced frame rate applies for 5 s.
  EXPECT_EQ(pace.period_s(now), spared);
  now.wall_s = 6;
  EXPECT_EQ(pace.period_s(now), now.display_s);
  FramePace device;
  EXPECT_EQ(device.period_s({0, 1.0 / 60, false, true, false}), 1.0 / 60);
}

TEST(FramePace, ShowsPanelsInEveryFrameUnlessItSpares) {
  FramePace pace;
  FramePace::Now now{0, 1.0 / 60, true, false, false};
  for (; now.wall_s < 1; now.wall_s += 0.02) EXPECT_TRUE(pace.wants_panels(now));
  now.behind = true;
  int frames = 0, panels = 0;
  for (; now.wall_s < 11; now.wall_s += pace.period_s(now), ++frames) panels += pace.wants_panels(now) ? 1 : 0;
  EXPECT_NEAR(frames, 210, 2);
  EXPECT_NEAR(panels, frames / 4, 2) << "five times per second, so that numbers can be read";
  now.in_use = true;
  EXPECT_TRUE(pace.wants_panels(now));
}

TEST(WindowNearPick, AClickBesideASmallMemberMeansItUnlessSomethingStandsBefore) {
  Camera camera;
  camera.eye = {0, 0, 10};
  camera.target = {0, 0, 0};
  Snapshot snapshot;
  SystemSnapshot& birds = snapshot.systems.emplace_back();
  birds.name = "birds";
  birds.use_look<MemberLook>();
  birds.position = {{0, 0, 0}, {0.1F, 0, 0}, {0, 0, 20}};
  SystemSnapshot& water = snapshot.systems.emplace_back();
  water.name = "water";
  water.use_look<FluidLook>();
  water.position = {{0, 0, 0}};
  ClickPlace click{.at = {400, 305}, .size = {800, 600}};  // five pixels below the centre of the window
  const auto middle = pick_near(snapshot, camera, click);
  ASSERT_TRUE(middle);
  EXPECT_EQ(middle->system, "birds");
  EXPECT_EQ(middle->element, 0);
  EXPECT_FLOAT_EQ(middle->distance, 10);
  // The second bird is 0.1 m beside the first, both 10 m from the camera. Half the width of the picture is 400 pixels
  // and 10 m * tan(20 deg) * 16 / 9 = 6.5 m, so 0.1 m is 6.2 pixels.
  click.at = {406, 300};
  EXPECT_EQ(pick_near(snapshot, camera, click)->element, 1);
  click.at = {430, 300};
  EXPECT_FALSE(pick_near(snapshot, camera, click)) << "the click is too far from the member";
  click.at = {400, 305};
  click.end_m = 9;
  EXPECT_FALSE(pick_near(snapshot, camera, click)) << "the member is behind a wall";
  click.end_m = 0;
  CutPlanes cut;
  cut.add({0, 0, 1, -1});
  EXPECT_FALSE(pick_near(snapshot, camera, click, cut)) << "the cut hides the member";
}

}  // namespace
}  // namespace vw
