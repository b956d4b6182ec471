#include "render/film/film_renderer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "render/film/film_water.h"
#include "render/labels/legend_picture.h"
#include "render/scene/light/background.h"
#include "render/software/encode.h"
#include "render/software/light.h"
#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"

namespace vw {
namespace {

using FilmClock = std::chrono::steady_clock;
double seconds_since(FilmClock::time_point start) {
  return std::chrono::duration<double>(FilmClock::now() - start).count();
}

}  // namespace

namespace film {
namespace {

bool is_cancelled(const FilmSettings& settings) { return settings.is_cancelled && settings.is_cancelled(); }

constexpr int tile_side = 16;
constexpr std::int64_t samples_a_pass = 4;

/// Sums over the samples of a pixel. `squares`: sum of the squared light.
struct PixelSums {
  glm::vec3 light{0}, squares{0}, albedo{0}, normal{0};
  float distance = 0;
};

struct TileState {
  std::int64_t samples = 0;
  double noise = 0;  ///< mean over the pixels of the relative square error
  bool is_active = true;
};

/// Converts a uniform random number in [0, 1) to a number in [-1, 1] with a triangular density (tent filter).
float tent(float x) { return x < 0.5F ? std::sqrt(2 * x) - 1 : 1 - std::sqrt(2 - 2 * x); }

/// Accumulates the samples of a picture, tile by tile. Each pixel adds its samples in order.
class Accumulation {
 public:
  Accumulation(const PathTracer& tracer, const FilmSettings& settings, int width, int height)
      : tracer_(tracer),
        settings_(settings),
        width_(width),
        height_(height),
        across_((width + tile_side - 1) / tile_side),
        pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
        tiles_(static_cast<std::size_t>(across_) * static_cast<std::size_t>((height + tile_side - 1) / tile_side)) {}

  void add_pass(std::int64_t samples) {
    parallel_for(tiles_.size(), 1, [&](Range range, std::size_t) {
      for (std::size_t t = range.begin; t < range.end; ++t)
        if (tiles_[t].is_active && !is_cancelled(settings_)) add_to_tile(t, samples);
    });
  }
  /// Returns the mean relative square error of all tiles. Tiles with at least 16 samples whose error is at most half of
  /// `level` become inactive and receive no further samples.
  [[nodiscard]] double rate(double level) {
    double sum = 0;
    for (TileState& tile : tiles_) {
      sum += tile.noise;
      tile.is_active = level <= 0 || tile.samples < 16 || tile.noise > 0.5 * level;
    }
    return sum / static_cast<double>(tiles_.size());
  }
  void write(FilmPicture& picture, FilmReport& report) const {
    picture.resize(width_, height_);
    double total = 0;
    for (const TileState& tile : tiles_) report.samples = std::max(report.samples, tile.samples);
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const std::size_t i = index(x, y);
        const PixelSums& p = pixels_[i];
        const auto count = static_cast<float>(tile_at(x, y).samples);
        total += static_cast<double>(count);
        picture.radiance[i] = p.light / count;
        picture.variance[i] = variance_of(p, count);
        picture.albedo[i] = p.albedo / count;
        picture.normal[i] = p.normal / count;
        picture.distance[i] = p.distance / count;
      }
    report.mean_samples = total / static_cast<double>(pixels_.size());
  }

