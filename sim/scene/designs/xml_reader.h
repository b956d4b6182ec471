// Reads values from an XML text that may be malicious. The first error is kept with its file and line, and every later
// read returns its fallback. An importer can thus read without checks and test for an error once at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "sim/base/data/parameter.h"

namespace vw {

class XmlReader {
 public:
  /// Parses the text (UTF-8 or ISO-8859-1). The caller must check error() before calling root().
  XmlReader(const std::string& bytes, std::string file);

  [[nodiscard]] pugi::xml_node root() const {
    return document_.find_child([](pugi::xml_node node) { return node.type() == pugi::node_element; });
  }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  /// Sets the file of the nodes that were not in the text. Errors in such nodes name that file, without a line.
  void take_in_nodes_of(std::string file) { foreign_file_ = std::move(file); }

  /// Records an error, unless an error is already recorded.
  void refuse(pugi::xml_node where, std::string key, const std::string& found, std::string expected);
  void refuse(pugi::xml_node where, std::string what);

  /// Returns the number in the leaf (element without children) `name` of `parent`. Returns the fallback if there is no
  /// such leaf. An empty leaf is an error.
  [[nodiscard]] double number(pugi::xml_node parent, const char* name, double fallback);
  /// Returns the value of a leaf that may only be 0, 1, true or false.
  [[nodiscard]] bool flag(pugi::xml_node parent, const char* name, bool fallback);
  [[nodiscard]] std::int64_t integer(pugi::xml_node parent, const char* name, std::int64_t fallback, std::int64_t min,
                                     std::int64_t max);
  /// Returns the number in a leaf. The number must lie in the range of `spec`, the declaration of a parameter.
  [[nodiscard]] double checked(pugi::xml_node parent, const char* name, const ParamSpec& spec, double fallback);

 private:
  void refuse_second_root();

  std::string file_;
  std::string foreign_file_;
  std::string text_;
  pugi::xml_document document_;
  std::optional<Error> error_;
};

/// Returns all text that is directly in a node. Several CDATA blocks are joined.
[[nodiscard]] std::string text_of(pugi::xml_node node);
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// Parses a text that consists of one number in C notation ("1e+006", "+2", ".5"). Returns nullopt for any other text.
/// Returns plus or minus infinity if the magnitude of the number is too large for a double, and 0 if it is too small.
[[nodiscard]] std::optional<double> read_number(std::string_view text);

}  // namespace vw
