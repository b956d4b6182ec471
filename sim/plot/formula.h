// A formula that a user wrote, as a function of named numbers. muParser reads it; everything that it could do beyond computing a number
// (assign, several results, texts) is refused, and every mistake is one sentence.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace vw {

class Formula {
 public:
  /// `names` are the variables in the order in which operator() takes their values; an empty one cannot be named. The error has found, expected and
  /// hint.
  [[nodiscard]] static Result<Formula> compile(const std::string& text, std::span<const std::string> names);
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;
  ~Formula();

  /// `values` may go on beyond the names. Not a number where the formula has no value (ln of a negative number). Allocates nothing. One thread at a
  /// time.
  [[nodiscard]] double operator()(std::span<const double> values);

 private:
  struct Impl;
  explicit Formula(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Letters, digits and _, not beginning with a digit, and no function's name.
[[nodiscard]] bool is_formula_name(const std::string& name);
/// "sin", "min", ...
[[nodiscard]] const std::vector<std::string>& formula_functions();

}  // namespace vw
