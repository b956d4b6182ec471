// Runs one random scene for a fifth of a second. The values must be finite and independent of the number of threads, a
// resumed run must equal the whole run, and snapshots must be possible.
#pragma once

#include <cstdint>
#include <string>

#include "tests/random/random_scene.h"

namespace vw::test {

enum class Outcome {
  ran,      ///< the scene ran to the end
  stopped,  ///< a health report stopped the run
  refused,  ///< no world can be made of the scene, and an error message says why
  wrong     ///< an unreported value is not finite, or results differ
};
[[nodiscard]] const char* outcome_name(Outcome outcome);

struct Trial {
  Outcome outcome = Outcome::ran;
  std::string sentence;  ///< text of the health report or error, or a description of the fault
};
/// Runs the scene on one thread and on `threads` threads. The checkpoint is written into `folder`.
[[nodiscard]] Trial try_scene(const Node& scene, const std::string& folder, int threads);
/// Tries the scene of a seed. If a parameter makes the scene impossible, that parameter is reset to its default and the
/// scene is tried again, up to a fixed number of times.
[[nodiscard]] Trial try_seed(std::uint64_t seed, const SceneFiles& files, const std::string& folder);
/// Returns the scene that try_seed finally runs.
[[nodiscard]] Node mended_scene(std::uint64_t seed, const SceneFiles& files);

}  // namespace vw::test
