#include "sim/scene/lab/lab_course.h"

#include <algorithm>
#include <utility>

#include "sim/base/data/node.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"

namespace vw {
namespace {

constexpr std::uint64_t max_course_bytes = std::uint64_t{1} << 20;

}  // namespace

const ParamTable<LabCheck>& lab_check_params() {
  using P = LabCheck;
  constexpr double any = 1e12;
  static const ParamTable<P> table{
      Param<P>{.member = &P::title, .key = "title", .doc = "The measured quantity in words."},
      Param<P>{.member = &P::plot, .key = "plot", .doc = "Plot of the scene."},
      Param<P>{.member = &P::curve, .key = "curve", .doc = "Measured curve of the plot."},
      Param<P>{
          .member = &P::system,
          .key = "system",
          .doc = "System whose point of the curve is measured, if the horizontal axis of the plot is a parameter."},
      Param<P>{.member = &P::field, .key = "field", .doc = "Field whose spectrum is measured."},
      Param<P>{.member = &P::value,
               .key = "value",
               .choices = {"last", "first", "max", "min", "mean", "rms", "period", "zero_period", "rate", "difference",
                           "slope", "power"},
               .doc = "Number that is computed from the curve, or from the spectrum of the field for slope and power."},
      Param<P>{.member = &P::from_s,
               .key = "from",
               .unit = Unit::second,
               .range = {0, 1e9},
               .doc = "Values before this time are ignored."},
      Param<P>{.member = &P::to_s,
               .key = "to",
               .unit = Unit::second,
               .range = {0, 1e9},
               .doc = "Values after this time are ignored."},
      Param<P>{.member = &P::theory, .key = "theory", .doc = "Curve of the plot that contains the expected values."},
      Param<P>{.member = &P::expected,
               .key = "expected",
               .range = {-any, any},
               .doc = "Expected number. It is used only if `theory` is empty and `value` is not slope or power."},
      Param<P>{.member = &P::relative,
               .key = "relative",
               .range = {0, 10},
               .doc = "Allowed deviation as a fraction of the expected number."},
      Param<P>{.member = &P::absolute,
               .key = "absolute",
               .range = {0, any},
               .doc = "Allowed deviation in the unit of the plot."},
      Param<P>{.member = &P::reason, .key = "reason", .doc = "Reason for the tolerance."},
  };
  return table;
}

namespace {

const ParamTable<LabExperiment>& experiment_params() {
  using P = LabExperiment;
  static const ParamTable<P> table{
      Param<P>{.member = &P::chapter, .key = "chapter", .doc = "Heading of the experiment."},
      Param<P>{.member = &P::law, .key = "law", .doc = "The law in one sentence."},
      Param<P>{.member = &P::source, .key = "source", .doc = "Publication of the law."},
      Param<P>{.member = &P::question, .key = "question", .doc = "Question to the reader."},
      Param<P>{.member = &P::tries, .key = "try", .doc = "Three things to try."},
      Param<P>{
          .member = &P::until_s, .key = "until", .unit = Unit::second, .range = {0, 1e4}, .doc = "End of the run."},
  };
  return table;
}

const Schema& course_schema() {
  static const Schema check{"check", "A comparison with theory.", lab_check_params().specs(), {}};
  static const Schema experiment{"experiment",
                                 "A scene that shows a law.",
                                 experiment_params().specs(),
                                 {{.name = "check", .kinds = {&check}, .doc = "Comparisons with theory."}}};
  static const Schema course{
      "course", "The course of the lab.", {}, {{.name = "experiment", .kinds = {&experiment}, .doc = "Experiments."}}};
  return course;
}

Unexpected missing_in_course(const std::string& file, const Node& node, const std::string& key,
                             const std::string& expected) {
  Error error;
  error.file = file;
  error.line = node.line;
  error.key = node.schema->kind + "." + node.name + "." + key;
  error.expected = expected;
  return fail(std::move(error));
}

/// Reads a check from its node, and checks that the node contains all parameters that the check needs.
Result<LabCheck> checked_check(const Node& node, const std::string& file) {
  LabCheck check = lab_check_params().read(node.values);
  if (check.title.empty()) return missing_in_course(file, node, "title", "is missing");
  if (is_of_spectrum(check.value)) {
    if (check.field.empty()) return missing_in_course(file, node, "field", "is missing; expected a field of the scene");
    return check;
  }
  if (check.plot.empty()) return missing_in_course(file, node, "plot", "is missing");
  if (check.curve.empty()) return missing_in_course(file, node, "curve", "is missing");
  if (check.value == LabValue::difference && check.theory.empty())
    return missing_in_course(file, node, "theory", "is missing; expected a curve, because `value` is \"difference\"");
  if (check.from_s > check.to_s) return missing_in_course(file, node, "from", "must not be after `to`");
  return check;
}

Result<LabExperiment> checked_experiment(const Node& node, const std::string& file) {
  LabExperiment experiment = experiment_params().read(node.values);
  experiment.name = node.name;
  const std::pair<const char*, const std::string*> texts[] = {{"chapter", &experiment.chapter},
                                                              {"law", &experiment.law},
                                                              {"source", &experiment.source},
                                                              {"question", &experiment.question}};
  for (const auto& [key, text] : texts)
    if (text->empty()) return missing_in_course(file, node, key, "is missing");
  if (experiment.tries.size() != 3) return missing_in_course(file, node, "try", "must be a list of three texts");
  for (const Node* child : node.all("check")) {
    auto check = checked_check(*child, file);
    if (!check) return Unexpected(check.error());
    experiment.checks.push_back(std::move(*check));
  }
  if (experiment.checks.empty()) return missing_in_course(file, node, "check", "is missing; expected at least one");
  return experiment;
}

}  // namespace

std::string unit_of(LabValue value, const std::string& unit) {
  switch (value) {
    case LabValue::period:
    case LabValue::zero_period: return "s";
    case LabValue::rate: return unit.empty() ? "1/s" : unit + "/s";
    case LabValue::slope:
    case LabValue::power: return {};
    default: return unit;
  }
}

const LabExperiment* LabCourse::find(std::string_view name) const {
  const auto found = std::ranges::find(experiments, name, &LabExperiment::name);
  return found == experiments.end() ? nullptr : &*found;
}

Result<LabCourse> read_lab_course(std::string_view text, const std::string& file) {
  const auto root = read_toml_node(text, file, course_schema());
  if (!root) return Unexpected(root.error());
  LabCourse course;
  for (const Node* node : root->all("experiment")) {
    auto experiment = checked_experiment(*node, file);
    if (!experiment) return Unexpected(experiment.error());
    course.experiments.push_back(std::move(*experiment));
  }
  return course;
}

Result<LabCourse> packaged_lab_course() {
  const std::string file = assets_folder() + "/lab/course.toml";
  const auto text = read_file(file, max_course_bytes);
  if (!text) return Unexpected(text.error());
  return read_lab_course(*text, file);
}

}  // namespace vw
