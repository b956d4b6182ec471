// Thread-local objects are intact when their destructors run (sim/base/system/thread_end_windows.cpp).
#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace vw {
namespace {

std::atomic<int> intact_objects = 0, damaged_objects = 0;

struct ThreadOwned {
  std::array<int, 100> numbers;
  std::vector<int>* list = new std::vector<int>(1000, 7);
  ThreadOwned() { numbers.fill(7); }
  ThreadOwned(const ThreadOwned&) = delete;
  ThreadOwned& operator=(const ThreadOwned&) = delete;
  ~ThreadOwned() {
    const bool intact = std::ranges::all_of(numbers, [](int number) { return number == 7; });
    ++(intact ? intact_objects : damaged_objects);
    if (intact) delete list;
  }
};

thread_local ThreadOwned first_owned, second_owned;

TEST(ThreadLocal, ObjectsAreIntactWhenTheirThreadEnds) {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([] { EXPECT_EQ(first_owned.list->size() + second_owned.list->size(), 2000U); });
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(intact_objects, 160);
  EXPECT_EQ(damaged_objects, 0);
}

}  // namespace
}  // namespace vw
