// Particles that are blended into the picture: flat discs, figures of balls with transparent elements, and puffs of
// smoke. They are sorted from back to front; the data are the same for every renderer. Plain CPU data; no GL here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/air_sheets.h"
#include "render/collider_drawing.h"
#include "render/figure.h"

namespace vw {

/// Layout that shaders/splat.vert reads (std430).
struct Splat {
  glm::vec4 place;          ///< position [m]; w: radius [m]
  std::uint32_t color = 0;  ///< sRGB bytes; the highest byte is the fraction of sunlight that reaches the splat
  float opacity = 1;
  std::uint32_t kind = 0;  ///< bit mask: 1 selected, 2 puff
  std::uint32_t id = 0;
};

/// Whether the figure's elements are blended as splats instead of being drawn as opaque balls with depth writes.
[[nodiscard]] bool is_blended(const Figure& figure, ParticleStyle style);

/// Sort key for occlusion. For flat discs it is the depth along the view direction. For balls that do not intersect it
/// is the squared length of the tangent from the eye, |c - e|^2 - r^2, which gives the correct order for any radii
/// (power distance; F. Aurenhammer, "Power diagrams", 1987).
[[nodiscard]] inline float hiding_key(ParticleStyle style, float view_depth, float distance2, float radius) {
  return style == ParticleStyle::discs ? view_depth : distance2 - radius * radius;
}
/// Bits of a float, mapped such that the unsigned order equals the order of the numbers.
[[nodiscard]] inline std::uint32_t ordered_bits(float x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

/// Stable sort of `keys` from large to small; `order` receives the indices. `scratch` is reused. Radix sort with 11
/// bits per pass.
struct RadixScratch {
  std::vector<std::uint32_t> keys, places, other_keys, other_places;
};
void order_from_large(std::span<const std::uint32_t> keys, RadixScratch& scratch, std::vector<std::uint32_t>& order);

/// Planes other than the ground, which are drawn transparent. Splats behind such a plane are drawn before it.
class SeeThroughPlanes {
 public:
  /// Collects the planes whose front faces the eye; none if the view hides obstacles.
  void collect(const Snapshot& snapshot, const ViewParams& view, const glm::vec3& eye);
  [[nodiscard]] bool any() const { return !planes_.empty(); }
  [[nodiscard]] bool hides(const glm::vec3& p) const {
    for (const glm::vec4& plane : planes_)
      if (glm::dot(glm::vec3(plane), p) < plane.w) return true;
    return false;
  }

 private:
  std::vector<glm::vec4> planes_;  ///< unit normal n, and w = dot(n, p) for points p of the plane
};

/// Drawing order of splats. Rank 0 lies behind a transparent plane. The following ranks are the layers between the
/// sheets of air, beginning with the farthest. Within a rank, splats are sorted from far to near.
class SplatRanks {
 public:
  SplatRanks(const SeeThroughPlanes& planes, const AirSheets& air) : planes_(planes), air_(air) {}
  [[nodiscard]] std::size_t count() const { return 1 + air_.layers(); }
  /// Sort key; splats with larger keys are drawn earlier. `hiding`: value of hiding_key().
  [[nodiscard]] std::uint32_t key(float hiding, const glm::vec3& place) const {
    const std::uint32_t depth = ordered_bits(hiding) >> 1U;
    if (planes_.any() && planes_.hides(place)) return depth | top_bit;
    if (air_.bits() == 0) return depth;
    return depth >> air_.bits() | static_cast<std::uint32_t>(air_.layers() - 1 - air_.layer_of(place))
                                      << (31 - air_.bits());
  }
  [[nodiscard]] std::size_t rank_of(std::uint32_t key) const {
    return (key & top_bit) != 0 ? 0 : air_.layers() - (air_.bits() == 0 ? 0 : key >> (31 - air_.bits()));
  }

 private:
  static constexpr std::uint32_t top_bit = 0x80000000U;
  const SeeThroughPlanes& planes_;
  const AirSheets& air_;
};

class SplatList {
 public:
  void gather(const std::vector<Figure>& figures, std::size_t count, const ViewParams& view, const Selection& selection,
              const Camera& camera, const SplatRanks& ranks);
  [[nodiscard]] std::span<const Splat> all() const { return sorted_; }
  /// Range of a rank in all().
  [[nodiscard]] std::size_t begin_of(std::size_t rank) const { return rank == 0 ? 0 : ends_[rank - 1]; }
  [[nodiscard]] std::size_t end_of(std::size_t rank) const { return ends_[rank]; }

 private:
  void add(const Figure& figure, const ViewParams& view, std::int64_t selected, const Camera& camera,
           const SplatRanks& ranks);
  void break_ties();

  std::vector<Splat> splats_, sorted_;
  std::vector<std::uint32_t> keys_, order_;
  RadixScratch scratch_;
  std::vector<std::size_t> ends_{0, 0};
};

}  // namespace vw
