// Converts TOML to a Node tree. Every key must be declared, and every value is checked. An error is one sentence with
// file, line and key. Only this source file includes toml++, because toml++ compiles slowly. Exceptions are disabled,
// so the parser returns its errors.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_UNRELEASED_FEATURES 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>

#include "sim/scene/scene.h"
#include "sim/scene/toml/old_keys.h"
#include "sim/scene/toml/text.h"
#include "sim/scene/toml/toml_ascii.h"
#include "sim/scene/toml/toml_guard.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

constexpr std::int64_t newest_format = 1;
// Limits the memory: a node contains every parameter of its kind and takes about a kilobyte.
constexpr std::size_t max_toml_nodes = 10'000;

/// A migration between formats: converts the table of a file of format `from` to the next format. The tests contain
/// files of all formats.
struct Migration {
  std::int64_t from = 0;
  void (*apply)(toml::table& scene) = nullptr;
};
/// All migrations, oldest first. The list is empty, because format 1 is the first format.
constexpr std::initializer_list<Migration> migrations{};

int line_at(const toml::source_region& source) { return static_cast<int>(source.begin.line); }

std::string type_phrase(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (const auto* array = node.as_array()) {
    if (array->is_array_of_tables()) return "a list of tables";
    for (const toml::node& item : *array)
      if (item.is_array()) return "a list of lists";
    return "a list of mixed types";
  }
  return "a date or time";
}

template <class T, class Out>
std::optional<Out> list_of(const toml::array& array) {
  Out out;
  out.reserve(array.size());
  for (const toml::node& item : array) {
    if constexpr (std::is_same_v<T, double>) {
      if (!item.is_number()) return std::nullopt;
      out.push_back(item.is_integer() ? static_cast<double>(item.as_integer()->get())
                                      : item.as_floating_point()->get());
    } else {
      if (!item.is_string()) return std::nullopt;
      out.push_back(item.as_string()->get());
    }
  }
  return out;
}

/// Converts a scalar or a list of one type to a Value. Returns nullopt for tables, dates and mixed lists.
std::optional<Value> to_value(const toml::node& node) {
  if (const auto* x = node.as_boolean()) return Value(x->get());
  if (const auto* x = node.as_integer()) return Value(std::int64_t{x->get()});
  if (const auto* x = node.as_floating_point()) return Value(x->get());
  if (const auto* x = node.as_string()) return Value(x->get());
  const auto* array = node.as_array();
  if (array == nullptr) return std::nullopt;
  if (auto numbers = list_of<double, NumberList>(*array)) return Value(std::move(*numbers));
  if (auto texts = list_of<std::string, TextList>(*array)) return Value(std::move(*texts));
  return std::nullopt;
}

class SceneReader {
 public:
  explicit SceneReader(const std::string& file) : file_(file) {}

  Result<Node> read_scene(toml::table& table) {
    if (auto good = migrate(table); !good) return Unexpected(good.error());
    return read(table, scene_schema());
  }

  Result<Node> read(const toml::table& table, const Schema& schema) {
    Node root = make_node(schema);
    if (auto good = fill(root, table, "", {}); !good) return Unexpected(good.error());
    return root;
  }

  /// Returns sentences about the old keys that were read.
  [[nodiscard]] std::vector<std::string> take_warnings() { return std::move(warnings_); }

 private:
  [[nodiscard]] Unexpected wrong(int line, std::string_view key, std::string_view found, std::string expected,
                                 std::string hint = {}) const {
    Error error;
    error.file = file_;
    error.line = line;
    error.key = one_line(key);
    error.found = one_line(found);
    error.expected = std::move(expected);
    error.hint = std::move(hint);
    return fail(std::move(error));
  }

