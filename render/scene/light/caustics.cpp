#include "render/scene/light/caustics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/fluid/refraction.h"

namespace vw {
namespace {

constexpr int caustic_side = Caustics::side;
constexpr auto caustic_cells = static_cast<std::size_t>(caustic_side) * caustic_side;
/// `height_blur_spacings`: standard deviation of the filter of the surface's height, in particle spacings.
/// `light_blur_cells`: radius of the means that filter the light on the floor [cells] (smooth_map()).
constexpr float height_blur_spacings = 1.2F;
constexpr int light_blur_cells = 1;
/// If a cell receives fewer beams than this number below a level surface, its light is not known.
constexpr float least_beams = 0.5F;

std::size_t cell_of(int x, int z) { return static_cast<std::size_t>(z) * caustic_side + static_cast<std::size_t>(x); }

/// Computes means over 2 r + 1 cells along one axis, by running sums. Values outside the map count as 0.
void box_blur(const std::vector<float>& from, std::vector<float>& to, int r, bool along_x) {
  const auto place = [along_x](int line, int k) { return along_x ? cell_of(k, line) : cell_of(line, k); };
  for (int line = 0; line < caustic_side; ++line) {
    float sum = 0;
    for (int k = 0; k < std::min(r, caustic_side); ++k) sum += from[place(line, k)];
    for (int k = 0; k < caustic_side; ++k) {
      if (k + r < caustic_side) sum += from[place(line, k + r)];
      if (k - r - 1 >= 0) sum -= from[place(line, k - r - 1)];
      to[place(line, k)] = sum / static_cast<float>(2 * r + 1);
    }
  }
}

/// Approximates a Gaussian filter by three means over 2 r + 1 cells along each axis.
void smooth_map(std::vector<float>& map, std::vector<float>& scratch, int r) {
  if (r < 1) return;
  scratch.resize(map.size());
  for (int pass = 0; pass < 3; ++pass) {
    box_blur(map, scratch, r, true);
    box_blur(scratch, map, r, false);
  }
}

/// Adds one beam to the four cells around a position in the map, with bilinear weights.
void deposit(std::vector<float>& map, const glm::vec2& at) {
  const glm::vec2 p = at - 0.5F, base = glm::floor(p), part = p - base;
  const glm::ivec2 first(base);
  for (int k = 0; k < 4; ++k) {
    const glm::ivec2 cell = first + glm::ivec2(k & 1, k >> 1);
    if (cell.x < 0 || cell.y < 0 || cell.x >= caustic_side || cell.y >= caustic_side) continue;
    map[cell_of(cell.x, cell.y)] += ((k & 1) != 0 ? part.x : 1 - part.x) * ((k >> 1) != 0 ? part.y : 1 - part.y);
  }
}

}  // namespace

/// Computes for each cell whether there is fluid (`filled_`), and the height of the fluid's surface above the floor
/// (`height_`), smoothed over a few particles.
void Caustics::find_surface(const FluidCloud& fluid) {
  height_.assign(caustic_cells, 0.0F);
  filled_.assign(caustic_cells, 0.0F);
  const float reach = 0.8F * fluid.spacing_m() / cell_m_;
  // Calls each(cell, height) for the cells around each particle at the surface of the fluid. Mirror images, whose w is
  // negative, are outside the fluid. Drops, whose w is small, have no surface that focuses light. Both are left out.
  const auto each_particle = [&](const auto& each) {
    for (std::size_t i = 0; i < fluid.shell(); ++i) {
      const glm::vec4& place = fluid.places()[i];
      const float high = place.y + 0.5F * fluid.spacing_m() - ground_m_;
      const glm::vec2 at = (glm::vec2(place.x, place.z) - glm::vec2(box_)) / cell_m_;
      if (place.w < 0.95F * fluid.spacing_m() || !(high > 0) || !(at.x > -reach && at.y > -reach) ||
          !(at.x < caustic_side + reach && at.y < caustic_side + reach))
        continue;
      const glm::ivec2 low = glm::max(glm::ivec2(at - reach), 0),
                       last = glm::min(glm::ivec2(at + reach), caustic_side - 1);
      for (int z = low.y; z <= last.y; ++z)
        for (int x = low.x; x <= last.x; ++x) each(cell_of(x, z), high);
    }
  };
  // The height is the mean over the particles of the uppermost layer. The maximum over these particles would flatten
  // the crests of waves.
  light_.assign(caustic_cells, 0.0F);
  each_particle([&](std::size_t cell, float high) { light_[cell] = std::max(light_[cell], high); });
  each_particle([&](std::size_t cell, float high) {
    if (high < light_[cell] - 0.6F * fluid.spacing_m()) return;
    height_[cell] += high;
    filled_[cell] += 1;
  });
  for (std::size_t i = 0; i < caustic_cells; ++i)
    if (filled_[i] > 0) height_[i] /= filled_[i], filled_[i] = 1;
  const std::vector<float> full = filled_;
  // The deviation of three means over 2 r + 1 cells is about r + 0.5 cells.
  const int r = static_cast<int>(std::round(height_blur_spacings * fluid.spacing_m() / cell_m_ - 0.5F));
  smooth_map(height_, scratch_, r);
  smooth_map(filled_, scratch_, r);
  for (std::size_t i = 0; i < caustic_cells; ++i) height_[i] = full[i] > 0 ? height_[i] / filled_[i] : 0;
  filled_ = full;
}

/// Follows a beam of light through the middle of each cell of the surface to the floor, and adds it to `light_`. The
/// same beam below a level surface is added to `still_`.
void Caustics::gather(const glm::vec3& sun) {
  light_.assign(caustic_cells, 0.0F);
  still_.assign(caustic_cells, 0.0F);
  const auto filled = [&](int x, int z) {
    return x >= 0 && z >= 0 && x < caustic_side && z < caustic_side && filled_[cell_of(x, z)] > 0;
  };
  for (int z = 0; z < caustic_side; ++z)
    for (int x = 0; x < caustic_side; ++x) {
      if (!filled(x, z)) continue;
      const float high = height_[cell_of(x, z)];
      glm::vec2 slope(0);
      if (filled(x - 1, z) && filled(x + 1, z)) slope.x = height_[cell_of(x + 1, z)] - height_[cell_of(x - 1, z)];
      if (filled(x, z - 1) && filled(x, z + 1)) slope.y = height_[cell_of(x, z + 1)] - height_[cell_of(x, z - 1)];
      slope /= 2 * cell_m_;
      const glm::vec3 beam = glm::refract(-sun, glm::normalize(glm::vec3(-slope.x, 1, -slope.y)), 1 / water_index);
      const glm::vec2 start = glm::vec2(static_cast<float>(x), static_cast<float>(z)) + 0.5F;
      if (beam.y < -0.1F) deposit(light_, start + glm::vec2(beam.x, beam.z) * (high / (-beam.y * cell_m_)));
      deposit(still_, start + slant_ * (high / cell_m_));
    }
  smooth_map(light_, scratch_, light_blur_cells);
  smooth_map(still_, scratch_, light_blur_cells);
}

void Caustics::draw(const FluidCloud& fluid, float ground_m, const glm::vec3& sun) {
  clear();
  if (fluid.empty() || !(sun.y > 0.1F)) return;
  const Bounds3 bounds = fluid.bounds();
  const float high = bounds.max.y + fluid.spacing_m() - ground_m;
  if (!(high > 0) || !std::isfinite(high)) return;
  ground_m_ = ground_m;
  const glm::vec3 straight = glm::refract(-sun, glm::vec3(0, 1, 0), 1 / water_index);
  to_sun_ = glm::vec2(sun.x, sun.z) / sun.y;
  slant_ = glm::vec2(straight.x, straight.z) / -straight.y;
  const glm::vec2 low(bounds.min.x, bounds.min.z), far(bounds.max.x, bounds.max.z);
  const float wide = std::max(far.x - low.x, far.y - low.y) + 2 * high * glm::length(slant_) + 4 * fluid.spacing_m();
  cell_m_ = wide / caustic_side;
  const glm::vec2 corner = 0.5F * (low + far) - 0.5F * wide;
  box_ = {corner, 1 / wide, 1 / wide};
  find_surface(fluid);
  gather(sun);
  bytes_.resize(2 * caustic_cells);
  for (std::size_t i = 0; i < caustic_cells; ++i) {
    // At the border of the fluid, beams are missing. There, the factor fades to 1, the factor below a level surface.
    const float known = std::clamp((still_[i] - least_beams) / (1 - 1.2F * least_beams), 0.0F, 1.0F),
                factor = 1 + known * focused_share * (light_[i] / std::max(still_[i], least_beams) - 1);
    bytes_[2 * i] = static_cast<std::uint8_t>(std::clamp(factor / brightest, 0.0F, 1.0F) * 255 + 0.5F);
    bytes_[2 * i + 1] = static_cast<std::uint8_t>(std::clamp(height_[i] / high, 0.0F, 1.0F) * 255 + 0.5F);
  }
  level_scale_m_ = high;
}

float Caustics::texel(const glm::vec2& at, std::size_t channel) const {
  const glm::vec2 p =
      glm::clamp((at - glm::vec2(box_)) * glm::vec2(box_.z, box_.w) * static_cast<float>(caustic_side) - 0.5F, 0.0F,
                 caustic_side - 1.001F);
  const glm::ivec2 first(p);
  const glm::vec2 part = p - glm::vec2(first);
  const auto byte = [&](int dx, int dz) {
    return static_cast<float>(bytes_[2 * cell_of(first.x + dx, first.y + dz) + channel]) / 255;
  };
  return glm::mix(glm::mix(byte(0, 0), byte(1, 0), part.x), glm::mix(byte(0, 1), byte(1, 1), part.x), part.y);
}

float Caustics::shade_at(const glm::vec3& world) const {
  if (!any()) return 1;
  const float below = world.y - ground_m_, rise = level_scale_m_ - below;
  const glm::vec2 here(world.x, world.z);
  if (!(rise > 0) || level_scale_m_ * texel(here, 1) > below) return 1;
  constexpr int lookups = 12;
  float dark = 0;
  for (int k = 1; k <= lookups; ++k) {
    const float up = rise * static_cast<float>(k) / lookups, level = level_scale_m_ * texel(here + up * to_sun_, 1);
    dark = std::max(dark, std::clamp((level - below - up) / (0.1F * level_scale_m_), 0.0F, 1.0F));
  }
  return 1 - shade * dark;
}

float Caustics::light_at(const glm::vec3& world) const {
  if (!any()) return 1;
  const float below = world.y - ground_m_;
  const glm::vec2 here(world.x, world.z);
  const float level = level_scale_m_ * texel(here, 1);
  if (!(level > 0)) return 1;
  const float share = std::clamp((level - below) / level, 0.0F, 1.0F);
  return 1 + share * (brightest * texel(here + below * slant_, 0) - 1);
}

}  // namespace vw
