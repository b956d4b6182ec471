// Names that nodes can be given beside those that are there.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "sim/base/node.h"

namespace vw {

[[nodiscard]] std::set<std::string> names_of(const Node& parent, std::string_view slot);
/// `stem`, or stem_2, stem_3, ...
[[nodiscard]] std::string free_name(const std::string& stem, const std::set<std::string>& taken);

}  // namespace vw
