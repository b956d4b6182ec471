// The declarations of the command line as plain data: commands, arguments, options. Manual pages (manual_page.h) and
// completions (completion.h) are generated from this data. CLI11 itself generates --help.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace vw::cli {

struct OptionFacts {
  std::vector<std::string> names;  ///< such as "-h" and "--help"; a positional argument has one name, such as "SCENE"
  std::string value;         ///< name of the value, such as "FILE"; empty for a flag or an argument without a type
  std::string doc;           ///< the sentence of --help
  bool takes_value = false;  ///< false for flags
  bool required = false;
  bool repeats = false;  ///< whether the option may be given several times
};

struct CommandFacts {
  std::string name;  ///< empty for the program itself
  std::string doc;
  std::vector<OptionFacts> arguments;  ///< in the order of the command line
  std::vector<OptionFacts> options;
  bool passes_all = false;  ///< whether the command hands all its arguments to another program
};

struct ProgramCommands {
  std::string footer;    ///< sentences on the exit status
  CommandFacts program;  ///< the program without a command
  std::vector<CommandFacts> commands;
};

/// Reads the declarations of the whole program.
[[nodiscard]] ProgramCommands program_commands(const CLI::App& program);

/// An environment variable that the program reads.
struct EnvironmentVariable {
  std::string_view name, doc;
};
[[nodiscard]] std::span<const EnvironmentVariable> environment_variables();

/// Returns whether the value of this option or argument is the path of a file.
[[nodiscard]] bool names_a_file(const OptionFacts& option);
/// Returns whether the value of this argument is a scene: the name of a packaged scene or the path of a file.
[[nodiscard]] bool names_a_scene(const OptionFacts& option);

}  // namespace vw::cli
