// Elementary functions on one thread, compared with the functions of the C library.
#include <cmath>

#include "bench/measure.h"
#include "sim/base/elementary/elementary.h"
#include "sim/base/random.h"

namespace vw::bench {
namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

struct FunctionPair {
  const char* name;
  Unary ours, library;
  Binary ours2, library2;
  double low, high;  ///< Range of the arguments.
};

const std::vector<FunctionPair>& function_pairs() {
  namespace e = elementary;
  const auto one = [](const char* name, Unary ours, Unary library, double low, double high) {
    return FunctionPair{name, ours, library, nullptr, nullptr, low, high};
  };
  const auto two = [](const char* name, Binary ours, Binary library, double low, double high) {
    return FunctionPair{name, nullptr, nullptr, ours, library, low, high};
  };
  static const std::vector<FunctionPair> all{
      one("sin", e::sin, std::sin, -10, 10),     one("sin, 1e6 to 1e7", e::sin, std::sin, 1e6, 1e7),
      one("cos", e::cos, std::cos, -10, 10),     one("tan", e::tan, std::tan, -10, 10),
      one("asin", e::asin, std::asin, -1, 1),    one("acos", e::acos, std::acos, -1, 1),
      one("atan", e::atan, std::atan, -5, 5),    two("atan2", e::atan2, std::atan2, -1, 1),
      one("exp", e::exp, std::exp, -10, 10),     one("exp2", e::exp2, std::exp2, -10, 10),
      one("expm1", e::expm1, std::expm1, -2, 2), one("sinh", e::sinh, std::sinh, -5, 5),
      one("cosh", e::cosh, std::cosh, -5, 5),    one("tanh", e::tanh, std::tanh, -3, 3),
      one("log", e::log, std::log, 0.01, 10),    one("log1p", e::log1p, std::log1p, -0.9, 5),
      one("log2", e::log2, std::log2, 0.01, 10), one("log10", e::log10, std::log10, 0.01, 10),
      two("pow", e::pow, std::pow, 0.1, 5),      one("cbrt", e::cbrt, std::cbrt, 0.1, 10),
      two("hypot", e::hypot, std::hypot, -1, 1), one("erfc", e::erfc, std::erfc, -3, 5),
  };
  return all;
}

struct ArgumentLists {
  std::vector<double> x, y;
};

/// Returns the time of one call of `unary`, or of `binary` if `unary` is null, in the best window [ns].
double call_ns(const ArgumentLists& lists, Unary unary, Binary binary, std::int64_t milliseconds) {
  double sum = 0;
  const Windows windows = measure(milliseconds, [&] {
    if (unary != nullptr)
      for (const double x : lists.x) sum += unary(x);
    else
      for (std::size_t i = 0; i < lists.x.size(); ++i) sum += binary(lists.x[i], lists.y[i]);
    return std::isfinite(sum) ? static_cast<double>(lists.x.size()) : 0;
  });
  return 1e9 / windows.best_rate();
}

}  // namespace

Result<Outcome> elementary_functions(const Arguments& arguments) {
  const auto count = static_cast<std::size_t>(arguments.whole("points"));
  const std::int64_t milliseconds = std::max<std::int64_t>(1, arguments.whole("milliseconds") / 44);
  Outcome outcome;
  outcome.columns = {"ns", "library_ns", "ratio"};
  double logarithms = 0;
  for (const FunctionPair& pair : function_pairs()) {
    ArgumentLists lists;
    for (std::size_t i = 0; i < count; ++i) {
      lists.x.push_back(pair.low + (pair.high - pair.low) * random_uniform({1, 0}, i));
      lists.y.push_back(pair.low + (pair.high - pair.low) * random_uniform({1, 1}, i));
    }
    const double ours = call_ns(lists, pair.ours, pair.ours2, milliseconds),
                 library = call_ns(lists, pair.library, pair.library2, milliseconds);
    logarithms += std::log(ours / library);
    outcome.rows.push_back(
        {{{"function", pair.name}}, {{"ns", ours}, {"library_ns", library}, {"ratio", ours / library}}});
  }
  outcome.rates = {{"sin_per_s", 1e9 / outcome.rows.front().value("ns")}};
  outcome.figures = {{"mean_ratio", std::exp(logarithms / static_cast<double>(function_pairs().size()))}};
  return outcome;
}

}  // namespace vw::bench
