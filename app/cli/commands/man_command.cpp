// voxwake man and voxwake completion: manual pages and shell completions, generated from the declarations of the
// commands.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/command_facts.h"
#include "app/cli/commands/commands.h"
#include "app/cli/completion.h"
#include "app/cli/manual_page.h"
#include "app/cli/options.h"
#include "sim/base/files/file.h"

namespace vw::cli {
namespace {

namespace fs = std::filesystem;

struct ManOptions {
  std::string command, shell, out;
};

/// Writes a text to `folder`/`name`. Folders that do not exist are created.
Result<void> write_into(const fs::path& folder, const std::string& name, const std::string& text) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return wrong_file(folder.string(), "cannot be created: " + error.message());
  return write_file_atomic((folder / name).string(), text);
}

Result<void> write_all_pages(const ProgramCommands& all, const fs::path& folder) {
  auto written = write_into(folder, manual_page_name("") + ".1", program_manual_page(all));
  for (const CommandFacts& command : all.commands)
    if (written) written = write_into(folder, manual_page_name(command.name) + ".1", command_manual_page(all, command));
  return written;
}

int print_manual(const CLI::App& program, const ManOptions& options) {
  const ProgramCommands all = program_commands(program);
  if (!options.out.empty()) {
    const auto written = write_all_pages(all, options.out);
    return written ? exit_done : report_error(written.error());
  }
  if (options.command.empty()) {
    fmt::print("{}", program_manual_page(all));
    return exit_done;
  }
  const auto found = std::ranges::find(all.commands, options.command, &CommandFacts::name);
  if (found == all.commands.end()) {
    Error error = fail(fmt::format("unknown command \"{}\"", options.command)).value();
    error.hint = nearest_word(options.command, command_names(program));
    return report_error(error);
  }
  fmt::print("{}", command_manual_page(all, *found));
  return exit_done;
}

int print_completion(const CLI::App& program, const ManOptions& options) {
  const ProgramCommands all = program_commands(program);
  if (!options.out.empty()) {
    for (const std::string& shell : completion_shells())
      if (auto written = write_into(options.out, completion_file(shell), completion_script(all, shell)); !written)
        return report_error(written.error());
    return exit_done;
  }
  if (std::ranges::find(completion_shells(), options.shell) == completion_shells().end())
    return report_error(fail(fmt::format("unknown shell \"{}\": expected one of {}", options.shell,
                                         fmt::join(completion_shells(), ", ")))
                            .value());
  fmt::print("{}", completion_script(all, options.shell));
  return exit_done;
}

}  // namespace

void add_man(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ManOptions>();
  CLI::App& command = add_command(program, "man", "Print a manual page, for `man -l -`");
  const Option name = add_text(command, "COMMAND", options->command,
                               "Command whose page is printed (default: page of the program)", "");
  add_file(command, "--out", options->out, "Write all pages into this folder instead").excludes(name);
  when_typed(command, [options, &program, &chosen] {
    chosen = [options, &program] { return print_manual(program, *options); };
  });
}

void add_completion(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ManOptions>();
  CLI::App& command = add_command(program, "completion", "Print a completion script for bash, fish or zsh");
  const Option shell = add_text(command, "SHELL", options->shell, "Shell: bash, fish or zsh", "");
  const Option out =
      add_file(command, "--out", options->out, "Write the scripts of all shells into this folder").excludes(shell);
  when_typed(command, [options, shell, out, &program, &chosen] {
    if (!shell.given() && !out.given()) refuse_usage("completion requires a SHELL (bash, fish or zsh) or --out FOLDER");
    chosen = [options, &program] { return print_completion(program, *options); };
  });
}

}  // namespace vw::cli