 private:
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }
  [[nodiscard]] const TileState& tile_at(int x, int y) const {
    return tiles_[static_cast<std::size_t>(y / tile_side * across_ + x / tile_side)];
  }
  /// Variance of the mean of the samples.
  static glm::vec3 variance_of(const PixelSums& p, float count) {
    if (count < 2) return p.light * p.light;
    const glm::vec3 mean = p.light / count;
    return glm::max(p.squares / count - mean * mean, 0.0F) / (count - 1);
  }
  void add_to_tile(std::size_t t, std::int64_t samples) {
    TileState& tile = tiles_[t];
    const int x0 = static_cast<int>(t) % across_ * tile_side, y0 = static_cast<int>(t) / across_ * tile_side;
    const int x1 = std::min(x0 + tile_side, width_), y1 = std::min(y0 + tile_side, height_);
    double noise = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) noise += add_to_pixel(x, y, tile.samples, samples);
    tile.samples += samples;
    tile.noise = noise / ((x1 - x0) * (y1 - y0));
  }
  /// Adds samples to a pixel and returns its relative square error afterwards.
  double add_to_pixel(int x, int y, std::int64_t first, std::int64_t samples) {
    PixelSums& p = pixels_[index(x, y)];
    FilmSampler sampler(settings_.seed, index(x, y));
    for (std::int64_t s = first; s < first + samples; ++s) {
      sampler.start(static_cast<std::uint32_t>(s));
      const glm::vec2 in_pixel = sampler.next(), lens = sampler.next();
      const glm::vec2 at(
          2 * (static_cast<float>(x) + 0.5F + 0.8F * tent(in_pixel.x)) / static_cast<float>(width_) - 1,
          1 - 2 * (static_cast<float>(y) + 0.5F + 0.8F * tent(in_pixel.y)) / static_cast<float>(height_));
      PathFeatures features;
      const glm::vec3 light = tracer_.radiance(tracer_.camera_ray(at, lens), sampler, features);
      p.light += light;
      p.squares += light * light;
      p.albedo += features.albedo;
      p.normal += features.normal;
      p.distance += features.distance;
    }
    const auto count = static_cast<float>(first + samples);
    const glm::vec3 mean = p.light / count, error = variance_of(p, count) / (mean * mean + 0.01F);
    return static_cast<double>((error.r + error.g + error.b) / 3);
  }

  const PathTracer& tracer_;
  const FilmSettings& settings_;
  int width_, height_, across_;
  std::vector<PixelSums> pixels_;
  std::vector<TileState> tiles_;
};

}  // namespace

void trace_picture(const PathTracer& tracer, const FilmSettings& settings, FilmPicture& picture, FilmReport& report) {
  const auto start = FilmClock::now();
  const bool has_budget = settings.samples > 0 || settings.time_s > 0 || settings.noise > 0;
  const std::int64_t most = settings.samples > 0 ? settings.samples
                            : has_budget         ? FilmSettings::most_samples
                                                 : FilmSettings::default_samples;
  Accumulation sums(tracer, settings, picture.width, picture.height);
  for (std::int64_t done = 0; done < most;) {
    const std::int64_t now = std::min(samples_a_pass, most - done);
    sums.add_pass(now);
    done += now;
    if (is_cancelled(settings)) return;
    report.noise = sums.rate(settings.noise);
    if (settings.noise > 0 && done >= 8 && report.noise <= settings.noise) break;
    const double passed = seconds_since(start);
    if (settings.time_s > 0 && passed * (1 + static_cast<double>(now) / static_cast<double>(done)) > settings.time_s)
      break;
    double part = static_cast<double>(done) / static_cast<double>(most);
    if (settings.time_s > 0) part = std::max(part, passed / settings.time_s);
    // The mean square error is inversely proportional to the number of samples.
    if (settings.noise > 0 && report.noise > 0) part = std::max(part, std::min(settings.noise / report.noise, 1.0));
    if (settings.keep_going && !settings.keep_going(part)) break;
  }
  sums.write(picture, report);
  report.trace_s = seconds_since(start);
}

void add_weighted(FilmPicture& sum, const FilmPicture& picture, float weight) {
  if (sum.radiance.empty()) sum.resize(picture.width, picture.height);
  sum.width = picture.width;
  sum.height = picture.height;
  for (std::size_t i = 0; i < picture.radiance.size(); ++i) {
    sum.radiance[i] += weight * picture.radiance[i];
    sum.variance[i] += weight * weight * picture.variance[i];
    sum.albedo[i] += weight * picture.albedo[i];
    sum.normal[i] += weight * picture.normal[i];
    sum.distance[i] += weight * picture.distance[i];
  }
}

}  // namespace film