  Result<void> migrate(toml::table& table) const {
    const toml::node* node = table.get("format");
    // A file without the key `format` has the newest format. A value of the wrong type is reported later, when all
    // values are checked.
    if (node == nullptr || !node->is_integer()) return {};
    std::int64_t format = node->as_integer()->get();
    if (format > newest_format)
      return wrong(line_at(node->source()), "format", std::to_string(format),
                   fmt::format("must be at most {}; a newer version of Voxwake wrote this scene", newest_format));
    for (const Migration& migration : migrations)
      if (migration.from == format) {
        migration.apply(table);
        ++format;
      }
    return {};
  }

  /// Fills the values and children of `node` from `table`. `path` is the path of the node; it is empty or ends with a
  /// dot. The caller has already read the keys in `taken`.
  Result<void> fill(Node& node, const toml::table& table, const std::string& path,
                    std::initializer_list<std::string_view> taken) {
    node.line = line_at(table.source());
    for (const auto& [key, value] : table) {
      const std::string_view word = key.str();
      if (std::find(taken.begin(), taken.end(), word) != taken.end() || is_slot(*node.schema, word)) continue;
      if (auto good = read_param(node, path, word, key.source(), value); !good) return good;
    }
    std::vector<Node> children;
    for (std::size_t slot = 0; slot < node.schema->slots.size(); ++slot)
      if (auto good = read_slot(node, slot, table, path, children); !good) return good;
    node.children = std::move(children);
    return {};
  }

  static bool is_slot(const Schema& schema, std::string_view word) {
    return std::any_of(schema.slots.begin(), schema.slots.end(), [&](const Slot& slot) { return slot.name == word; });
  }

  Result<void> read_param(Node& node, const std::string& path, std::string_view word, const toml::source_region& source,
                          const toml::node& value) {
    const auto& params = node.schema->params;
    const auto spec = std::find_if(params.begin(), params.end(), [&](const ParamSpec& p) { return p.name == word; });
    if (spec == params.end()) {
      if (const OldKey* old = find_old_key(node.schema->kind, word)) return read_old(node, path, *old, source, value);
      return unknown_key(*node.schema, path, word, source);
    }
    const auto converted = to_value(value);
    if (!converted) {
      // check_value() is called with a value of a wrong type, so that its error states the expected type. type_phrase()
      // describes the value in the file.
      const auto refused = check_value(
          *spec, spec->type == ParamType::text || spec->type == ParamType::choice ? Value(0.0) : Value(std::string()));
      return wrong(line_at(source), path + spec->name, type_phrase(value),
                   refused ? "has a wrong type" : refused.error().expected);
    }
    auto checked = check_value(*spec, *converted);
    if (!checked) {
      const Error& e = checked.error();
      return wrong(line_at(source), path + spec->name, e.found, e.expected, e.hint);
    }
    node.values[static_cast<std::size_t>(spec - params.begin())] = std::move(*checked);
    return {};
  }

  /// Converts a key of an earlier version to the key that has replaced it.
  Result<void> read_old(Node& node, const std::string& path, const OldKey& old, const toml::source_region& source,
                        const toml::node& value) {
    const auto warn = [&](const std::string& advice) {
      warnings_.push_back(
          fmt::format("{}:{}: {}{} is an old key: {}", one_line(file_), line_at(source), path, old.key, advice));
    };
    if (!old.renamed.empty()) {
      warn(fmt::format("write {}{}", path, old.renamed));
      return read_param(node, path, old.renamed, source, value);
    }
    std::vector<std::string_view> known;
    for (const NewValue& one : old.values) {
      known.push_back(one.old_value);
      if (!value.is_string() || value.as_string()->get() != one.old_value) continue;
      if (one.key.empty()) {
        warn("leave it out");
        return {};
      }
      warn(fmt::format("write {}{} = {}", path, one.key, to_text(one.value)));
      const auto& params = node.schema->params;
      const auto spec = std::ranges::find(params, one.key, &ParamSpec::name);
      auto checked = check_value(*spec, one.value);
      if (!checked) return Unexpected(checked.error());
      node.values[static_cast<std::size_t>(spec - params.begin())] = std::move(*checked);
      return {};
    }
    return wrong(line_at(source), path + std::string(old.key), "",
                 fmt::format("must be one of {}", fmt::join(known, ", ")));
  }

