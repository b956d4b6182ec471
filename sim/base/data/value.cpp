// Comparison and text form of parameter values.
#include "sim/base/data/value.h"

#include <bit>
#include <charconv>
#include <cmath>

namespace vw {
namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

std::string real_text(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quoted(const std::string& text) {
  static constexpr char hex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      ((out += "\\u00") += hex[byte >> 4]) += hex[byte & 15];
    else
      out += c;
  }
  return out + '"';
}

template <class Sequence, class F>
std::string list_text(const Sequence& items, F text_of) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ", ";
    out += text_of(item);
  }
  return out + "]";
}

}  // namespace

bool same_value(const Value& a, const Value& b) {
  if (a.index() != b.index()) return false;
  if (const auto* x = std::get_if<double>(&a))
    return same_bits(*x, std::get<double>(b)) || (std::isnan(*x) && std::isnan(std::get<double>(b)));
  if (const auto* x = std::get_if<Vec3>(&a)) {
    const auto& y = std::get<Vec3>(b);
    return same_bits((*x)[0], y[0]) && same_bits((*x)[1], y[1]) && same_bits((*x)[2], y[2]);
  }
  if (const auto* x = std::get_if<NumberList>(&a)) {
    const auto& y = std::get<NumberList>(b);
    if (x->size() != y.size()) return false;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (!same_bits((*x)[i], y[i])) return false;
    return true;
  }
  if (const auto* x = std::get_if<bool>(&a)) return *x == std::get<bool>(b);
  if (const auto* x = std::get_if<std::int64_t>(&a)) return *x == std::get<std::int64_t>(b);
  if (const auto* x = std::get_if<std::string>(&a)) return *x == std::get<std::string>(b);
  return std::get<TextList>(a) == std::get<TextList>(b);
}

std::string to_text(const Value& value) {
  struct Visitor {
    std::string operator()(bool x) const { return x ? "true" : "false"; }
    std::string operator()(std::int64_t x) const { return std::to_string(x); }
    std::string operator()(double x) const { return real_text(x); }
    std::string operator()(const Vec3& x) const {
      return "[" + real_text(x[0]) + ", " + real_text(x[1]) + ", " + real_text(x[2]) + "]";
    }
    std::string operator()(const std::string& x) const { return quoted(x); }
    std::string operator()(const NumberList& x) const { return list_text(x, real_text); }
    std::string operator()(const TextList& x) const { return list_text(x, quoted); }
  };
  return std::visit(Visitor{}, value);
}

}  // namespace vw
