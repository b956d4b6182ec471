// Program voxwake-bench: the command `voxwake bench`, which runs one benchmark of the table in bench/registry.h. The
// command is a separate program, so that voxwake can be built without the benchmarks.
#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "bench/arguments.h"
#include "bench/compare.h"
#include "bench/machine.h"
#include "bench/registry.h"
#include "sim/base/files/file.h"
#include "sim/base/system/process.h"

namespace vw::cli {
namespace {

struct BenchOptions {
  std::string name;
  std::string base;  ///< file of recorded results, for `compare`
  std::int64_t threads = 0;
  bool json = false;
  std::map<std::string, std::string> typed;  ///< sizes and constants from the command line, by name
};

int list_benchmarks() {
  for (const auto& benchmark : bench::benchmarks()) fmt::print("{:<16}  {}\n", benchmark.name, benchmark.doc);
  return exit_done;
}

/// Repeats the benchmarks of a file with the recorded arguments and numbers of threads, and prints the ratios.
int compare_with(const BenchOptions& options) {
  constexpr std::uint64_t most_bytes = 64U << 20U;
  const auto text = read_file(options.base, most_bytes);
  if (!text) return report_error(text.error());
  const auto recorded = bench::parse_recorded(*text, options.base);
  if (!recorded) return report_error(recorded.error());
  std::vector<bench::ComparedValue> values;
  for (const bench::RecordedOutcome& base : *recorded) {
    if (!base.processor.empty() && base.processor != bench::processor_name())
      fmt::print(stderr, "{}: {} was measured on {} on {}, but this processor is {}\n", options.base, base.benchmark,
                 base.date, base.processor, bench::processor_name());
    use_threads(base.threads);
    const auto now = bench::run_benchmark(**bench::find_benchmark(base.benchmark), base.arguments);
    if (!now) return report_error(now.error());
    for (bench::ComparedValue& value : bench::compared(base, *now)) values.push_back(std::move(value));
  }
  fmt::print("{}", bench::comparison_table(values));
  return exit_done;
}

int run_bench(const BenchOptions& options) {
  if (options.name.empty()) return list_benchmarks();
  if (options.name == "compare") return compare_with(options);
  use_threads(options.threads);
  const auto benchmark = bench::find_benchmark(options.name);
  if (!benchmark) return report_error(benchmark.error());
  const auto arguments = bench::parse_arguments(**benchmark, options.typed);
  if (!arguments) return report_error(arguments.error());
  const auto outcome = bench::run_benchmark(**benchmark, *arguments);
  if (!outcome) return report_error(outcome.error());
  if (options.json) {
    fmt::print("{}", bench::outcome_json(**benchmark, *arguments, *outcome));
    return exit_done;
  }
  for (const auto& [key, value] : outcome->rates) fmt::print("{:<32} {:.6g}\n", key, value);
  for (const auto& [key, value] : outcome->figures) fmt::print("{:<32} {:.6g}\n", key, value);
  fmt::print("{}", bench::rows_table(*outcome));
  return exit_done;
}

/// Declares an option for each argument of any benchmark, such as --n, --nu and --shape. The registry checks names and
/// values.
void add_arguments(CLI::App& command, std::map<std::string, std::string>& typed) {
  std::map<std::string, std::string> documented;
  for (const auto& benchmark : bench::benchmarks())
    for (const auto& argument : bench::all_arguments(benchmark)) documented.emplace(argument.name, argument.doc);
  for (const auto& [name, doc] : documented)
    add_word(
        command, "--" + name, [&typed, key = name](const std::string& text) { typed[key] = text; }, doc);
}

void add_benchmarks(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App& command = add_command(program, "bench", "Run a benchmark; without NAME, list the benchmarks");
  add_text(command, "NAME", options->name, "Name of the benchmark, or `compare` to repeat those of the file BASE");
  add_text(command, "BASE", options->base, "With `compare`: file with results of `voxwake bench NAME --json`");
  add_threads(command, options->threads);
  add_flag(command, "--json", options->json, "Print one JSON object; the keys of rates end in _per_s");
  add_arguments(command, options->typed);
  when_typed(command, [options, &chosen] {
    const bool compares = options->name == "compare";
    const bool has_options = options->json || options->threads > 0 || !options->typed.empty();
    if (options->name.empty() && has_options) refuse_usage("bench: options require the NAME of a benchmark");
    if (compares && has_options)
      refuse_usage("bench compare: takes no options, because the file contains the arguments and numbers of threads");
    if (compares && options->base.empty())
      refuse_usage("bench compare: expected a file with results of `voxwake bench NAME --json`");
    if (!compares && !options->base.empty())
      refuse_usage("bench: only `bench compare` takes a file, but found \"" + options->base + "\"");
    chosen = [options] { return run_bench(*options); };
  });
}

}  // namespace
}  // namespace vw::cli

int main(int argc, char** argv) {
  return vw::run_command_line(vw::prepare_process(argc, argv), vw::cli::add_benchmarks);
}
