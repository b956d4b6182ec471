// Replaces this process by another program that implements a command.
#pragma once

#include <string>
#include <vector>

namespace vw::cli {

/// Replaces this process by the program `words.front()`, with the arguments `words`. A name without a slash is looked
/// up in PATH. The function returns only if the program cannot be started. In this case, it prints an error (`missing`
/// if there is no such program) and returns exit_bad_input.
int hand_over(std::vector<std::string> words, const std::string& missing);

}  // namespace vw::cli
