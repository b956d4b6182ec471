#include "render/scene/splats.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/scene/puffs.h"
#include "render/vectors/vectors.h"

namespace vw {

bool is_blended(const Figure& figure, ParticleStyle style) {
  if (figure.shape != FigureShape::balls) return false;
  return figure.soft || style == ParticleStyle::discs || !figure.opacity.empty();
}

void order_from_large(std::span<const std::uint32_t> keys, RadixScratch& s, std::vector<std::uint32_t>& order) {
  constexpr unsigned bits = 11, buckets = 1U << bits;
  const std::size_t n = keys.size();
  s.keys.resize(n);
  s.other_keys.resize(n);
  s.other_places.resize(n);
  order.resize(n);
  std::array<std::array<std::uint32_t, buckets>, 3> counts{};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t key = ~keys[i];  // inverted, so that large keys come first
    s.keys[i] = key;
    order[i] = static_cast<std::uint32_t>(i);
    for (unsigned pass = 0; pass < 3; ++pass) ++counts[pass][key >> (bits * pass) & (buckets - 1)];
  }
  for (unsigned pass = 0; pass < 3; ++pass) {
    auto& count = counts[pass];
    if (n == 0 || count[s.keys[0] >> (bits * pass) & (buckets - 1)] == n) continue;  // all keys are equal in these bits
    std::uint32_t before = 0;
    for (std::uint32_t& c : count) before += std::exchange(c, before);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t to = count[s.keys[i] >> (bits * pass) & (buckets - 1)]++;
      s.other_keys[to] = s.keys[i];
      s.other_places[to] = order[i];
    }
    s.keys.swap(s.other_keys);
    order.swap(s.other_places);
  }
}

void SeeThroughPlanes::collect(const Snapshot& snapshot, const ViewParams& view, const glm::vec3& eye) {
  planes_.clear();
  const int ground = ground_of(snapshot);
  for (std::size_t i = 0; i < snapshot.colliders.size(); ++i) {
    const ColliderSnapshot& collider = snapshot.colliders[i];
    if (collider.kind != ColliderSnapshot::Kind::plane || static_cast<int>(i) == ground || !is_shown(collider, view))
      continue;
    const glm::vec3 n = to_glm(collider.orientation * Vec3f::UnitY());
    const float level = glm::dot(n, to_glm(collider.position));
    if (glm::dot(n, eye) > level) planes_.emplace_back(n, level);
  }
}

void SplatList::add(const Figure& figure, const ViewParams& view, std::int64_t selected, const Camera& camera,
                    const SplatRanks& ranks) {
  const glm::vec3 to_target = camera.target - camera.eye;
  const float length = glm::length(to_target);
  const glm::vec3 forward = length > 0 ? to_target / length : glm::vec3(0, 0, -1);
  for (std::size_t i = 0; i < figure.places.size(); ++i) {
    const glm::vec4& place = figure.places[i];
    float opacity = figure.opacity.empty() ? 1.0F : static_cast<float>(figure.opacity[i]) / 255;
    if (opacity <= 0 || place.w < 0 || !is_finite(place)) continue;
    const glm::vec3 from_eye = glm::vec3(place) - camera.eye;
    const float depth = glm::dot(from_eye, forward);
    if (depth <= 0) continue;
    if (figure.soft) opacity *= puff_presence(depth, place.w);
    if (opacity <= 0) continue;
    const float key = hiding_key(view.particle_style, depth, glm::dot(from_eye, from_eye), place.w);
    keys_.push_back(ranks.key(key, glm::vec3(place), figure.is_spray));
    splats_.push_back({place, figure.colors[i], opacity,
                       (static_cast<std::int64_t>(i) == selected ? 1U : 0U) | (figure.soft ? 2U : 0U), figure.id[i]});
  }
}

/// Orders splats of equal depth by id, so that the order of two particles at one position does not depend on the rows.
void SplatList::break_ties() {
  for (std::size_t first = 0; first < order_.size();) {
    std::size_t end = first + 1;
    while (end < order_.size() && keys_[order_[end]] == keys_[order_[first]]) ++end;
    if (end - first > 1)
      std::stable_sort(order_.begin() + static_cast<std::ptrdiff_t>(first),
                       order_.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](std::uint32_t a, std::uint32_t b) { return splats_[a].id < splats_[b].id; });
    first = end;
  }
}

void SplatList::gather(const std::vector<Figure>& figures, std::size_t count, const ViewParams& view,
                       const Selection& selection, const Camera& camera, const SplatRanks& ranks) {
  splats_.clear();
  keys_.clear();
  for (std::size_t f = 0; f < count; ++f)
    if (is_blended(figures[f], view.particle_style))
      add(figures[f], view, selection.system == figures[f].name ? selection.element : -1, camera, ranks);
  order_from_large(keys_, scratch_, order_);
  break_ties();
  sorted_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) sorted_[i] = splats_[order_[i]];
  ends_.assign(ranks.count(), 0);
  for (const std::uint32_t key : keys_) ++ends_[ranks.rank_of(key)];
  for (std::size_t k = 1; k < ends_.size(); ++k) ends_[k] += ends_[k - 1];
}

}  // namespace vw
