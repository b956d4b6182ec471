// Particles on the picture: projected, put into tiles, and in each tile sorted from back to front.
#pragma once

#include <span>
#include <vector>

#include "render/software/bins.h"
#include "render/software/projector.h"
#include "render/software/splat_kernel.h"
#include "render/software/sun_map.h"
#include "render/splats.h"

namespace vw::soft {

/// A disc ready to be drawn: with centre and radius in pixels, however small.
[[nodiscard]] ScreenSplat disc_on_picture(const glm::vec3& center_and_q, float radius_px, const glm::vec3& color, float opacity);

/// Of one tile; reused from tile to tile.
struct SplatOrder {
  std::vector<std::uint32_t> keys, order;
  std::vector<ScreenSplat> sorted;
  RadixScratch scratch;
};

class SplatSet {
 public:
  /// Takes every element that is no part of a skin.
  void project(const FrameSet& set, const ViewParams& view, const Selection& selection, const Projector& projector, const SeeThroughPlanes& planes);
  /// The tile's splats from back to front into `order.sorted`; returns how many of them lie behind a plane that is seen through.
  [[nodiscard]] std::size_t sort_tile(std::size_t tile, const SunMap& sun_map, SplatOrder& order) const;
  [[nodiscard]] bool any_in(std::size_t tile) const { return !bins_.in(tile).empty(); }
  [[nodiscard]] std::size_t count() const { return spots_.size(); }

 private:
  /// What binning and sorting need; the rest is made where it is drawn.
  struct Spot {
    glm::vec2 low{1}, high{0};  ///< box [px]; empty when not seen
    std::uint32_t key = 0;      ///< see hiding_key(); uppermost bit: behind a plane
    std::uint32_t id = 0;
  };
  struct Source {
    const Figure* figure = nullptr;
    std::size_t first = 0;  ///< of its spots
    std::int64_t selected = -1;
  };
  void project_part(const Source& source, Range part, const SeeThroughPlanes& planes);
  [[nodiscard]] bool box_of(const glm::vec3& view, float radius, Spot& spot) const;
  [[nodiscard]] ScreenSplat make(std::uint32_t at, const SunMap& sun_map) const;
  void make_ball(const glm::vec4& place, const SunMap& sun_map, ScreenSplat& out) const;

  ParticleStyle style_ = ParticleStyle::balls;
  Projector projector_;
  std::vector<Source> sources_;
  std::vector<Spot> spots_;
  Bins bins_;
};

}  // namespace vw::soft
