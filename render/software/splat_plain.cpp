// Scalar version of splat_kernel.cpp. Tests and timings compare the kernels with this version, which is easier to read.
#include <algorithm>
#include <cmath>

#include "render/scene/frame_data.h"
#include "render/software/light.h"
#include "render/software/splat_kernel.h"

namespace vw::soft {
namespace {

struct PixelBox {
  int x0, y0, x1, y1;
};

PixelBox box_in(const glm::vec2& low, const glm::vec2& high, const Tile& tile) {
  const auto first = [](float at, int from) {
    return static_cast<int>(std::max(std::floor(at) - static_cast<float>(from), 0.0F));
  };
  const auto last = [](float at, int from, int count) {
    return static_cast<int>(std::min(std::floor(at) - static_cast<float>(from), static_cast<float>(count - 1)));
  };
  return {first(low.x, tile.x0), first(low.y, tile.y0), last(high.x, tile.x0, tile.width),
          last(high.y, tile.y0, tile.height)};
}

void blend_splat(const SplatFrame& frame, Tile& tile, int x, int y, float q, const glm::vec3& color, float alpha) {
  if (alpha <= 0) return;
  if (tile.is_edge(x, y)) return blend_edge(tile.edge_at(x, y), q, color, alpha);
  const std::size_t at = Tile::cell(x, y);
  if (!(q > tile.q[at])) return;
  tile.red[at] += alpha * (color.r - tile.red[at]);
  tile.green[at] += alpha * (color.g - tile.green[at]);
  tile.blue[at] += alpha * (color.b - tile.blue[at]);
  if (frame.front && alpha >= 0.5F) tile.front[at] = std::max(tile.front[at], q);
}

}  // namespace

BallPixel ball_pixel(const LightEnvironment& light, const ScreenBall& ball, float across_x, float across_y) {
  const float r = std::sqrt(across_x * across_x + across_y * across_y), shrink = r > 1 ? 1 / r : 1;
  BallPixel out;
  out.cover = std::clamp((1 - r) * ball.radius + 0.5F, 0.0F, 1.0F);
  const float ox = across_x * shrink, oy = across_y * shrink, oz = std::sqrt(std::max(1 - r * r, 0.0F));
  const auto along = [&](const glm::vec3& v) { return ox * v.x + oy * v.y + oz * v.z; };
  const float diffuse = std::clamp((along(ball.sun) + 0.22F) * (1 / 1.22F), 0.0F, 1.0F) * ball.visible;
  const float height = along(ball.vertical), open = 0.86F + 0.14F * height, sky = 0.5F + 0.5F * height;
  float shine = std::clamp(along(ball.half_way), 0.0F, 1.0F);
  for (int i = 0; i < 5; ++i) shine = shine * shine;
  const float rim = (1 - oz) * (1 - oz) * (1 - oz);
  const float by_sun = diffuse * (0.6F + 0.4F * open) * 0.52F, by_sky = open * 0.62F,
              by_shine = 0.8F * 0.19F * shine * diffuse, by_rim = 0.8F * 0.22F * rim * open;
  for (int k = 0; k < 3; ++k) {
    const float ambient = light.bounce_light[k] + sky * (light.sky_light[k] - light.bounce_light[k]);
    float c = ball.color[k] * (light.sun_light[k] * by_sun + ambient * by_sky) +
              (by_shine * light.sun_light[k] + by_rim * light.sky_light[k]);
    if (ball.marked > 0) c += (r * r > 0.6F ? 1.0F : 0.3F) * (mark_color[k] * 1.6F - c);
    out.color[k] = c;
  }
  out.color = shoulder(out.color);
  return out;
}

void blend_discs_plainly(const SplatFrame& frame, std::span<const ScreenDisc> splats, Tile& tile) {
  for (const ScreenDisc& disc : splats) {
    const PixelBox box = box_in(glm::vec2(disc.x, disc.y) - (disc.radius + 0.5F),
                                glm::vec2(disc.x, disc.y) + (disc.radius + 0.5F), tile);
    for (int y = box.y0; y <= box.y1; ++y)
      for (int x = box.x0; x <= box.x1; ++x) {
        const float dx = static_cast<float>(tile.x0 + x) + 0.5F - disc.x,
                    dy = static_cast<float>(tile.y0 + y) + 0.5F - disc.y;
        const float cover = std::clamp(disc.radius + 0.5F - std::sqrt(dx * dx + dy * dy), 0.0F, 1.0F);
        blend_splat(frame, tile, x, y, disc.q, disc.color, cover * disc.opacity);
      }
  }
}

void blend_puffs_plainly(const SplatFrame& frame, std::span<const ScreenPuff> splats, Tile& tile) {
  for (const ScreenPuff& puff : splats) {
    const PixelBox box = box_in(glm::vec2(puff.x, puff.y) - puff.radius, glm::vec2(puff.x, puff.y) + puff.radius, tile);
    const float per_px = 1 / puff.radius;
    for (int y = box.y0; y <= box.y1; ++y)
      for (int x = box.x0; x <= box.x1; ++x) {
        const float dx = (static_cast<float>(tile.x0 + x) + 0.5F - puff.x) * per_px,
                    dy = (static_cast<float>(tile.y0 + y) + 0.5F - puff.y) * per_px;
        const float there = std::max(1 - (dx * dx + dy * dy), 0.0F);
        const float left = std::clamp(dx * puff.fade.y + (dy * puff.fade.z + puff.fade.x), 0.0F, 1.0F);
        const float light = std::max(dx * puff.slope.x + (dy * puff.slope.y + 1), 0.0F);
        blend_splat(frame, tile, x, y, puff.q, light * puff.color, there * there * left * puff.opacity);
      }
  }
}

void blend_balls_plainly(const SplatFrame& frame, std::span<const ScreenBall> splats, Tile& tile) {
  for (const ScreenBall& ball : splats) {
    const PixelBox box = box_in(ball.low, ball.high, tile);
    for (int y = box.y0; y <= box.y1; ++y)
      for (int x = box.x0; x <= box.x1; ++x) {
        const glm::vec3 sight((static_cast<float>(tile.x0 + x) + 0.5F - frame.middle_x) / frame.focal_px,
                              (frame.middle_y - (static_cast<float>(tile.y0 + y) + 0.5F)) / frame.focal_px, 1);
        const float along = glm::dot(sight, ball.a);
        if (!(along > 0)) continue;
        const BallPixel pixel =
            ball_pixel(frame.light, ball, glm::dot(sight, ball.e) / along, glm::dot(sight, ball.f) / along);
        blend_splat(frame, tile, x, y, along * ball.q, pixel.color, pixel.cover * ball.opacity);
      }
  }
}

}  // namespace vw::soft
