// Writes comparisons of two runs as JSON and as text.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/api/analysis/compare.h"
#include "sim/api/build_info.h"

namespace vw::api {
namespace {

using OrderedJson = nlohmann::ordered_json;

// ---- JSON -----------------------------------------------------------------------------------------------------------

template <class T>
OrderedJson or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson number_json(const StateNumber& number) {
  return std::visit([](auto value) { return OrderedJson(value); }, number);
}

const char* kind_name(StateDifference::Kind kind) {
  switch (kind) {
    case StateDifference::Kind::value: return "value";
    case StateDifference::Kind::elements: return "elements";
    case StateDifference::Kind::length: return "length";
    case StateDifference::Kind::layout: return "layout";
    case StateDifference::Kind::only_in_a: return "only_in_a";
    case StateDifference::Kind::only_in_b: return "only_in_b";
  }
  return "value";
}

const char* end_name(CompareEnd end) {
  switch (end) {
    case CompareEnd::reached: return "reached";
    case CompareEnd::first_difference: return "first_difference";
    case CompareEnd::interrupted: return "interrupted";
    case CompareEnd::failed: return "failed";
  }
  return "reached";
}

OrderedJson side_json(const ComparedSide& side) {
  return {{"name", side.name},
          {"journal", side.has_journal},
          {"dt_s", side.dt_s},
          {"start_step", side.start_step},
          {"start_time_s", side.start_s},
          {"end_step", side.end_step},
          {"end_time_s", side.end_s},
          {"steps", side.ticks},
          {"start_state_hash", hash_text(side.start_hash)},
          {"final_state_hash", hash_text(side.end_hash)}};
}

OrderedJson difference_json(const StateDifference& one, const std::string& unit) {
  OrderedJson json{{"kind", kind_name(one.kind)}, {"part", one.part}, {"name", one.name},
                   {"array", one.array},          {"rows", one.rows}, {"rows_a", one.rows_a},
                   {"rows_b", one.rows_b}};
  if (one.kind == StateDifference::Kind::elements) {
    json["only_in_a"] = one.only_in_a;
    json["only_in_b"] = one.only_in_b;
    json["element"] = or_null(one.element);
  }
  if (one.kind == StateDifference::Kind::value) {
    json["rows_differing"] = one.rows_differing;
    json["row"] = or_null(one.row);
    json["element"] = or_null(one.element);
    json["row_name"] = one.row_name;
    json["component"] = one.component;
    json["a"] = number_json(one.a);
    json["b"] = number_json(one.b);
    json["difference"] = one.difference;
    json["unit"] = unit;
  }
  json["sentence"] = one.sentence(unit);
  return json;
}

OrderedJson commands_json(const std::vector<std::string>& commands) {
  OrderedJson json = OrderedJson::array();
  for (const std::string& command : commands) json.push_back(OrderedJson::parse(command, nullptr, false));
  return json;
}

OrderedJson first_json(const FirstDifference& first) {
  OrderedJson arrays = OrderedJson::array();
  for (std::size_t i = 0; i < first.arrays.size(); ++i)
    arrays.push_back(difference_json(first.arrays[i], first.units[i]));
  return {{"time_s", first.time_s},
          {"step_a", first.step_a},
          {"step_b", first.step_b},
          {"tick_a", first.tick_a},
          {"tick_b", first.tick_b},
          {"last_equal_time_s", or_null(first.last_equal_s)},
          {"differing_arrays", first.differing_arrays},
          {"arrays", std::move(arrays)},
          {"commands_a", commands_json(first.commands_a)},
          {"commands_b", commands_json(first.commands_b)}};
}

OrderedJson row_json(const GrowthRow& row) {
  OrderedJson systems = OrderedJson::array();
  for (const SystemGrowth& one : row.systems)
    systems.push_back(
        {{"system", one.system},
         {"matched", one.matched},
         {"only_in_a", one.only_in_a},
         {"only_in_b", one.only_in_b},
         {"rms_distance", one.rms_distance_m},
         {"largest_distance", one.largest_distance_m},
         {"element", or_null(one.element)},
         {"energy", one.energy_j()},
         {"kinetic_energy", one.kinetic_j},
         {"potential_energy", one.potential_j},
         {"elastic_energy", one.elastic_j},
         {"centre_of_mass", {one.center_of_mass_m.x(), one.center_of_mass_m.y(), one.center_of_mass_m.z()}}});
  return {{"time_s", row.time_s}, {"step_a", row.step_a}, {"step_b", row.step_b}, {"systems", std::move(systems)}};
}

// ---- Text -----------------------------------------------------------------------------------------------------------

std::string side_line(const char* letter, const ComparedSide& side) {
  return fmt::format("{}: {}{}, {} steps to {:g} s, state hash {}\n", letter, side.name,
                     side.has_journal ? " (journal)" : "", side.ticks, side.end_s, hash_text(side.end_hash));
}

std::string scene_lines(const RunComparison& comparison) {
  if (comparison.scene_differences == 0) return {};
  constexpr std::size_t most = 10;
  std::string text = fmt::format("The scenes differ in {} place{}:\n", comparison.scene_differences,
                                 comparison.scene_differences == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(most, comparison.scene.size()); ++i) {
    const SceneDifference& one = comparison.scene[i];
    text += fmt::format("  {}: {} in A, {} in B\n", one.path, one.a.value_or("absent"), one.b.value_or("absent"));
  }
  if (comparison.scene_differences > most) text += fmt::format("  and {} more\n", comparison.scene_differences - most);
  return text;
}

std::string first_lines(const FirstDifference& first) {
  constexpr std::size_t most = 6;
  std::string text = fmt::format("First difference: {:g} s, step {}", first.time_s, first.step_a);
  if (first.step_a != first.step_b) text += fmt::format(" in A, step {} in B", first.step_b);
  text += first.last_equal_s ? fmt::format(" (equal through {:g} s)\n", *first.last_equal_s)
                             : std::string(" (the states differ from the start)\n");
  for (std::size_t i = 0; i < std::min(most, first.arrays.size()); ++i) {
    const StateDifference& one = first.arrays[i];
    text += "  " + one.sentence(first.units[i]);
    if (one.kind == StateDifference::Kind::value && !one.rows.empty() && one.rows_a > 1)
      text += fmt::format("; {} of {} rows differ, and this row differs most", one.rows_differing, one.rows_a);
    text += '\n';
  }
  if (first.differing_arrays > most) text += fmt::format("  and {} more arrays\n", first.differing_arrays - most);
  const auto add_commands = [&](const char* letter, const std::vector<std::string>& commands) {
    for (std::size_t i = 0; i < std::min(most, commands.size()); ++i) {
      constexpr std::size_t longest = 200;
      text += fmt::format("  preceding command in {}: {}{}\n", letter, commands[i].substr(0, longest),
                          commands[i].size() > longest ? "..." : "");
    }
  };
  add_commands("A", first.commands_a);
  add_commands("B", first.commands_b);
  return text;
}

/// Returns about ten of the rows as text, including the first and the last row.
std::string growth_lines(const std::vector<GrowthRow>& rows) {
  constexpr std::size_t most = 10;
  std::size_t width = 6;
  bool any = false;
  for (const GrowthRow& row : rows)
    for (const SystemGrowth& one : row.systems) width = std::max(width, one.system.size()), any = true;
  if (!any) return {};
  std::string text = "Growth of the differences:\n";
  text += fmt::format("  {:>10}  {:<{}}  {:>12}  {:>12}  {:>9}  {:>12}  {:>12}\n", "time [s]", "system", width,
                      "rms [m]", "largest [m]", "element", "energy [J]", "centre [m]");
  const std::size_t shown = std::min(most, rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const GrowthRow& row = rows[shown == 1 ? 0 : i * (rows.size() - 1) / (shown - 1)];
    for (const SystemGrowth& one : row.systems)
      text +=
          fmt::format("  {:>10.5g}  {:<{}}  {:>12.4g}  {:>12.4g}  {:>9}  {:>12.4g}  {:>12.4g}\n", row.time_s,
                      one.system, width, one.rms_distance_m, one.largest_distance_m,
                      one.element ? std::to_string(*one.element) : "-", one.energy_j(), one.center_of_mass_m.norm());
  }
  return text;
}

std::string largest_lines(const RunComparison& comparison) {
  std::string text;
  for (const LargestDistance& one : comparison.largest)
    if (one.element)
      text += fmt::format("Largest distance in system \"{}\": {:g} m, element {}, at {:g} s\n", one.system,
                          one.distance_m, *one.element, one.time_s);
  return text;
}

std::string end_line(const RunComparison& comparison) {
  switch (comparison.end) {
    case CompareEnd::failed: return fmt::format("The comparison ended: {}\n", comparison.failure);
    case CompareEnd::interrupted: return "The comparison was interrupted.\n";
    case CompareEnd::reached:
    case CompareEnd::first_difference: break;
  }
  return {};
}

}  // namespace

std::string comparison_json(const RunComparison& comparison) {
  OrderedJson scene = OrderedJson::array(), growth = OrderedJson::array(), largest = OrderedJson::array();
  for (const SceneDifference& one : comparison.scene)
    scene.push_back({{"path", one.path}, {"a", or_null(one.a)}, {"b", or_null(one.b)}});
  for (const GrowthRow& row : comparison.growth) growth.push_back(row_json(row));
  for (const LargestDistance& one : comparison.largest)
    largest.push_back({{"system", one.system},
                       {"distance", one.distance_m},
                       {"time_s", one.time_s},
                       {"step_a", one.step_a},
                       {"step_b", one.step_b},
                       {"element", or_null(one.element)}});
  const OrderedJson json{{"build", build_info().description},
                         {"equal", comparison.is_equal()},
                         {"end", end_name(comparison.end)},
                         {"failure", comparison.failure},
                         {"a", side_json(comparison.a)},
                         {"b", side_json(comparison.b)},
                         {"notes", comparison.notes},
                         {"scene_differences", comparison.scene_differences},
                         {"scene", std::move(scene)},
                         {"compared", comparison.compared},
                         {"first_difference", comparison.first ? first_json(*comparison.first) : OrderedJson(nullptr)},
                         {"growth", std::move(growth)},
                         {"largest_distances", std::move(largest)}};
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string comparison_text(const RunComparison& comparison) {
  std::string text = side_line("A", comparison.a) + side_line("B", comparison.b);
  text += scene_lines(comparison);
  for (const std::string& note : comparison.notes) text += note + '\n';
  if (comparison.first)
    text += first_lines(*comparison.first) + growth_lines(comparison.growth) + largest_lines(comparison);
  else if (comparison.is_equal())
    text += fmt::format("A and B are bit-identical at {} common time{}, through {:g} s.\n", comparison.compared,
                        comparison.compared == 1 ? "" : "s", comparison.b.end_s);
  else if (comparison.compared > 0)
    text += fmt::format("No difference was found at {} common time{}.\n", comparison.compared,
                        comparison.compared == 1 ? "" : "s");
  return text + end_line(comparison);
}

}  // namespace vw::api
