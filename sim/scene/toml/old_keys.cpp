#include "sim/scene/toml/old_keys.h"

#include <algorithm>

namespace vw {

std::span<const OldKey> old_keys() {
  static const std::vector<OldKey> all{
      {.kind = "view",
       .key = "background",
       .values = {{"scene", "", {}},
                  {"white", "environment", Value(std::string("white"))},
                  {"dark", "environment", Value(std::string("dark"))},
                  {"transparent", "transparent", Value(true)}}},
  };
  return all;
}

const OldKey* find_old_key(std::string_view kind, std::string_view key) {
  const auto all = old_keys();
  const auto found = std::ranges::find_if(all, [&](const OldKey& one) { return one.kind == kind && one.key == key; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace vw