  [[nodiscard]] Unexpected unknown_key(const Schema& schema, const std::string& path, std::string_view word,
                                       const toml::source_region& source) const {
    std::vector<std::string> known;
    for (const auto& param : schema.params) known.push_back(param.name);
    for (const auto& slot : schema.slots) known.push_back(slot.name);
    if (!path.empty()) known.insert(known.end(), {"name", "kind"});
    return wrong(line_at(source), path + std::string(word), "",
                 fmt::format("unknown key \"{}\" of {}", one_line(word, 60), schema.kind), nearest_word(word, known));
  }

  Result<void> read_slot(Node& node, std::size_t index, const toml::table& table, const std::string& path,
                         std::vector<Node>& out) {
    const Slot& slot = node.schema->slots[index];
    const toml::node* found = table.get(slot.name);
    if (!slot.many) return read_single(node, index, found, path, out);
    if (found == nullptr) return {};
    const toml::array* array = found->as_array();
    const bool tables = array != nullptr && (array->empty() || array->is_array_of_tables());
    if (!tables)
      return wrong(line_at(found->source()), path + slot.name,
                   found->is_table() ? "[" + path + slot.name + "]" : kind_of_value(*found),
                   fmt::format("expected a list of tables; write each as [[{}{}]]", plain(path), slot.name));
    return read_many(index, slot, *array, path, out);
  }

  Result<void> read_single(Node& node, std::size_t index, const toml::node* found, const std::string& path,
                           std::vector<Node>& out) {
    const Slot& slot = node.schema->slots[index];
    Node child = make_node(*slot.kinds.front(), {}, index);
    if (found != nullptr) {
      const toml::table* table = found->as_table();
      if (table == nullptr)
        return wrong(line_at(found->source()), path + slot.name,
                     found->is_array_of_tables() ? "[[" + slot.name + "]]" : kind_of_value(*found),
                     fmt::format("expected a single table; write it as [{}{}]", plain(path), slot.name));
      if (auto good = fill(child, *table, path + slot.name + ".", {}); !good) return good;
    }
    out.push_back(std::move(child));
    return {};
  }

  Result<void> read_many(std::size_t index, const Slot& slot, const toml::array& array, const std::string& path,
                         std::vector<Node>& out) {
    std::map<std::string, int> names;
    auto chosen = read_names(slot, array, path, names);
    if (!chosen) return Unexpected(chosen.error());
    // Last number tried for each stem of a name. Without this memory, naming many tables without a name would take
    // quadratic time.
    std::map<std::string, int> numbers;
    for (std::size_t i = 0; i < array.size(); ++i) {
      const toml::table& table = *array[i].as_table();
      if (++nodes_ > max_toml_nodes)
        return wrong(line_at(table.source()), path + slot.name, "",
                     fmt::format("a scene may have at most {} tables", max_toml_nodes));
      const Schema* schema = nullptr;
      if (auto good = read_kind(slot, table, path + slot.name + ".", schema); !good) return good;
      std::string name = (*chosen)[i].empty()
                             ? free_name(slot.kinds.size() > 1 ? schema->kind : slot.name, names, numbers)
                             : (*chosen)[i];
      Node child = make_node(*schema, std::move(name), index);
      if (auto good = fill(child, table, path + slot.name + "." + child.name + ".", {"name", "kind"}); !good)
        return good;
      out.push_back(std::move(child));
    }
    return {};
  }

