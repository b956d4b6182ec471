#include "render/vectors/trails.h"

#include <algorithm>

namespace vw {

void Trails::note(const Snapshot& snapshot) {
  if (snapshot.parts_number() != parts_number_ || snapshot.systems.size() != paths_.size()) {
    *this = {};
    parts_number_ = snapshot.parts_number();
    paths_.resize(snapshot.systems.size());
  }
  if (!times_.empty() && snapshot.time_s == times_.back()) return;
  const auto kept = std::lower_bound(times_.begin(), times_.end(), snapshot.time_s) - times_.begin();
  times_.resize(static_cast<std::size_t>(kept));
  for (auto& path : paths_) path.resize(std::min(path.size(), times_.size()));
  // Step times are sums of dt with rounding errors, so an interval that is 10 % too short is accepted.
  if (!times_.empty() && snapshot.time_s - times_.back() < 0.9 * spacing_s_) return;
  times_.push_back(snapshot.time_s);
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const SystemSnapshot& system = snapshot.systems[i];
    if ((system.look_kind() != LookKind::voxels &&
         (system.look_kind() != LookKind::rigid || system.position.size() != 1)) ||
        !system.center_of_mass.allFinite())
      continue;
    const Vec3f c = system.center_of_mass.cast<float>();
    // Points that were skipped because a position was not finite are filled with the current position.
    paths_[i].resize(times_.size(), {c.x(), c.y(), c.z()});
  }
  if (times_.size() >= limit) thin();
}

void Trails::thin() {
  spacing_s_ = std::max(2 * spacing_s_, 2 * (times_.back() - times_.front()) / static_cast<double>(times_.size()));
  const auto halve = [](auto& row) {
    for (std::size_t i = 0; 2 * i < row.size(); ++i) row[i] = row[2 * i];
    row.resize((row.size() + 1) / 2);
  };
  halve(times_);
  for (auto& path : paths_) halve(path);
}

}  // namespace vw