namespace {

/// Number of moments of an exposure that are drawn, which is at most the number of samples per pixel.
std::size_t drawn_moments(std::size_t moments, const FilmSettings& settings) {
  return settings.samples > 0 ? std::min(moments, static_cast<std::size_t>(settings.samples)) : moments;
}

/// Settings for the moment with the index `part` of an exposure of `parts` moments. The variance of the mean of
/// independent pictures is their mean variance divided by their number. The noise of each picture may therefore be
/// `parts` times as high as the noise of the exposure.
FilmSettings part_of(const FilmSettings& whole, std::size_t part, std::size_t parts) {
  if (parts == 1) return whole;
  FilmSettings own = whole;
  const auto count = static_cast<std::int64_t>(parts), number = static_cast<std::int64_t>(part);
  const bool has_budget = whole.samples > 0 || whole.time_s > 0 || whole.noise > 0;
  const std::int64_t samples = has_budget ? whole.samples : FilmSettings::default_samples;
  // The first moments receive the remainder of the division.
  if (samples > 0) own.samples = std::max<std::int64_t>(1, samples / count + (number < samples % count ? 1 : 0));
  own.time_s = whole.time_s / static_cast<double>(parts);
  own.noise = whole.noise * static_cast<double>(parts);
  const auto words = random_words({whole.seed, stream_id("exposure")}, part);
  own.seed = std::uint64_t{words[0]} << 32U | words[1];
  if (whole.keep_going)
    own.keep_going = [&whole, part, parts](double done) {
      return whole.keep_going((static_cast<double>(part) + done) / static_cast<double>(parts));
    };
  return own;
}

}  // namespace

struct FilmRenderer::Impl {
  FilmSettings settings;
  FrameData set;
  film::FilmPicture picture;
  FilmReport report;
  soft::SrgbEncoder encode;
  LegendPicture legend_picture;

  [[nodiscard]] Result<void> expose(std::span<const Frame> moments, const Camera& camera, const ViewParams& view,
                                    int width, int height);
  [[nodiscard]] Result<void> trace(const Frame& frame, const Camera& camera, const ViewParams& view, int width,
                                   int height, const FilmSettings& own, FilmReport& about);
  [[nodiscard]] Image develop();
};

/// Traces the moments one after the other and sets `picture` to their mean. If FilmSettings::keep_going ends the
/// picture, the mean includes only the moments that were begun.
Result<void> FilmRenderer::Impl::expose(std::span<const Frame> moments, const Camera& camera, const ViewParams& view,
                                        int width, int height) {
  const std::size_t parts = drawn_moments(moments.size(), settings);
  bool goes_on = true;
  FilmSettings whole = settings;
  if (settings.keep_going) whole.keep_going = [&](double done) { return goes_on = settings.keep_going(done); };
  film::FilmPicture sum;
  std::size_t drawn = 0;
  report = {};
  for (; drawn < parts && goes_on; ++drawn) {
    // Index of the moment in the middle of this part.
    const std::size_t moment = (2 * drawn + 1) * moments.size() / (2 * parts);
    FilmReport about;
    if (auto traced = trace(moments[moment], camera, view, width, height, part_of(whole, drawn, parts), about); !traced)
      return traced;
    if (settings.is_cancelled && settings.is_cancelled()) return fail("the picture was cancelled");
    report.samples += about.samples;
    report.mean_samples += about.mean_samples;
    report.noise += about.noise;
    report.scene_s += about.scene_s;
    report.trace_s += about.trace_s;
    if (parts > 1) film::add_weighted(sum, picture, 1);
  }
  if (parts == 1) return {};
  picture = {};
  film::add_weighted(picture, sum, 1 / static_cast<float>(drawn));
  report.noise /= static_cast<double>(drawn * drawn);
  return {};
}

