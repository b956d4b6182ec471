// User-defined formulas as functions of named numbers, parsed by muParser. muParser features other than the computation
// of one number (assignment, several results, strings) are rejected. Each error is described in one sentence.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace vw {

class Formula {
 public:
  /// Parses the formula `text`. `names` are the variables' names, in the order in which operator() takes their values.
  /// A variable with an empty name only occupies a position in this order; formulas cannot use it. An error has the
  /// members `found`, `expected` and `hint`.
  [[nodiscard]] static Result<Formula> compile(const std::string& text, std::span<const std::string> names);
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;
  ~Formula();

  /// Evaluates the formula. `values` may have more entries than there are names. The result is NaN if the formula has
  /// no value, such as the logarithm of a negative number. The function allocates no memory. It must not run on two
  /// threads at once.
  [[nodiscard]] double operator()(std::span<const double> values);

 private:
  struct Impl;
  explicit Formula(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Returns whether the name is valid: 1 to 40 letters, digits and _, not beginning with a digit, and not the name of a
/// function.
[[nodiscard]] bool is_formula_name(const std::string& name);
/// Returns the names of all functions, such as "abs", "sin" and "min".
[[nodiscard]] const std::vector<std::string>& formula_functions();

}  // namespace vw
