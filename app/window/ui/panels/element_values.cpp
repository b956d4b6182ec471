#include "app/window/ui/panels/element_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "app/window/document/body_names.h"
#include "app/window/document/scene_edit.h"
#include "app/window/labels/param_style.h"
#include "app/window/labels/quantity_labels.h"
#include "app/window/ui/widgets/plot.h"
#include "render/labels/legend_numbers.h"
#include "sim/plot/measure.h"

namespace vw::ui {
namespace {

std::string with_pretty_unit(const std::string& number, const std::string& unit) {
  return unit.empty() ? number : number + " " + pretty_unit(unit);
}

/// Formats the three components with a common SI prefix. The number of decimals gives the largest component three
/// significant digits.
std::string triple_with_unit(const Vec3& v, const std::string& unit) {
  const double largest = v.cwiseAbs().maxCoeff();
  if (!(largest > 0) || !std::isfinite(largest)) return with_pretty_unit(largest == 0 ? "0, 0, 0" : "?", unit);
  const std::string prefixed = takes_prefix(unit) ? si_number(largest) + unit : fmt::format("{:.3g} {}", largest, unit);
  const double shown = std::strtod(prefixed.c_str(), nullptr);
  const double scale = std::pow(10.0, std::round(std::log10(shown / largest)));  // factor from `v` to the prefixed unit
  if (shown >= 1e6 || shown < 1e-3)
    return with_pretty_unit(fmt::format("{:.2g}, {:.2g}, {:.2g}", v.x(), v.y(), v.z()), unit);
  const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(shown))), 0, 5);
  const double least = 0.5 * std::pow(10.0, -decimals);
  const auto part = [&](double x) { return std::abs(x * scale) < least ? 0.0 : x * scale; };
  return with_pretty_unit(
      fmt::format("{:.{}f}, {:.{}f}, {:.{}f}", part(v.x()), decimals, part(v.y()), decimals, part(v.z()), decimals),
      prefixed.substr(prefixed.find(' ') + 1));
}

}  // namespace

std::string place_text(const Vec3f& v) {
  // Three decimals of a metre would show nothing of a smaller position.
  constexpr float smallest_m = 1e-3F;
  if (const float largest = v.cwiseAbs().maxCoeff(); largest > 0 && largest < smallest_m)
    return triple_with_unit(v.cast<double>(), "m");
  const float least = 1e-6F * v.cwiseAbs().maxCoeff();
  const auto part = [least](float x) { return std::abs(x) <= least ? 0.0F : x; };
  return fmt::format("{:.3f}, {:.3f}, {:.3f} m", part(v.x()), part(v.y()), part(v.z()));
}

namespace {

std::string value_text(float value, const ChannelInfo& info) {
  if (info.name == "asleep") return value > 0 ? "yes" : "no";
  if (info.name == "contact") return value > 0 ? "touching" : "free";
  // Some units take no SI prefix: in "3 m1/s", the prefix "m" would be read as a part of the unit.
  if (takes_prefix(info.unit)) return si_number(static_cast<double>(value)) + pretty_unit(info.unit);
  const std::string number =
      std::abs(value) >= 1000 && std::abs(value) < 1e6F ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
  return with_pretty_unit(number, info.unit);
}

const char* size_label(LookKind look) {
  switch (look) {
    case LookKind::voxels: return "Edge";
    case LookKind::rigid: return "Bounding radius";
    case LookKind::members: return "Length";
    default: return "Radius";
  }
}

/// Whether an earlier row already shows the channel as text.
bool is_said(const SystemSnapshot& system, const std::string& channel) {
  return (system.look_kind() == LookKind::fluid && channel == "phase") ||
         (system.look_kind() == LookKind::members && channel == "species");
}

constexpr const char* unknown = "Available after the next step (press . for one step)";

/// Returns the label of a channel. If the system has a vector of the same name, "(size)" is appended to distinguish the
/// channel from the vector.
std::string channel_label(const SystemSnapshot& system, const std::string& channel) {
  const bool is_vector =
      std::ranges::find(system.available_vectors, channel, &ChannelInfo::name) != system.available_vectors.end();
  return quantity_label(channel) + (is_vector ? " (size)" : "");
}

/// Collects the rows of one element.
struct Rows {
  const SystemSnapshot& system;
  std::size_t row;
  std::string whose;
  std::vector<ElementValue> all = {};

