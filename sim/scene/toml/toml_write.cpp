// Writes a Node tree as TOML. Values are written in declaration order, and only if they differ from the defaults, so
// that a saved scene resembles a handwritten scene.
#include <algorithm>
#include <cmath>

#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "sim/scene/toml/text.h"

namespace vw {
namespace {

constexpr std::size_t line_width = 120;

/// Returns the text of a number. Integers are written without ".0", because the reader accepts an integer for a real
/// number. -0 is written as a real number, because an integer would lose the sign. Numbers beyond the range of integers
/// are also written as real numbers, because the reader rejects such integers.
std::string number_text(double x) {
  constexpr double integer_limit = 9e18;  // integers have 64 bits
  std::string text = to_text(Value(x));
  const bool negative_zero = x == 0 && std::signbit(x);
  if (!negative_zero && std::abs(x) < integer_limit && text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

/// Returns the TOML form of a text: a multi-line string if the text has line breaks and no other control characters,
/// else a string on one line.
std::string string_text(const std::string& text) {
  const std::string clean = is_utf8(text) ? text : repaired_utf8(text);
  const bool plain = std::none_of(clean.begin(), clean.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
  });
  if (!plain || clean.find('\n') == std::string::npos) return to_text(Value(clean));
  std::string out = "\"\"\"\n";
  for (const char c : clean) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"\"\"";
}

/// Returns `[a, b]` on one line if the line is short enough. Otherwise, the list is wrapped. If `one_a_line` is set,
/// each item is then written on a separate line.
std::string list_text(const std::vector<std::string>& items, bool one_a_line, std::size_t indent) {
  std::string flat = "[";
  for (const auto& item : items) {
    flat += (flat.size() > 1 ? ", " : "") + item;
    if (flat.size() + indent > line_width) break;
  }
  if (flat.size() + indent < line_width) return flat + "]";
  std::string out = "[";
  std::size_t column = line_width;
  for (const auto& item : items) {
    if (one_a_line || column + item.size() + 2 > line_width) {
      out += "\n ";
      column = 1;
    }
    out += " " + item + ",";
    column += item.size() + 2;
  }
  return out + "\n]";
}

std::string value_text(const Value& value, std::size_t indent) {
  if (const auto* x = std::get_if<double>(&value)) return number_text(*x);
  if (const auto* v = std::get_if<Vec3>(&value))
    return "[" + number_text((*v)[0]) + ", " + number_text((*v)[1]) + ", " + number_text((*v)[2]) + "]";
  if (const auto* text = std::get_if<std::string>(&value)) return string_text(*text);
  std::vector<std::string> items;
  if (const auto* numbers = std::get_if<NumberList>(&value)) {
    for (const double x : *numbers) items.push_back(number_text(x));
    return list_text(items, false, indent);
  }
  if (const auto* texts = std::get_if<TextList>(&value)) {
    for (const auto& text : *texts) items.push_back(to_text(Value(is_utf8(text) ? text : repaired_utf8(text))));
    return list_text(items, true, indent);
  }
  return to_text(value);
}

void write_values(const Node& node, std::string& out) {
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    const ParamSpec& spec = node.schema->params[i];
    const bool always = spec.name == "format";  // a file always states its format
    if (!always && same_value(node.values[i], spec.default_value)) continue;
    out += spec.name + " = " + value_text(node.values[i], spec.name.size() + 3) + "\n";
  }
}

/// Returns whether a single node has only default values. Such a node is not written, because reading a file without it
/// gives the same node.
bool says_nothing(const Node& node) { return same_node(node, make_node(*node.schema, node.name, node.slot)); }

void write_children(const Node& node, const std::string& prefix, std::string& out) {
  for (const Node& child : node.children) {
    const Slot& slot = node.schema->slots[child.slot];
    const std::string header = prefix + slot.name;
    if (!slot.many) {
      if (says_nothing(child)) continue;
      out += "\n[" + header + "]\n";
    } else {
      out += "\n[[" + header + "]]\nname = " + to_text(Value(child.name)) + "\n";
      if (slot.kinds.size() > 1) out += "kind = " + to_text(Value(child.schema->kind)) + "\n";
    }
    write_values(child, out);
    write_children(child, header + ".", out);
  }
}

}  // namespace

std::string write_toml_node(const Node& node) {
  std::string out;
  write_values(node, out);
  write_children(node, "", out);
  return out;
}

std::string write_scene_toml(const Node& scene) { return write_toml_node(scene); }

Result<void> save_scene(const Node& scene, const std::string& path) {
  return write_file_atomic(path, write_scene_toml(scene));
}

}  // namespace vw
