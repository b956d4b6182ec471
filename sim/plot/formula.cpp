#include "sim/plot/formula.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>
#include <muParser.h>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

constexpr std::size_t most_characters = 1000;  // limits the work of the parser
constexpr std::size_t deepest = 50;            // nesting depth of brackets

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
double least(double a, double b) { return std::min(a, b); }
double most(double a, double b) { return std::max(a, b); }

/// Sign that replaces `^` in the text for the parser. Formulas of users cannot contain it.
constexpr char power_sign = '$';
/// Returns x^y. The parser's own operator calls std::pow, whose bits depend on the C library. It computes the exponents
/// 2, 3 and 4 of a variable by products, and so does this function.
double power_of(double x, double y) {
  if (y == 2) return x * x;
  if (y == 3) return x * x * x;
  if (y == 4) return x * x * x * x;
  return elementary::pow(x, y);
}

using Unary = double (*)(double);
using Binary = double (*)(double, double);
struct Function {
  const char* name;
  Unary unary;
  Binary binary;
};
/// Returns all functions that formulas can call. They replace the parser's own functions, so that formulas do not
/// depend on the parser's version.
const std::vector<Function>& functions() {
  static const std::vector<Function> all{
      {"abs", [](double x) { return std::abs(x); }, nullptr},
      {"acos", [](double x) { return elementary::acos(x); }, nullptr},
      {"asin", [](double x) { return elementary::asin(x); }, nullptr},
      {"atan", [](double x) { return elementary::atan(x); }, nullptr},
      {"atan2", nullptr, [](double y, double x) { return elementary::atan2(y, x); }},
      {"ceil", [](double x) { return std::ceil(x); }, nullptr},
      {"cos", [](double x) { return elementary::cos(x); }, nullptr},
      {"cosh", [](double x) { return elementary::cosh(x); }, nullptr},
      {"exp", [](double x) { return elementary::exp(x); }, nullptr},
      {"floor", [](double x) { return std::floor(x); }, nullptr},
      {"ln", [](double x) { return elementary::log(x); }, nullptr},
      {"log10", [](double x) { return elementary::log10(x); }, nullptr},
      {"max", nullptr, most},
      {"min", nullptr, least},
      {"mod", nullptr, [](double x, double y) { return x - y * std::floor(x / y); }},
      {"round", [](double x) { return std::round(x); }, nullptr},
      {"sign", sign, nullptr},
      {"sin", [](double x) { return elementary::sin(x); }, nullptr},
      {"sinh", [](double x) { return elementary::sinh(x); }, nullptr},
      {"sqrt", [](double x) { return std::sqrt(x); }, nullptr},
      {"tan", [](double x) { return elementary::tan(x); }, nullptr},
      {"tanh", [](double x) { return elementary::tanh(x); }, nullptr},
  };
  return all;
}

/// Quotes user text for a message, shortened and without control characters.
std::string in_quotes(std::string_view text) {
  constexpr std::size_t limit = 60;
  std::string out = "\"";
  for (const char c : text.substr(0, limit)) out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return out + (text.size() > limit ? "...\"" : "\"");
}

Unexpected bad_formula(std::string_view text, std::string expected, std::string hint = {}) {
  Error error;
  error.found = in_quotes(text);
  error.expected = std::move(expected);
  error.hint = std::move(hint);
  return fail(std::move(error));
}

/// Returns whether the text contains an assignment: a single `=` that is not part of `<=`, `>=`, `==` or `!=`.
bool assigns(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool pair = i + 1 < text.size() && text[i + 1] == '=';
    const bool second = i > 0 && (text[i - 1] == '<' || text[i - 1] == '>' || text[i - 1] == '!');
    if (pair) {
      ++i;
      continue;
    }
    if (!second) return true;
  }
  return false;
}

