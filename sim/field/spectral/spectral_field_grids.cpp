#include "sim/field/spectral/spectral_field_grids.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/base/random.h"

namespace vw {
namespace {

constexpr std::int64_t most_spectral_octaves = 12;
constexpr int most_turned = 4;
static_assert(most_spectral_octaves <= static_cast<std::int64_t>(most_grids) &&
              most_turned <= static_cast<int>(most_grids));
/// Memory limit [bytes] for the key frames of all grids, together with the interpolated frames.
constexpr double most_grid_bytes = 1.5 * (1 << 30);

/// Returns the period of grid number `grid`, divided by that of the first grid. It is a power of 2^(-1/4), so that no
/// two periods have a simple ratio.
double share_of_period(int grid) { return elementary::exp2(-0.25 * grid); }

/// Returns the smallest even number of nodes not below `least` that has only the prime factors 2, 3 and 5. Fourier
/// transforms are fast for such numbers.
int good_nodes(double least) {
  for (int n = 2 * static_cast<int>(std::ceil(least / 2 - 1e-9));; n += 2) {
    int rest = n;
    for (const int prime : {2, 3, 5})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return n;
  }
}

/// Returns a random rotation, uniform over all rotations (Shoemake 1992).
Mat3 random_rotation(RandomKey key, std::uint64_t index) {
  const double u = random_uniform(key, index, 0), a = 2 * pi * random_uniform(key, index, 1),
               b = 2 * pi * random_uniform(key, index, 2);
  return Quat(std::sqrt(u) * elementary::cos(b), std::sqrt(1 - u) * elementary::sin(a),
              std::sqrt(1 - u) * elementary::cos(a), std::sqrt(u) * elementary::sin(b))
      .toRotationMatrix();
}

/// Distribution of a grid's energy over its modes. It determines the autocorrelation of the field.
struct Autocorrelation {
  struct Mode {
    Vec3 wave;     ///< Wave vector along the grid's axes [rad/m].
    double share;  ///< Fraction of the energy.
  };
  std::vector<Mode> modes;  ///< Modes with the most energy.
  double period_m = 0;
  Mat3 rotation = Mat3::Identity();

