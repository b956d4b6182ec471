// Differences between two states in memory, array by array and number by number. Both blocks must have been filled by
// StateWriter, because blocks read from files lack the descriptions of the arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/data/state.h"

namespace vw {

/// A number of a state: a floating-point number, a signed or an unsigned integer.
using StateNumber = std::variant<double, std::int64_t, std::uint64_t>;

/// Difference between an array in state A and the array of the same name in state B.
struct StateDifference {
  enum class Kind {
    value,      ///< numbers differ
    elements,   ///< the systems consist of elements with different identities
    length,     ///< the arrays have different numbers of rows
    layout,     ///< the rows have different members, because the systems are of different kinds
    only_in_a,  ///< B has no such array or no such object
    only_in_b,  ///< A has no such array or no such object
  };
  Kind kind = Kind::value;
  std::string part;   ///< kind of the object to which the array belongs: "world", "system", "interaction", "actuator"
                      ///< or "sensor"
  std::string name;   ///< name of the system, rule or actuator; empty for "world" and "sensor"
  std::string array;  ///< name of the array, such as "position"; empty if only one state has the object
  std::string rows;   ///< noun for a row of the array, such as "element"; empty for a single value
  std::size_t rows_a = 0, rows_b = 0;        ///< number of rows
  std::size_t only_in_a = 0, only_in_b = 0;  ///< for Kind::elements: number of elements that exist only in A and only
                                             ///< in B
  std::size_t rows_differing = 0;            ///< for Kind::value: number of rows with different bits

  // The following members describe the row with the largest difference in the first member that differs. For
  // Kind::elements, they describe the first element that exists in only one state.
  std::optional<std::size_t> row = {};        ///< index in A, or in B if the element exists only in B
  std::optional<std::uint32_t> element = {};  ///< permanent id (or row number) of the element, if the rows are elements
  /// Name of the object that the row describes, such as a joint. state_differences() leaves the name empty.
  std::string row_name = {};
  std::string component = {};    ///< such as "y" or "slip.x"; empty for plain numbers
  StateNumber a = 0.0, b = 0.0;  ///< the two numbers
  double difference = 0;         ///< b - a; 0 if the numbers differ only in their bits (0 and -0)

  /// Returns the location of the difference, such as `system "cube", element 13, position.y`.
  [[nodiscard]] std::string place() const;
  /// Returns the difference as a sentence without a full stop. `unit` is the unit of the numbers, such as "m", and may
  /// be empty.
  [[nodiscard]] std::string sentence(std::string_view unit = {}) const;
};

[[nodiscard]] std::string to_text(const StateNumber& number);  ///< text that parses back to the same number

/// Returns one difference for each array that differs, in the order in which A visits its arrays. Arrays that exist
/// only in B follow at the end. Rows that are elements are matched by identity, which is the array `id` of the system
/// or, if there is no such array, the row number. Other rows are matched by row number. If one state lacks an object,
/// such as a system, the result contains one difference for the object. Arrays whose full names are in `ignored` are
/// skipped. The result is empty if and only if all other arrays have the same names and bits.
[[nodiscard]] std::vector<StateDifference> state_differences(const StateBlock& a, const StateBlock& b,
                                                             std::span<const std::string_view> ignored = {});

}  // namespace vw
