#include "app/window/results/moment_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace vw {
namespace {

/// Returns the branch to which a time on the path of `branch` belongs: `branch` or one of its ancestors. Null if the
/// timeline does not contain the branch.
const Timeline::Branch* owner_of(const Timeline& timeline, std::uint32_t branch, double elapsed_s) {
  const Timeline::Branch* owner = timeline.find(branch);
  while (owner != nullptr && owner->parent && elapsed_s < owner->begin_s) owner = timeline.find(*owner->parent);
  return owner;
}

}  // namespace

std::optional<std::size_t> MomentPictures::take_cell(const Timeline& timeline, std::uint32_t branch, double elapsed_s) {
  const Timeline::Branch* owner = owner_of(timeline, branch, elapsed_s);
  if (owner == nullptr) return {};
  const auto is_near = [&](const Picture& picture) {
    return picture.branch == owner->number && std::abs(picture.elapsed_s - elapsed_s) < interval_s_ * (1 - 1e-6);
  };
  if (std::ranges::any_of(pictures_, is_near)) return {};
  while (pictures_.size() == capacity) thin();
  std::array<bool, capacity> is_used{};
  for (const Picture& picture : pictures_) is_used[picture.cell] = true;
  const auto cell = static_cast<std::size_t>(std::ranges::find(is_used, false) - is_used.begin());
  const Picture added{owner->number, elapsed_s, cell};
  const auto is_before = [](const Picture& a, const Picture& b) {
    return std::tie(a.branch, a.elapsed_s) < std::tie(b.branch, b.elapsed_s);
  };
  pictures_.insert(std::ranges::upper_bound(pictures_, added, is_before), added);
  return cell;
}

/// Doubles the interval and removes the pictures that are now too close to their predecessors. If no picture is too
/// close, removes the first picture.
void MomentPictures::thin() {
  interval_s_ *= 2;
  std::vector<Picture> kept;
  for (const Picture& picture : pictures_)
    if (kept.empty() || kept.back().branch != picture.branch ||
        picture.elapsed_s - kept.back().elapsed_s >= interval_s_ * (1 - 1e-6))
      kept.push_back(picture);
  if (kept.size() == pictures_.size()) kept.erase(kept.begin());
  pictures_ = std::move(kept);
}

std::optional<MomentPictures::Found> MomentPictures::nearest(const Timeline& timeline, std::uint32_t branch,
                                                             double elapsed_s) const {
  const std::vector<const Timeline::Branch*> path = timeline.path(branch);
  std::optional<Found> best;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const double end_s = i + 1 < path.size() ? path[i + 1]->begin_s : std::numeric_limits<double>::infinity();
    for (const Picture& picture : pictures_)
      if (picture.branch == path[i]->number && picture.elapsed_s <= end_s &&
          (!best || std::abs(picture.elapsed_s - elapsed_s) < std::abs(best->elapsed_s - elapsed_s)))
        best = Found{picture.cell, picture.elapsed_s};
  }
  return best;
}

void MomentPictures::keep_only(const Timeline& timeline) {
  std::erase_if(pictures_, [&](const Picture& picture) { return timeline.find(picture.branch) == nullptr; });
}

}  // namespace vw
