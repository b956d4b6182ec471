// Reads an untrusted XML text leaf by leaf. The first mistake is kept with its file and line and every later read returns its fallback, so an
// importer reads straight through and asks once at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "sim/base/parameter.h"

namespace vw {

class XmlReader {
 public:
  /// Parses the text (UTF-8 or ISO-8859-1); look at error() before root().
  XmlReader(const std::string& bytes, std::string file);

  [[nodiscard]] pugi::xml_node root() const {
    return document_.find_child([](pugi::xml_node node) { return node.type() == pugi::node_element; });
  }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  /// From now on nodes that were not in the text are those of another file, which mistakes in them then name (their lines are not known).
  void take_in_nodes_of(std::string file) { foreign_file_ = std::move(file); }

  /// Keeps the first mistake.
  void refuse(pugi::xml_node where, std::string key, const std::string& found, std::string expected);
  void refuse(pugi::xml_node where, std::string what);

  /// The leaf `name` of `parent`, or the fallback when there is none.
  /// An element that is there and empty is a mistake.
  [[nodiscard]] double number(pugi::xml_node parent, const char* name, double fallback);
  /// 0, 1, true or false and nothing else.
  [[nodiscard]] bool flag(pugi::xml_node parent, const char* name, bool fallback);
  [[nodiscard]] std::int64_t integer(pugi::xml_node parent, const char* name, std::int64_t fallback, std::int64_t min, std::int64_t max);
  /// A number that must be fit for a declared parameter.
  [[nodiscard]] double checked(pugi::xml_node parent, const char* name, const ParamSpec& spec, double fallback);

 private:
  void refuse_second_root();

  std::string file_;
  std::string foreign_file_;
  std::string text_;
  pugi::xml_document document_;
  std::optional<Error> error_;
};

/// All text directly in a node, several CDATA blocks joined.
[[nodiscard]] std::string text_of(pugi::xml_node node);
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// A number and nothing else; as C writes them ("1e+006", "+2", ".5").
[[nodiscard]] std::optional<double> read_number(std::string_view text);

}  // namespace vw
