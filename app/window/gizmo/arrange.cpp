#include "app/window/gizmo/arrange.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace vw {
namespace {

double coordinate_of(const PartBounds& bounds, int axis, Alignment alignment) {
  const double low = bounds.low[axis], high = bounds.high[axis];
  return alignment == Alignment::low ? low : alignment == Alignment::high ? high : 0.5 * (low + high);
}

void add_shift(std::vector<Assignment>& all, const PosedPart& part, int axis, double shift) {
  std::ranges::move(assignments_of(part, {.translation = shift * Vec3::Unit(axis)}), std::back_inserter(all));
}

}  // namespace

std::vector<Assignment> aligned(const PosedGroup& group, int axis, Alignment alignment) {
  const double target = coordinate_of(group.bounds, axis, alignment);
  std::vector<Assignment> all;
  for (const PosedPart& part : group.parts)
    add_shift(all, part, axis, target - coordinate_of(bounds_of(part), axis, alignment));
  return all;
}

std::vector<Assignment> distributed(const PosedGroup& group, int axis) {
  struct Placed {
    const PosedPart* part;
    double center;
  };
  std::vector<Placed> line;
  for (const PosedPart& part : group.parts)
    line.push_back({&part, coordinate_of(bounds_of(part), axis, Alignment::center)});
  std::ranges::stable_sort(line, {}, &Placed::center);
  std::vector<Assignment> all;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(line.size() - 1);
    add_shift(all, *line[i].part, axis, std::lerp(line.front().center, line.back().center, share) - line[i].center);
  }
  return all;
}

}  // namespace vw