  void say(std::string label, std::string text, std::string hint = {}) {
    all.push_back({std::move(label), std::move(text), std::move(hint)});
  }
  /// Adds a row that can be plotted over time, with one curve for each of `parts`. `name` is the name of the channel,
  /// vector, rule or joint.
  void add(const std::string& label, std::string text, const std::string& unit, const std::string& name,
           std::vector<PickedValue::Part> parts, std::string hint = {}) {
    all.push_back({label, std::move(text), std::move(hint),
                   PickedValue{system.name, element_id(system, row), whose, label, unit, name, std::move(parts)}});
  }
  void add_vector(const std::string& label, const std::optional<Vec3>& v, const std::string& unit,
                  const std::string& name, std::string hint = {}) {
    if (!v) hint = unknown;
    add(label, v ? triple_with_unit(*v, unit) : "-", unit, name,
        {{"x", Quantity::vector_x},
         {"y", Quantity::vector_y},
         {"z", Quantity::vector_z},
         {"length", Quantity::vector_length}},
        std::move(hint));
  }
};

void add_motion(Rows& rows) {
  const SystemSnapshot& system = rows.system;
  const std::size_t i = rows.row;
  rows.add("Position", place_text(system.position[i]), "m", {},
           {{"x", Quantity::position_x}, {"y", Quantity::position_y}, {"z", Quantity::position_z}});
  if (i < system.velocity.size())
    rows.add("Velocity", triple_with_unit(system.velocity[i].cast<double>(), "m/s"), "m/s", {},
             {{"x", Quantity::velocity_x},
              {"y", Quantity::velocity_y},
              {"z", Quantity::velocity_z},
              {"length", Quantity::speed}});
  for (const ChannelInfo& info : system.available_vectors) {
    const auto vector = std::find_if(system.vectors.begin(), system.vectors.end(),
                                     [&](const VectorChannel& v) { return v.name == info.name; });
    const bool known = vector != system.vectors.end() && i < vector->values.size();
    rows.add_vector(quantity_label(info.name),
                    known ? std::optional<Vec3>(vector->values[i].cast<double>()) : std::nullopt, info.unit, info.name);
  }
}

void add_channels(Rows& rows) {
  const SystemSnapshot& system = rows.system;
  const std::size_t i = rows.row;
  for (const ChannelInfo& info : system.available) {
    if (is_said(system, info.name)) continue;
    const auto channel = std::find_if(system.channels.begin(), system.channels.end(),
                                      [&](const Channel& c) { return c.name == info.name; });
    const bool known = channel != system.channels.end() && i < channel->values.size();
    rows.add(channel_label(system, info.name), known ? value_text(channel->values[i], info) : "-", info.unit, info.name,
             {{"", Quantity::channel}}, known ? std::string() : unknown);
  }
}

std::string rule_label(const Node& scene, const std::string& name) {
  const Node* rule = scene.find("interaction", name);
  return rule == nullptr ? name : node_label(*rule);
}

/// Adds a row for each rule whose force on the element is not zero.
void add_forces(Rows& rows, const Snapshot& snapshot, const Node& scene) {
  const auto which = static_cast<std::size_t>(&rows.system - snapshot.systems.data());
  std::vector<std::string> done;
  for (const RuleSnapshot& rule : snapshot.rules) {
    if (std::ranges::find(done, rule.node) != done.end()) continue;
    const auto force = rule_force(snapshot, rule.node, rows.system, rows.row);
    if (!force || force->isZero(0)) continue;
    done.push_back(rule.node);
    const auto is_it = [&](const RuleSnapshot& r) { return r.node == rule.node && (r.a == which || r.b == which); };
    const bool alone = std::ranges::count_if(snapshot.rules, is_it) == 1;
    const std::size_t other = rule.a == which ? rule.b : rule.a;
    const std::string giver = !alone                                               ? rule_label(scene, rule.node)
                              : other == which || other >= snapshot.systems.size() ? "itself"
                                                                                   : snapshot.systems[other].name;
    rows.add_vector("From " + giver, force, "N", rule.node,
                    rule_label(scene, rule.node) + ". Force of this rule on the element, averaged over a world step");
  }
}

/// Adds a row for each joint that the scene's nodes attach to the rigid body.
void add_joints(Rows& rows, const Node& scene) {
  const Node* node = scene.find("system", rows.system.name);
  const std::string body = body_name(rows.system, rows.row);
  if (node == nullptr || body.empty() || joints_of(rows.system).empty()) return;
  for (const Node* joint : node->all("joint")) {
    if (std::get<std::string>(joint->value("a")) != body && std::get<std::string>(joint->value("b")) != body) continue;
    const auto joints = joints_of(rows.system);
    const auto mark =
        std::find_if(joints.begin(), joints.end(), [&](const JointMark& m) { return m.name == joint->name; });
    if (mark == joints.end()) continue;
    std::string text = mark->broken ? "broken" : si_number(mark->force_n) + "N";
    if (!mark->broken && mark->torque_nm != 0) text += ", " + si_number(mark->torque_nm) + "N\xC2\xB7m";
    rows.add(fmt::format("{} ({})", joint->name, mark->kind), text, "N", joint->name, {{"", Quantity::joint_force}},
             "Force and torque with which the joint holds its two bodies together");
  }
}

}  // namespace

