// Runs the chunks of a fixed partition on oneTBB or on the calling thread's LoopTeam.
#include "sim/base/parallel/parallel.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "sim/base/parallel/fork_join.h"
#include "sim/base/parallel/loop_team.h"
#include "sim/base/parallel/one_thread.h"
#include "sim/base/parallel/spare_cores.h"

namespace vw {
namespace {

/// Process-wide limit on the number of oneTBB threads. Results do not depend on the limit.
struct ThreadLimit {
  std::mutex mutex;
  int threads = 0;
  std::unique_ptr<tbb::global_control> control;
};

ThreadLimit& thread_limit() {
  static ThreadLimit limit;
  return limit;
}

std::atomic<int> busy_cores{0};
std::atomic<bool> one_thread{false};

/// Returns whether loops must run on the calling thread alone. This is the case if the limit is one thread, or if the
/// machine has at most two cores and one of them is kept busy (BusyCore).
bool runs_serially() {
  static const bool few = std::thread::hardware_concurrency() <= 2;
  return one_thread.load(std::memory_order_relaxed) || (few && busy_cores.load(std::memory_order_relaxed) > 0);
}

struct Chunks {
  std::size_t count, grain;
  detail::BodyRef body;
  void run(std::size_t chunk) const {
    body.call(body.object, {chunk * grain, std::min(count, (chunk + 1) * grain)}, chunk);
  }
};

/// The function object that oneTBB calls for each chunk.
struct OrderedChunks {
  const Chunks& all;
  detail::ForkJoin& order;
  void operator()(std::size_t chunk) const {
    order.begin_chunk();
    all.run(chunk);
    order.end_chunk();
  }
};

}  // namespace

BusyCore::BusyCore(bool busy) : busy_(busy) { busy_cores += busy_ ? 1 : 0; }
BusyCore::~BusyCore() { busy_cores -= busy_ ? 1 : 0; }

int set_thread_count(int threads) {
  auto& limit = thread_limit();
  const std::lock_guard lock(limit.mutex);
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  limit.threads = threads > 0 ? threads : cores;
  one_thread = limit.threads == 1;
  limit.control.reset();
  limit.control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                        static_cast<std::size_t>(limit.threads));
  return limit.threads;
}

int thread_count() {
  auto& limit = thread_limit();
  const std::lock_guard lock(limit.mutex);
  return limit.threads > 0 ? limit.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void run_on_one_thread(const std::function<void()>& body) {
  tbb::task_arena arena(1);
  arena.execute([&body] { body(); });
}

std::size_t chunk_count(std::size_t count, std::size_t grain) { return (count + grain - 1) / grain; }

void detail::run_chunks(std::size_t count, std::size_t grain, BodyRef body) {
  const std::size_t chunks = chunk_count(count, grain);
  const Chunks all{count, grain, body};
  if (chunks == 1) return all.run(0);
  if (runs_serially()) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) all.run(chunk);
    return;
  }
  if (chunks == 0) return;
  if (LoopTeam* team = TeamedLoops::team(); team != nullptr && chunks <= LoopTeam::most_chunks)
    return team->run(
        chunks, {&all, [](const void* object, std::size_t chunk) { static_cast<const Chunks*>(object)->run(chunk); }});
  detail::ForkJoin order;
  order.fork();
  tbb::parallel_for(std::size_t{0}, chunks, OrderedChunks{all, order}, tbb::simple_partitioner{});
  order.join();
}

}  // namespace vw
