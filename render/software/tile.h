// One tile of the picture while it is being made: linear colours, what is nearest, and the pixels in which an edge runs, sample by sample.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include <glm/glm.hpp>

namespace vw::soft {

inline constexpr int tile_px = 32;
/// Vectors of eight may reach past the last pixel of a row.
inline constexpr int tile_stride = tile_px + 8;
inline constexpr std::size_t tile_cells = static_cast<std::size_t>(tile_stride) * tile_px;
inline constexpr int samples = 4;
inline constexpr std::size_t tile_samples = static_cast<std::size_t>(samples) * tile_px * tile_px;

/// Where in the pixel the samples lie: the rotated grid that graphics devices use.
inline constexpr std::array<glm::vec2, samples> sample_at{{{0.375F, 0.125F}, {0.875F, 0.375F}, {0.125F, 0.625F}, {0.625F, 0.875F}}};

inline constexpr std::uint32_t nothing_there = 0xFFFFFFFFU, ground_there = 0xFFFFFFFEU;
inline constexpr float beyond_all = std::numeric_limits<float>::infinity();

/// A pixel whose samples see surfaces at very different depths: what is blended over it meets each of them by itself.
struct EdgePixel {
  std::array<glm::vec3, samples> color;
  std::array<float, samples> q;
  int x = 0, y = 0;
};

struct Tile {
  alignas(64) std::array<float, tile_cells> red, green, blue;
  alignas(64) std::array<float, tile_cells> q;      ///< 1 / depth of the surface seen; infinite at edges, which vectors leave alone
  alignas(64) std::array<float, tile_cells> front;  ///< 1 / depth of the nearest that is solid, splats included
  alignas(64) std::array<float, tile_samples> sample_q;
  alignas(64) std::array<std::uint32_t, tile_samples> sample_id;
  std::array<std::uint32_t, tile_px> edge_row{};  ///< a bit for each pixel of a row
  std::vector<EdgePixel> edges;                   ///< row by row
  int x0 = 0, y0 = 0, width = 0, height = 0;      ///< in the picture

  [[nodiscard]] static std::size_t cell(int x, int y) { return static_cast<std::size_t>(y) * tile_stride + static_cast<std::size_t>(x); }
  [[nodiscard]] static std::size_t sample(int x, int y, int s) {
    return (static_cast<std::size_t>(y) * tile_px + static_cast<std::size_t>(x)) * samples + static_cast<std::size_t>(s);
  }
  [[nodiscard]] bool is_edge(int x, int y) const { return (edge_row[static_cast<std::size_t>(y)] >> static_cast<unsigned>(x) & 1U) != 0; }
  [[nodiscard]] EdgePixel& edge_at(int x, int y);
};

inline EdgePixel& Tile::edge_at(int x, int y) {
  std::size_t at = 0;
  for (int row = 0; row < y; ++row) at += static_cast<std::size_t>(__builtin_popcount(edge_row[static_cast<std::size_t>(row)]));
  at += static_cast<std::size_t>(__builtin_popcount(edge_row[static_cast<std::size_t>(y)] & ((1U << static_cast<unsigned>(x)) - 1U)));
  return edges[at];
}

}  // namespace vw::soft
