// Replaces this process by another program that implements a command.
#pragma once

#include <string>
#include <vector>

namespace vw::cli {

/// Runs the program `words.front()` with the given words as arguments, in place of this process. A name without a
/// slash is looked up in PATH. The function returns only if the program cannot be started. It then prints an error,
/// with the sentence `missing` if there is no such program, and returns exit_bad_input.
int hand_over(std::vector<std::string> words, const std::string& missing);

}  // namespace vw::cli
