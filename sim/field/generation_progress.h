// Progress of field generations that take long enough for a progress bar. The generator owns a GenerationProgress;
// window and command line poll it from any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace vw {

struct GenerationState {
  std::string name;  ///< Description, for example "spectral field 128^3".
  double share = 0;  ///< Completed fraction, 0 to 1.
};

/// Generations now running in this process; usually empty.
[[nodiscard]] std::vector<GenerationState> generations_running();
/// Requests cancellation of all running generations. They return an error.
void cancel_generations();

/// One generation, listed during its lifetime.
class GenerationProgress {
 public:
  explicit GenerationProgress(std::string name);
  ~GenerationProgress();
  GenerationProgress(const GenerationProgress&) = delete;
  GenerationProgress& operator=(const GenerationProgress&) = delete;

  /// Adds to the completed fraction. Any thread.
  void add(double share);
  [[nodiscard]] bool cancelled() const;

  struct Job;

 private:
  std::shared_ptr<Job> job_;
};

}  // namespace vw
