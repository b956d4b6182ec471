#include "app/window/document/node_hints.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "sim/base/data/node_change.h"

namespace vw {
namespace {

const std::string& text_value(const Node& node, std::string_view key) { return std::get<std::string>(node.value(key)); }

std::string driver_text(const Node& actuator) {
  const std::string& kind = actuator.schema->kind;
  if (kind == "wave")
    return fmt::format("{} wave, {:.4g} Hz", text_value(actuator, "wave"),
                       std::get<double>(actuator.value("frequency")));
  if (kind == "formula") return "formula " + text_value(actuator, "formula");
  if (kind == "manual") return fmt::format("manual value {:.4g}", std::get<double>(actuator.value("value")));
  const std::string file = std::filesystem::path(text_value(actuator, "source")).filename().string();
  if (!file.empty()) return "table " + file;
  return fmt::format("table of {} values", std::get<NumberList>(actuator.value("values")).size());
}

/// Whether a joint names the body, or one of its copies, whose names are the name followed by a number.
bool names_body(const std::string& named, const std::string& body) {
  if (named == body) return true;
  return named.starts_with(body + "-") && named.find_first_not_of("0123456789", body.size() + 1) == std::string::npos;
}

}  // namespace

std::optional<EmptyNodeHint> empty_node_hint(const Node& node) {
  struct Row {
    std::string_view kind;
    const char* text;
    std::vector<std::string> slots;
  };
  static const std::array<Row, 5> rows{{
      {"rigid", "This system has no bodies.", {"body"}},
      {"fluid", "This fluid has no particles. Add a fill or an inflow.", {"fill", "inflow"}},
      {"flock", "This flock has no members. Add a swarm, which places members at the start.", {"swarm"}},
      {"particles", "This system has no particles. Add an emitter, which creates particles.", {"emitter"}},
      {"plot", "This plot has no curves.", {"curve"}},
  }};
  const auto row = std::ranges::find(rows, node.schema->kind, &Row::kind);
  if (row == rows.end()) return std::nullopt;
  for (const std::string& slot : row->slots)
    if (!node.all(slot).empty()) return std::nullopt;
  return EmptyNodeHint{row->text, row->slots};
}

std::vector<Driver> drivers_of(const Node& root, std::string_view path) {
  std::vector<Driver> drivers;
  for (const Node* actuator : root.all("actuator"))
    for (const std::string& target : std::get<TextList>(actuator->value("targets")))
      if (is_at_or_below(target, path))
        drivers.push_back(
            {"actuator." + actuator->name, target, driver_text(*actuator), std::get<bool>(actuator->value("enabled"))});
  return drivers;
}

std::string joint_to_world(const Node& root, const std::string& path) {
  const std::size_t at = path.find(".body.");
  const Node* system = at == std::string::npos ? nullptr : find_node(root, path.substr(0, at));
  if (system == nullptr) return {};
  std::vector<std::string> bodies{path.substr(at + std::string_view(".body.").size())};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string body = bodies[i];
    for (const Node* joint : system->all("joint")) {
      const std::string &a = text_value(*joint, "a"), &b = text_value(*joint, "b");
      if (!names_body(a, body) && !names_body(b, body)) continue;
      if (a.empty() || b.empty()) return joint->name;
      const std::string& other = names_body(a, body) ? b : a;
      if (std::ranges::find(bodies, other) == bodies.end()) bodies.push_back(other);
    }
  }
  return {};
}

bool has_joint(const Node& root, const std::string& path) {
  const std::size_t at = path.find(".body.");
  const Node* system = at == std::string::npos ? nullptr : find_node(root, path.substr(0, at));
  if (system == nullptr) return false;
  const std::string body = path.substr(at + std::string_view(".body.").size());
  return std::ranges::any_of(system->all("joint"), [&](const Node* joint) {
    return names_body(text_value(*joint, "a"), body) || names_body(text_value(*joint, "b"), body);
  });
}

}  // namespace vw
