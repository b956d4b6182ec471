// Measuring allocates nothing once every buffer has its size: this program counts what operator new is asked for on the thread under test.
#include <cstdlib>
#include <new>

#include "plot_scene.h"
#include "sim/plot/plot_recorder.h"

namespace {

thread_local bool counting = false;
thread_local std::size_t allocations = 0;

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (counting) ++allocations;
  void* memory =
      alignment <= alignof(std::max_align_t) ? std::malloc(bytes) : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, 1); }
void* operator new[](std::size_t bytes) { return allocate(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return allocate(bytes, static_cast<std::size_t>(alignment)); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return allocate(bytes, static_cast<std::size_t>(alignment)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace vw {
namespace {

TEST(PlotRecorder, MeasuresWithoutAllocating) {
  for (const char* name : {"lab-bounce", "lab-convergence", "lab-corner", "lab-incline"}) {
    auto scene = load_scene(*find_scene(name));
    ASSERT_TRUE(scene) << scene.error().message();
    auto plots = PlotSet::compile(scene->root);
    ASSERT_TRUE(plots);
    const auto channels = plots->channels();
    PlotRecorder recorder(std::move(*plots));
    auto world = World::create(std::move(scene->root));
    ASSERT_TRUE(world);
    Snapshot snapshot;
    PlotData data;
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE((*world)->step());
      (*world)->write_snapshot(snapshot, channels);
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
    EXPECT_GT(allocations, 0U) << "the counter does count: this is the copy's first";
  }
}

}  // namespace
}  // namespace vw
