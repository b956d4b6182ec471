// Messages of the commands on stderr.
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/commands/commands.h"
#include "sim/base/system/process.h"

namespace vw::cli {
namespace {

/// Returns the names of the options of the given command or, if no command is given, of the program. The error message
/// for a misspelt option suggests the most similar of these names.
std::vector<std::string> option_names(const CLI::App& program) {
  const auto typed = program.get_subcommands();
  const CLI::App& command = typed.empty() ? program : *typed.front();
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// Returns the first word of the command line that is not recognised, or an empty text if all words are recognised.
std::string unknown_word(const CLI::App& program) {
  const auto typed = program.get_subcommands();
  const auto rest = typed.empty() ? program.remaining() : typed.front()->remaining();
  return rest.empty() ? std::string() : rest.front();
}

}  // namespace

void put_on_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void say(std::string_view sentence) {
  std::fflush(stdout);
  const bool may_follow_a_bar = messages_go_to_terminal();
  put_on_stderr(fmt::format("{}voxwake: {}\n", may_follow_a_bar ? "\r\x1b[K" : "", sentence));
}

int report_error(const Error& error) {
  say(error.message());
  return exit_bad_input;
}

int report_error(Error error, const std::string& scene) {
  if (error.file.empty() && error.line > 0) error.file = scene;
  return report_error(error);
}

int report_interrupt() {
  say("interrupted; nothing was written");
  return exit_failed;
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

Error usage_problem(const CLI::App& program, std::string_view sentence) {
  Error error;
  error.what = sentence;
  // The message of CLI11 is "--until: 1 required FILE missing".
  if (const auto colon = sentence.find(": 1 required"); colon != std::string_view::npos)
    error.what = fmt::format("{} requires a value", sentence.substr(0, colon));
  // The message of CLI11 is "--until: At Most 1 required but received 2".
  constexpr std::string_view too_often = ": At Most 1 required but received ";
  if (const auto colon = sentence.find(too_often); colon != std::string_view::npos) {
    const std::string_view count = sentence.substr(colon + too_often.size());
    error.what = fmt::format("{} is given {}", sentence.substr(0, colon),
                             count == "2" ? "twice" : fmt::format("{} times", count));
  }
  const CLI::Option* scene = program.get_option_no_throw("SCENE");  // null if the program has no such argument
  if (const std::string word = unknown_word(program); word.size() > 1 && word.starts_with("-")) {
    const std::string option = word.substr(0, word.find('='));
    error.what = fmt::format("unknown option {}", option);
    std::vector<std::string> known;
    for (const std::string& name : option_names(program)) known.push_back(name.substr(2));
    const std::string near = option.starts_with("--") ? nearest_word(option.substr(2), known) : std::string();
    // A hint must begin with the same letter: --set is no hint for --out.
    if (!near.empty() && near.front() == option[2]) error.hint = "--" + near;
  } else if (!word.empty() && program.get_subcommands().empty() && scene != nullptr && scene->count() > 0) {
    // For `voxwake rnu walker`, CLI11 takes the first word as the scene and reports the second word as excessive.
    const auto first = scene->as<std::string>();
    error.what = fmt::format("unknown command \"{}\"", first);
    error.hint = nearest_word(first, command_names(program));
  } else if (!word.empty()) {
    error.what = fmt::format("unexpected argument \"{}\"", word);
  }
  return error;
}

int usage_error(const CLI::App& program, std::string_view sentence) {
  return report_error(usage_problem(program, sentence));
}

}  // namespace vw::cli
