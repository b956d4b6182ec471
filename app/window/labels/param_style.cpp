#include "app/window/labels/param_style.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/srgb.h"
#include "sim/base/text.h"

namespace vw {
namespace {

constexpr double unbounded = 1e100;

bool bounded(const Bounds& bounds) { return bounds.min > -unbounded && bounds.max < unbounded; }

double magnitude(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return std::abs(*real);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::abs(static_cast<double>(*integer));
  if (const auto* vector = std::get_if<Vec3>(&value)) return vector->cwiseAbs().maxCoeff();
  return 0;
}

/// Whether a slider suits the parameter. A linear slider of 300 pixels has steps of about 1/300 of the span of the
/// bounds. If the default is much smaller than such a step, a slider could not set values as small as the default.
bool suits_slider(const ParamSpec& spec) {
  if (!bounded(spec.bounds) || spec.bounds.min >= spec.bounds.max) return false;
  const double span = spec.bounds.max - spec.bounds.min;
  if (spec.scale == Scale::log) return spec.bounds.min > 0 && spec.bounds.max / spec.bounds.min <= 1e12;
  const double typical = magnitude(spec.default_value);
  return span <= 10 || (typical > 0 && span <= 200 * typical);
}

WidgetKind number_widget(const ParamSpec& spec) {
  if (!suits_slider(spec)) return WidgetKind::drag;
  return spec.scale == Scale::log ? WidgetKind::log_slider : WidgetKind::slider;
}

WidgetKind widget_of(const ParamSpec& spec) {
  switch (spec.type) {
    case ParamType::boolean: return WidgetKind::checkbox;
    case ParamType::integer:
    case ParamType::real: return number_widget(spec);
    case ParamType::vec3: return WidgetKind::vector;
    case ParamType::color: return WidgetKind::color;
    case ParamType::choice: return WidgetKind::choice;
    case ParamType::text: return WidgetKind::text;
    case ParamType::number_list:
    case ParamType::text_list: return WidgetKind::list;
  }
  return WidgetKind::text;
}

/// Typical magnitude of a value for each unit. If the default is 0, the drag speed is based on at least this magnitude.
double usual(Unit unit) {
  switch (unit) {
    case Unit::pascal: return 1e5;
    case Unit::kelvin: return 10;
    case Unit::meter: return 0.02;
    case Unit::newton: return 0.1;
    case Unit::newton_meter: return 0.01;
    case Unit::radian:
    case Unit::ratio: return 0.2;
    case Unit::none: return 1e-3;
    default: return 0.5;
  }
}

std::string with_spec_unit(const std::string& text, const ParamSpec& spec) {
  const std::string symbol = pretty_unit(spec.unit);
  return symbol.empty() ? text : text + (symbol == "\xC2\xB0" ? "" : " ") + symbol;
}

/// Returns the printf format of a number without its unit. `largest` is the magnitude of the value. From 1e4 to 1e7,
/// the format has no exponent ("50000" instead of "5e+04").
const char* number_format(const ParamSpec& spec, double largest) {
  if (spec.type == ParamType::integer) return "%lld";
  if (spec.type == ParamType::vec3) return "%.3g";
  return largest >= 1e4 && largest < 1e7 ? "%.0f" : "%.4g";
}

}  // namespace

ParamStyle style_of(const ParamSpec& spec, const Value& present) {
  ParamStyle style;
  style.widget = widget_of(spec);
  if (spec.bounds.min > -unbounded || spec.bounds.max < unbounded) {
    style.min = std::max(spec.bounds.min, -1e30);
    style.max = std::min(spec.bounds.max, 1e30);
  }
  const double largest = std::max(magnitude(present), magnitude(spec.default_value));
  const double typical =
      magnitude(spec.default_value) > 0 ? std::max(largest, 1e-3) : std::max(largest, usual(spec.unit));
  style.drag_speed =
      static_cast<float>(spec.type == ParamType::integer ? std::max(typical * 0.005, 0.1) : typical * 0.005);
  const char* number = number_format(spec, magnitude(present));
  style.format = spec.type == ParamType::vec3 ? number : with_spec_unit(number, spec);
  return style;
}

std::string pretty_unit(Unit unit) { return pretty_unit(unit_symbol(unit)); }

std::string pretty_unit(std::string_view symbol) {
  if (symbol == "deg") return "\xC2\xB0";
  std::string text(symbol);
  for (const auto& [plain, raised] :
       {std::pair<std::string, std::string>{"^2", "\xC2\xB2"}, {"^3", "\xC2\xB3"}, {" ", "\xC2\xB7"}}) {
    for (std::size_t at = text.find(plain); at != std::string::npos; at = text.find(plain, at + raised.size()))
      text.replace(at, plain.size(), raised);
  }
  return text;
}

std::string pretty_value(const ParamSpec& spec, const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "on" : "off";
  if (const auto* real = std::get_if<double>(&value)) return with_spec_unit(fmt::format("{:.6g}", *real), spec);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return with_spec_unit(fmt::format("{}", *integer), spec);
  if (const auto* v = std::get_if<Vec3>(&value))
    return with_spec_unit(fmt::format("({:.4g}, {:.4g}, {:.4g})", v->x(), v->y(), v->z()), spec);
  if (const auto* text = std::get_if<std::string>(&value)) return text->empty() ? "(empty)" : *text;
  if (const auto* numbers = std::get_if<NumberList>(&value)) return fmt::format("{} values", numbers->size());
  const auto& texts = std::get<TextList>(value);
  constexpr std::size_t readable = 24;  // a longer text, such as the layers of a lattice, is replaced by its line count
  const std::string joined = fmt::format("{}", fmt::join(texts, ", "));
  if (joined.size() <= readable) return texts.empty() ? "(empty)" : joined;
  return fmt::format("{} line{}", texts.size(), texts.size() == 1 ? "" : "s");
}

std::string pretty_bounds(const ParamSpec& spec) {
  const Bounds& bounds = spec.bounds;
  const bool low = bounds.min > -unbounded, high = bounds.max < unbounded;
  const bool numeric = spec.type == ParamType::real || spec.type == ParamType::integer || spec.type == ParamType::vec3;
  if (!numeric || (!low && !high)) return {};
  if (low && high) return with_spec_unit(fmt::format("{:g} to {:g}", bounds.min, bounds.max), spec);
  return with_spec_unit(low ? fmt::format("at least {:g}", bounds.min) : fmt::format("at most {:g}", bounds.max), spec);
}

std::string choice_doc(const ParamSpec& spec, const std::string& choice) {
  const std::string text = " " + spec.doc;
  const auto place = [&](const std::string& name) { return text.find(" " + name + ": "); };
  const std::size_t at = place(choice);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + choice.size() + 3;
  std::size_t end = text.size();
  for (const std::string& other : spec.choices)
    if (const std::size_t next = place(other); next != std::string::npos && next >= begin) end = std::min(end, next);
  const std::size_t last = text.find_last_not_of(" ;.", end - 1);
  return last < begin ? std::string() : text.substr(begin, last + 1 - begin) + ".";
}

namespace {

/// Noun phrase after `mark` in the doc of a parameter, without the article and without marks of code. Empty if the doc
/// does not contain `mark` as words of their own, or continues with a sentence ("0 means that ...").
std::string phrase_after(std::string_view mark, const std::string& doc) {
  const std::size_t at = doc.find(mark);
  if (at == std::string::npos || (at > 0 && doc[at - 1] != ' ')) return {};
  const std::size_t begin = at + mark.size();
  std::string text = doc.substr(begin, std::min(doc.find_first_of(".:;,)", begin), doc.size()) - begin);
  if (text.starts_with("that ")) return {};
  if (text.starts_with("the ")) text.erase(0, 4);
  // The phrase ends before a relative clause.
  if (const std::size_t clause = text.find(" to which "); clause != std::string::npos) text.resize(clause);
  std::erase(text, '`');
  return text;
}

}  // namespace

std::string empty_doc(const ParamSpec& spec) {
  std::string text = phrase_after("Empty means ", spec.doc);
  if (text.empty()) return "None";
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string zero_doc(const ParamSpec& spec) { return phrase_after("0 means ", spec.doc); }

std::string pretty_factor(double factor) {
  return factor > 0 && factor < 0.1 ? fmt::format("{:.2g}", factor) : fmt::format("{:.2f}", factor);
}

bool matches_filter(const std::string& text, const std::string& filter) {
  const std::string searched = lowercase(text);
  std::istringstream words(lowercase(filter));
  for (std::string word; words >> word;)
    if (searched.find(word) == std::string::npos) return false;
  return true;
}

double srgb_from_linear(double linear) { return srgb_of_linear(std::clamp(linear, 0.0, 1.0)); }

double linear_from_srgb(double srgb) { return linear_of_srgb(std::clamp(srgb, 0.0, 1.0)); }

}  // namespace vw
