// Options that several commands share, and checks of option values.
#include "app/cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "sim/base/parallel/parallel.h"

namespace vw::cli {
namespace {

template <class T>
std::optional<T> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::string allowed_text(const Allowed& allowed) {
  const std::string low =
      allowed.above_min ? fmt::format("above {:g}", allowed.min) : fmt::format("of at least {:g}", allowed.min);
  return allowed.max < std::numeric_limits<double>::max() ? fmt::format("{} and at most {:g}", low, allowed.max) : low;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t comma = 0; comma != std::string::npos; from = comma + 1) {
    comma = text.find(',', from);
    parts.push_back(text.substr(from, comma == std::string::npos ? comma : comma - from));
  }
  return parts;
}

constexpr std::size_t longest_list = 64;  ///< largest number of entries of a list on the command line

[[noreturn]] void refuse(const std::string& name, const std::string& text, const std::string& expected) {
  throw CLI::ConversionError(fmt::format("{} = {}: {}", name, text.empty() ? "\"\"" : text.substr(0, 80), expected),
                             CLI::ExitCodes::ConversionError);
}

/// Rejects an option as the name of a file. If the name is missing, as in `--journal --strict`, or empty, as in
/// `--journal= --strict`, CLI11 takes the next option as the name.
void refuse_option_as_file(const std::string& name, const std::string& text) {
  if (text.starts_with("--"))
    refuse(name, text, "must be the name of a file; write ./--NAME for a name that begins with --");
}

}  // namespace

Option Option::required() const { return Option(option_->required()); }
Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }
Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }
Option Option::type_name(const std::string& name) const { return Option(option_->type_name(name)); }
bool Option::given() const { return option_->count() > 0; }

CLI::App& add_command(CLI::App& program, const std::string& name, const std::string& doc) {
  return *program.add_subcommand(name, doc);
}

void when_typed(CLI::App& command, std::function<void()> action) { command.callback(std::move(action)); }

bool command_typed(const CLI::App& program) { return !program.get_subcommands().empty(); }

std::string first_given(const CLI::App& program) {
  for (const CLI::Option* option : program.get_options())
    if (option->count() > 0) return option->get_name();
  return {};
}

void pass_all_arguments(CLI::App& command) {
  command.set_help_flag();
  command.prefix_command();
}

std::vector<std::string> left_over(const CLI::App& command) { return command.remaining(); }

void refuse_usage(const std::string& sentence) { throw CLI::RequiredError(sentence, CLI::ExitCodes::RequiredError); }

Option add_flag(CLI::App& command, const std::string& name, bool& target, const std::string& doc) {
  return Option(command.add_flag(name, target, doc));
}

Option add_text(CLI::App& command, const std::string& name, std::string& target, const std::string& doc,
                const std::string& type_name) {
  return Option(command.add_option(name, target, doc)->type_name(type_name));
}

Option add_name(CLI::App& command, const std::string& name, std::string& target, const std::string& doc,
                const std::string& type_name) {
  const auto take = [name, &target](const std::string& text) {
    if (text.empty()) refuse(name, text, "must not be empty");
    target = text;
  };
  return add_word(command, name, take, doc).type_name(type_name);
}

Option add_word(CLI::App& command, const std::string& name, const std::function<void(const std::string&)>& take,
                const std::string& doc) {
  return Option(command.add_option_function<std::string>(name, take, doc));
}

Option add_number(CLI::App& command, const std::string& name, double& target, const Allowed& allowed,
                  const std::string& doc) {
  const auto take = [name, &target, allowed](const std::string& text) {
    const auto value = number_of<double>(text);
    const bool good = value && std::isfinite(*value) && *value <= allowed.max &&
                      (allowed.above_min ? *value > allowed.min : *value >= allowed.min);
    if (!good) refuse(name, text, "must be a number " + allowed_text(allowed));
    target = *value;
  };
  return add_word(command, name, take, doc).type_name("NUMBER");
}

Option add_integer(CLI::App& command, const std::string& name, std::int64_t& target, std::int64_t min, std::int64_t max,
                   const std::string& doc) {
  const auto take = [name, &target, min, max](const std::string& text) {
    const auto value = number_of<std::int64_t>(text);
    if (!value || *value < min || *value > max)
      refuse(name, text, fmt::format("must be a whole number from {} to {}", min, max));
    target = *value;
  };
  return add_word(command, name, take, doc).type_name("N");
}

Option add_numbers(CLI::App& command, const std::string& name, std::vector<double>& target, const Allowed& allowed,
                   const std::string& doc) {
  const auto take = [name, &target, allowed](const std::string& text) {
    target.clear();
    for (const std::string& part : split_at_commas(text)) {
      const auto value = number_of<double>(part);
      const bool good = value && std::isfinite(*value) && *value <= allowed.max &&
                        (allowed.above_min ? *value > allowed.min : *value >= allowed.min);
      if (!good || target.size() == longest_list)
        refuse(name, text,
               fmt::format("must be at most {} numbers {}, separated by commas", longest_list, allowed_text(allowed)));
      target.push_back(*value);
    }
  };
  return add_word(command, name, take, doc).type_name("N,N,...");
}

Option add_names(CLI::App& command, const std::string& name, std::vector<std::string>& target,
                 const std::vector<std::string>& allowed, const std::string& doc) {
  const auto take = [name, &target, allowed](const std::string& text) {
    target = split_at_commas(text);
    for (const std::string& part : target)
      if (std::find(allowed.begin(), allowed.end(), part) == allowed.end() || target.size() > longest_list)
        refuse(name, text,
               fmt::format("must be at most {} names from {}, separated by commas", longest_list,
                           fmt::join(allowed, ", ")));
  };
  return add_word(command, name, take, doc).type_name("NAME,...");
}

