#include "sim/snapshot/timeline.h"

#include <algorithm>

namespace vw {

const Timeline::Branch* Timeline::find(std::uint32_t number) const {
  const auto found = std::ranges::find(branches, number, &Branch::number);
  return found == branches.end() ? nullptr : &*found;
}

std::vector<const Timeline::Branch*> Timeline::path(std::uint32_t number) const {
  std::vector<const Branch*> path;
  for (const Branch* branch = find(number); branch != nullptr;
       branch = branch->parent ? find(*branch->parent) : nullptr)
    path.insert(path.begin(), branch);
  return path;
}

}  // namespace vw
