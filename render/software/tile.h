// A tile of the picture during drawing: linear colours, depths, and the separate samples of pixels with an edge.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include <glm/glm.hpp>

namespace vw::soft {

inline constexpr int tile_px = 32;
/// Row length of the arrays. Vectors of eight pixels may extend beyond the last pixel of a row into the padding.
inline constexpr int tile_stride = tile_px + 8;
inline constexpr std::size_t tile_cells = static_cast<std::size_t>(tile_stride) * tile_px;
inline constexpr int samples = 4;
inline constexpr std::size_t tile_samples = static_cast<std::size_t>(samples) * tile_px * tile_px;

/// Positions of the samples within a pixel, from its upper left corner: a rotated grid. Software OpenGL has the same
/// positions, so that both renderers draw objects of a few pixels alike.
inline constexpr std::array<glm::vec2, samples> sample_at{
    {{0.375F, 0.875F}, {0.875F, 0.625F}, {0.125F, 0.375F}, {0.625F, 0.125F}}};

inline constexpr std::uint32_t nothing_there = 0xFFFFFFFFU, ground_there = 0xFFFFFFFEU;
inline constexpr float beyond_all = std::numeric_limits<float>::infinity();

/// A pixel whose samples show surfaces at very different depths. Objects are blended over each sample separately.
struct EdgePixel {
  std::array<glm::vec3, samples> color;
  std::array<float, samples> q;
  int x = 0, y = 0;
};

struct Tile {
  alignas(64) std::array<float, tile_cells> red, green, blue;
  /// 1 / depth of the visible surface. The value is infinite at edge pixels, which the vector code must skip.
  alignas(64) std::array<float, tile_cells> q;
  alignas(64) std::array<float, tile_cells> front;  ///< 1 / depth of the nearest opaque object or splat
  alignas(64) std::array<float, tile_samples> sample_q;
  alignas(64) std::array<std::uint32_t, tile_samples> sample_id;
  std::array<std::uint32_t, tile_px> edge_row{};  ///< bit mask of the edge pixels of each row
  std::vector<EdgePixel> edges;                   ///< edge pixels in the order of rows
  int x0 = 0, y0 = 0, width = 0, height = 0;      ///< position in the picture

  [[nodiscard]] static std::size_t cell(int x, int y) {
    return static_cast<std::size_t>(y) * tile_stride + static_cast<std::size_t>(x);
  }
  [[nodiscard]] static std::size_t sample(int x, int y, int s) {
    return (static_cast<std::size_t>(y) * tile_px + static_cast<std::size_t>(x)) * samples +
           static_cast<std::size_t>(s);
  }
  [[nodiscard]] bool is_edge(int x, int y) const {
    return (edge_row[static_cast<std::size_t>(y)] >> static_cast<unsigned>(x) & 1U) != 0;
  }
  [[nodiscard]] EdgePixel& edge_at(int x, int y);
};

inline EdgePixel& Tile::edge_at(int x, int y) {
  std::size_t at = 0;
  for (int row = 0; row < y; ++row)
    at += static_cast<std::size_t>(__builtin_popcount(edge_row[static_cast<std::size_t>(row)]));
  at += static_cast<std::size_t>(
      __builtin_popcount(edge_row[static_cast<std::size_t>(y)] & ((1U << static_cast<unsigned>(x)) - 1U)));
  return edges[at];
}

}  // namespace vw::soft
