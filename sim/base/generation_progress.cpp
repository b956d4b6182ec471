#include "sim/base/generation_progress.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace vw {

struct GenerationProgress::Job {
  std::string name;
  std::atomic<double> share = 0;
  std::atomic<bool> cancelled = false;
};

namespace {

/// List of running jobs. A process has only one list, because generators and windows have no reference to each other.
struct JobList {
  std::mutex mutex;
  std::vector<std::shared_ptr<GenerationProgress::Job>> jobs;
};
JobList& job_list() {
  static JobList all;
  return all;
}

}  // namespace

std::vector<GenerationState> generations_running() {
  const std::scoped_lock lock(job_list().mutex);
  std::vector<GenerationState> states;
  for (const auto& job : job_list().jobs) states.push_back({job->name, std::clamp(job->share.load(), 0.0, 1.0)});
  return states;
}

void cancel_generations() {
  const std::scoped_lock lock(job_list().mutex);
  for (const auto& job : job_list().jobs) job->cancelled = true;
}

GenerationProgress::GenerationProgress(std::string name) : job_(std::make_shared<Job>()) {
  job_->name = std::move(name);
  const std::scoped_lock lock(job_list().mutex);
  job_list().jobs.push_back(job_);
}

GenerationProgress::~GenerationProgress() {
  const std::scoped_lock lock(job_list().mutex);
  std::erase(job_list().jobs, job_);
}

void GenerationProgress::add(double share) { job_->share.fetch_add(share); }
bool GenerationProgress::cancelled() const { return job_->cancelled; }

}  // namespace vw
