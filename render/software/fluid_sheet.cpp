#include "render/software/fluid_sheet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "render/software/splat_kernel.h"
#include "render/vectors/vectors.h"

namespace vw::soft {
namespace {

constexpr float ball_volume_share = 0.5659F;  // d^3 / volume of a ball of radius 3/4 d, d: spacing

// Differences across the pixel that calm_normal() uses, in units of the radius of the average, and the limits of that
// radius [px].
constexpr std::array<glm::vec2, 9> calm_pairs{{{1, 0},
                                               {0.5F, 0.866F},
                                               {-0.5F, 0.866F},
                                               {0.433F, 0.25F},
                                               {0, 0.5F},
                                               {-0.433F, 0.25F},
                                               {0.22F, 0},
                                               {0.11F, 0.19F},
                                               {-0.11F, 0.19F}}};
constexpr float least_calm_px = 2, calm_regularization = 0.05F;
constexpr int most_calm_px = 190;
// Minimum thickness at which the occupancy is 1 [particle spacings].
constexpr float full_occupancy_spacings = 0.8F;

}  // namespace

void SolidPicture::size(int w, int h) {
  width = w;
  height = h;
  color.resize(static_cast<std::size_t>(w) * static_cast<std::size_t>(h));
  q.resize(color.size());
}

void SolidPicture::keep(const Tile& tile) {
  for (int y = 0; y < tile.height; ++y)
    for (int x = 0; x < tile.width; ++x) {
      const std::size_t from = Tile::cell(x, y), to = at(tile.x0 + x, tile.y0 + y);
      color[to] = {tile.red[from], tile.green[from], tile.blue[from]};
      q[to] = tile.front[from];
    }
}

FluidSheet::Box FluidSheet::box_of(const Ball& ball) const {
  const float radius = fluid_depth_ball_share * ball.spacing, depth = ball.center.z;
  if (!(depth - radius > projector_.near_m)) return {};
  // Use a conservative bound, because perspective elongates the outline of a ball away from the centre of the picture.
  const float reach = radius * projector_.focal_px / (depth - radius) + 1;
  const float x = projector_.middle_x + projector_.focal_px * ball.center.x / depth,
              y = projector_.middle_y - projector_.focal_px * ball.center.y / depth;
  const float sway_x = std::abs(x - projector_.middle_x) * radius / (depth - radius),
              sway_y = std::abs(y - projector_.middle_y) * radius / (depth - radius);
  const auto wide = static_cast<float>(projector_.width), tall = static_cast<float>(projector_.height);
  const float left = x - reach - sway_x, right = x + reach + sway_x, top = y - reach - sway_y,
              bottom = y + reach + sway_y;
  if (!(right >= 0 && bottom >= 0 && left < wide && top < tall)) return {};
  return {static_cast<int>(std::max(left, 0.0F)), static_cast<int>(std::max(top, 0.0F)),
          static_cast<int>(std::min(right, wide - 1)), static_cast<int>(std::min(bottom, tall - 1))};
}

/// Writes the depth of a ball's front to all pixels at which it is nearer than the balls drawn before. The front is
/// moved back, so that the surface lies half a particle spacing outside the particle centres.
void FluidSheet::draw_ball(const Ball& ball, int first_row, int last_row) {
  const Box box = box_of(ball);
  const float radius = fluid_depth_ball_share * ball.spacing,
              under = glm::dot(ball.center, ball.center) - radius * radius,
              sunk = (fluid_depth_ball_share - 0.5F) * ball.spacing;
  const auto foam = static_cast<float>(ball.color >> 24U) / 255;
  const float isolated = std::clamp((1 - ball.spacing / spacing_m_) / 0.35F, 0.0F, 1.0F);
  const std::uint32_t tint = (ball.color & 0x00FFFFFFU) | static_cast<std::uint32_t>(isolated * 255 + 0.5F) << 24U;
  for (int y = std::max(box.y0, first_row); y <= std::min(box.y1, last_row); ++y)
    for (int x = box.x0; x <= box.x1; ++x) {
      const glm::vec3 along = sight(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
      const float square = glm::dot(along, along), half = glm::dot(along, ball.center),
                  root = half * half - square * under;
      if (root < 0) continue;
      const float depth = (half - std::sqrt(root)) / square + sunk;
      glm::vec2& here = map_[at(x, y)];
      if (here.x > 0 && here.x <= depth) continue;
      here = {depth, foam};
      tints_[at(x, y)] = tint;
    }
}

void FluidSheet::fill_depths(const FluidCloud& cloud) {
  map_.assign(static_cast<std::size_t>(projector_.width) * static_cast<std::size_t>(projector_.height), glm::vec2(0));
  tints_.assign(map_.size(), 0);
  const int bands = (projector_.height + sheet_band_rows - 1) / sheet_band_rows;
  bands_.fill(
      1, bands, cloud.shell(),
      [&](std::size_t i) {
        const Box box = box_of(balls_[i]);
        return box.y1 < box.y0 ? TileRange{} : TileRange{0, box.y0 / sheet_band_rows, 0, box.y1 / sheet_band_rows};
      },
      [&](std::size_t i) { return balls_[i]; });
  parallel_for(static_cast<std::size_t>(bands), 1, [&](Range part, std::size_t) {
    for (std::size_t band = part.begin; band < part.end; ++band) {
      const int first = static_cast<int>(band) * sheet_band_rows;
      for (const Ball& ball : bands_.in(band))
        draw_ball(ball, first, std::min(first + sheet_band_rows, projector_.height) - 1);
    }
  });
}

void FluidSheet::thicken(const Ball& ball, const SolidPicture& behind, int first_row, int last_row) {
  const Box box = box_of(ball);
  const float radius = fluid_ball_share * ball.spacing, under = glm::dot(ball.center, ball.center) - radius * radius;
  // The middle of a ball beside the eye may be far outside the picture.
  const auto pixel = [](float at, int size) {
    return static_cast<int>(std::clamp(at, 0.0F, static_cast<float>(size - 1)));
  };
  const float x_middle = projector_.middle_x + projector_.focal_px * ball.center.x / ball.center.z,
              y_middle = projector_.middle_y - projector_.focal_px * ball.center.y / ball.center.z;
  const float q = behind.q[behind.at(pixel(x_middle, projector_.width), pixel(y_middle, projector_.height))];
  const float before = q > 0 ? std::clamp(0.5F + 0.5F * (1 / q - ball.center.z) / radius, 0.0F, 1.0F) : 1.0F;
  if (before <= 0) return;
  for (int y = std::max((box.y0 + 1) / 2, first_row); y <= std::min(box.y1 / 2, last_row); ++y)
    for (int x = (box.x0 + 1) / 2; x <= box.x1 / 2; ++x) {
      const glm::vec3 along = sight(2 * static_cast<float>(x) + 1, 2 * static_cast<float>(y) + 1);
      const float square = glm::dot(along, along), half = glm::dot(along, ball.center),
                  root = half * half - square * under;
      if (root <= 0) continue;
      const std::size_t to =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(thick_width_) + static_cast<std::size_t>(x);
      const float path = before * ball_volume_share * 2 * std::sqrt(root / square);
      thick_raw_[to] += path;
      if (!ball.is_image) thick_[to] += path;
    }
}

void FluidSheet::fill_thickness(const SolidPicture& behind) {
  thick_width_ = (projector_.width + 1) / 2;
  thick_height_ = (projector_.height + 1) / 2;
  thick_.assign(static_cast<std::size_t>(thick_width_) * static_cast<std::size_t>(thick_height_), 0.0F);
  thick_raw_.assign(thick_.size(), 0.0F);
  const int bands = (thick_height_ + sheet_band_rows - 1) / sheet_band_rows;
  bands_.fill(
      1, bands, balls_.size(),
      [&](std::size_t i) {
        const Box box = box_of(balls_[i]);
        return box.y1 < box.y0 ? TileRange{}
                               : TileRange{0, box.y0 / (2 * sheet_band_rows), 0, box.y1 / (2 * sheet_band_rows)};
      },
      [&](std::size_t i) { return balls_[i]; });
  parallel_for(static_cast<std::size_t>(bands), 1, [&](Range part, std::size_t) {
    for (std::size_t band = part.begin; band < part.end; ++band) {
      const int first = static_cast<int>(band) * sheet_band_rows;
      for (const Ball& ball : bands_.in(band))
        thicken(ball, behind, first, std::min(first + sheet_band_rows, thick_height_) - 1);
    }
  });
}

/// Blurs a map of half resolution along both axes.
void FluidSheet::blur(std::vector<float>& map, const std::vector<float>& weights) const {
  const auto place = [&](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(thick_width_) + static_cast<std::size_t>(x);
  };
  std::vector<float> out(map.size());
  for (const bool along_x : {true, false}) {
    parallel_for(static_cast<std::size_t>(thick_height_), 16, [&](Range part, std::size_t) {
      for (auto y = static_cast<int>(part.begin); y < static_cast<int>(part.end); ++y)
        for (int x = 0; x < thick_width_; ++x) {
          const auto from = [&](int k) {
            return map[along_x ? place(std::clamp(x + k, 0, thick_width_ - 1), y)
                               : place(x, std::clamp(y + k, 0, thick_height_ - 1))];
          };
          float sum = from(0), weight = 1;
          for (int k = 1; k < static_cast<int>(weights.size()); ++k) {
            const float w = weights[static_cast<std::size_t>(k)];
            sum += w * (from(-k) + from(k));
            weight += 2 * w;
          }
          out[place(x, y)] = sum / weight;
        }
    });
    map.swap(out);
  }
}

/// Blurs thickness and occupancy as shaders/fluid_blur.frag does.
void FluidSheet::blur_thickness() {
  constexpr float blur_spacings = 0.6F, most_sheet_blur_px = 16;
  float near = std::numeric_limits<float>::max(), far = 1e-6F;
  for (const Ball& ball : balls_) near = std::min(near, ball.center.z), far = std::max(far, ball.center.z);
  const float middle = 0.5F * (std::max(near, 0.1F * far) + far);
  const float deviation =
      std::clamp(blur_spacings * spacing_m_ * projector_.focal_px / (2 * middle), 0.3F, most_sheet_blur_px);
  std::vector<float> weights(static_cast<std::size_t>(2.5F * deviation) + 1);
  for (std::size_t k = 0; k < weights.size(); ++k)
    weights[k] = std::exp(-0.5F * static_cast<float>(k * k) / (deviation * deviation));
  occupancy_.resize(thick_raw_.size());
  for (std::size_t i = 0; i < occupancy_.size(); ++i)
    occupancy_[i] = std::min(thick_raw_[i] / (full_occupancy_spacings * spacing_m_), 1.0F);
  blur(thick_, weights);
  blur(occupancy_, weights);
}

/// CPU version of shaders/fluid_smooth.frag.
void FluidSheet::smooth(float deviation_px_m, bool along_x) {
  other_.resize(map_.size());
  const int limit = along_x ? projector_.width : projector_.height;
  parallel_for(static_cast<std::size_t>(projector_.height), 16, [&](Range part, std::size_t) {
    for (auto y = static_cast<int>(part.begin); y < static_cast<int>(part.end); ++y)
      for (int x = 0; x < projector_.width; ++x) {
        const std::size_t here = at(x, y);
        glm::vec2 middle = map_[here];
        float z = middle.x;
        other_[here] = middle;
        if (z <= 0) continue;
        const float deviation = std::min(deviation_px_m / z, 0.5F * most_filter_px);
        const int reach = static_cast<int>(2 * deviation), place = along_x ? x : y;
        const float first = std::exp(-0.5F / std::max(deviation * deviation, 1e-6F)), square = first * first;
        const std::size_t stride = along_x ? 1 : static_cast<std::size_t>(projector_.width);
        for (int k = 1; k <= 2; ++k) {
          const int gap = std::max(static_cast<int>(0.7F * static_cast<float>(k) * deviation), 1);
          if (place - gap < 0 || place + gap >= limit) break;
          const glm::vec2 left = map_[here - static_cast<std::size_t>(gap) * stride],
                          right = map_[here + static_cast<std::size_t>(gap) * stride];
          if (std::min(left.x, right.x) <= 0 || z - std::max(left.x, right.x) < 0.75F * spacing_m_ ||
              std::abs(left.x - right.x) > spacing_m_)
            continue;
          middle = 0.5F * (left + right);
          z = middle.x;
          break;
        }
        float w = 1, ratio = first, weight = 1, behind = 2 * spacing_m_, before = spacing_m_;
        glm::vec2 sum = middle;
        for (int k = 1; k <= reach; ++k) {
          w *= ratio;
          ratio *= square;
          if (place - k < 0 || place + k >= limit) break;
          const glm::vec2 a = map_[here - static_cast<std::size_t>(k) * stride],
                          b = map_[here + static_cast<std::size_t>(k) * stride];
          const float near = std::min(a.x, b.x), far = std::max(a.x, b.x);
          if (near <= 0 || far - z > behind) continue;
          sum += w * (glm::max(a, glm::vec2(z - before, 0)) + glm::max(b, glm::vec2(z - before, 0)));
          weight += 2 * w;
          behind = std::max(behind, far - z + 2 * spacing_m_);
          if (z - near <= before) before = std::max(before, z - near + spacing_m_);
        }
        other_[here] = sum / weight;
      }
  });
  map_.swap(other_);
}

void FluidSheet::draw(const FluidCloud& cloud, const LightEnvironment& light, const Projector& projector,
                      const SolidPicture& behind) {
  projector_ = projector;
  light_ = light;
  spacing_m_ = cloud.spacing_m();
  clarity_m_ = cloud.clarity_m();
  is_channel_ = cloud.is_channel();
  walls_ = cloud.walls();
  around_eye_ = cloud.around_eye();
  balls_.resize(cloud.places().size());
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    const glm::vec4& place = cloud.places()[i];
    balls_[i] = {projector.to_view(glm::vec3(place)), std::abs(place.w), cloud.colors()[i], place.w < 0};
  }
  fill_depths(cloud);
  fill_thickness(behind);
  blur_thickness();
  for (const float share : {1.0F, 0.6F})
    for (const bool along_x : {true, false}) smooth(share * spacing_m_ * projector.focal_px, along_x);
  fill_mesh_depths(cloud.surface());
}

float FluidSheet::half_at(const std::vector<float>& map, int x, int y) const {
  // The map of a picture of one or two pixels has a single row or column.
  const auto place = [](int pixel, int size) {
    const float last = std::max(static_cast<float>(size) - 1.001F, 0.0F);
    return std::clamp(0.5F * static_cast<float>(pixel) - 0.25F, 0.0F, last);
  };
  const float at_x = place(x, thick_width_), at_y = place(y, thick_height_);
  const auto ix = static_cast<std::size_t>(at_x), iy = static_cast<std::size_t>(at_y);
  const float fx = at_x - static_cast<float>(ix), fy = at_y - static_cast<float>(iy);
  const std::size_t wide = static_cast<std::size_t>(thick_width_), corner = iy * wide + ix;
  const std::size_t right = ix + 1 < wide ? 1 : 0, below = iy + 1 < static_cast<std::size_t>(thick_height_) ? wide : 0;
  return glm::mix(glm::mix(map[corner], map[corner + right], fx),
                  glm::mix(map[corner + below], map[corner + below + right], fx), fy);
}

/// Largest thickness within a particle spacing of a pixel, as in shaders/fluid_surface.frag.
float FluidSheet::wide_thickness(int x, int y, float depth) const {
  const glm::vec2 size(static_cast<float>(projector_.width), static_cast<float>(projector_.height)),
      by = glm::min(glm::vec2(spacing_m_ * projector_.focal_px / depth), 0.05F * size);
  float most = thickness_at(x, y);
  for (int k = 0; k < 8; ++k) {
    const float angle = 0.785398F * static_cast<float>(k);
    most = std::max(most, thickness_at(x + static_cast<int>(std::round(by.x * std::cos(angle))),
                                       y + static_cast<int>(std::round(by.y * std::sin(angle)))));
  }
  return most;
}

/// Colour of the fluid at a pixel. At the rim of the mesh, where no ball is drawn, the function returns the colour of a
/// near pixel that shows a ball, at most 42 pixels away.
std::uint32_t FluidSheet::tint_near(int x, int y) const {
  for (int reach = 0; reach <= 42; reach += std::max(1, reach / 2))
    for (int k = 0; k < (reach > 0 ? 8 : 1); ++k) {
      const float angle = 0.785398F * static_cast<float>(k), far = static_cast<float>(reach);
      const int nx = std::clamp(x + static_cast<int>(std::round(far * std::cos(angle))), 0, projector_.width - 1),
                ny = std::clamp(y - static_cast<int>(std::round(far * std::sin(angle))), 0, projector_.height - 1);
      const std::uint32_t tint = tints_[at(nx, ny)];
      if ((tint & 0x00FFFFFFU) != 0) return tint;
    }
  return 0;
}

glm::vec3 FluidSheet::to_world(const glm::vec3& v) const {
  return v.x * projector_.right + v.y * projector_.up + v.z * projector_.forward;
}

FluidSheet::Spot FluidSheet::spot_at(int x, int y) const {
  const glm::vec3 across = along_surface(x, y, 1, 0), up = along_surface(x, y, 0, -1);
  glm::vec3 normal = glm::cross(across, up);
  const float length = glm::length(normal);
  normal = length > 1e-20F ? to_world(normal / length) : -projector_.forward;
  const glm::vec3 ray = projector_.ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
  if (glm::dot(normal, ray) > 0) normal = -normal;
  // Where the mesh is visible, its normal replaces the normal from the depths, which is inaccurate at the outline.
  const glm::vec2 by_mesh = mesh_cover_.empty() ? glm::vec2(0, 1) : mesh_cover_[at(x, y)];
  if (!mesh_cover_.empty() && mesh_q_[at(x, y)] > 0) {
    const glm::vec3 outward = glm::normalize(mesh_normal_[at(x, y)]), to_eye = -glm::normalize(ray);
    normal = glm::normalize(outward + std::max(0.05F - glm::dot(outward, to_eye), 0.0F) * to_eye);
  }
  const float depth = map_[at(x, y)].x;
  // Change of the depth over a pixel, computed from the normal. At grazing angles, the depths of neighbouring pixels
  // would give a wrong value.
  const float slope = depth / projector_.focal_px *
                      (std::abs(glm::dot(normal, projector_.right)) + std::abs(glm::dot(normal, projector_.up))) /
                      std::max(-glm::dot(normal, ray), 1e-4F);
  const OnWall on =
      on_mirror_wall(walls_, projector_.eye, ray, depth, std::clamp(slope, 1e-4F * depth, 4 * spacing_m_));
  // The blurred occupancy shows no bumps of single particles, but isolated drops would vanish in it. The highest byte
  // of the tint is the isolation of the drop.
  const float isolated = static_cast<float>(tints_[at(x, y)] >> 24U) / 255;
  const float by_itself = glm::mix(smooth_step(0.42F, 0.62F, half_at(occupancy_, x, y)),
                                   smooth_step(0.1F, 0.55F, half_at(thick_raw_, x, y) / spacing_m_), isolated);
  // If there is a mesh, its outline is the outline of the fluid.
  const float without_wall = std::max(by_itself * std::max(by_mesh.y, isolated), by_mesh.x);
  const float rim_m = std::max(wall_rim_share * spacing_m_, 1.5F * on.depth / projector_.focal_px);
  return {on.depth,
          glm::mix(without_wall, 1.0F, on.share) * (1 - smooth_step(0, rim_m, on.beyond_m)),
          glm::normalize(glm::mix(normal, on.normal, on.share)),
          on.depth * ray,
          on.share > 0 ? depth + (on.depth - depth) / on.share : depth,
          normal,
          on.share,
          on.normal};
}

/// Tangent of the surface in view axes for a step of one pixel. If the slopes on both sides are similar, the central
/// difference is taken, otherwise the smaller slope. A neighbour with a slope above 4 is assumed to show a different
/// surface and is ignored.
glm::vec3 FluidSheet::along_surface(int x, int y, int dx, int dy) const {
  const float z = map_[at(x, y)].x, limit = 4 * z / projector_.focal_px;
  const auto rise_to = [&](int side) {
    const int nx = x + side * dx, ny = y + side * dy;
    const bool outside = nx < 0 || ny < 0 || nx >= projector_.width || ny >= projector_.height;
    return static_cast<float>(side) * ((outside ? 0.0F : map_[at(nx, ny)].x) - z);
  };
  const float after = rise_to(1), before = rise_to(-1);
  bool forth = std::abs(after) < limit, back = std::abs(before) < limit;
  if (forth && back && std::abs(after - before) > 0.5F * limit) {
    forth = std::abs(after) < std::abs(before);
    back = !forth;
  }
  const float rise = (forth ? after : 0) + (back ? before : 0);
  const glm::vec3 aside(static_cast<float>(dx) / projector_.focal_px, static_cast<float>(-dy) / projector_.focal_px, 0);
  return z * aside +
         (forth && back ? 0.5F * rise : rise) * sight(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
}

/// Whether the pixel exists and shows the mesh at most 1.5 spacings behind walls. Mirror images continue the mesh for
/// three spacings behind a wall, and the end of the images is rounded.
bool FluidSheet::is_meshed(int x, int y) const {
  if (mesh_cover_.empty() || x < 0 || y < 0 || x >= projector_.width || y >= projector_.height) return false;
  const float q = mesh_q_[at(x, y)];
  if (!(q > 0)) return false;
  const glm::vec3 place =
      projector_.eye + projector_.ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F) / q;
  for (std::size_t k = 0; k < walls_.count; ++k)
    if (glm::dot(glm::vec3(walls_.planes[k]), place) + walls_.planes[k].w < -1.5F * spacing_m_) return false;
  return true;
}

/// Mean of `own` and of the normals of the mesh at the pairs of pixels. A pair is left out if it shows another surface,
/// because the mean would otherwise lean towards the eye at an outline. A pair is also left out if its mean differs
/// from `own`. All pairs have equal weights. Near an outline, where the distant pairs leave the surface one after the
/// other, the mean therefore changes little with each pair. `limit`: difference of 1 / depth from a plane at which a
/// pair has the weight 0.
glm::vec3 FluidSheet::calm_mesh_normal(int x, int y, const glm::vec3& own, float reach_px, float limit) const {
  glm::vec3 sum = own;
  for (const glm::vec2& way : calm_pairs) {
    const auto dx = static_cast<int>(std::round(reach_px * way.x)), dy = static_cast<int>(std::round(reach_px * way.y));
    if (!is_meshed(x + dx, y - dy) || !is_meshed(x - dx, y + dy)) continue;
    const std::size_t after = at(x + dx, y - dy), before = at(x - dx, y + dy);
    const float bulge = (mesh_q_[after] + mesh_q_[before] - 2 * mesh_q_[at(x, y)]) / limit,
                keep = std::max(1 - bulge * bulge, 0.0F);
    const glm::vec3 both = glm::normalize(mesh_normal_[after]) + glm::normalize(mesh_normal_[before]);
    const float agreement = smooth_step(0.6F, 0.97F, glm::dot(own, both) / std::max(glm::length(both), 1e-6F));
    sum += keep * keep * agreement * both;
  }
  const glm::vec3 to_eye = -glm::normalize(projector_.ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F));
  sum = glm::normalize(sum);
  return glm::normalize(sum + std::max(0.05F - glm::dot(sum, to_eye), 0.0F) * to_eye);
}