Option add_list(CLI::App& command, const std::string& name, std::vector<std::string>& target, const std::string& doc) {
  const auto take = [name, &target](const std::string& text) {
    target = split_at_commas(text);
    for (const std::string& part : target)
      if (part.empty() || target.size() > longest_list)
        refuse(name, text,
               fmt::format("must be at most {} names that are not empty, separated by commas", longest_list));
  };
  return add_word(command, name, take, doc).type_name("NAME,...");
}

Option add_choice(CLI::App& command, const std::string& name, std::string& target,
                  const std::vector<std::string>& allowed, const std::string& doc) {
  const auto take = [name, &target, allowed](const std::string& text) {
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end())
      refuse(name, text, fmt::format("must be one of {}", fmt::join(allowed, ", ")));
    target = text;
  };
  return add_word(command, name, take, doc).type_name("NAME");
}

Option add_file(CLI::App& command, const std::string& name, std::string& target, const std::string& doc,
                bool or_stdout) {
  const auto take = [name, &target, or_stdout](const std::string& text) {
    if (text == "-" && !or_stdout)
      refuse(name, text, "must be the name of a file (only --report takes - for standard output)");
    // An empty name may come from an unset variable in a script. If it were accepted, the result would not be written.
    if (text.empty()) refuse(name, text, "must be the name of a file");
    refuse_option_as_file(name, text);
    target = text;
  };
  return add_word(command, name, take, doc).type_name("FILE");
}

Option add_files(CLI::App& command, const std::string& name, std::vector<std::string>& target, const std::string& doc) {
  const auto take = [name, &target](const std::vector<std::string>& names) {
    for (const std::string& one : names) {
      if (one.empty() || one == "-") refuse(name, one, "must be the name of a file");
      refuse_option_as_file(name, one);
    }
    target = names;
  };
  return Option(command.add_option_function<std::vector<std::string>>(name, take, doc)
                    ->allow_extra_args(false)
                    ->type_name("FILE"));
}

Option add_size(CLI::App& command, const std::string& name, Size& target, const std::string& doc) {
  const auto take = [name, &target](const std::string& text) {
    constexpr int smallest = 16, largest = 16384;
    const auto cross = text.find('x');
    const auto width = number_of<int>(text.substr(0, cross));
    const auto height = cross == std::string::npos ? std::optional<int>() : number_of<int>(text.substr(cross + 1));
    const auto fits = [](int pixels) { return pixels >= smallest && pixels <= largest; };
    if (!width || !height || !fits(*width) || !fits(*height))
      refuse(name, text,
             fmt::format("must be WIDTHxHEIGHT, each from {} to {} pixels, such as 1280x720", smallest, largest));
    target = {*width, *height};
  };
  return add_word(command, name, take, doc).type_name("WxH");
}

Option add_sets(CLI::App& command, const std::string& name, std::vector<std::string>& target, const std::string& doc) {
  return Option(command.add_option(name, target, doc)->allow_extra_args(false)->type_name("PATH=VALUE"));
}

Option add_scene(CLI::App& command, SceneOptions& options) {
  const Option scene = add_text(command, "SCENE", options.scene,
                                "A scene (.toml), design (.vxa .vxc .vxd .vxl.json .vox .binvox .npz .json), recording "
                                "(.history) or the name of a packaged scene",
                                "");
  add_sets(command, "--set", options.sets, "Set a parameter, such as world.gravity=[0,0,0] (may be repeated)");
  add_file(command, "--base", options.base, "Base design (.vxa) of a .vxd (default: base.vxa in the same folder)");
  add_flag(command, "--strict", options.strict,
           "Report unsupported features of a design as an error instead of a warning");
  return scene;
}

void add_moment(CLI::App& command, SceneOptions& options) {
  add_number(command, "--at", options.at_s, {.max = 1e9, .above_min = false},
             "If SCENE is a video of Voxwake, open it at this time of the video in seconds (default 0)");
  add_name(command, "--branch", options.branch,
           "If SCENE is a session, open the end of this branch (default: the moment that was shown last)", "");
}

void add_no_moment(CLI::App& command, bool& no_moment) {
  add_flag(command, "--no-moment", no_moment,
           "Leave the scene and the commands out of pictures and videos, so that Voxwake cannot open them");
}

Option add_threads(CLI::App& command, std::int64_t& threads) {
  return add_integer(command, "--threads", threads, 1, 1024,
                     "Number of threads (default: all cores); the result does not depend on this number");
}

void use_threads(std::int64_t threads) { set_thread_count(static_cast<int>(threads)); }

void add_end(CLI::App& command, EndOptions& options) {
  const Option until = add_number(command, "--until", options.until_s, {.max = 1e9, .above_min = false},
                                  fmt::format("Stop at this simulated time in seconds (default {})", default_seconds));
  add_integer(command, "--steps", options.steps, 0, 1'000'000'000'000,
              "Stop after this number of steps (cannot be used with --until)")
      .excludes(until);
}

double end_time(const EndOptions& options, double now_s, double dt_s) {
  if (options.steps >= 0) return now_s + static_cast<double>(options.steps) * dt_s;
  return options.until_s >= 0 ? options.until_s : now_s + default_seconds;
}

}  // namespace vw::cli
