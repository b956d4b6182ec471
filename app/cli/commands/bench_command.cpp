// voxwake bench: hands its arguments to the program voxwake-bench (bench/command.cpp) in the same folder.
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "sim/base/files/source_tree.h"
#include "sim/base/system/process.h"

namespace vw::cli {
namespace {

int run_bench_program(const std::vector<std::string>& arguments) {
  std::vector<std::string> texts{program_folder() + "/voxwake-bench", "bench"};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  const std::string program = texts.front();
  const int reason = become_program(std::move(texts));
  if (reason != ENOENT) return report_error(fail(program + ": " + std::strerror(reason)).value());
  return report_error(fail("the benchmarks are not built: build them with `./run.sh bench` or `tools/build.sh release "
                           "voxwake_bench_command`")
                          .value());
}

}  // namespace

void add_bench(CLI::App& program, Action& chosen) {
  CLI::App& command = add_command(program, "bench", "Run a benchmark; without NAME, list the benchmarks");
  pass_all_arguments(command);
  when_typed(command, [&command, &chosen] { chosen = [&command] { return run_bench_program(left_over(command)); }; });
}

}  // namespace vw::cli
