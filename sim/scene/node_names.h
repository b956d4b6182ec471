// Unique names for new nodes.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "sim/base/data/node.h"

namespace vw {

[[nodiscard]] std::set<std::string> names_of(const Node& parent, std::string_view slot);
/// The first of `stem`, stem_2, stem_3, ... that is not in `taken`.
[[nodiscard]] std::string free_name(const std::string& stem, const std::set<std::string>& taken);

}  // namespace vw