/// Normal of the surface in view axes, averaged over a few particles. The average follows waves, but not the bumps of
/// single particles, which would distort the refracted background. On a plane, 1 / depth is linear in the picture. Its
/// gradient is fitted to differences across the pixel by weighted least squares. Pairs that do not lie on a line with
/// the pixel belong to an edge and have little weight. If no pair has weight, the result is the unaveraged normal.
glm::vec3 FluidSheet::calm_normal(int x, int y, const Spot& spot, float spacings) const {
  const auto in_view = [&](const glm::vec3& v) {
    return glm::vec3(glm::dot(v, projector_.right), glm::dot(v, projector_.up), glm::dot(v, projector_.forward));
  };
  if (spot.wall_share >= 1) return in_view(spot.wall_normal);
  const glm::vec3 rough = in_view(spot.normal), ray = sight(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
  const float z = map_[at(x, y)].x, here = 1 / z, facing = -glm::dot(rough, ray) / glm::length(ray);
  const float reach =
      std::clamp(spacings * spacing_m_ * projector_.focal_px / z, least_calm_px, static_cast<float>(most_calm_px));
  const float limit = spacing_m_ / std::max(facing, 0.25F) * here * here;
  if (!mesh_cover_.empty() && mesh_q_[at(x, y)] > 0)
    return in_view(
        glm::normalize(glm::mix(calm_mesh_normal(x, y, spot.normal, reach, limit), spot.wall_normal, spot.wall_share)));
  // Sums of the normal equations, with the unaveraged gradient as an observation of small weight.
  const float little = calm_regularization * reach * reach;
  glm::vec2 gradient = glm::vec2(rough) / std::min(z * glm::dot(rough, ray), -0.05F * z) / projector_.focal_px,
            right_side = little * gradient;
  float xx = little, xy = 0, yy = little;
  for (const glm::vec2& way : calm_pairs) {
    const auto dx = static_cast<int>(std::round(reach * way.x)), dy = static_cast<int>(std::round(reach * way.y));
    // Row indices increase downwards.
    if (x - dx < 0 || x + dx < 0 || std::max(x - dx, x + dx) >= projector_.width || std::min(y - dy, y + dy) < 0 ||
        std::max(y - dy, y + dy) >= projector_.height)
      continue;
    const float after = map_[at(x + dx, y - dy)].x, before = map_[at(x - dx, y + dy)].x;
    if (!(after > 0 && before > 0)) continue;
    const float bulge = (1 / after + 1 / before - 2 * here) / limit, keep = std::max(1 - bulge * bulge, 0.0F),
                weight = keep * keep, slope = 0.5F * (1 / after - 1 / before) * weight;
    const auto fx = static_cast<float>(dx), fy = static_cast<float>(dy);
    xx += weight * fx * fx;
    xy += weight * fx * fy;
    yy += weight * fy * fy;
    right_side += slope * glm::vec2(fx, fy);
  }
  gradient = glm::vec2(yy * right_side.x - xy * right_side.y, xx * right_side.y - xy * right_side.x) *
             (projector_.focal_px / (xx * yy - xy * xy));
  // The sign is such that the normal is on the side of the eye.
  const glm::vec3 normal = -glm::normalize(glm::vec3(gradient, here - glm::dot(gradient, glm::vec2(ray))));
  return glm::normalize(glm::mix(normal, in_view(spot.wall_normal), spot.wall_share));
}

}  // namespace vw::soft
