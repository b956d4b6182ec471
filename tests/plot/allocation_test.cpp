// Measuring plots allocates no memory after every buffer has reached its size. This program counts the calls of
// operator new on the tested thread.

#include "plot_scene.h"
#include "sim/plot/plot_recorder.h"
#include "tests/support/allocation_counter.h"

namespace vw {
namespace {

TEST(PlotRecorder, MeasuresWithoutAllocating) {
  for (const char* name : {"lab-bounce", "lab-convergence", "lab-corner", "lab-incline"}) {
    Node scene = test::packaged_scene(name);
    auto plots = PlotSet::compile(scene);
    ASSERT_TRUE(plots);
    SnapshotRequest wanted{.channels = plots->wanted().channels};
    PlotRecorder recorder(std::move(*plots));
    auto world = World::create(std::move(scene));
    ASSERT_TRUE(world);
    (*world)->subscribe(std::move(wanted));
    Snapshot snapshot;
    PlotData data;
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE((*world)->step());
      (*world)->write_snapshot(snapshot);
      recorder.take(snapshot);
    }
    allocations = 0;
    counting = true;
    for (int i = 0; i < 20; ++i) recorder.take(snapshot);
    counting = false;
    EXPECT_EQ(allocations, 0U) << name;
    counting = true;
    ASSERT_TRUE(recorder.read(data));
    counting = false;
    EXPECT_GT(allocations, 0U) << "the first read() must allocate its copy; else the counter does not work";
  }
}

TEST(PlotRecorder, LooksAtAColliderInPlaceForEveryElement) {
  auto scene = plot_test::scene_of(plot_test::two_balls(
      "[[collider]]\nkind = \"box\"\nname = \"an-obstacle-with-a-long-name-of-its-own\"\n[[plot]]\nname = "
      "\"p\"\n[[plot.curve]]\nkind = \"measured\"\nname = \"gap\"\nsystem = \"right\"\nquantity = "
      "\"gap\"\nover = \"min\"\ncollider = \"an-obstacle-with-a-long-name-of-its-own\"\n"));
  ASSERT_TRUE(scene) << scene.error().message();
  auto plots = PlotSet::compile(*scene);
  ASSERT_TRUE(plots) << plots.error().message();
  PlotRecorder recorder(std::move(*plots));
  auto world = World::create(std::move(*scene));
  ASSERT_TRUE(world);
  Snapshot snapshot;
  (*world)->write_snapshot(snapshot);
  recorder.take(snapshot);
  allocations = 0;
  counting = true;
  recorder.take(snapshot);
  counting = false;
  EXPECT_EQ(allocations, 0U);
}

}  // namespace
}  // namespace vw