/// Returns the reason why a formula's text must not be passed to the parser (length, characters, nesting, a missing
/// exponent or an assignment), or an empty text.
std::string character_error(const std::string& text) {
  if (text.size() > most_characters) return fmt::format("must have at most {} characters", most_characters);
  if (std::all_of(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\t'; }))
    return "must be a formula such as h * e^2";
  constexpr std::string_view marks = "+-*/^()<>=!&|?:,. \t";
  std::size_t depth = 0;
  for (const char c : text) {
    if (!is_letter(c) && !is_digit(c) && marks.find(c) == std::string_view::npos)
      return "must consist of numbers, names, brackets and + - * / ^ < > = ! & | ? : ,";
    if (c == '(' && ++depth > deepest) return fmt::format("must have at most {} nested brackets", deepest);
    if (c == ')' && depth > 0) --depth;
  }
  // The parser detects a missing operand only for its own operators, not for the operator that replaces ^.
  for (std::size_t i = text.find('^'); i != std::string::npos; i = text.find('^', i + 1)) {
    const std::size_t next = text.find_first_not_of(" \t", i + 1);
    if (next != std::string::npos && (text[next] == '?' || text[next] == ':'))
      return "must have an exponent after each ^";
  }
  return assigns(text) ? "must not contain an assignment; use == to compare" : std::string();
}

/// Returns the name that begins at index `at`, or an empty text if no name begins there.
std::string word_at(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
  return at < text.size() && is_letter(text[at]) ? text.substr(at, end - at) : std::string();
}

Unexpected explain(const mu::ParserError& error, const std::string& text, std::span<const std::string> names) {
  const auto at = error.GetPos() < 0 ? text.size() : static_cast<std::size_t>(error.GetPos());
  const std::string word = word_at(text, at);
  std::vector<std::string> known(formula_functions());
  for (const std::string& name : names)
    if (!name.empty()) known.push_back(name);
  if (!word.empty() && std::find(known.begin(), known.end(), word) == known.end())
    return bad_formula(text, fmt::format("must use known names only; {} is unknown", in_quotes(word)),
                       nearest_word(word, known));
  if (at >= text.size()) return bad_formula(text, "must be a complete formula; its end is missing");
  return bad_formula(text, fmt::format("must be a valid formula; the error begins at character {} ({})", at + 1,
                                       in_quotes(text.substr(at))));
}

}  // namespace

struct Formula::Impl {
  mu::Parser parser;
  std::vector<double> values;
};

Formula::Formula(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;
Formula::~Formula() = default;

const std::vector<std::string>& formula_functions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Function& function : functions()) all.emplace_back(function.name);
    return all;
  }();
  return names;
}

bool is_formula_name(const std::string& name) {
  if (name.empty() || name.size() > 40 || !is_letter(name.front())) return false;
  if (!std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); })) return false;
  const auto& taken = formula_functions();
  return std::find(taken.begin(), taken.end(), name) == taken.end();
}

Result<Formula> Formula::compile(const std::string& text, std::span<const std::string> names) {
  if (std::string problem = character_error(text); !problem.empty()) return bad_formula(text, std::move(problem));
  try {
    auto impl = std::make_unique<Impl>();
    impl->values.assign(names.size(), 0.5);
    impl->parser.ClearFun();
    impl->parser.ClearConst();
    // The parser's optimizer combines variables and constants. The results depend on the parser's version and on fused
    // multiply-add, and the operands of a constant && or || are converted to int.
    impl->parser.EnableOptimizer(false);
    impl->parser.DefineOprt(std::string(1, power_sign), power_of, mu::prPOW, mu::oaRIGHT);
    for (const Function& function : functions()) {
      if (function.unary != nullptr)
        impl->parser.DefineFun(function.name, function.unary);
      else
        impl->parser.DefineFun(function.name, function.binary);
    }
    // Only the names that occur in the text are defined, because each parser stores its own table of names.
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!names[i].empty() && text.find(names[i]) != std::string::npos)
        impl->parser.DefineVar(names[i], &impl->values[i]);
    std::string expression = text;
    std::replace(expression.begin(), expression.end(), '^', power_sign);
    impl->parser.SetExpr(expression);
    (void)impl->parser.Eval();  // parses the expression
    if (impl->parser.GetNumResults() != 1) return bad_formula(text, "must give a single value");
    return Formula(std::move(impl));
  } catch (const mu::ParserError& error) {
    return explain(error, text, names);
  } catch (const std::exception&) {
    return bad_formula(text, "must be a valid formula");
  }
}

double Formula::operator()(std::span<const double> values) {
  assert(values.size() >= impl_->values.size());
  std::copy_n(values.begin(), impl_->values.size(), impl_->values.begin());
  try {
    return impl_->parser.Eval();
  } catch (const std::exception&) {
    return std::nan("");  // the formula was parsed without error, so its value is undefined here
  }
}

}  // namespace vw
