// Results that a test cannot go on without.
#pragma once

#include <stdexcept>
#include <utility>

#include "sim/base/error.h"

namespace vw::test {

/// The value of a result. An error becomes an exception with its sentence, which ends this test alone as a failure.
template <class T>
[[nodiscard]] T checked(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return std::move(*result);
}

}  // namespace vw::test
