// Benchmark arguments: declarations, parsing of numbers and words, and range checks.
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "bench/arguments.h"

namespace vw::bench {
namespace {

const Argument& milliseconds() {
  static const Argument argument = whole("milliseconds", 1000, 1, 600000, "Wall time of each measurement [ms].");
  return argument;
}

const Argument& beside() {
  static const Argument argument =
      whole("beside", 0, 0, 256, "Number of threads that keep a core busy beside the benchmark.");
  return argument;
}

Error unknown(const Benchmark& benchmark, std::string_view name) {
  std::vector<std::string> names;
  for (const Argument& argument : all_arguments(benchmark)) names.push_back(argument.name);
  Error error;
  error.what = fmt::format("{}: unknown argument \"{}\"", benchmark.name, name);
  error.hint = nearest_word(name, names);
  return error;
}

Result<double> parse_value(const Benchmark& benchmark, const Argument& argument, const std::string& text) {
  for (std::size_t i = 0; i < argument.words.size(); ++i)
    if (argument.words[i] == text) return static_cast<double>(i);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status == std::errc() && stop == end) return value;
  Error error;
  error.what = fmt::format("{}: {} = \"{}\": must be a number", benchmark.name, argument.name, text);
  if (!argument.words.empty()) {
    error.what = fmt::format("{}: {} = \"{}\": must be one of {}", benchmark.name, argument.name, text,
                             fmt::join(argument.words, ", "));
    error.hint = nearest_word(text, argument.words);
  }
  return fail(std::move(error));
}

Result<void> check(const Benchmark& benchmark, const Argument& argument, double value) {
  if (!(value >= argument.min && value <= argument.max))
    return fail(fmt::format("{}: {} = {}: must lie in [{}, {}]", benchmark.name, argument.name, value, argument.min,
                            argument.max));
  if (argument.kind != Argument::Kind::real && value != std::floor(value))
    return fail(fmt::format("{}: {} = {}: must be a whole number", benchmark.name, argument.name, value));
  return {};
}

}  // namespace

Argument whole(std::string name, std::int64_t default_value, std::int64_t min, std::int64_t max, std::string doc) {
  return {std::move(name), static_cast<double>(default_value), static_cast<double>(min), static_cast<double>(max),
          std::move(doc)};
}

Argument real(std::string name, double default_value, double min, double max, std::string doc) {
  return {std::move(name), default_value, min, max, std::move(doc), Argument::Kind::real};
}

Argument choice(std::string name, std::vector<std::string> words, std::string doc) {
  const auto last = static_cast<double>(words.size() - 1);
  return {std::move(name), 0, 0, last, std::move(doc), Argument::Kind::choice, std::move(words)};
}

std::vector<Argument> all_arguments(const Benchmark& benchmark) {
  auto all = benchmark.arguments;
  all.push_back(milliseconds());
  all.push_back(beside());
  return all;
}

Result<Arguments> complete_arguments(const Benchmark& benchmark, const Arguments& given) {
  Arguments full;
  for (const Argument& argument : all_arguments(benchmark)) {
    const double value = given.contains(argument.name) ? given.real(argument.name) : argument.default_value;
    if (auto good = check(benchmark, argument, value); !good) return Unexpected(good.error());
    full[argument.name] = value;
  }
  for (const auto& [name, value] : given)
    if (!full.contains(name)) return fail(unknown(benchmark, name));
  return full;
}

Result<Arguments> parse_arguments(const Benchmark& benchmark, const std::map<std::string, std::string>& typed) {
  const std::vector<Argument> known = all_arguments(benchmark);
  Arguments out;
  for (const auto& [name, text] : typed) {
    const Argument* found = nullptr;
    for (const Argument& argument : known)
      if (argument.name == name) found = &argument;
    if (found == nullptr) return fail(unknown(benchmark, name));
    const auto value = parse_value(benchmark, *found, text);
    if (!value) return Unexpected(value.error());
    out[name] = *value;
  }
  return out;
}

}  // namespace vw::bench
