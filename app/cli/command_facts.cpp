#include "app/cli/command_facts.h"

#include <algorithm>
#include <array>

#include <CLI/CLI.hpp>

namespace vw::cli {
namespace {

OptionFacts facts_of(const CLI::Option& option) {
  OptionFacts facts;
  if (!option.nonpositional()) {
    facts.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  }
  facts.takes_value = option.get_items_expected_max() > 0;
  facts.value = facts.takes_value ? option.get_type_name() : std::string();
  facts.doc = option.get_description();
  facts.required = option.get_required();
  facts.repeats = option.get_items_expected_max() > 1;
  return facts;
}

CommandFacts facts_of(const CLI::App& command, const std::string& name) {
  CommandFacts facts;
  facts.name = name;
  facts.doc = command.get_description();
  for (const CLI::Option* option : command.get_options())
    (option->nonpositional() ? facts.options : facts.arguments).push_back(facts_of(*option));
  facts.passes_all = command.get_help_ptr() == nullptr;
  return facts;
}

}  // namespace

ProgramCommands program_commands(const CLI::App& program) {
  ProgramCommands all;
  all.footer = program.get_footer();
  all.program = facts_of(program, "");
  for (const CLI::App* command : program.get_subcommands({}))
    all.commands.push_back(facts_of(*command, command->get_name()));
  return all;
}

std::span<const EnvironmentVariable> environment_variables() {
  static constexpr std::array variables{
      EnvironmentVariable{"VOXWAKE_CACHE",
                          "Folder of generated fields, instead of $XDG_CACHE_HOME/voxwake/fields or "
                          "~/.cache/voxwake/fields. The value off disables the cache."},
      EnvironmentVariable{"VOXWAKE_INSTRUCTION_SET",
                          "AVX3 (AVX-512), AVX2, SSE4, NEON (on ARM) or SCALAR: the widest instruction set that vector "
                          "kernels use. "
                          "Results are bit-identical for all of them."},
      EnvironmentVariable{"VOXWAKE_ASSETS",
                          "Folder of scenes/, templates/, models/, materials/, lab/ and benchmark/, instead of the one "
                          "installed with the program."},
      EnvironmentVariable{"VOXWAKE_PYTHON", "Python interpreter for `voxwake study`, instead of python3."}};
  return variables;
}

bool names_a_scene(const OptionFacts& option) {
  static constexpr std::array<std::string_view, 3> scenes{"SCENE", "A", "B"};
  return std::ranges::find(scenes, option.names.front()) != scenes.end();
}

bool names_a_file(const OptionFacts& option) {
  static constexpr std::array<std::string_view, 2> files{"JOURNAL", "MESH"};
  return option.value == "FILE" || std::ranges::find(files, option.names.front()) != files.end();
}

}  // namespace vw::cli
