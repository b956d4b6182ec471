// The air in the window. Settings of the panel take effect in the next snapshots, a worker thread computes spectra, and
// fields can be added to the scene.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/window/results/spectrum_show.h"
#include "render/air/air_pick.h"
#include "sim/scene/scene.h"
#include "tests/app/window/frames.h"
#include "tests/support/packaged.h"

namespace vw::ui {
namespace {

class WindowAir : public WindowFrames {
 protected:
  void open_scene(App& app, const char* name = "wind-tunnel") {
    open(app, test::packaged_path(name));
    frames_until(app, [&] { return app.session.have_snapshot; });
  }
  static WindowOptions paused() {
    WindowOptions options;
    options.start_paused = true;
    return options;
  }
};

TEST_F(WindowAir, TheNextSnapshotHasWhatThePanelRequests) {
  App app(paused());
  open_scene(app);
  EXPECT_TRUE(app.session.snapshot()->field.slices.empty()) << "no slice plane is requested at first";
  app.ui.layout.open_tab = Layout::Tab::air;
  frame_of(app);
  frame_of(app);
  EXPECT_EQ(app.ui.layout.shown_tab, Layout::Tab::air);
  edit(app, {{"view.air_plane_z", Value(true)}, {"view.air_samples", Value(std::int64_t{32})}});
  frames_until(app, [&] { return !app.session.snapshot()->field.slices.empty(); });
  EXPECT_EQ(app.session.snapshot()->field.quantity, "speed");
  EXPECT_EQ(app.session.snapshot()->field.slices.size(), 1U);
  edit(app,
       {{"view.air_streamlines", Value(std::int64_t{20})}, {"view.air_quantity", Value(std::string("vorticity_y"))}});
  frames_until(app, [&] {
    return !app.session.snapshot()->field.streamlines.point.empty() && app.session.snapshot()->field.is_signed;
  });
  EXPECT_EQ(app.session.snapshot()->field.unit, "1/s");
  edit(app, {{"view.air_plane_z", Value(false)}, {"view.air_streamlines", Value(std::int64_t{0})}});
  frames_until(app, [&] { return app.session.snapshot()->field.slices.empty(); });
  EXPECT_TRUE(app.session.snapshot()->field.streamlines.point.empty());
}

TEST_F(WindowAir, ASpectrumIsMeasuredOnAWorkerAndForgottenWithTheScene) {
  App app(paused());
  open_scene(app);
  app.session.spectrum.start({app.session.document->root(), "wind", 0});
  EXPECT_TRUE(app.session.spectrum.busy());
  frames_until(app, [&] { return !app.session.spectrum.busy(); });
  ASSERT_TRUE(app.session.spectrum.spectrum()) << app.session.spectrum.problem();
  EXPECT_GT(app.session.spectrum.spectrum()->rows.size(), 3U);
  EXPECT_GT(app.session.spectrum.spectrum()->mean_square, 0);
  EXPECT_TRUE(app.session.spectrum.holds_for(app.session.document->root()));
  app.ui.layout.open_tab = Layout::Tab::air;
  edit(app, {{"view.air", Value(std::string("wind"))}});
  frame_of(app);
  frame_of(app);
  EXPECT_FALSE(app.session.spectrum.busy()) << "a spectrum that is shown must not be measured again";
  edit(app, {{"field.wind.length", Value(0.3)}});
  EXPECT_FALSE(app.session.spectrum.holds_for(app.session.document->root()));
  frame_of(app);
  EXPECT_TRUE(app.session.spectrum.busy()) << "the spectrum is measured again after an edit of the field";
  app.session.spectrum.stop();
  EXPECT_FALSE(app.session.spectrum.spectrum());
  app.session.spectrum.start({app.session.document->root(), "nobody", 0});
  frames_until(app, [&] { return !app.session.spectrum.busy(); });
  EXPECT_FALSE(app.session.spectrum.spectrum());
  EXPECT_NE(app.session.spectrum.problem().find("nobody"), std::string::npos) << app.session.spectrum.problem();
}

TEST_F(WindowAir, AFieldIsAddedToASceneThatHasNone) {
  App app(paused());
  open_scene(app, "walker");
  ASSERT_TRUE(app.session.document->root().all("field").empty());
  app.ui.layout.open_tab = Layout::Tab::air;
  frame_of(app);
  const auto& slots = app.session.document->root().schema->slots;
  const auto& kinds = std::ranges::find(slots, "field", &Slot::name)->kinds;
  const auto uniform = std::ranges::find(kinds, "uniform", &Schema::kind);
  ASSERT_NE(uniform, kinds.end());
  for (int k = 0; k < 2; ++k) {
    change_scene(app, {.node_changes = {fresh_child(app.session.document->root(), {}, "field", **uniform)}});
    frames_until(app, [&] {
      return static_cast<int>(app.session.document->root().all("field").size()) == k + 1 && app.session.have_snapshot;
    });
  }
  EXPECT_NE(app.session.document->root().find("field", "uniform"), nullptr);
  EXPECT_NE(app.session.document->root().find("field", "uniform-2"), nullptr)
      << "the second field must have another name";
  frame_of(app);
  undo(app);
  frames_until(app, [&] { return app.session.document->root().all("field").size() == 1 && app.session.have_snapshot; });
  EXPECT_FALSE(app.session.document->root().all("field").empty());
}

TEST(WindowAirReading, AValueIsReadWhereTheRayMeetsAPlane) {
  FieldPicture air;
  FieldSlice slice;
  slice.origin = {-1, -1, 0};
  slice.u_step = {1, 0, 0};
  slice.v_step = {0, 1, 0};
  slice.nu = slice.nv = 3;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) slice.value.push_back(static_cast<float>(i + 10 * j));
  air.slices = {slice, slice};
  air.slices[1].origin.z() = 1;  // The second plane is closer to the camera and has no values.
  for (float& v : air.slices[1].value) v = std::nanf("");
  const auto reading = read_air(air, {{0.25F, -0.5F, 3}, {0, 0, -1}});
  ASSERT_TRUE(reading);
  EXPECT_NEAR(reading->value, 1.25F + 5, 1e-5F);
  EXPECT_NEAR(reading->distance, 3, 1e-5F);
  EXPECT_FALSE(read_air(air, {{1.5F, 0, 3}, {0, 0, -1}})) << "the ray misses the plane";
  EXPECT_FALSE(read_air(air, {{0, 0, -3}, {0, 0, -1}})) << "behind the eye";
}

}  // namespace
}  // namespace vw::ui
#endif
