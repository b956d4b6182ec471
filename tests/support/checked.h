// Unwraps results without which a test cannot continue.
#pragma once

#include <stdexcept>
#include <utility>

#include "sim/base/error.h"

namespace vw::test {

/// Returns the value of a result. If the result is an error, throws an exception with the error message. The current
/// test then fails, and the other tests continue.
template <class T>
[[nodiscard]] T checked(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return std::move(*result);
}

}  // namespace vw::test
