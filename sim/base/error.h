// What went wrong with a user's data, as a value: never an exception, never an exit from inside a library.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace vw {

/// One mistake in one place. Empty parts are left out of the sentence.
struct Error {
  std::string file;      ///< path as the user gave it
  int line = 0;          ///< 1-based; 0 when there is none
  std::string key;       ///< dotted path of the offending value, e.g. `system.creature.position`
  std::string found;     ///< what stands there
  std::string expected;  ///< what would be right, as a phrase: "must lie in (0, 10] m"
  std::string hint;      ///< the nearest valid word ("did you mean"), or empty
  std::string what;      ///< free sentence when key/found/expected do not fit ("cannot be opened: No such file")

  /// One clear sentence without a line break: `pool.toml:14: fluid.radius = -2 m: must lie in (0, 10] m (did you mean ...?)`.
  [[nodiscard]] std::string message() const;
};

template <class T>
using Result = tl::expected<T, Error>;

using Unexpected = tl::unexpected<Error>;

/// Shorthand for a failure that is only a sentence.
[[nodiscard]] Unexpected fail(std::string what);
[[nodiscard]] Unexpected fail(Error error);

/// A mistake in one value of a scene, on the line where its part begins (0: none).
[[nodiscard]] Unexpected wrong_value(int line, std::string key, std::string found, std::string expected, std::string hint = {});
/// A mistake in a file, as a whole or on one of its lines.
[[nodiscard]] Unexpected wrong_file(std::string file, std::string what);
[[nodiscard]] Unexpected wrong_file(std::string file, int line, std::string what);

/// The candidate with the smallest edit distance to `word`, or empty when none is near (distance > 1 + length / 3).
[[nodiscard]] std::string nearest_word(std::string_view word, std::span<const std::string> candidates);

}  // namespace vw
