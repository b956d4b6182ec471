// A look at a TOML text before the parser sees it. The parser builds its tree by recursion and spends some hundred bytes on every value, so a
// hostile text of a few megabytes could overflow the stack or fill the memory; here such texts end as one sentence.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace vw {

inline constexpr std::size_t max_scene_bytes = std::size_t{64} << 20;
inline constexpr int max_toml_depth = 32;                  ///< brackets within brackets
inline constexpr int max_toml_key_parts = 32;              ///< a.b.c...
inline constexpr std::size_t max_toml_values = 5'000'000;  ///< about 80 bytes each in the parser's tree; a table or key counts as several

/// Checks size, UTF-8, NUL bytes, depth of nesting, length of dotted keys and number of values.
[[nodiscard]] Result<void> guard_toml(std::string_view text, const std::string& file);

}  // namespace vw
