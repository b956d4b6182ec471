#include "app/window/document/material_edit_buffer.h"

#include <string_view>

#include "sim/api/open_scene.h"

namespace vw {
namespace {

/// Returns the name of the material in a parameter path. "material.skin.model" gives "skin". The result is empty if the
/// parameter does not belong to a material.
std::string material_of(std::string_view path) {
  constexpr std::string_view slot = "material.";
  if (!path.starts_with(slot)) return {};
  path.remove_prefix(slot.size());
  return std::string(path.substr(0, path.find('.')));
}

/// Returns the index of the first value that differs between `from` and `to` and that can be changed without making
/// `from` inconsistent. If there is no such value, returns the number of values.
std::size_t next_good(const Node& from, const Node& to) {
  Node tried = from;
  for (std::size_t i = 0; i < to.values.size(); ++i) {
    if (same_value(from.values[i], to.values[i])) continue;
    tried.values[i] = to.values[i];
    if (api::check_material(tried)) return i;
    tried.values[i] = from.values[i];
  }
  return to.values.size();
}

/// Assigns the values of `to` to `now` in an order that keeps the material consistent after each assignment. Returns
/// the assignments.
std::vector<Assignment> way(Node& now, const Node& to) {
  std::vector<Assignment> out;
  const auto set = [&](std::size_t i, const Value& value) {
    now.values[i] = value;
    out.push_back({"material." + to.name + "." + to.schema->params[i].name, value});
  };
  const auto next = [&] { return next_good(now, to); };
  for (std::size_t i = next(); i < to.values.size(); i = next()) set(i, to.values[i]);
  if (same_node(now, to)) return out;
  // No order keeps the material consistent, for example because the lengths of two tables change. The linear model
  // ignores the other values, so the function switches to the linear model first.
  for (std::size_t i = 0; i < to.values.size(); ++i)
    if (to.schema->params[i].name == "model") set(i, Value(std::string("linear")));
  for (std::size_t i = 0; i < to.values.size(); ++i)
    if (to.schema->params[i].name != "model" && !same_value(now.values[i], to.values[i])) set(i, to.values[i]);
  for (std::size_t i = next(); i < to.values.size(); i = next()) set(i, to.values[i]);
  return out;
}

}  // namespace

void MaterialEditBuffer::begin(const Node& scene) {
  in_world_.clear();
  waiting_.clear();
  for (const Node* material : scene.all("material")) in_world_.emplace(material->name, *material);
}

MaterialEditBuffer::Passed MaterialEditBuffer::pass(const Node& scene, const Assignment& edit) {
  const std::string name = material_of(edit.path);
  const Node* wanted = name.empty() ? nullptr : scene.find("material", name);
  const auto known = in_world_.find(name);
  if (wanted == nullptr || known == in_world_.end()) return {{edit}, {}};
  if (const auto good = api::check_material(*wanted); !good)
    return {{}, waiting_.insert(name).second ? good.error().message() : std::string()};
  waiting_.erase(name);
  return {way(known->second, *wanted), {}};
}

Result<void> check_materials_of(const Node& scene) {
  for (const Node* material : scene.all("material"))
    if (auto good = api::check_material(*material); !good) return good;
  return {};
}

}  // namespace vw
