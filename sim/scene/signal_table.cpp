#include "sim/scene/signal_table.h"

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sim/scene/toml/text.h"

namespace vw {
namespace {

constexpr std::size_t max_rows = 1'000'000;

std::string_view without_spaces(std::string_view text) {
  constexpr std::string_view spaces = " \r\"";
  const std::size_t first = text.find_first_not_of(spaces);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

/// Returns the text up to the next separator. Removes this text and the separator from the front of `line`.
std::string_view take_column(std::string_view& line, char separator) {
  const std::size_t end = std::min(line.find(separator), line.size());
  const std::string_view column = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return without_spaces(column);
}

std::optional<double> as_number(std::string_view text) {
  double number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace

Result<SignalTable> read_signal_table(std::string_view text, const std::string& file) {
  SignalTable table;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  bool may_be_heading = true;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const std::string_view content = without_spaces(line); content.empty() || content.front() == '#') continue;
    const std::string whole(line);
    // A row has a single separator. A row with decimal commas, such as "0,5;1,25", is thus an error and is not misread.
    const std::size_t separator_at = line.find_first_of(",;\t");
    const char separator = separator_at == std::string_view::npos ? ',' : line[separator_at];
    const std::string_view first = take_column(line, separator), second = take_column(line, separator);
    const auto time = as_number(first), value = as_number(second);
    const bool is_heading = may_be_heading && !time && !value;
    may_be_heading = false;
    if (is_heading) continue;
    if (!time || !value)
      return wrong_file(
          file, number,
          fmt::format("\"{}\" is not a row of the table; expected two finite numbers, a time and a value, "
                      "separated by a comma, a semicolon or a tab",
                      one_line(whole, 60)));
    if (!table.times.empty() && !(*time > table.times.back()))
      return wrong_file(
          file, number,
          fmt::format("the time {:g} s follows {:g} s; expected ascending times", *time, table.times.back()));
    if (table.times.size() == max_rows)
      return wrong_file(file, number, fmt::format("the table has too many rows; expected at most {}", max_rows));
    table.times.push_back(*time);
    table.values.push_back(*value);
  }
  if (table.times.empty()) return wrong_file(file, "contains no row with a time and a value");
  return table;
}

}  // namespace vw
