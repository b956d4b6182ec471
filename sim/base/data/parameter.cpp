// Checks values against their declarations and parses the right side of `--set path=value`.
#include "sim/base/data/parameter.h"

#include <charconv>
#include <cmath>

#include "sim/base/text.h"

namespace vw {
namespace {

std::string_view type_phrase(ParamType type) {
  switch (type) {
    case ParamType::boolean: return "true or false";
    case ParamType::integer: return "a whole number";
    case ParamType::real: return "a number";
    case ParamType::vec3: return "three numbers [x, y, z]";
    case ParamType::color: return "three numbers [red, green, blue]";
    case ParamType::choice: return "one of the choices";
    case ParamType::text: return "a string in quotes";
    case ParamType::number_list: return "a list of numbers";
    case ParamType::text_list: return "a list of strings";
  }
  return "";
}

std::string shown(const Value& value, Unit unit) {
  std::string text = to_text(value);
  constexpr std::size_t longest = 80;
  if (text.size() > longest) text = std::string(beginning_of(text, longest)) + "...";
  const auto symbol = unit_symbol(unit);
  return symbol.empty() || value.index() == 0 || value.index() >= 4 ? text : text + " " + std::string(symbol);
}

std::string number_text(double x) {
  std::string text = to_text(Value(x));
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string range_phrase(const ParamSpec& spec) {
  const auto symbol = unit_symbol(spec.unit);
  const std::string unit = symbol.empty() ? "" : " " + std::string(symbol);
  constexpr double huge = 1e300;
  if (spec.bounds.max >= huge) return "must be at least " + number_text(spec.bounds.min) + unit;
  if (spec.bounds.min <= -huge) return "must be at most " + number_text(spec.bounds.max) + unit;
  return "must lie in [" + number_text(spec.bounds.min) + ", " + number_text(spec.bounds.max) + "]" + unit;
}

Unexpected wrong(const ParamSpec& spec, const Value& value, std::string expected, std::string hint = {}) {
  Error error;
  error.found = shown(value, spec.unit);
  error.expected = std::move(expected);
  error.hint = std::move(hint);
  return fail(std::move(error));
}

Unexpected wrong_type(const ParamSpec& spec, const Value& value) {
  return wrong(spec, value, "must be " + std::string(type_phrase(spec.type)));
}

/// Checks that x is finite and within bounds. `whole` is the complete value, which an error quotes.
Result<void> check_number(const ParamSpec& spec, const Value& whole, double x) {
  if (!std::isfinite(x)) return wrong(spec, whole, "must be finite");
  if (x < spec.bounds.min || x > spec.bounds.max) return wrong(spec, whole, range_phrase(spec));
  return {};
}

Result<Value> check_real(const ParamSpec& spec, const Value& value) {
  double x = 0;
  if (const auto* real = std::get_if<double>(&value))
    x = *real;
  else if (const auto* whole = std::get_if<std::int64_t>(&value))
    x = static_cast<double>(*whole);
  else
    return wrong_type(spec, value);
  if (auto ok = check_number(spec, value, x); !ok) return Unexpected(ok.error());
  return Value(x);
}

Result<Value> check_integer(const ParamSpec& spec, const Value& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  if (!whole) return wrong_type(spec, value);
  if (auto ok = check_number(spec, value, static_cast<double>(*whole)); !ok) return Unexpected(ok.error());
  return value;
}

Result<Value> check_vec3(const ParamSpec& spec, const Value& value) {
  Vec3 v = Vec3::Zero();
  if (const auto* vec = std::get_if<Vec3>(&value))
    v = *vec;
  else if (const auto* list = std::get_if<NumberList>(&value); list && list->size() == 3)
    v = Vec3((*list)[0], (*list)[1], (*list)[2]);
  else
    return wrong_type(spec, value);
  for (int i = 0; i < 3; ++i)
    if (auto ok = check_number(spec, value, v[i]); !ok) return Unexpected(ok.error());
  return Value(v);
}

Result<Value> check_choice(const ParamSpec& spec, const Value& value) {
  std::string all;
  for (const auto& choice : spec.choices) all += (all.empty() ? "" : ", ") + choice;
  const auto* text = std::get_if<std::string>(&value);
  if (!text) return wrong(spec, value, "must be one of " + all);
  for (const auto& choice : spec.choices)
    if (choice == *text) return value;
  return wrong(spec, value, "must be one of " + all, nearest_word(*text, spec.choices));
}

Result<Value> check_list(const ParamSpec& spec, const Value& value) {
  if (const auto* vec = std::get_if<Vec3>(&value))
    return check_list(spec, Value(NumberList{(*vec)[0], (*vec)[1], (*vec)[2]}));
  if (const auto* texts = std::get_if<TextList>(&value); texts && texts->empty()) return Value(NumberList{});
  if (const auto* number = std::get_if<double>(&value)) return check_list(spec, Value(NumberList{*number}));
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    return check_list(spec, Value(NumberList{static_cast<double>(*whole)}));
  const auto* list = std::get_if<NumberList>(&value);
  if (!list) return wrong_type(spec, value);
  for (const double x : *list)
    if (auto ok = check_number(spec, Value(x), x); !ok) return Unexpected(ok.error());
  return value;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Parses a text that consists of exactly one number. Returns false for any other text. A number without decimal point
/// and exponent becomes an integer.
bool read_number(std::string_view text, Value& out) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  std::int64_t whole = 0;
  const char* end = text.data() + text.size();
  if (const auto r = std::from_chars(text.data(), end, whole); r.ec == std::errc{} && r.ptr == end)
    return out = whole, true;
  double real = 0;
  if (const auto r = std::from_chars(text.data(), end, real); r.ec == std::errc{} && r.ptr == end)
    return out = real, true;
  return false;
}

/// Returns the position of the comma after the first entry of a list, or npos if the list has one entry. An entry in
/// quotes may contain commas.
std::size_t comma_after_entry(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos || (text[first] != '"' && text[first] != '\'')) return text.find(',');
  const auto closing = text.find(text[first], first + 1);
  return text.find(',', closing == std::string_view::npos ? 0 : closing);
}

std::vector<std::string_view> split_list(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> parts;
  while (!trimmed(text).empty()) {
    const auto comma = comma_after_entry(text);
    parts.push_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return parts;
}

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\''))
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

}  // namespace

