#include "sim/scene/node_names.h"

#include <fmt/format.h>

namespace vw {

std::set<std::string> names_of(const Node& parent, std::string_view slot) {
  std::set<std::string> names;
  for (const Node* child : parent.all(slot)) names.insert(child->name);
  return names;
}

std::string free_name(const std::string& stem, const std::set<std::string>& taken) {
  std::string name = stem;
  for (int i = 2; taken.contains(name); ++i) name = fmt::format("{}_{}", stem, i);
  return name;
}

}  // namespace vw
