// Parses the command line and runs the command. Every error is reported as one sentence on stderr, with an exit code.
#include "app/cli/cli.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/commands/commands.h"
#include "app/window/labels/program_facts.h"
#include "sim/base/instruction_set.h"
#include "sim/base/system/interrupt.h"

namespace vw {
namespace {

void describe(CLI::App& program) {
  program.description(
      "Simulates soft voxel bodies, water, rigid bodies, flocks, particles and turbulent wind that act on each other "
      "in one world. SCENE is a file (.toml, .vxa, .vxc, .vxd, .vxl.json, .vox, .binvox, .npz, .json, .history) or the "
      "name of a packaged scene. The window and the commands run, render, check and export also open sessions (.vwj), "
      "and pictures (.png) and videos (.mp4) of Voxwake.");
  program.name("voxwake");
  program.footer(
      "Exit status: 0 means success. 1 means that a health check or a solver failed, a replay or a compared run "
      "differs, or an interrupt left no result. 2 means wrong usage or input, or that a file cannot be written.");
  program.set_version_flag(
      "--version", [] { return version_text(); }, "Print the version, the options of the build and the licence");
  program.require_subcommand(0, 1);
  program.fallthrough(false);
  program.allow_windows_style_options(false);  // on Windows, "/name" would be taken as an option
}

}  // namespace

void add_all_commands(CLI::App& program, cli::Action& chosen) {
  cli::add_window(program, chosen);
  cli::add_run(program, chosen);
  cli::add_render(program, chosen);
  cli::add_replay(program, chosen);
  cli::add_compare(program, chosen);
  cli::add_check(program, chosen);
  cli::add_export(program, chosen);
  cli::add_import(program, chosen);
  cli::add_solve(program, chosen);
  cli::add_modes(program, chosen);
  cli::add_field(program, chosen);
  cli::add_scenes(program, chosen);
  cli::add_parameters(program, chosen);
  cli::add_study(program, chosen);
  cli::add_lab(program, chosen);
  cli::add_score(program, chosen);
  cli::add_man(program, chosen);
  cli::add_completion(program, chosen);
  cli::add_bench(program, chosen);
}

namespace {

/// Reverses the arguments, because CLI11 expects them in reverse order, without the name of the program.
std::vector<std::string> for_parser(std::vector<std::string> arguments) {
  std::ranges::reverse(arguments);
  return arguments;
}

int parse_and_run(std::vector<std::string> arguments, AddCommands add_commands) {
  if (const char* name = std::getenv("VOXWAKE_INSTRUCTION_SET"); name != nullptr && *name != 0)
    if (const Result<void> limited = limit_instruction_set(name); !limited) return cli::report_error(limited.error());
  CLI::App program;
  cli::Action chosen;
  describe(program);
  add_commands(program, chosen);
  try {
    if (!arguments.empty()) arguments.erase(arguments.begin());
    program.parse(for_parser(std::move(arguments)));
  } catch (const CLI::Success& asked) {  // exit() writes the text of --help or --version
    std::ostringstream text;
    const int code = program.exit(asked, text, text);
    fmt::print("{}", text.str());  // unlike std::cout, fmt::print() reports why a write failed
    return code;
  } catch (const CLI::ParseError& error) {
    return cli::usage_error(program, error.what());
  }
  return chosen ? chosen() : cli::exit_bad_input;
}

}  // namespace

namespace {

/// Flushes standard output and returns `code`. If not all output could be written (for example because the disk is
/// full), reports the error. If `code` means success, returns the exit code of this error instead.
int check_standard_output(int code) {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0 && std::cout.good()) return code;
  // If an earlier write failed, errno is 0 and the reason is unknown.
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : std::string();
  const int lost = cli::report_error(fail("standard output cannot be written" + reason).value());
  return code == cli::exit_done ? lost : code;
}

}  // namespace

Result<void> check_command_line(std::vector<std::string> arguments) {
  CLI::App program;
  cli::Action chosen;
  describe(program);
  add_all_commands(program, chosen);
  try {
    program.parse(for_parser(std::move(arguments)));
  } catch (const CLI::Success&) {
    return {};
  } catch (const CLI::ParseError& error) {
    return Unexpected(cli::usage_problem(program, error.what()));
  }
  return {};
}

int run_command_line(std::vector<std::string> arguments, AddCommands add_commands) {
  ignore_size_limit_signal();
  try {
    return check_standard_output(parse_and_run(std::move(arguments), add_commands));
  } catch (const std::bad_alloc&) {
    return cli::report_error(fail("out of memory").value());
  } catch (const std::system_error& error) {
    const std::string what = std::ferror(stdout) != 0 ? "standard output cannot be written: " + error.code().message()
                                                      : std::string("stopped by an unexpected error: ") + error.what();
    return cli::report_error(fail(what).value());
  } catch (const std::exception& error) {
    return cli::report_error(fail(std::string("stopped by an unexpected error: ") + error.what()).value());
  }
}

}  // namespace vw
