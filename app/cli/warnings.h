// Prints the warnings of a world or run on stderr, in the same form for every command. These functions are not
// thread-safe.
#pragma once

#include <string>
#include <vector>

#include "sim/api/run.h"

namespace vw::cli {

/// Prints notes on the files and the setup of a scene (World::notes, api::Run::notes). Call this function once after
/// the world has been built.
void say_notes(const std::vector<std::string>& notes);
/// Prints the warnings that the last step has caused for the first time. Call this function after every step.
void say_warnings(api::Run& run);

}  // namespace vw::cli
