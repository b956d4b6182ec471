#include "bench/compare.h"

#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace vw::bench {
namespace {

using Json = nlohmann::ordered_json;

bool is_compared(std::string_view key) { return key.ends_with("_per_s") || key == "real_time_factor"; }

Figures compared_values(const Json& object) {
  Figures values;
  for (const auto& [key, value] : object.items())
    if (value.is_number() && is_compared(key)) values.emplace_back(key, value.get<double>());
  return values;
}

Row row_of(const Json& object) {
  Row row;
  for (const auto& [key, value] : object.items())
    if (value.is_string()) row.labels.emplace_back(key, value.get<std::string>());
  row.values = compared_values(object);
  return row;
}

std::string text_or_empty(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<RecordedOutcome> recorded_of(const Json& object, const std::string& name) {
  if (!object.is_object() || text_or_empty(object, "name").empty())
    return fail(name +
                ": expected results of `voxwake bench NAME --json`, but an object with the key \"name\" is missing");
  RecordedOutcome out;
  out.benchmark = text_or_empty(object, "name");
  out.processor = text_or_empty(object, "processor");
  out.date = text_or_empty(object, "date");
  const auto benchmark = find_benchmark(out.benchmark);
  if (!benchmark) return fail(name + ": " + benchmark.error().message());
  if (object.contains("threads") && object["threads"].is_number_integer())
    out.threads = object["threads"].get<std::int64_t>();
  constexpr std::int64_t most_threads = 1024;  // the limit of --threads
  if (out.threads < 1 || out.threads > most_threads)
    return fail(
        fmt::format("{}: {}: threads = {}: must lie in [1, {}]", name, out.benchmark, out.threads, most_threads));
  std::map<std::string, std::string> typed;
  if (object.contains("arguments") && object["arguments"].is_object())
    for (const auto& [key, value] : object["arguments"].items())
      typed[key] = value.is_string() ? value.get<std::string>() : value.dump();
  const auto arguments = parse_arguments(**benchmark, typed);
  if (!arguments) return fail(name + ": " + arguments.error().message());
  out.arguments = *arguments;
  out.outcome.rates = compared_values(object);
  if (object.contains("rows") && object["rows"].is_array())
    for (const Json& row : object["rows"])
      if (row.is_object()) out.outcome.rows.push_back(row_of(row));
  return out;
}

void add_pairs(const std::string& benchmark, const std::string& prefix, const Figures& base, const Figures& now,
               std::vector<ComparedValue>& out) {
  for (const auto& [key, value] : base) {
    const double measured = figure(now, key);
    if (is_compared(key) && value > 0 && std::isfinite(measured))
      out.push_back({benchmark, prefix + key, value, measured});
  }
}

}  // namespace

Result<std::vector<RecordedOutcome>> parse_recorded(const std::string& text, const std::string& name) {
  std::vector<RecordedOutcome> out;
  std::istringstream stream(text);
  while (stream >> std::ws, stream.peek() != std::istringstream::traits_type::eof()) {
    Json value;
    try {
      stream >> value;
    } catch (const nlohmann::json::exception& error) {
      return fail(fmt::format("{}: not valid JSON: {}", name, error.what()));
    }
    const bool is_array = value.is_array();
    for (std::size_t i = 0; i < (is_array ? value.size() : 1); ++i) {
      auto one = recorded_of(is_array ? value[i] : value, name);
      if (!one) return Unexpected(one.error());
      out.push_back(std::move(*one));
    }
  }
  if (out.empty()) return fail(name + ": the file contains no results");
  return out;
}

std::vector<ComparedValue> compared(const RecordedOutcome& base, const Outcome& now) {
  std::vector<ComparedValue> out;
  const std::string benchmark =
      fmt::format("{}, {} thread{}", base.benchmark, base.threads, base.threads == 1 ? "" : "s");
  add_pairs(benchmark, "", base.outcome.rates, now.rates, out);
  add_pairs(benchmark, "", base.outcome.rates, now.figures, out);
  for (const Row& row : base.outcome.rows)
    for (const Row& other : now.rows) {
      if (other.labels != row.labels) continue;
      std::string prefix;
      for (const auto& [key, label] : row.labels) prefix += label + ", ";
      add_pairs(benchmark, prefix, row.values, other.values, out);
    }
  return out;
}

std::string comparison_table(const std::vector<ComparedValue>& values) {
  std::string text = "| benchmark | value | base | now | ratio |\n|---|---|---|---|---|\n";
  for (const ComparedValue& v : values)
    text += fmt::format("| {} | {} | {:.4g} | {:.4g} | {:.3f} |\n", v.benchmark, v.value, v.base, v.now, v.ratio());
  return text;
}

}  // namespace vw::bench
