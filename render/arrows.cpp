// An even selection: one element for each occupied cell of a grid fixed in space, the one whose hashed id is lowest, so an arrow stays with its
// element while that stays the lowest in its cell. Voxel bodies keep their first selection: their elements do not change places.
#include "render/arrows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace vw {
namespace {

constexpr std::uint64_t no_cell = std::numeric_limits<std::uint64_t>::max();

/// Finaliser of a well-mixed hash (S. Vigna, splitmix64).
std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

std::uint64_t cell_of(const glm::vec4& place, float cell_m) {
  constexpr float limit = 1'000'000;
  const auto part = [&](float x) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(std::clamp(x / cell_m, -limit, limit))) + (1 << 20));
  };
  return part(place.x) | part(place.y) << 21U | part(place.z) << 42U;
}

float cell_size(int level) { return std::exp2(static_cast<float>(level) / 4); }

float round_to_1_2_5(float x) {
  if (!(x > 0)) return 0;
  const float decade = std::pow(10.0F, std::floor(std::log10(x)));
  const float lead = x / decade;
  return decade * (lead < 1.5F ? 1.0F : lead < 3.5F ? 2.0F : lead < 7.5F ? 5.0F : 10.0F);
}

}  // namespace

std::size_t ArrowField::fill_cells(const ArrowSource& source, float cell_m) {
  const std::size_t n = source.places.size(), slots = std::bit_ceil(2 * n + 1);
  cells_.assign(slots, no_cell);
  members_.resize(slots);
  std::size_t occupied = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (source.is_sparse && source.values[i] == glm::vec3(0)) continue;
    const std::uint64_t cell = cell_of(source.places[i], cell_m);
    std::size_t slot = mix(cell) & (slots - 1);
    while (cells_[slot] != no_cell && cells_[slot] != cell) slot = (slot + 1) & (slots - 1);
    if (cells_[slot] == no_cell) {
      cells_[slot] = cell;
      members_[slot] = static_cast<std::uint32_t>(i);
      ++occupied;
    } else if (mix(source.ids[i]) < mix(source.ids[members_[slot]])) {
      members_[slot] = static_cast<std::uint32_t>(i);
    }
  }
  return occupied;
}

void ArrowField::choose(const ArrowSource& source, std::size_t limit, std::uint64_t epoch, Choice& choice) {
  const std::size_t n = source.places.size();
  const bool kept = choice.epoch == epoch && choice.revision == source.revision && choice.elements == n && choice.limit == limit;
  if (kept && !source.is_sparse && (source.is_bound || n <= limit) && (!choice.chosen.empty() || n == 0)) return;
  const bool fresh = choice.epoch != epoch || choice.limit != limit || choice.chosen.empty();
  choice.epoch = epoch;
  choice.revision = source.revision;
  choice.elements = n;
  choice.limit = limit;
  choice.chosen.clear();
  for (std::size_t i = 0; i < n && choice.chosen.size() <= limit; ++i)
    if (!source.is_sparse || source.values[i] != glm::vec3(0)) choice.chosen.push_back(static_cast<std::uint32_t>(i));
  if (choice.chosen.size() <= limit) return;
  choice.chosen.clear();
  if (fresh) choice.level = -40;
  // Coarser until they are few enough; finer only when far too few, so that the cells do not flip to and fro.
  std::size_t occupied = fill_cells(source, cell_size(choice.level));
  while (occupied > limit && choice.level < 80) occupied = fill_cells(source, cell_size(choice.level += occupied > 4 * limit ? 4 : 1));
  while (!fresh && occupied * 3 < limit && choice.level > -60) {
    const std::size_t finer = fill_cells(source, cell_size(choice.level - 1));
    if (finer > limit) break;
    --choice.level;
    occupied = finer;
  }
  fill_cells(source, cell_size(choice.level));
  for (std::size_t slot = 0; slot < cells_.size(); ++slot)
    if (cells_[slot] != no_cell && choice.chosen.size() < limit) choice.chosen.push_back(members_[slot]);
  std::sort(choice.chosen.begin(), choice.chosen.end());
}

float ArrowField::length_of(float value, const ArrowLaw& law) const {
  const float per_unit = law.per_unit > 0 ? law.per_unit : spacing_ / std::max(reference_, 1e-20F);
  if (law.length == VectorLength::constant) return per_unit * reference_;
  // Logarithmic: over two decades below the reference value; at the reference both laws agree.
  if (law.length == VectorLength::logarithmic)
    return per_unit * reference_ * std::log1p(99 * value / std::max(reference_, 1e-20F)) / std::log(100.0F);
  return per_unit * value;
}

