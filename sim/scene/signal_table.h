// Reads tables of times and values for actuators from CSV files.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/data/value.h"
#include "sim/base/error.h"

namespace vw {

struct SignalTable {
  NumberList times, values;
};
/// Parses a table with one row per line: the time [s] in the first column and the value in the second, separated by a
/// comma, a semicolon or a tab. Further columns, empty lines and lines that begin with # are ignored. A first row
/// without numbers is a heading and is ignored. An error names the file and the line.
[[nodiscard]] Result<SignalTable> read_signal_table(std::string_view text, const std::string& file);

}  // namespace vw
