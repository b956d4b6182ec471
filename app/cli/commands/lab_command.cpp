// voxwake lab: lists the experiments of the lab, explains an experiment, or runs experiments and compares them with
// theory.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "sim/api/analysis/lab.h"
#include "sim/base/system/interrupt.h"

namespace vw::cli {
namespace {

struct LabOptions {
  std::string name;
  bool run = false, json = false;
  std::int64_t threads = 0;
};

void list_experiments(const LabCourse& course) {
  std::size_t width = 0;
  for (const LabExperiment& experiment : course.experiments) width = std::max(width, experiment.name.size());
  std::string chapter;
  for (const LabExperiment& experiment : course.experiments) {
    if (experiment.chapter != chapter) fmt::print("{}{}\n", chapter.empty() ? "" : "\n", experiment.chapter);
    chapter = experiment.chapter;
    fmt::print("  {:<{}}  {}\n", experiment.name, width, experiment.law);
  }
}

void explain_experiment(const LabExperiment& experiment) {
  fmt::print("{}: {}\n\nSource: {}\n\nTry:\n", experiment.name, experiment.law, experiment.source);
  for (std::size_t i = 0; i < experiment.tries.size(); ++i) fmt::print("  {}. {}\n", i + 1, experiment.tries[i]);
  fmt::print("\nQuestion: {}\n\nMeasured ({:g} s):\n", experiment.question, experiment.until_s);
  for (const LabCheck& check : experiment.checks) fmt::print("  {}\n", check.title);
}

std::string number_with_unit(double number, const std::string& unit) {
  return fmt::format("{:.6g}{}{}", number, unit.empty() ? "" : " ", unit);
}

std::string deviation_text(const api::LabOutcome& outcome) {
  const double off = outcome.measured - outcome.expected;
  if (outcome.expected == 0) return fmt::format("off by {}", number_with_unit(off, outcome.unit));
  return fmt::format("off by {:.2g} %", 100 * off / std::abs(outcome.expected));
}

void print_outcomes(const LabExperiment& experiment, const std::vector<api::LabOutcome>& outcomes) {
  for (const api::LabOutcome& outcome : outcomes)
    fmt::print("{}  {}: {}: measured {}, expected {} ({}, allowed {})\n", outcome.agrees ? "agrees " : "DIFFERS",
               experiment.name, outcome.title, number_with_unit(outcome.measured, outcome.unit),
               number_with_unit(outcome.expected, outcome.unit), deviation_text(outcome),
               number_with_unit(outcome.allowed, outcome.unit));
}

nlohmann::ordered_json json_of(const LabExperiment& experiment, const std::vector<api::LabOutcome>& outcomes,
                               double wall_s) {
  nlohmann::ordered_json row{{"experiment", experiment.name}, {"wall_s", wall_s}};
  row["checks"] = nlohmann::ordered_json::array();
  for (const api::LabOutcome& outcome : outcomes)
    row["checks"].push_back({{"title", outcome.title},
                             {"unit", outcome.unit},
                             {"measured", outcome.measured},
                             {"expected", outcome.expected},
                             {"allowed", outcome.allowed},
                             {"agrees", outcome.agrees}});
  return row;
}

int run_experiments(const std::vector<const LabExperiment*>& experiments, bool as_json) {
  catch_interrupts();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::size_t checks = 0, agree = 0;
  for (const LabExperiment* experiment : experiments) {
    const auto start = std::chrono::steady_clock::now();
    Progress progress(0, experiment->until_s);
    const auto outcomes = api::run_lab_experiment(*experiment, [&](double time_s) {
      progress.show(time_s);
      return !interrupted();
    });
    progress.clear();
    if (!outcomes) {
      say(experiment->name + ": " + outcomes.error().message());
      return exit_failed;
    }
    checks += outcomes->size();
    agree += static_cast<std::size_t>(std::ranges::count(*outcomes, true, &api::LabOutcome::agrees));
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    if (as_json)
      rows.push_back(json_of(*experiment, *outcomes, wall.count()));
    else
      print_outcomes(*experiment, *outcomes);
  }
  if (as_json)
    fmt::print("{}\n", rows.dump(2));
  else
    fmt::print("{} of {} measurement{} of {} experiment{} agree{} with theory\n", agree, checks, checks == 1 ? "" : "s",
               experiments.size(), experiments.size() == 1 ? "" : "s", checks == 1 ? "s" : "");
  return agree == checks ? exit_done : exit_failed;
}

int visit_lab(const LabOptions& options) {
  ignore_closed_pipes();
  const auto course = packaged_lab_course();
  if (!course) return report_error(course.error());
  std::vector<const LabExperiment*> chosen;
  std::vector<std::string> names;
  for (const LabExperiment& experiment : course->experiments) {
    names.push_back(experiment.name);
    if (options.name.empty() || options.name == experiment.name) chosen.push_back(&experiment);
  }
  if (chosen.empty()) {
    Error error = fail(fmt::format("the lab has no experiment \"{}\"", options.name)).value();
    error.hint = nearest_word(options.name, names);
    return report_error(error);
  }
  use_threads(options.threads);
  if (options.run) return run_experiments(chosen, options.json);
  if (options.name.empty())
    list_experiments(*course);
  else
    explain_experiment(*chosen.front());
  return exit_done;
}

}  // namespace

void add_lab(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<LabOptions>();
  CLI::App& command = add_command(
      program, "lab", "List the experiments of the lab, explain one, or run them and compare them with theory");
  add_text(command, "NAME", options->name, "Experiment, which is the name of its scene (default: all)", "");
  const Option run = add_flag(command, "--run", options->run,
                              "Run the experiments and print each measured number beside the expected one");
  add_flag(command, "--json", options->json, "Print the numbers as one JSON array").needs(run);
  add_threads(command, options->threads);
  when_typed(command, [options, &chosen] { chosen = [options] { return visit_lab(*options); }; });
}

}  // namespace vw::cli
