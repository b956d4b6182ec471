// Errors in user data are returned as values. The libraries never throw an exception for such an error and never exit
// the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace vw {

/// One error at one position in the input. The message omits empty members.
struct Error {
  std::string file;      ///< path as the user gave it
  int line = 0;          ///< 1-based line number, or 0 if there is none
  std::string key;       ///< dotted path of the offending value, e.g. `system.creature.position`
  std::string found;     ///< value found in the input
  std::string expected;  ///< valid values, as a phrase: "must lie in (0, 10] m"
  std::string hint;      ///< nearest valid word ("did you mean"), or empty
  std::string what;      ///< free text if key, found and expected do not apply ("cannot be opened: No such file")

  /// Returns one sentence without a line break:
  /// `pool.toml:14: fluid.radius = -2 m: must lie in (0, 10] m (did you mean ...?)`.
  [[nodiscard]] std::string message() const;
};

template <class T>
using Result = tl::expected<T, Error>;

using Unexpected = tl::unexpected<Error>;

/// Returns an error that consists of the sentence `what` only, or the given error.
[[nodiscard]] Unexpected fail(std::string what);
[[nodiscard]] Unexpected fail(Error error);

/// Returns an error in one value of a scene. `line` is the line on which the table of the value begins (0 means
/// unknown).
[[nodiscard]] Unexpected wrong_value(int line, std::string key, std::string found, std::string expected,
                                     std::string hint = {});
/// Returns an error that concerns a complete file, or one of its lines.
[[nodiscard]] Unexpected wrong_file(std::string file, std::string what);
[[nodiscard]] Unexpected wrong_file(std::string file, int line, std::string what);

/// Returns the candidate with the smallest edit distance to `word`. Returns an empty text if that distance exceeds 1 +
/// (length of `word`) / 3, or if `word` has more than 64 bytes.
[[nodiscard]] std::string nearest_word(std::string_view word, std::span<const std::string> candidates);

}  // namespace vw
