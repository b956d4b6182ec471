#include "app/cli/manual_page.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "sim/api/build_info.h"

namespace vw::cli {
namespace {

/// Escapes a text for roff: hyphens stay hyphens that can be copied, and no line begins with a control character. Text
/// between backquotes becomes bold.
std::string roff(std::string_view text) {
  std::string out;
  bool bold = false;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      bold = !bold;
      out += bold ? "\\fB" : "\\fR";
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  if (bold) out += "\\fR";
  return out.starts_with('.') ? "\\&" + out : out;
}

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string bold_text(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic_text(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

/// Returns the name of an option's value. An option without a declared type takes a text.
std::string value_text(const OptionFacts& option) { return option.value.empty() ? "TEXT" : option.value; }

/// Returns the second word of "voxwake 1.0.0 (commit, compiler)".
std::string version_number() {
  const std::string description = api::build_info().description;
  const std::size_t begin = description.find(' ') + 1;
  return description.substr(begin, description.find(' ', begin) - begin);
}

std::string page_head(const std::string& name, const std::string& doc) {
  return fmt::format(
      ".TH {} 1 \"\" \"Voxwake {}\" \"User Commands\"\n"
      ".nh\n"
      ".SH NAME\n{} \\- {}\n",
      upper_case(roff(name)), roff(version_number()), roff(name), roff(doc));
}

std::string synopsis(const CommandFacts& command) {
  std::string line = ".SH SYNOPSIS\n" + bold_text("voxwake");
  if (!command.name.empty()) line += " " + bold_text(command.name);
  if (command.passes_all) return line + " [" + italic_text("ARGUMENT") + " ...]\n";
  line += " [" + italic_text("OPTION") + " ...]";
  for (const OptionFacts& option : command.options)
    if (option.required) line += fmt::format(" {} {}", bold_text(option.names.back()), italic_text(value_text(option)));
  for (const OptionFacts& argument : command.arguments) {
    const std::string name = italic_text(argument.names.front());
    line += argument.required ? " " + name : " [" + name + "]";
  }
  return line + "\n";
}

std::string tagged(const std::string& tag, std::string_view text) {
  const bool ends = text.ends_with('.');
  return fmt::format(".TP\n{}\n{}{}\n", tag, roff(text), ends ? "" : ".");
}

std::string option_list(const CommandFacts& command) {
  std::string text;
  if (!command.arguments.empty()) text += ".SH ARGUMENTS\n";
  for (const OptionFacts& argument : command.arguments)
    text += tagged(italic_text(argument.names.front()), argument.doc);
  if (!command.options.empty()) text += ".SH OPTIONS\n";
  for (const OptionFacts& option : command.options) {
    std::string tag;
    for (const std::string& name : option.names) tag += (tag.empty() ? "" : ", ") + bold_text(name);
    if (option.takes_value) tag += " " + italic_text(value_text(option));
    text += tagged(tag, option.doc + (option.required ? " (required)" : ""));
  }
  return text;
}

std::string exit_status(const std::string& footer) {
  constexpr std::string_view heading = "Exit status: ";
  const std::string_view sentences = footer;
  return ".SH EXIT STATUS\n" + roff(sentences.starts_with(heading) ? sentences.substr(heading.size()) : sentences) +
         "\n";
}

}  // namespace

std::string manual_page_name(const std::string& command) { return command.empty() ? "voxwake" : "voxwake-" + command; }

std::string program_manual_page(const ProgramCommands& all) {
  std::string page = page_head("voxwake", "simulate soft bodies, water, rigid bodies, wind and flocks in one world");
  page += synopsis(all.program);
  page += ".br\n" + bold_text("voxwake") + " " + italic_text("COMMAND") + " [" + italic_text("OPTION") + " ...]\n";
  page += ".SH DESCRIPTION\n" + roff(all.program.doc) + "\n.PP\nWithout a command, the program opens the window.\n";
  page += option_list(all.program);
  page += ".SH COMMANDS\n";
  for (const CommandFacts& command : all.commands) page += tagged(bold_text(command.name), command.doc);
  page += ".SH ENVIRONMENT\n";
  for (const EnvironmentVariable& variable : environment_variables())
    page += tagged(bold_text(variable.name), variable.doc);
  page += exit_status(all.footer);
  page += ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < all.commands.size(); ++i)
    page += fmt::format(".BR {} (1){}\n", roff(manual_page_name(all.commands[i].name)),
                        i + 1 < all.commands.size() ? "," : "");
  return page;
}

std::string command_manual_page(const ProgramCommands& all, const CommandFacts& command) {
  std::string doc = command.doc;  // the summary of a manual page begins in lower case
  if (doc.size() > 1 && std::islower(static_cast<unsigned char>(doc[1])) != 0)
    doc[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(doc[0])));
  std::string page = page_head(manual_page_name(command.name), doc);
  page += synopsis(command);
  page += ".SH DESCRIPTION\n" + roff(command.doc) + ".\n";
  page += option_list(command);
  page += exit_status(all.footer);
  page += ".SH SEE ALSO\n.BR voxwake (1)\n";
  return page;
}

}  // namespace vw::cli
