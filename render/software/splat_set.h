// Particles in the picture. They are projected, assigned to tiles, and sorted from back to front in each tile.
#pragma once

#include <span>
#include <vector>

#include "render/scene/splats.h"
#include "render/software/bins.h"
#include "render/software/projector.h"
#include "render/software/splat_kernel.h"
#include "render/software/sun_map.h"

namespace vw::soft {

/// Returns a disc with the radius for drawing (disc_table.h). Discs smaller than least_disc_px are enlarged, and their
/// opacity is reduced.
[[nodiscard]] ScreenDisc disc_on_picture(const glm::vec3& center_and_q, float radius_px, const glm::vec3& color,
                                         float opacity);

/// Data of a particle that all tiles share. The size is half a cache line.
struct SplatSeed {
  glm::vec3 view{0};        ///< centre in view axes [m]
  float radius = 0;         ///< [m]
  std::uint32_t color = 0;  ///< sRGB bytes; the highest byte is the opacity
  std::uint32_t key = 0;    ///< SplatRanks::key()
  std::uint32_t id = 0;
  std::uint16_t visible = 0xFFFF;  ///< fraction of sunlight that reaches a ball or puff; 0xFFFF is 1
  std::uint16_t kind = 0;          ///< bit mask: 1 selected, 2 puff
};

/// Splats of one tile from back to front. A run is a sequence of splats of one kind. The buffers are reused for each
/// tile.
struct SortedSplats {
  enum class Kind : std::uint8_t { disc, ball, puff };
  struct Run {
    Kind kind;
    std::size_t first, end;  ///< range in the array of the run's kind
  };
  std::vector<ScreenDisc> discs;
  std::vector<ScreenBall> balls;
  std::vector<ScreenPuff> puffs;
  std::vector<Run> runs;
  /// Number of runs in all ranks below each rank (SplatRanks). The last entry is the total number of runs.
  std::vector<std::size_t> runs_before;

  std::vector<std::uint32_t> keys, order;
  RadixScratch scratch;
};

class SplatSet {
 public:
  /// Projects the elements of all figures of balls.
  void project(const FrameData& set, const ViewParams& view, const Selection& selection, const Projector& projector,
               const SunMap& sun_map, const SplatRanks& ranks, const glm::vec4& ground);
  /// Projects the particles of a tile and sorts them from back to front.
  void sort_tile(std::size_t tile, const SplatRanks& ranks, SortedSplats& out) const;
  [[nodiscard]] bool overfull() const { return bins_.overfull(); }
  [[nodiscard]] bool any_in(std::size_t tile) const { return !bins_.in(tile).empty(); }

 private:
  /// Inclusive range of tiles. The range is empty if x1 < x0.
  struct Box {
    std::uint16_t x0 = 1, y0 = 1, x1 = 0, y1 = 0;
  };
  void project_part(const Figure& figure, std::size_t first, Range part, const SunMap& sun_map,
                    const SplatRanks& ranks);
  [[nodiscard]] bool pixels_of(const glm::vec3& view, float radius, bool soft, glm::vec2& low, glm::vec2& high) const;
  [[nodiscard]] ScreenDisc make_disc(const SplatSeed& seed) const;
  [[nodiscard]] ScreenBall make_ball(const SplatSeed& seed) const;
  [[nodiscard]] ScreenPuff make_puff(const SplatSeed& seed) const;
  void add_run(SortedSplats& out, const SplatSeed& seed, bool joins) const;

  ParticleStyle style_ = ParticleStyle::balls;
  LightEnvironment light_;
  Projector projector_;
  glm::vec4 ground_{0};  ///< unit normal and level of the ground, near which puffs fade out
  std::vector<SplatSeed> seeds_;
  std::vector<Box> boxes_;
  Bins<SplatSeed> bins_;
};

}  // namespace vw::soft