  /// Returns the expected correlation of the field with a copy of itself that is shifted by `lag` [m].
  [[nodiscard]] double at(const Vec3& lag) const {
    const Vec3 own = rotation.transpose() * lag;
    double sum = 0;
    for (const Mode& mode : modes) sum += mode.share * elementary::cos(mode.wave.dot(own));
    return sum;
  }
};

Autocorrelation likeness_of(const NominalSpectrum& asked) {
  Autocorrelation likeness{.modes = {}, .period_m = asked.period_m};
  const double unit = 2 * pi / asked.period_m;
  const int most = std::clamp(static_cast<int>(asked.lowest / unit) + 3, 4, 8);
  double sum = 0;
  for (int i = 0; i <= most; ++i)
    for (int j = i > 0 ? -most : 0; j <= most; ++j)
      for (int k = i > 0 || j > 0 ? -most : 1; k <= most; ++k) {
        const Vec3 wave = unit * Vec3(i, j, k);
        const double number = wave.norm(), share = number >= asked.lowest && number <= asked.highest
                                                       ? asked.energy(number) / (number * number)
                                                       : 0;
        sum += share;
        if (share > 0) likeness.modes.push_back({wave, share});
      }
  // Only the modes with the most energy are kept, because the others contribute little to the correlation.
  std::stable_sort(likeness.modes.begin(), likeness.modes.end(),
                   [](const Autocorrelation::Mode& a, const Autocorrelation::Mode& b) { return a.share > b.share; });
  if (likeness.modes.size() > 120) likeness.modes.resize(120);
  for (Autocorrelation::Mode& mode : likeness.modes) mode.share /= sum;
  return likeness;
}

/// Returns the largest correlation of the sum of the grids with a shifted copy of this sum, times the number of grids.
/// The shifts are up to ten periods of a grid along its axes.
double worst_likeness(std::span<const Autocorrelation> grids) {
  double worst = 0;
  for (const Autocorrelation& grid : grids)
    for (int axis = 0; axis < 3; ++axis)
      for (int times = 1; times <= 10; ++times) {
        const Vec3 lag = times * grid.period_m * grid.rotation.col(axis);
        double sum = 0;
        for (const Autocorrelation& other : grids) sum += &other == &grid ? 1 : other.at(lag);
        worst = std::max(worst, std::abs(sum));
      }
  return worst;
}

/// Rotates the last grid. Of several random rotations, chooses that with the smallest correlation at the periods of the
/// grids.
void turn_against(std::span<Autocorrelation> grids, RandomKey key) {
  Mat3 best = Mat3::Identity();
  double least = std::numeric_limits<double>::infinity();
  for (std::uint64_t index = 0; index < 24; ++index) {
    grids.back().rotation = random_rotation(key, 1000 * grids.size() + index);
    const double worst = worst_likeness(grids);
    if (worst < least) {
      least = worst;
      best = grids.back().rotation;
    }
  }
  grids.back().rotation = best;
}

SpectralRecipe recipe_of(const SpectralParams& params, bool vector) {
  return {.nodes = static_cast<int>(params.nodes),
          .period_m = params.period_m,
          .vector = vector,
          .spectrum = params,
          .rms = 1,  // The strength is applied as a gain, so a change of it needs no new modes.
          .jitter = params.jitter,
          .seed = 0,
          .time = params.change,
          .spread_mps = vector && params.spread_mps == 0 ? params.strength : params.spread_mps,
          .repeat_s = params.repeat_s,
          .compensation = params.interpolation == GridSpline::cubic ? Compensation::cubic : Compensation::linear};
}

/// Returns the recipes of all grids. The length scales, in metres, are the same for all of them.
std::vector<SpectralRecipe> recipes_of(const SpectralParams& params, bool vector, RandomKey key) {
  SpectralRecipe recipe = recipe_of(params, vector);
  const auto seed_of = [key](std::uint64_t grid) {
    const auto words = random_words(key, grid);
    return (static_cast<std::uint64_t>(words[0]) << 32) | words[1];
  };
  recipe.seed = seed_of(0);
  SpectrumParams& spectrum = recipe.spectrum;
  if (params.of == SpectralSum::dilated) {
    spectrum.spectrum = SpectrumShape::band;
    if (spectrum.outer_scale_m == 0) spectrum.outer_scale_m = params.period_m / 4;
    spectrum.inner_scale_m = spectrum.outer_scale_m / params.beta;
    return {recipe};
  }
  if (spectrum.spectrum != SpectrumShape::table) {
    if (spectrum.outer_scale_m == 0) spectrum.outer_scale_m = params.period_m / 2;
  }
  if (spectrum.inner_scale_m == 0) spectrum.inner_scale_m = 4 * params.period_m / static_cast<double>(params.nodes);
  std::vector<SpectralRecipe> recipes{recipe};
  for (int grid = 1; grid < params.grids; ++grid) {
    SpectralRecipe next = recipe;
    next.period_m *= share_of_period(grid);
    next.nodes = std::max(4, good_nodes(static_cast<double>(params.nodes) * share_of_period(grid)));
    next.seed = seed_of(static_cast<std::uint64_t>(grid));
    recipes.push_back(next);
  }
  return recipes;
}

Result<void> check_memory(const std::vector<SpectralRecipe>& recipes) {
  double bytes = 0;
  for (const SpectralRecipe& recipe : recipes) {
    const double frames = recipe.time == SpectralTime::frozen ? 1 : static_cast<double>(KeyFrames::most_frames) + 1;
    bytes += frames * 16 * elementary::pow(recipe.nodes + 3, 3);
  }
  if (bytes <= most_grid_bytes) return {};
  const bool is_frozen = recipes.front().time == SpectralTime::frozen, is_single = recipes.size() == 1;
  return wrong_value(
      0, "nodes", fmt::format("{}", recipes.front().nodes),
      fmt::format("must be smaller, because {}{} would need {:.1f} GB; the limit is {:.1f} GB{}{}",
                  is_single ? "a grid" : fmt::format("{} grids", recipes.size()), is_frozen ? "" : " with key frames",
                  bytes / 1e9, most_grid_bytes / 1e9, is_single ? "" : "; fewer grids need less",
                  is_frozen ? "" : "; change = \"frozen\" needs no key frames"));
}

}  // namespace

Result<std::unique_ptr<SpectralGrids>> SpectralGrids::make(const SpectralParams& params, bool vector,
                                                           std::uint64_t seed) {
  const RandomKey key{seed, stream_id("spectral field")}, turns{seed, stream_id("spectral field turns")};
  const std::vector<SpectralRecipe> recipes = recipes_of(params, vector, key);
  if (auto checked = check_memory(recipes); !checked) return Unexpected(checked.error());
  std::unique_ptr<SpectralGrids> made(new SpectralGrids);
  made->spline_ = params.interpolation;
  made->drift_ = params.mean;
  std::vector<Autocorrelation> likeness;
  const double each = params.strength / std::sqrt(static_cast<double>(recipes.size()));
  for (const SpectralRecipe& recipe : recipes) {
    auto modes = SpectralModes::make(recipe);
    if (!modes) return Unexpected(modes.error());
    likeness.push_back(likeness_of((*modes)->asked_spectrum()));
    if (likeness.size() > 1) turn_against(likeness, turns);
    made->grids_.push_back({std::make_shared<BlendedFrames>(KeyFrames::of(*modes)),
                            {.nodes = nullptr,
                             .period_m = recipe.period_m,
                             .rotation = likeness.back().rotation,
                             .gain = each,
                             .turns_values = vector},
                            1});
  }
  if (params.of == SpectralSum::dilated) {
    // Replaces the grid by scaled copies. The copies are shifted, so that the features at their origins do not
    // coincide.
    double sum = 0, dilation = 1;
    const Grid band = made->grids_.front();
    made->grids_.clear();
    for (std::int64_t octave = 0; octave < params.octaves; ++octave, dilation *= params.beta) {
      const auto index = static_cast<std::uint64_t>(octave);
      Grid copy = band;
      copy.dilation = dilation;
      copy.at.period_m /= dilation;
      if (octave > 0) {
        const Vec3 share(random_uniform(turns, index, 3), random_uniform(turns, index, 4),
                         random_uniform(turns, index, 5));
        copy.at.rotation = random_rotation(turns, index);
        copy.at.origin = copy.at.period_m * share;
      }
      copy.at.gain = elementary::pow(dilation, -params.slope);
      sum += copy.at.gain * copy.at.gain;
      made->grids_.push_back(copy);
    }
    for (Grid& grid : made->grids_) grid.at.gain *= params.strength / std::sqrt(sum);
  }
  return made;
}

void SpectralGrids::prepare(double time) {
  if (prepared_ && time == time_) return;
  placed_.clear();
  for (std::size_t i = 0; i < grids_.size(); ++i) {
    const Grid& grid = grids_[i];
    if (i == 0 || grid.frames != grids_[i - 1].frames) grid.frames->set_time(time);
    PlacedGrid at = grid.at;
    at.nodes = &grid.frames->nodes();
    at.planes = grid.frames->planes();
    at.origin += time * drift_;
    placed_.push_back(at);
  }
  time_ = time;
  prepared_ = true;
}

NominalSpectrum SpectralGrids::asked_spectrum() const {
  NominalSpectrum sum;
  struct Part {
    NominalSpectrum asked;
    double energy, dilation;
  };
  std::vector<Part> parts;
  for (const Grid& grid : grids_)
    parts.push_back({grid.frames->frames().modes().asked_spectrum(), grid.at.gain * grid.at.gain, grid.dilation});
  sum.lowest = std::numeric_limits<double>::infinity();
  for (const Part& part : parts) {
    sum.lowest = std::min(sum.lowest, part.asked.lowest * part.dilation);
    sum.highest = std::max(sum.highest, part.asked.highest * part.dilation);
  }
  const bool dilated = parts.back().dilation != 1;
  sum.slope = dilated ? std::numeric_limits<double>::quiet_NaN() : parts.front().asked.slope;
  if (parts.size() == 1) {
    sum.period_m = parts.front().asked.period_m;
    sum.nodes = parts.front().asked.nodes;
  }
  sum.energy = [parts = std::move(parts)](double k) {
    double energy = 0;
    for (const Part& part : parts) {
      const double own = k / part.dilation;
      if (own >= part.asked.lowest && own <= part.asked.highest)
        energy += part.energy / part.dilation * part.asked.energy(own);
    }
    return energy;
  };
  return sum;
}

double SpectralGrids::length_m() const { return 2 * pi / asked_spectrum().highest / 4; }

Param<SpectralParams> spectral_period() {
  return Param<SpectralParams>{
      .member = &SpectralParams::period_m,
      .key = "period",
      .unit = Unit::meter,
      .range = {1e-3, 1e5},
      .scale = Scale::log,
      .live = Live::yes,
      .doc =
          "Edge length of the cube after which the first grid of the field repeats. Further grids have 0.84, 0.71 and "
          "0.59 times this period and rotated axes, so that their sum does not repeat."};
}
Param<SpectralParams> spectral_nodes() {
  return Param<SpectralParams>{
      .member = &SpectralParams::nodes,
      .key = "nodes",
      .unit = Unit::count,
      .range = {16, 256},
      .scale = Scale::log,
      .live = Live::yes,
      .doc =
          "Number of nodes (grid points) along each axis of the first grid. Further grids have the same number of "
          "nodes per metre. Memory and computing time grow with the third power of this number."};
}
Param<SpectralParams> spectral_grids() {
  return Param<SpectralParams>{
      .member = &SpectralParams::grids,
      .key = "grids",
      .unit = Unit::count,
      .range = {1, most_turned},
      .live = Live::yes,
      .doc =
          "Number of periodic grids whose sum is the field. A single grid repeats after one `period`. With two "
          "grids, the correlation at that distance is about 1/2, and with three grids about 1/3."};
}
Param<SpectralParams> spectral_interpolation() {
  return Param<SpectralParams>{
      .member = &SpectralParams::interpolation,
      .key = "interpolation",
      .live = Live::yes,
      .choices = {"linear", "cubic"},
      .doc =
          "Interpolation between the nodes of a grid. linear: three times as fast as cubic, but with kinks, and with a "
          "divergence of about 9 % of the curl. cubic: smooth B-splines with a divergence of 0.3 % of the curl."};
}
Param<SpectralParams> spectral_jitter() {
  return Param<SpectralParams>{
      .member = &SpectralParams::jitter,
      .key = "jitter",
      .unit = Unit::ratio,
      .range = {0, 1},
      .live = Live::yes,
      .doc =
          "Randomness of the amplitudes of the modes, which are the waves that make up the field. At 0, each mode has "
          "exactly the energy that the spectrum prescribes, and only its phase is random. At 1, the amplitudes are "
          "Gaussian. The few largest eddies may then be stronger along one axis."};
}
Param<SpectralParams> spectral_change() {
  return Param<SpectralParams>{.member = &SpectralParams::change,
                               .key = "change",
                               .label = "Change in time",
                               .live = Live::yes,
                               .choices = {"frozen", "rotating", "periodic"},
                               .doc =
                                   "Change of the field in time, apart from its motion with the mean velocity. frozen: "
                                   "the field does not change. rotating: each of its waves changes at its own rate, "
                                   "and the field never repeats. periodic: the field repeats after the time `repeat`."};
}
Param<SpectralParams> spectral_repeat() {
  return Param<SpectralParams>{
      .member = &SpectralParams::repeat_s,
      .key = "repeat",
      .label = "Repetition time",
      .unit = Unit::second,
      .range = {1e-3, 1e6},
      .scale = Scale::log,
      .live = Live::yes,
      .doc = "Time after which the field repeats, if change = \"periodic\". Longer times need more memory."};
}
Param<SpectralParams> spectral_seed() {
  return Param<SpectralParams>{
      .member = &SpectralParams::seed,
      .key = "seed",
      .range = {0, 1e15},
      .live = Live::yes,
      .doc = "Seed of the field. A different value gives a different pattern, and so does a different `world.seed`."};
}

}  // namespace vw
