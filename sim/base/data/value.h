// The value of one parameter, as exchanged between scene file, GUI, --set, undo, journal and report.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/math.h"

namespace vw {

using NumberList = std::vector<double>;
using TextList = std::vector<std::string>;

[[nodiscard]] inline bool contains(const TextList& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

/// Choices are stored as text, colours as Vec3 (linear RGB in [0, 1]), and vectors of integers as Vec3.
using Value = std::variant<bool, std::int64_t, double, Vec3, std::string, NumberList, TextList>;

/// Returns whether type and content are equal, bit for bit. Two scalar NaNs count as equal, so that the function can
/// check that writing and reading a value preserves it.
[[nodiscard]] bool same_value(const Value& a, const Value& b);

/// Returns the shortest text that parses back to the same bits, in TOML notation: `true`, `3`, `0.25`,
/// `[0.0, 1.0, 0.0]`, `"text"`.
[[nodiscard]] std::string to_text(const Value& value);

}  // namespace vw
