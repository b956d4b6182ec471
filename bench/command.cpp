// Program voxwake-bench: the command `voxwake bench`, which runs one benchmark of the table in bench/registry.h. It is
// a program of its own, so that voxwake can be built without the benchmarks.
#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "bench/registry.h"

namespace vw::cli {
namespace {

struct BenchOptions {
  std::string name;
  std::int64_t threads = 0;
  bool json = false;
  std::map<std::string, std::string> typed;  ///< sizes and constants from the command line, by name
};

int list_benchmarks() {
  for (const auto& benchmark : bench::benchmarks()) fmt::print("{:<16}  {}\n", benchmark.name, benchmark.doc);
  return exit_done;
}

int run_bench(const BenchOptions& options) {
  if (options.name.empty()) return list_benchmarks();
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
  std::map<std::string, std::string> documented{{"milliseconds", "Wall time of each measurement [ms] (default 1000)"}};
  for (const auto& benchmark : bench::benchmarks())
    for (const auto& argument : benchmark.arguments) documented.emplace(argument.name, argument.doc);
  for (const auto& [name, doc] : documented)
    add_word(
        command, "--" + name, [&typed, key = name](const std::string& text) { typed[key] = text; }, doc);
}

void add_benchmarks(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App& command = add_command(program, "bench", "Run a benchmark; without NAME, list the benchmarks");
  add_text(command, "NAME", options->name, "Name of the benchmark");
  add_threads(command, options->threads);
  add_flag(command, "--json", options->json, "Print one JSON object; the keys of rates end in _per_s");
  add_arguments(command, options->typed);
  when_typed(command, [options, &chosen] { chosen = [options] { return run_bench(*options); }; });
}

}  // namespace
}  // namespace vw::cli

int main(int argc, char** argv) { return vw::run_command_line(argc, argv, vw::cli::add_benchmarks); }
