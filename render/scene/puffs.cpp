#include "render/scene/puffs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vw {
namespace {

/// Factor on the optical thickness of a puff, and minimum fraction of sunlight that a puff receives. The factor is
/// small because most scattered light continues forwards. The minimum is light scattered by other puffs.
constexpr float taken_puff = 0.2F, least_puff = 0.15F;
constexpr int most_cells = 256;

}  // namespace

void PuffShade::gather(std::span<const Figure> figures, const glm::vec3& sun) {
  const glm::vec3 u = glm::normalize(glm::cross(glm::vec3(0, 0, 1), sun)), v = glm::cross(sun, u);
  puffs_.clear();
  for (std::size_t f = 0; f < figures.size(); ++f) {
    const Figure& figure = figures[f];
    if (!figure.soft || figure.shape != FigureShape::balls) continue;
    for (std::size_t i = 0; i < figure.places.size(); ++i) {
      const glm::vec3 p(figure.places[i]);
      const float radius = figure.places[i].w, opacity = std::min(static_cast<float>(figure.opacity[i]) / 255, 0.98F);
      if (!(radius > 0) || !(opacity > 0) || !std::isfinite(p.x + p.y + p.z + radius)) continue;
      puffs_.push_back({static_cast<std::uint32_t>(f),
                        static_cast<std::uint32_t>(i),
                        {glm::dot(p, u), glm::dot(p, v)},
                        glm::dot(p, sun),
                        radius,
                        -taken_puff * std::log(1 - opacity)});
    }
  }
}

/// Chooses the grid. The edge of a cell is half the mean radius of the puffs, or larger if the grid would otherwise
/// have more than `most_cells` cells per side.
void PuffShade::size_grid() {
  glm::vec2 low(std::numeric_limits<float>::max()), high(std::numeric_limits<float>::lowest());
  double sum = 0;
  for (const Puff& puff : puffs_) {
    low = glm::min(low, puff.at - puff.radius);
    high = glm::max(high, puff.at + puff.radius);
    sum += static_cast<double>(puff.radius);
  }
  const glm::vec2 side = high - low;
  cell_m_ = std::max(0.5F * static_cast<float>(sum / static_cast<double>(puffs_.size())),
                     std::max(side.x, side.y) / (most_cells - 2));
  corner_ = low - cell_m_;
  wide_ = std::min(static_cast<int>(side.x / cell_m_) + 3, most_cells + 2);
  tall_ = std::min(static_cast<int>(side.y / cell_m_) + 3, most_cells + 2);
  grid_.assign(static_cast<std::size_t>(wide_) * static_cast<std::size_t>(tall_), 0.0F);
}

float PuffShade::thickness_at(const glm::vec2& at) const {
  const glm::vec2 p = (at - corner_) / cell_m_ - 0.5F;
  const int x = std::clamp(static_cast<int>(p.x), 0, wide_ - 2), y = std::clamp(static_cast<int>(p.y), 0, tall_ - 2);
  const glm::vec2 t = glm::clamp(p - glm::vec2(static_cast<float>(x), static_cast<float>(y)), 0.0F, 1.0F);
  const float* row =
      &grid_[static_cast<std::size_t>(y) * static_cast<std::size_t>(wide_) + static_cast<std::size_t>(x)];
  return glm::mix(glm::mix(row[0], row[1], t.x), glm::mix(row[wide_], row[wide_ + 1], t.x), t.y);
}

/// Adds the optical thickness of a puff to the grid. The thickness is greatest in the middle of the puff. A puff whose
/// radius is smaller than the edge of a cell is spread over a disc whose radius is this edge.
void PuffShade::add(const Puff& puff) {
  const float r = std::max(puff.radius / cell_m_, 1.0F), small = puff.radius / (r * cell_m_),
              thickness = puff.thickness * small * small;
  const glm::vec2 p = (puff.at - corner_) / cell_m_;
  const int x0 = std::max(static_cast<int>(p.x - r), 0), x1 = std::min(static_cast<int>(p.x + r), wide_ - 1);
  const int y0 = std::max(static_cast<int>(p.y - r), 0), y1 = std::min(static_cast<int>(p.y + r), tall_ - 1);
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const glm::vec2 off = (glm::vec2(static_cast<float>(x), static_cast<float>(y)) + 0.5F - p) / r;
      const float there = 1 - glm::dot(off, off);
      if (there > 0)
        grid_[static_cast<std::size_t>(y) * static_cast<std::size_t>(wide_) + static_cast<std::size_t>(x)] +=
            thickness * there * there;
    }
}

void PuffShade::build(std::span<const Figure> figures, const glm::vec3& sun) {
  gather(figures, sun);
  if (puffs_.empty()) return;
  size_grid();
  order_.resize(puffs_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return puffs_[a].along != puffs_[b].along ? puffs_[a].along > puffs_[b].along : a < b;
  });
  for (const std::uint32_t i : order_) {
    puffs_[i].share = least_puff + (1 - least_puff) * std::exp(-thickness_at(puffs_[i].at));
    add(puffs_[i]);
  }
}

void PuffShade::apply(std::span<Figure> figures) const {
  for (const Puff& puff : puffs_) {
    std::uint32_t& color = figures[puff.figure].colors[puff.element];
    const auto share = static_cast<std::uint32_t>(static_cast<float>(color >> 24U) * puff.share + 0.5F);
    color = (color & 0x00FFFFFFU) | share << 24U;
  }
}

float PuffShade::shadow_at(const glm::vec2& at) const {
  // Factor on the optical thickness for shadows on the ground. Its product with `taken_puff` is one half, because
  // forward scattering blurs the shadow, but the scattered light still reaches the ground.
  constexpr float deeper = 2.5F;
  const glm::vec2 p = (at - corner_) / cell_m_;
  if (puffs_.empty() || !(p.x > 0 && p.y > 0 && p.x < static_cast<float>(wide_) && p.y < static_cast<float>(tall_)))
    return 0;
  return 1 - std::exp(-deeper * thickness_at(at));
}

}  // namespace vw
