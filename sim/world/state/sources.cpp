#include "sim/world/state/sources.h"

#include <cstdint>

#include <fmt/format.h>

#include "sim/base/files/file.h"
#include "sim/base/random.h"

namespace vw {
namespace {

constexpr std::uint64_t largest_source = std::uint64_t{1} << 32;

}  // namespace

Result<void> each_source(const Node& node, const std::string& path,
                         const std::function<Result<void>(const std::string& key, const std::string& file)>& visit) {
  for (std::size_t i = 0; i < node.schema->params.size(); ++i) {
    if (node.schema->params[i].name != "source" || node.schema->params[i].type != ParamType::text) continue;
    const auto& file = std::get<std::string>(node.values[i]);
    if (file.empty()) continue;
    if (auto good = visit(path + "source", file); !good) return good;
  }
  for (const Node& child : node.children) {
    const Slot& slot = node.schema->slots[child.slot];
    if (auto good = each_source(child, path + slot.name + (slot.many ? "." + child.name : "") + ".", visit); !good)
      return good;
  }
  return {};
}

Result<std::string> file_hash(const std::string& file) {
  const auto bytes = read_file(file, largest_source);
  if (!bytes) return Unexpected(bytes.error());
  return fmt::format("{:016x}", stream_id(*bytes));
}

std::map<std::string, std::string> source_hashes(const Node& scene) {
  std::map<std::string, std::string> hashes;
  (void)each_source(scene, "", [&](const std::string& key, const std::string& file) -> Result<void> {
    if (auto hash = file_hash(file)) hashes.emplace(key, std::move(*hash));
    return {};
  });
  return hashes;
}

}  // namespace vw