/// Builds the scene of one moment and traces it into `picture`.
Result<void> FilmRenderer::Impl::trace(const Frame& frame, const Camera& camera, const ViewParams& view, int width,
                                       int height, const FilmSettings& own, FilmReport& about) {
  const auto start = FilmClock::now();
  set.fluid_detail = FluidDetail::images;  // adds spray to the fluids
  set.meshes_only = true;
  set.prepare(frame, view, camera, {}, width, height);
  film::FilmScene scene = film::build_film_scene(set, *frame.newest, view, camera, width, height);
  if (settings.aperture_m > 0 && scene.camera.start == 0) {
    scene.camera.aperture_m = 0.5F * static_cast<float>(settings.aperture_m);
    if (settings.focus_m > 0) scene.camera.focus_m = static_cast<float>(settings.focus_m);
  }
  auto rays = film::FilmRays::create();
  if (!rays) return Unexpected(rays.error());
  if (auto added = (*rays)->add(scene.parts, 0); !added) return added;
  const std::size_t solids = scene.parts.size();
  if (auto fluids = film::add_fluids(set, view, **rays, scene); !fluids) return fluids;
  if (auto added = (*rays)->add(scene.parts, solids); !added) return added;
  about.scene_s = seconds_since(start);
  picture.width = width;
  picture.height = height;
  film::trace_picture(film::PathTracer(scene, **rays), own, picture, about);
  return {};
}

/// Converts the picture to bytes with the tone curve of the other renderers.
Image FilmRenderer::Impl::develop() {
  const auto start = FilmClock::now();
  const auto light = settings.denoise ? film::denoised(picture, {}, settings.is_cancelled) : picture.radiance;
  report.denoise_s = seconds_since(start);
  Image image{picture.width, picture.height, std::vector<std::uint8_t>(4 * light.size())};
  for (std::size_t i = 0; i < light.size(); ++i) {
    const glm::vec3 c = shoulder(light[i]);
    for (glm::length_t k = 0; k < 3; ++k) image.rgba[4 * i + static_cast<std::size_t>(k)] = encode(c[k]);
    image.rgba[4 * i + 3] = 255;
  }
  return image;
}

FilmRenderer::FilmRenderer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FilmRenderer::~FilmRenderer() = default;

Result<std::unique_ptr<FilmRenderer>> FilmRenderer::create(FilmSettings settings) {
  if (auto rays = film::FilmRays::create(); !rays) return Unexpected(rays.error());
  auto impl = std::make_unique<Impl>();
  impl->settings = std::move(settings);
  return std::unique_ptr<FilmRenderer>(new FilmRenderer(std::move(impl)));
}

Result<Image> FilmRenderer::draw_image(const Frame& frame, const Camera& camera, const ViewParams& view, int width,
                                       int height, LegendOverlay legends) {
  return draw_exposure({&frame, 1}, camera, view, width, height, legends);
}

Result<Image> FilmRenderer::draw_exposure(std::span<const Frame> moments, const Camera& given, const ViewParams& view,
                                          int width, int height, LegendOverlay legends) {
  if (width < 1 || height < 1 || width > largest_picture_px || height > largest_picture_px)
    return fail(
        fmt::format("picture size {} x {} pixels: expected each side in [1, {}]", width, height, largest_picture_px));
  if (moments.back().newest == nullptr) return fail("there is nothing to draw yet");
  Impl& m = *impl_;
  if (auto traced = m.expose(moments, given.drawn(), view, width, height); !traced) return Unexpected(traced.error());
  Image image = m.develop();
  if (m.settings.is_cancelled && m.settings.is_cancelled()) return fail("the picture was cancelled");
  // The picture has a background, even if the view is transparent.
  ViewParams opaque = view;
  opaque.transparent = false;
  if (legends == LegendOverlay::drawn && view.legend &&
      m.legend_picture.compose(m.set.legends, {}, height, legend_style(opaque)))
    m.legend_picture.paste(image);
  return image;
}

void FilmRenderer::note(const Snapshot& snapshot, const ViewParams& view) { impl_->set.note(snapshot, view); }
const std::vector<Legend>& FilmRenderer::legends() const { return impl_->set.legends; }
const FilmReport& FilmRenderer::report() const { return impl_->report; }
const film::FilmPicture& FilmRenderer::picture() const { return impl_->picture; }

}  // namespace vw
