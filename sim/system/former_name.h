// Names of child nodes before a change of the scene during a run (System::continue_from()).
#pragma once

#include <map>
#include <string>

namespace vw {

/// Returns the former name of the child node `name` in a slot, or `name` if the node was not renamed. `former_names`
/// maps "SLOT.NAME" of each renamed node to its former name.
[[nodiscard]] inline const std::string& former_name(const std::map<std::string, std::string>& former_names,
                                                    const std::string& slot, const std::string& name) {
  const auto renamed = former_names.find(slot + "." + name);
  return renamed == former_names.end() ? name : renamed->second;
}

}  // namespace vw
