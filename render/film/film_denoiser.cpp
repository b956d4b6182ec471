#include "render/film/film_denoiser.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"

namespace vw::film {
namespace {

constexpr std::size_t band_rows = 16;

/// Approximates exp(-x) for x >= 0 by (1 - x / 4)^4, and by 0 for x > 4. The compiler can vectorise loops that use this
/// approximation, because it calls no library function.
float falling(float x) {
  const float y = std::max(1 - 0.25F * x, 0.0F), y2 = y * y;
  return y2 * y2;
}

/// Copy of the picture with one array of floats for each component, so that the compiler can vectorise loops over
/// pixels.
struct Planes {
  std::size_t width, height;
  std::array<std::vector<float>, 3> color, variance, albedo, normal;
  std::vector<float> distance;

  explicit Planes(const FilmPicture& p)
      : width(static_cast<std::size_t>(p.width)), height(static_cast<std::size_t>(p.height)), distance(p.distance) {
    for (glm::length_t c = 0; c < 3; ++c) {
      const auto k = static_cast<std::size_t>(c);
      for (auto* plane : {&color[k], &variance[k], &albedo[k], &normal[k]}) plane->resize(width * height);
      for (std::size_t i = 0; i < width * height; ++i) {
        color[k][i] = p.radiance[i][c];
        albedo[k][i] = p.albedo[i][c];
        normal[k][i] = p.normal[i][c];
      }
    }
    smooth_variance(p);
  }

 private:
  /// Fills `variance` with means over 3 x 3 pixels, because a variance that is estimated from few samples is itself
  /// uncertain.
  void smooth_variance(const FilmPicture& p) {
    parallel_for(height, band_rows, [&](Range rows, std::size_t) {
      for (std::size_t y = rows.begin; y < rows.end; ++y)
        for (std::size_t x = 0; x < width; ++x) {
          glm::vec3 sum(0);
          float count = 0;
          for (std::size_t v = y > 0 ? y - 1 : 0; v <= std::min(y + 1, height - 1); ++v)
            for (std::size_t u = x > 0 ? x - 1 : 0; u <= std::min(x + 1, width - 1); ++u) {
              sum += p.variance[v * width + u];
              ++count;
            }
          for (glm::length_t c = 0; c < 3; ++c) variance[static_cast<std::size_t>(c)][y * width + x] = sum[c] / count;
        }
    });
  }
};

/// Filters the rows of one band.
class Band {
 public:
  Band(const Planes& planes, const DenoiserParams& params, Range rows)
      : planes_(planes),
        params_(params),
        rows_(rows),
        first_(rows.begin > 0 ? rows.begin - 1 : 0),
        end_(std::min(rows.end + 1, planes.height)) {
    const std::size_t n = rows.size() * planes.width;
    weight_.assign(n, 0);
    for (auto& sum : sum_) sum.assign(n, 0);
    difference_.resize((end_ - first_) * planes.width);
    across_.resize(difference_.size());
  }
  void filter(std::vector<glm::vec3>& out) {
    for (int dy = -params_.window_px; dy <= params_.window_px; ++dy)
      for (int dx = -params_.window_px; dx <= params_.window_px; ++dx) add(dx, dy);
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const std::size_t to = rows_.begin * planes_.width + i;
      for (glm::length_t c = 0; c < 3; ++c) out[to][c] = sum_[static_cast<std::size_t>(c)][i] / weight_[i];
    }
  }

 private:
  /// Range of the columns x for which x and x + dx are in the picture.
  [[nodiscard]] Range columns(int dx) const {
    const auto wide = static_cast<int>(planes_.width), low = std::max(0, -dx), high = std::min(wide, wide - dx);
    return {static_cast<std::size_t>(low), static_cast<std::size_t>(std::max(low, high))};
  }
  /// Whether the row y + dy is in the picture.
  [[nodiscard]] bool row_exists(std::size_t y, int dy) const {
    const auto other = static_cast<std::ptrdiff_t>(y) + dy;
    return other >= 0 && other < static_cast<std::ptrdiff_t>(planes_.height);
  }

