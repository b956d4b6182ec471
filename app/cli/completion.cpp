#include "app/cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vw::cli {
namespace {

constexpr std::string_view script_note =
    "# Completion of the command line of voxwake. `voxwake completion` generates this file.\n";

/// Encloses a text in single quotes for bash and zsh.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Encloses a text in single quotes for fish.
std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

bool completes_files(const CommandFacts& command) {
  for (const OptionFacts& argument : command.arguments)
    if (names_a_file(argument) || names_a_scene(argument)) return true;
  return false;
}

bool completes_scenes(const CommandFacts& command) {
  for (const OptionFacts& argument : command.arguments)
    if (names_a_scene(argument)) return true;
  return false;
}

// ---- bash ----

/// Returns the branch of one command in the bash script's case statement.
std::string bash_branch(const CommandFacts& command) {
  std::vector<std::string> options, files, values;
  for (const OptionFacts& option : command.options)
    for (const std::string& name : option.names) {
      options.push_back(name);
      if (option.takes_value) (names_a_file(option) ? files : values).push_back(name);
    }
  const auto row = [](std::string_view variable, const std::vector<std::string>& names) {
    return names.empty() ? std::string() : fmt::format("      {}='{}'\n", variable, fmt::join(names, " "));
  };
  std::string text = fmt::format("    {})\n", command.name.empty() ? "''" : command.name);
  text += row("options", options) + row("file_options", files) + row("value_options", values);
  if (completes_scenes(command)) text += "      scenes=yes\n";
  if (completes_files(command)) text += "      files=yes\n";
  return text + "      ;;\n";
}

std::string bash_script(const ProgramCommands& all) {
  std::vector<std::string> names;
  for (const CommandFacts& command : all.commands) names.push_back(command.name);
  std::string text(script_note);
  text += fmt::format(R"sh(_voxwake() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local commands='{}'
  local command='' options='' file_options='' value_options='' scenes='' files='' words='' i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ " $commands " == *" ${{COMP_WORDS[i]}} "* ]]; then
      command=${{COMP_WORDS[i]}}
      break
    fi
  done
  case "$command" in
)sh",
                      fmt::join(names, " "));
  text += bash_branch(all.program);
  for (const CommandFacts& command : all.commands) text += bash_branch(command);
  text += R"sh(  esac
  COMPREPLY=()
  if [[ " $value_options " == *" $previous "* ]]; then
    return
  elif [[ " $file_options " == *" $previous "* ]]; then
    files=yes
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    return
  else
    [[ -z $command ]] && words=$commands
    [[ -n $scenes ]] && words="$words $(voxwake scenes 2>/dev/null | cut -d ' ' -f 1)"
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  fi
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    local found
    mapfile -t found < <(compgen -f -- "$current")
    COMPREPLY+=("${found[@]}")
  fi
}
complete -F _voxwake voxwake
)sh";
  return text;
}

// ---- zsh ----

/// Escapes the characters that separate the parts of an argument specification of the zsh function _arguments.
std::string zsh_part(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const OptionFacts& option) {
  return names_a_scene(option) ? "_voxwake_scenes" : names_a_file(option) ? "_files" : " ";
}

std::string zsh_arguments(const CommandFacts& command) {
  std::string text = "_arguments -s";
  const auto add = [&](const std::string& specification) { text += " \\\n        " + shell_quoted(specification); };
  for (const OptionFacts& option : command.options)
    for (const std::string& name : option.names) {
      const std::string value =
          option.takes_value
              ? fmt::format(":{}:{}", option.value.empty() ? "TEXT" : zsh_part(option.value), zsh_action(option))
              : std::string();
      add(fmt::format("{}{}[{}]{}", option.repeats ? "*" : "", name, zsh_part(option.doc), value));
    }
  for (const OptionFacts& argument : command.arguments)
    add(fmt::format("{}:{}:{}", argument.required ? "" : ":", zsh_part(argument.names.front()), zsh_action(argument)));
  return text + "\n";
}

std::string zsh_script(const ProgramCommands& all) {
  std::string text = "#compdef voxwake\n" + std::string(script_note);
  text += R"sh(_voxwake_scenes() {
  local -a names
  names=(${(f)"$(voxwake scenes 2>/dev/null | cut -d ' ' -f 1)"})
  _alternative "scenes:packaged scene:(${names})" 'files:file:_files'
}
_voxwake_first() {
  local -a commands
  commands=(
)sh";
  for (const CommandFacts& command : all.commands)
    text += "    " + shell_quoted(command.name + ":" + zsh_part(command.doc)) + "\n";
  text += "  )\n  _describe -t commands command commands\n  _voxwake_scenes\n}\n_voxwake() {\n  case ${words[2]} in\n";
  for (const CommandFacts& command : all.commands)
    text += fmt::format("    {})\n      shift words\n      (( CURRENT-- ))\n      {}      ;;\n", command.name,
                        zsh_arguments(command));
  CommandFacts program = all.program;
  program.arguments.clear();
  std::string first = zsh_arguments(program);
  first.pop_back();
  text += "    *)\n      " + first + " \\\n        '1:command:_voxwake_first' '*:file:_files'\n      ;;\n  esac\n}\n";
  return text + "_voxwake \"$@\"\n";
}

// ---- fish ----

std::string fish_lines(const CommandFacts& command, const std::string& condition) {
  std::string text;
  for (const OptionFacts& option : command.options) {
    text += "complete -c voxwake -n " + fish_quoted(condition);
    for (const std::string& name : option.names)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (option.takes_value) text += names_a_file(option) ? " -r -F" : " -x";
    text += " -d " + fish_quoted(option.doc) + "\n";
  }
  if (completes_scenes(command))
    text += fmt::format("complete -c voxwake -n {} -a '(__voxwake_scenes)'\n", fish_quoted(condition));
  return text;
}

std::string fish_script(const ProgramCommands& all) {
  std::string text(script_note);
  text += "function __voxwake_scenes\n  voxwake scenes 2>/dev/null | string replace -r '\\s+' \\t\nend\n";
  for (const CommandFacts& command : all.commands)
    text += fmt::format("complete -c voxwake -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_quoted(command.doc));
  text += fish_lines(all.program, "__fish_use_subcommand");
  for (const CommandFacts& command : all.commands)
    text += fish_lines(command, "__fish_seen_subcommand_from " + command.name);
  return text;
}

}  // namespace

const std::vector<std::string>& completion_shells() {
  static const std::vector<std::string> shells{"bash", "fish", "zsh"};
  return shells;
}

std::string completion_file(const std::string& shell) {
  return shell == "bash" ? "voxwake" : shell == "fish" ? "voxwake.fish" : "_voxwake";
}

std::string completion_script(const ProgramCommands& all, const std::string& shell) {
  return shell == "bash" ? bash_script(all) : shell == "fish" ? fish_script(all) : zsh_script(all);
}

}  // namespace vw::cli