  /// Returns the name that each table of a slot declares, or an empty text if a table declares none. Names must be
  /// unique.
  Result<std::vector<std::string>> read_names(const Slot& slot, const toml::array& array, const std::string& path,
                                              std::map<std::string, int>& names) const {
    std::vector<std::string> chosen;
    for (const toml::node& item : array) {
      const toml::node* name = item.as_table()->get("name");
      chosen.emplace_back();
      if (name == nullptr) continue;
      const int line = line_at(name->source());
      const std::string key = path + slot.name + ".name";
      if (!name->is_string()) return wrong(line, key, "", "must be a string in quotes");
      const std::string& text = name->as_string()->get();
      if (!is_node_name(text)) return wrong(line, key, '"' + text + '"', "must consist of letters, digits, _ and -");
      const auto [before, fresh] = names.emplace(text, line);
      if (!fresh)
        return wrong(line, key, '"' + text + '"',
                     fmt::format("must be unique: the {} in line {} has the same name", slot.name, before->second));
      chosen.back() = text;
    }
    return chosen;
  }

  static std::string free_name(const std::string& stem, std::map<std::string, int>& names,
                               std::map<std::string, int>& numbers) {
    int& number = numbers[stem];
    while (true) {
      ++number;
      std::string name = number == 1 ? stem : fmt::format("{}_{}", stem, number);
      if (names.emplace(name, 0).second) return name;
    }
  }

  Result<void> read_kind(const Slot& slot, const toml::table& table, const std::string& path,
                         const Schema*& out) const {
    std::vector<std::string> kinds;
    for (const Schema* schema : slot.kinds) kinds.push_back(schema->kind);
    const std::string expected = fmt::format("must be one of {}", fmt::join(kinds, ", "));
    const toml::node* node = table.get("kind");
    if (node == nullptr) {
      if (slot.kinds.size() != 1)
        return wrong(line_at(table.source()), path + "kind", "", "is missing; it " + expected);
      out = slot.kinds.front();
      return {};
    }
    const std::string text = node->is_string() ? node->as_string()->get() : std::string();
    const auto found = std::find(kinds.begin(), kinds.end(), text);
    if (found == kinds.end())
      return wrong(line_at(node->source()), path + "kind",
                   node->is_string() ? '"' + text + '"' : "a value that is not a string", expected,
                   nearest_word(text, kinds));
    out = slot.kinds[static_cast<std::size_t>(found - kinds.begin())];
    return {};
  }

  static std::string kind_of_value(const toml::node& node) { return node.is_array() ? "a list" : "a value"; }

  /// Returns the first component of a path, with the dot: "system.creature." becomes "system.". The result is empty if
  /// the path has no dot.
  static std::string plain(const std::string& path) {
    const auto dot = path.find('.');
    return dot == std::string::npos ? std::string() : path.substr(0, dot + 1);
  }

  const std::string& file_;
  std::size_t nodes_ = 0;
  std::vector<std::string> warnings_;
};

Result<toml::table> parse_toml(std::string_view text, const std::string& file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (auto good = guard_toml(text, file); !good) return Unexpected(good.error());
  const auto ascii = toml_in_ascii(text, file);
  if (!ascii) return Unexpected(ascii.error());
  toml::parse_result parsed = toml::parse(*ascii);
  if (!parsed) {
    return wrong_file(file, line_at(parsed.error().source()), one_line(parsed.error().description(), 240));
  }
  return std::move(parsed).table();
}

}  // namespace

Result<LoadedScene> read_scene_toml(std::string_view text, const std::string& file) {
  auto table = parse_toml(text, file);
  if (!table) return Unexpected(table.error());
  SceneReader reader(file);
  auto root = reader.read_scene(*table);
  if (!root) return Unexpected(root.error());
  return LoadedScene{std::move(*root), reader.take_warnings()};
}

Result<Node> read_toml_node(std::string_view text, const std::string& file, const Schema& schema) {
  const auto table = parse_toml(text, file);
  if (!table) return Unexpected(table.error());
  return SceneReader(file).read(*table, schema);
}

}  // namespace vw
