// Generation of a field that takes long enough for a bar. Who generates keeps a GenerationProgress; window and command line poll, from any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace vw {

struct GenerationState {
  std::string name;  ///< what is made: "spectral field 128^3"
  double share = 0;  ///< done, 0 .. 1
};

/// What is being generated in this process just now; empty mostly.
[[nodiscard]] std::vector<GenerationState> generations_running();
/// Asks all that run now to give up; they return an error.
void cancel_generations();

/// One generation, listed while it lives.
class GenerationProgress {
 public:
  explicit GenerationProgress(std::string name);
  ~GenerationProgress();
  GenerationProgress(const GenerationProgress&) = delete;
  GenerationProgress& operator=(const GenerationProgress&) = delete;

  /// More of the whole is done; from any thread.
  void add(double share);
  [[nodiscard]] bool cancelled() const;

  struct Job;

 private:
  std::shared_ptr<Job> job_;
};

}  // namespace vw
