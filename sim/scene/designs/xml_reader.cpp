// Reads XML that may be malicious with pugixml, whose parser does not recurse and does not expand user-defined
// entities.
#include "sim/scene/designs/xml_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "sim/scene/toml/text.h"

namespace vw {
namespace {

// In memory, a node takes 64 bytes and an attribute 40 bytes, in addition to the text. The limit suffices for all real
// designs and keeps the tree far below a gigabyte.
constexpr std::ptrdiff_t max_xml_nodes = 3'000'000;

}  // namespace

XmlReader::XmlReader(const std::string& bytes, std::string file) : file_(std::move(file)) {
  if (bytes.find('\0') != std::string::npos) {
    refuse({}, "contains a NUL byte; a VoxCAD design must be XML text");
    return;
  }
  if (std::max(std::count(bytes.begin(), bytes.end(), '<'), std::count(bytes.begin(), bytes.end(), '=')) >
      max_xml_nodes) {
    refuse({}, fmt::format("contains too much XML: at most {0} characters < and at most {0} characters = are allowed",
                           max_xml_nodes));
    return;
  }
  text_ = is_utf8(bytes) ? bytes : latin1_to_utf8(bytes);
  const auto parsed = document_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (parsed) {
    refuse_second_root();
    return;
  }
  Error error;
  error.file = file_;
  error.line = line_of(text_, static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0)));
  error.what = "is not well-formed XML: " + one_line(parsed.description());
  error_ = std::move(error);
}

/// Records an error if the text has more than one root element. XML allows only one root element, but the parser
/// accepts any number.
void XmlReader::refuse_second_root() {
  for (pugi::xml_node node = root().next_sibling(); node; node = node.next_sibling())
    if (node.type() == pugi::node_element)
      return refuse(node,
                    fmt::format("is not well-formed XML: <{}> is a second root element", one_line(node.name(), 40)));
}

void XmlReader::refuse(pugi::xml_node where, std::string key, const std::string& found, std::string expected) {
  if (error_) return;
  Error error;
  error.file = file_;
  if (const std::ptrdiff_t offset = where.offset_debug(); offset >= 0)
    error.line = line_of(text_, static_cast<std::size_t>(offset));
  else if (!foreign_file_.empty())
    error.file = foreign_file_;
  error.key = std::move(key);
  error.found = one_line(found, 60);
  error.expected = std::move(expected);
  error_ = std::move(error);
}

void XmlReader::refuse(pugi::xml_node where, std::string what) {
  if (error_) return;
  refuse(where, "", "", "");
  error_->what = std::move(what);
}

double XmlReader::number(pugi::xml_node parent, const char* name, double fallback) {
  const pugi::xml_node node = parent.child(name);
  if (!node || error_) return fallback;
  const std::string text = text_of(node);
  if (trimmed(text).empty()) {
    refuse(node, name, "an empty element", "must be a number");
    return fallback;
  }
  const auto x = read_number(text);
  if (!x || !std::isfinite(*x))
    refuse(node, name, std::string(trimmed(text)), x ? "must be finite" : "must be a number");
  return error_ ? fallback : *x;
}

bool XmlReader::flag(pugi::xml_node parent, const char* name, bool fallback) {
  if (error_) return fallback;
  const std::string_view word = trimmed(parent.child(name).child_value());
  if (word == "true") return true;
  if (word == "false") return false;
  const double x = number(parent, name, fallback ? 1 : 0);
  if (x != 0 && x != 1) refuse(parent.child(name), name, std::string(word), "must be 0 or 1");
  return error_ ? fallback : x != 0;
}

std::int64_t XmlReader::integer(pugi::xml_node parent, const char* name, std::int64_t fallback, std::int64_t min,
                                std::int64_t max) {
  const double x = number(parent, name, static_cast<double>(fallback));
  if (x != std::floor(x) || x < static_cast<double>(min) || x > static_cast<double>(max)) {
    const pugi::xml_node node = parent.child(name);
    const std::string range = "must be a whole number from " + std::to_string(min) + " to " + std::to_string(max);
    refuse(node ? node : parent, name, node ? to_text(Value(x)) : "", node ? range : "is missing; it " + range);
    return fallback;
  }
  return static_cast<std::int64_t>(x);
}

double XmlReader::checked(pugi::xml_node parent, const char* name, const ParamSpec& spec, double fallback) {
  const double x = number(parent, name, fallback);
  if (error_ || !parent.child(name)) return fallback;
  ParamSpec real = spec;  // the declared type is real, because the leaf contains one number even for a vector
  real.type = ParamType::real;
  if (const auto good = check_value(real, Value(x)); !good)
    refuse(parent.child(name), name, good.error().found, good.error().expected);
  return x;
}

std::string text_of(pugi::xml_node node) {
  std::string text;
  for (const pugi::xml_node child : node.children())
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) text += child.value();
  return text;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::optional<double> read_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double x = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  // If the magnitude of a number is too large for a double, the number becomes infinite, and the caller rejects it. If
  // its magnitude is too small, the number becomes zero, as in every C library.
  if (status == std::errc::result_out_of_range) {
    const auto exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos ? text.substr(exponent + 1).starts_with('-')
                                                         : text.find('.') != std::string_view::npos &&
                                                               text.find_first_of("123456789") > text.find('.');
    if (tiny) return 0.0;
    return text.starts_with('-') ? -HUGE_VAL : HUGE_VAL;
  }
  return status == std::errc{} ? std::optional<double>(x) : std::nullopt;
}

}  // namespace vw
