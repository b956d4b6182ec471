// voxwake bench: hands its arguments to the program voxwake-bench (bench/command.cpp) in the same folder.
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands/commands.h"
#include "app/cli/hand_over.h"
#include "app/cli/options.h"
#include "sim/base/files/source_tree.h"

namespace vw::cli {
namespace {

int run_bench_program(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program_folder() + "/voxwake-bench", "bench"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return hand_over(std::move(words),
                   "the benchmarks are not built: build them with `./run.sh bench` or `tools/build.sh release "
                   "voxwake_bench_command`");
}

}  // namespace

void add_bench(CLI::App& program, Action& chosen) {
  CLI::App& command = add_command(program, "bench", "Run a benchmark; without NAME, list the benchmarks");
  pass_all_arguments(command);
  when_typed(command, [&command, &chosen] { chosen = [&command] { return run_bench_program(left_over(command)); }; });
}

}  // namespace vw::cli
