// Unique names for new nodes.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "sim/base/data/node.h"

namespace vw {

[[nodiscard]] std::set<std::string> names_of(const Node& parent, std::string_view slot);
/// Returns `stem` or, if it is in `taken`, the first of the names stem_2, stem_3 and so on that is not in `taken`.
[[nodiscard]] std::string free_name(const std::string& stem, const std::set<std::string>& taken);

}  // namespace vw
