// voxwake study: hands its arguments to the Python package (python/voxwake/study), where pools of processes, MPI and
// Dask are available.
#include <string>
#include <vector>

#include "app/cli/commands/commands.h"
#include "app/cli/hand_over.h"
#include "app/cli/options.h"
#include "sim/base/system/process.h"

namespace vw::cli {
namespace {

/// Python program that runs voxwake.study, or reports in one sentence that the package is missing or cannot be loaded,
/// for example because NumPy is missing.
constexpr const char* start_study = R"(import importlib.util, runpy, sys
problem = f"which {sys.executable} does not find: see docs/python.md"
try:
    found = importlib.util.find_spec("voxwake.study") is not None
except ImportError as error:
    found = False
    if error.name != "voxwake":
        problem = f"which {sys.executable} cannot load: " + " ".join(str(error).split())
if not found:
    print(f"voxwake: studies need the Python package voxwake, {problem}", file=sys.stderr)
    sys.exit(2)
runpy.run_module("voxwake.study", run_name="__main__", alter_sys=True)
)";

int run_study(const std::vector<std::string>& arguments) {
  const std::string chosen = environment_variable("VOXWAKE_PYTHON");
  const std::string python = chosen.empty() ? "python3" : chosen;
  std::vector<std::string> words{python, "-c", start_study};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return hand_over(std::move(words), "studies need Python, but there is no program " + python);
}

}  // namespace

void add_study(CLI::App& program, Action& chosen) {
  CLI::App& command =
      add_command(program, "study", "Run a scene for many values of its parameters, or plot the results");
  pass_all_arguments(command);
  when_typed(command, [&command, &chosen] { chosen = [&command] { return run_study(left_over(command)); }; });
}

}  // namespace vw::cli