std::string spelt_out(std::string_view key) {
  std::string text(key.ends_with("_deg") ? key.substr(0, key.size() - 4) : key);
  for (char& c : text)
    if (c == '_') c = ' ';
  // Keys have American spelling, labels have British spelling, as the documents do.
  for (const auto& [key_word, word] :
       {std::pair<std::string_view, std::string_view>{"center", "centre"}, {"color", "colour"}})
    if (const std::size_t at = text.find(key_word); at != std::string::npos) text.replace(at, key_word.size(), word);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string_view unit_symbol(Unit unit) {
  switch (unit) {
    case Unit::none:
    case Unit::ratio:
    case Unit::count: return "";
    case Unit::meter: return "m";
    case Unit::second: return "s";
    case Unit::hertz: return "Hz";
    case Unit::kilogram: return "kg";
    case Unit::kilogram_per_m3: return "kg/m^3";
    case Unit::meter_per_second: return "m/s";
    case Unit::meter_per_second2: return "m/s^2";
    case Unit::newton: return "N";
    case Unit::newton_per_meter: return "N/m";
    case Unit::pascal: return "Pa";
    case Unit::kelvin: return "K";
    case Unit::per_kelvin: return "1/K";
    case Unit::radian: return "rad";
    case Unit::radian_per_second: return "rad/s";
    case Unit::degree: return "deg";
    case Unit::per_second: return "1/s";
    case Unit::per_second2: return "1/s^2";
    case Unit::cycle: return "cycles";
    case Unit::joule: return "J";
    case Unit::newton_second_per_meter: return "N s/m";
    case Unit::newton_meter: return "N m";
    case Unit::second_per_meter: return "s/m";
    case Unit::meter2_per_second: return "m^2/s";
    case Unit::meter3_per_second: return "m^3/s";
    case Unit::meter_per_newton: return "m/N";
    case Unit::pascal_second: return "Pa s";
  }
  return "";
}

Result<Value> check_value(const ParamSpec& spec, const Value& value) {
  switch (spec.type) {
    case ParamType::boolean:
      if (!std::holds_alternative<bool>(value)) return wrong_type(spec, value);
      return value;
    case ParamType::integer: return check_integer(spec, value);
    case ParamType::real: return check_real(spec, value);
    case ParamType::vec3:
    case ParamType::color: return check_vec3(spec, value);
    case ParamType::choice: return check_choice(spec, value);
    case ParamType::text:
      if (!std::holds_alternative<std::string>(value)) return wrong_type(spec, value);
      return value;
    case ParamType::number_list: return check_list(spec, value);
    case ParamType::text_list:
      if (const auto* numbers = std::get_if<NumberList>(&value); numbers && numbers->empty()) return Value(TextList{});
      if (!std::holds_alternative<TextList>(value)) return wrong_type(spec, value);
      return value;
  }
  return value;
}

Result<Value> parse_value(const ParamSpec& spec, std::string_view text) {
  const Value as_text = std::string(trimmed(text));
  Value number;
  switch (spec.type) {
    case ParamType::boolean: {
      const auto word = trimmed(text);
      if (word == "true" || word == "1" || word == "on" || word == "yes") return Value(true);
      if (word == "false" || word == "0" || word == "off" || word == "no") return Value(false);
      return wrong_type(spec, as_text);
    }
    case ParamType::integer:
    case ParamType::real:
      if (!read_number(text, number)) return wrong_type(spec, as_text);
      return check_value(spec, number);
    case ParamType::choice:
    case ParamType::text: return check_value(spec, Value(unquoted(text)));
    case ParamType::text_list: {
      TextList list;
      for (const auto part : split_list(text)) list.push_back(unquoted(part));
      return check_value(spec, Value(std::move(list)));
    }
    case ParamType::vec3:
    case ParamType::color:
    case ParamType::number_list: {
      NumberList list;
      for (const auto part : split_list(text)) {
        if (!read_number(part, number)) return wrong_type(spec, as_text);
        list.push_back(std::holds_alternative<double>(number) ? std::get<double>(number)
                                                              : static_cast<double>(std::get<std::int64_t>(number)));
      }
      return check_value(spec, Value(std::move(list)));
    }
  }
  return wrong_type(spec, as_text);
}

}  // namespace vw
