// Manual pages and completions, which the program generates from the declarations of its command line.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

#include "app/cli/command_facts.h"
#include "tests/app/cli/program.h"

namespace vw {
namespace {

/// Runs shell commands in the folder of the test. shell() returns the output and the errors of a command.
class CliManual : public CliTest {
 protected:
  [[nodiscard]] std::string shell(const std::string& command) const {
    const std::string log = path("shell.txt");
    const int code = std::system(("cd '" + folder_.folder() + "' && { " + command + "; } >'" + log + "' 2>&1").c_str());
    return slurp(log) + (code == 0 ? "" : "[failed]");
  }
  [[nodiscard]] static bool has_program(const std::string& name) {
    return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
  }
  /// Returns the names of commands or options that --help lists below a heading, up to the next empty line.
  [[nodiscard]] static std::vector<std::string> names_below(const std::string& help, const std::string& heading) {
    std::vector<std::string> names;
    std::istringstream lines(help.substr(std::min(help.find("\n" + heading + ":\n"), help.size())));
    std::string line;
    while (std::getline(lines, line) && (names.empty() || !line.empty())) {
      if (!line.starts_with("  ") || line.starts_with("    ")) continue;
      const std::string words = line.substr(2, line.find(' ', 2) - 2);
      names.push_back(words.substr(words.find("--") == std::string::npos ? 0 : words.find("--")));
    }
    return names;
  }
  /// Returns the options that --help lists for each command. The program without a command has an empty name. Commands
  /// that pass their arguments to another program are skipped.
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<std::string>>> commands_by_help() const {
    const std::string help = run({"--help"}).out;
    std::vector<std::pair<std::string, std::vector<std::string>>> all{{"", names_below(help, "Options")}};
    for (const std::string& name : names_below(help, "Subcommands"))
      if (name != "bench" && name != "study") all.emplace_back(name, names_below(run({name, "--help"}).out, "Options"));
    return all;
  }
};

std::string with_roff_hyphens(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '-' ? std::string("\\-") : std::string(1, c);
  return out;
}

TEST_F(CliManual, EveryCommandAndOptionIsInItsPageInTheCompletionsAndInTheDocument) {
  const std::string document = slurp(std::string(VOXWAKE_SOURCE_DIR) + "/docs/cli.md");
  const std::string program_page = run({"man"}).out;
  const std::string bash = run({"completion", "bash"}).out, zsh = run({"completion", "zsh"}).out,
                    fish = run({"completion", "fish"}).out;
  const auto commands = commands_by_help();
  ASSERT_GT(commands.size(), 12U);
  for (const auto& [name, options] : commands) {
    SCOPED_TRACE("voxwake " + name);
    const auto page = name.empty() ? run({"man"}) : run({"man", name});
    EXPECT_EQ(page.code, 0);
    ASSERT_GE(options.size(), 1U);
    EXPECT_NE(program_page.find("\\fB" + name), std::string::npos);
    EXPECT_NE(document.find("voxwake " + name), std::string::npos) << "docs/cli.md";
    for (const std::string& option : options) {
      EXPECT_NE(page.out.find("\\fB" + with_roff_hyphens(option) + "\\fR"), std::string::npos) << option;
      EXPECT_NE(bash.find(option), std::string::npos) << option;
      EXPECT_NE(zsh.find(option + "["), std::string::npos) << option;
      EXPECT_NE(fish.find(" -l " + option.substr(2) + " "), std::string::npos) << option;
      if (option != "--help") {
        EXPECT_NE(document.find(option), std::string::npos) << "docs/cli.md: " << option;
      }
    }
  }
  for (const cli::EnvironmentVariable& variable : cli::environment_variables()) {
    EXPECT_NE(document.find("`" + std::string(variable.name) + "`"), std::string::npos) << variable.name;
    EXPECT_NE(program_page.find("\\fB" + std::string(variable.name) + "\\fR"), std::string::npos) << variable.name;
  }
}

TEST_F(CliManual, PagesHaveNoWarningsOfGroff) {
  if (!has_program("man")) GTEST_SKIP() << "man-db is not installed";
  ASSERT_EQ(run({"man", "--out", "pages"}).code, 0);
  EXPECT_EQ(shell("for page in pages/*.1; do LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l "
                  "-Tutf8 -Z $page >/dev/null; done; ls pages | wc -l"),
            std::to_string(commands_by_help().size() + 2) + "\n")
      << "pages of the program and of all commands, including `bench` and `study`";
}

TEST_F(CliManual, ShellsAcceptTheCompletions) {
  ASSERT_EQ(run({"completion", "--out", "scripts"}).code, 0);
  EXPECT_EQ(shell("bash -n scripts/voxwake"), "");
  if (has_program("zsh")) {
    EXPECT_EQ(shell("zsh -n scripts/_voxwake"), "");
  }
  if (has_program("fish")) {
    EXPECT_EQ(shell("fish -n scripts/voxwake.fish"), "");
  }
}

TEST_F(CliManual, BashCompletesCommandsOptionsScenesAndFiles) {
  ASSERT_EQ(run({"completion", "--out", "scripts"}).code, 0);
  write("small world.toml", small_scene);
  const std::string folder = std::filesystem::path(program()).parent_path();
  const auto completed = [&](const std::string& words) {
    return shell("PATH=" + folder + ":$PATH; bash -c 'source scripts/voxwake; COMP_WORDS=(" + words +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _voxwake; printf \"%s\\n\" \"${COMPREPLY[@]}\"'");
  };
  EXPECT_EQ(completed("voxwake re"), "render\nreplay\n");
  EXPECT_EQ(completed("voxwake run --re"), "--report\n--resume\n");
  EXPECT_EQ(completed("voxwake run tuning"), "tuning-fork\n");
  EXPECT_EQ(completed("voxwake run \"small w\""), "small world.toml\n");
  EXPECT_EQ(completed("voxwake run --report small.t"), "small.toml\n");
  EXPECT_EQ(completed("voxwake run --until s"), "\n") << "the option expects a number, so nothing is completed";
}

TEST_F(CliManual, UnknownCommandsAndShellsAreErrors) {
  const auto page = run({"man", "rnder"});
  EXPECT_EQ(page.code, 2);
  EXPECT_NE(page.err.find("unknown command \"rnder\""), std::string::npos) << page.err;
  EXPECT_NE(page.err.find("render"), std::string::npos) << page.err;
  const auto script = run({"completion", "tcsh"});
  EXPECT_EQ(script.code, 2);
  EXPECT_NE(script.err.find("unknown shell \"tcsh\": expected one of bash, fish, zsh"), std::string::npos)
      << script.err;
  EXPECT_EQ(run({"completion"}).code, 2);
  EXPECT_EQ(run({"man", "--out", "small.toml/pages"}).code, 2);
}

}  // namespace
}  // namespace vw
