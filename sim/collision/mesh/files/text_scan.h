// Splits the text of mesh files and height tables into words and numbers, without copying it.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace vw {

/// Reads a finite number. The number must extend over the complete word. A leading + is allowed.
[[nodiscard]] inline std::optional<double> finite_number(std::string_view word) {
  if (word.starts_with('+') && word.size() > 1 && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size()) return std::nullopt;
  // A number too small for a double, such as 1e-400, becomes 0. A number too large for a double is rejected.
  if (code == std::errc::result_out_of_range)
    return word.find_first_of("eE") != word.npos && word.find('-', 1) != word.npos ? std::optional(0.0) : std::nullopt;
  if (code != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

template <class Integer>
[[nodiscard]] std::optional<Integer> whole_number(std::string_view word) {
  Integer value{};
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// Splits text into lines and counts them.
class TextScan {
 public:
  explicit TextScan(std::string_view text) : rest_(text) {}

  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  /// Returns the next line without its line end (`\n`, `\r\n` or `\r`), or nullopt after the last line.
  [[nodiscard]] std::optional<std::string_view> next_line() {
    if (rest_.empty()) return std::nullopt;
    ++line_;
    const std::size_t end = rest_.find_first_of("\r\n");
    const std::string_view line = rest_.substr(0, end);
    if (end == std::string_view::npos)
      rest_ = {};
    else
      rest_.remove_prefix(end + (rest_.substr(end).starts_with("\r\n") ? 2 : 1));
    return line;
  }

 private:
  std::string_view rest_;
  int line_ = 0;
};

/// Removes the first word from a line and returns it. Returns an empty word if the line has no words left.
[[nodiscard]] inline std::string_view take_word(std::string_view& line, std::string_view blanks = " \t\v\f") {
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) {
    line = {};
    return {};
  }
  const std::size_t end = std::min(line.size(), line.find_first_of(blanks, begin));
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

}  // namespace vw