std::uint32_t element_id(const SystemSnapshot& system, std::size_t row) { return identity(system, row); }

std::string element_title(const SystemSnapshot& system, std::size_t row) {
  const bool named = row < system.material.size() && system.material[row] < system.palette_names.size();
  std::string what = system.look_kind() == LookKind::voxels  ? "voxel"
                     : system.look_kind() == LookKind::rigid ? "body"
                                                             : "particle";
  if (system.look_kind() == LookKind::members) what = named ? system.palette_names[system.material[row]] : "member";
  const std::string body = system.look_kind() == LookKind::rigid ? body_name(system, row) : std::string();
  return fmt::format("{}, {}", system.name, body.empty() ? fmt::format("{} {}", what, element_id(system, row)) : body);
}

std::string followed_title(const Snapshot& snapshot, const std::string& followed) {
  const std::size_t dot = followed.rfind('.');
  const auto system = std::ranges::find(snapshot.systems, followed.substr(0, dot), &SystemSnapshot::name);
  std::uint32_t id = 0;
  const char* end = followed.data() + followed.size();
  if (dot == std::string::npos || system == snapshot.systems.end() ||
      std::from_chars(followed.data() + dot + 1, end, id).ptr != end)
    return followed;
  for (std::size_t row = 0; row < system->position.size(); ++row)
    if (element_id(*system, row) == id) return element_title(*system, row);
  return followed;
}

std::vector<ElementValue> element_values(const Snapshot& snapshot, const SystemSnapshot& system, std::size_t row,
                                         const Node& scene) {
  Rows rows{system, row, element_title(system, row)};
  if (system.look_kind() != LookKind::rigid && row < system.material.size() &&
      system.material[row] < system.palette_names.size())
    rows.say(system.look_kind() == LookKind::members ? "Species" : "Material",
             system.palette_names[system.material[row]]);
  add_motion(rows);
  if (row < system.size.size()) {
    const double size = static_cast<double>(system.size[row]) * (system.look_kind() == LookKind::members ? 2 : 1);
    rows.say(size_label(system.look_kind()), si_number(size) + "m");
  }
  add_channels(rows);
  add_forces(rows, snapshot, scene);
  if (system.look_kind() == LookKind::rigid) add_joints(rows, scene);
  return std::move(rows.all);
}

}  // namespace vw::ui