  /// Computes for each pixel the squared difference to the pixel at the offset (dx, dy), minus the part that noise
  /// explains, divided by the variance of the noise (Rousselle et al. 2012).
  void find_differences(int dx, int dy) {
    const float k2 = params_.strength * params_.strength;
    std::fill(difference_.begin(), difference_.end(), 0.0F);
    const Range span = columns(dx);
    for (std::size_t y = first_; y < end_; ++y) {
      if (!row_exists(y, dy)) continue;
      const std::ptrdiff_t shift = static_cast<std::ptrdiff_t>(planes_.width) * dy + dx;
      float* to = &difference_[(y - first_) * planes_.width];
      for (std::size_t c = 0; c < 3; ++c) {
        const float *color = &planes_.color[c][y * planes_.width], *noise = &planes_.variance[c][y * planes_.width];
        for (std::size_t x = span.begin; x < span.end; ++x) {
          const float* other_color = color + shift;
          const float* other_noise = noise + shift;
          const float d = color[x] - other_color[x], own = noise[x], other = other_noise[x];
          to[x] += (d * d - own - std::min(own, other)) / (1e-6F + k2 * (own + other)) * (1.0F / 3);
        }
      }
    }
  }
  /// Sums the differences over three pixels of each row. add() sums three such rows, so that patches have 3 x 3 pixels.
  void average_patches() {
    const std::size_t w = planes_.width;
    for (std::size_t r = 0; r < end_ - first_; ++r) {
      const float* from = &difference_[r * w];
      float* to = &across_[r * w];
      for (std::size_t x = 0; x < w; ++x) to[x] = from[x] + from[x > 0 ? x - 1 : x] + from[x + 1 < w ? x + 1 : x];
    }
  }
  /// Adds the pixels at the offset (dx, dy) to the weighted sums.
  void add(int dx, int dy) {
    find_differences(dx, dy);
    average_patches();
    const std::size_t w = planes_.width, last = end_ - first_ - 1;
    const Range span = columns(dx);
    const float albedo = 1 / (params_.albedo_width * params_.albedo_width),
                normal = 1 / (params_.normal_width * params_.normal_width);
    for (std::size_t y = rows_.begin; y < rows_.end; ++y) {
      if (!row_exists(y, dy)) continue;
      const std::size_t r = y - first_;
      const float *above = &across_[(r > 0 ? r - 1 : r) * w], *here = &across_[r * w],
                  *below = &across_[std::min(r + 1, last) * w];
      for (std::size_t x = span.begin; x < span.end; ++x) {
        const std::size_t i = y * w + x;
        const auto j =
            static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) + static_cast<std::ptrdiff_t>(w) * dy + dx);
        float a2 = 0, n2 = 0;
        for (std::size_t c = 0; c < 3; ++c) {
          const float da = planes_.albedo[c][i] - planes_.albedo[c][j],
                      dn = planes_.normal[c][i] - planes_.normal[c][j];
          a2 += da * da;
          n2 += dn * dn;
        }
        const float di = planes_.distance[i], dj = planes_.distance[j];
        const float dd = (di - dj) / (params_.distance_width * (di + dj) + 1e-9F);
        const float noise = (above[x] + here[x] + below[x]) * (1.0F / 9);
        const float weight =
            falling(std::max(noise, 0.0F)) * falling(std::max(std::max(a2 * albedo, n2 * normal), dd * dd));
        const std::size_t to = (y - rows_.begin) * w + x;
        weight_[to] += weight;
        for (std::size_t c = 0; c < 3; ++c) sum_[c][to] += weight * planes_.color[c][j];
      }
    }
  }

  const Planes& planes_;
  const DenoiserParams& params_;
  Range rows_;
  std::size_t first_, end_;  ///< rows whose differences are needed
  std::vector<float> weight_, difference_, across_;
  std::array<std::vector<float>, 3> sum_;
};

}  // namespace

void FilmPicture::resize(int wide, int high) {
  width = wide;
  height = high;
  const std::size_t n = static_cast<std::size_t>(wide) * static_cast<std::size_t>(high);
  for (auto* rows : {&radiance, &variance, &albedo, &normal}) rows->assign(n, glm::vec3(0));
  distance.assign(n, 0);
}

std::vector<glm::vec3> denoised(const FilmPicture& picture, const DenoiserParams& params,
                                const std::function<bool()>& is_cancelled) {
  std::vector<glm::vec3> out(picture.radiance.size());
  if (out.empty()) return out;
  const Planes planes(picture);
  parallel_for(planes.height, band_rows, [&](Range rows, std::size_t) {
    if (!is_cancelled || !is_cancelled()) Band(planes, params, rows).filter(out);
  });
  return out;
}

}  // namespace vw::film
