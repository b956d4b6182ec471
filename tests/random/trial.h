// One random scene run for a fifth of a second and looked at from all sides.
#pragma once

#include <cstdint>
#include <string>

#include "tests/random/random_scene.h"

namespace vw::test {

enum class Outcome {
  ran,      ///< to the end
  stopped,  ///< by a health report
  refused,  ///< no world can be made of it, and a sentence says why
  wrong     ///< a number that is not finite and that nobody told of, or results that differ
};
[[nodiscard]] const char* outcome_name(Outcome outcome);

struct Trial {
  Outcome outcome = Outcome::ran;
  std::string sentence;  ///< of the health report or the error, or what is wrong
};
/// `folder` holds the checkpoint that it writes. Runs on one thread and on `threads`.
[[nodiscard]] Trial try_scene(const Node& scene, const std::string& folder, int threads);
/// Another seed is tried where a parameter makes the scene impossible: its parameter takes its default, some times at most.
[[nodiscard]] Trial try_seed(std::uint64_t seed, const SceneFiles& files, const std::string& folder);
/// The scene that try_seed runs in the end.
[[nodiscard]] Node mended_scene(std::uint64_t seed, const SceneFiles& files);

}  // namespace vw::test
