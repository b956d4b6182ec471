// Progress of the generation of fields, for generations that take long enough to need a progress bar. The generator
// owns a GenerationProgress. The window and the command line call generations_running() on any thread to show the
// progress.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace vw {

struct GenerationState {
  std::string name;  ///< description, for example "spectral field 128^3"
  double share = 0;  ///< completed fraction, from 0 to 1
};

/// Returns the generations that are running in this process. The list is usually empty.
[[nodiscard]] std::vector<GenerationState> generations_running();
/// Requests cancellation of all running generations. Each of them then ends with an error.
void cancel_generations();

/// Progress of one generation. generations_running() lists the generation during the lifetime of this object.
class GenerationProgress {
 public:
  explicit GenerationProgress(std::string name);
  ~GenerationProgress();
  GenerationProgress(const GenerationProgress&) = delete;
  GenerationProgress& operator=(const GenerationProgress&) = delete;

  /// Adds `share` to the completed fraction. Any thread may call this function.
  void add(double share);
  [[nodiscard]] bool cancelled() const;

  struct Job;

 private:
  std::shared_ptr<Job> job_;
};

}  // namespace vw