void ArrowField::set_scale(std::span<const ArrowSource> sources, const ArrowLaw& law, double time_s) {
  sizes_.clear();
  float size_sum = 0, volume = 0, largest = 0;
  for (std::size_t f = 0; f < sources.size(); ++f) {
    const ArrowSource& source = sources[f];
    glm::vec3 low(std::numeric_limits<float>::max()), high(std::numeric_limits<float>::lowest());
    for (const std::uint32_t i : choices_[f].chosen) {
      const glm::vec3 place(source.places[i]);
      low = glm::min(low, place);
      high = glm::max(high, place);
      size_sum += 2 * std::max(source.places[i].w, 0.0F);
      if (const float size = glm::length(source.values[i]); std::isfinite(size)) sizes_.push_back(size);
    }
    if (!choices_[f].chosen.empty()) {
      const glm::vec3 side = glm::max(high - low, glm::vec3(2 * std::abs(source.places[choices_[f].chosen.front()].w)));
      volume += side.x * side.y * side.z;
    }
  }
  for (const float size : sizes_) largest = std::max(largest, size);
  if (sizes_.empty() && reference_ > 0) return;  // the scale stays for what comes
  const auto n = static_cast<float>(std::max<std::size_t>(sizes_.size(), 1));
  const float wanted_spacing = law.reach * std::max(size_sum / n, std::cbrt(volume / n)), wanted = sizes_.empty() ? 0 : percentile(sizes_, 0.95);
  const double passed = time_s - time_s_;
  const bool jump = reference_ <= 0 || passed < 0 || passed > 2 || wanted > 1e3F * reference_;
  const float part = jump ? 1.0F : static_cast<float>(1 - std::exp(-passed / 0.4));
  reference_ += part * (wanted - reference_);
  spacing_ += part * (wanted_spacing - spacing_);
  time_s_ = time_s;
  legend_.max_speed = largest;
  legend_.speed = round_to_1_2_5(reference_);
  legend_.arrow_px = length_of(legend_.speed, law);  // [m] here; build() turns it into pixels
}

void ArrowField::clear() {
  legend_ = {};
  arrows_.clear();
}

void ArrowField::add(const ArrowSource& source, std::uint32_t i, const ArrowLaw& law) {
  const glm::vec3 v = source.values[i];
  const float size = glm::length(v);
  if (source.places[i].w < 0) return;  // cut away
  if (!(size > 1e-4F * reference_) || !std::isfinite(size) || reference_ <= 0) return;
  const ColorMap& map = speed_map();
  const auto step = static_cast<std::size_t>(std::min(size / reference_, 1.0F) * static_cast<float>(map.size() - 1));
  const glm::vec3 tint = source.tint != nullptr ? *source.tint : map[step];
  const float bits = std::bit_cast<float>(pack_color(tint) & 0x00FFFFFFU);  // no alpha: these bits are a plain number, never a NaN
  arrows_.push_back({glm::vec4(glm::vec3(source.places[i]), bits), glm::vec4(v / size * length_of(size, law), source.through)});
}

void ArrowField::build(std::span<const ArrowSource> sources, const ArrowLaw& law, std::uint64_t epoch, double time_s, float pixel_m) {
  clear();
  choices_.resize(sources.size());
  const auto count_of = [](const ArrowSource& source) {
    const auto none = source.is_sparse ? std::ranges::count(source.values, glm::vec3(0)) : 0;
    return source.places.size() - static_cast<std::size_t>(none);
  };
  std::size_t total = 0;
  for (const ArrowSource& source : sources) total += count_of(source);
  for (std::size_t f = 0; f < sources.size(); ++f) {
    const std::size_t share = total <= law.limit ? sources[f].places.size() : count_of(sources[f]) * law.limit / total;
    choose(sources[f], share, epoch, choices_[f]);
  }
  set_scale(sources, law, time_s);
  for (std::size_t f = 0; f < sources.size(); ++f)
    for (const std::uint32_t i : choices_[f].chosen) add(sources[f], i, law);
  legend_.shown = true;
  legend_.arrow_px /= std::max(pixel_m, 1e-12F);
  legend_.arrows = arrows_.size();
  legend_.elements = total;
}

void ArrowField::build(const std::vector<Figure>& figures, std::size_t count, const ViewParams& view, std::uint64_t epoch, double time_s,
                       float pixel_m) {
  if (!view.vectors) return clear();
  std::vector<ArrowSource> sources;
  for (const Figure& figure : std::span(figures).first(count))
    sources.push_back({figure.places, figure.velocity, figure.id, figure.revision, figure.look == Look::voxels});
  const float manual = view.vector_scale == VectorScale::manual ? static_cast<float>(view.vector_seconds) : 0;
  build(sources, {view.vector_length, manual, static_cast<std::size_t>(std::max<std::int64_t>(view.vector_limit, 1))}, epoch, time_s, pixel_m);
}

}  // namespace vw
