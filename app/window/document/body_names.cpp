#include "app/window/document/body_names.h"

#include <algorithm>

namespace vw {

std::string body_node(const SystemSnapshot& system, std::size_t body) {
  const std::size_t names = system.palette_names.size();
  if (body >= system.material.size()) return {};
  if (names == system.position.size()) return system.palette_names[body];  // each node has made exactly one body
  const std::size_t material = system.material[body];
  // The number 255 stands for all nodes with an index of 255 or more.
  const bool is_shared = material == 255 && names > 256;
  return material < names && !is_shared ? system.palette_names[material] : std::string();
}

std::string body_name(const SystemSnapshot& system, std::size_t body) {
  const std::string node = body_node(system, body);
  if (node.empty() || system.palette_names.size() == system.position.size()) return node;
  const auto first = system.material.begin();
  const auto same = [&](std::size_t end) {
    return std::count(first, first + static_cast<std::ptrdiff_t>(end), system.material[body]);
  };
  return same(system.material.size()) == 1 ? node : node + "-" + std::to_string(same(body) + 1);
}

}  // namespace vw
