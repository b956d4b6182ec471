// Runs a function with oneTBB limited to one thread. Libraries that use oneTBB, such as Embree, then divide their work
// in the same way for any number of threads, so their results have the same bits.
#pragma once

#include <functional>

namespace vw {

/// Calls `body` on the calling thread. Loops of oneTBB that `body` starts use this thread only.
void run_on_one_thread(const std::function<void()>& body);

}  // namespace vw
