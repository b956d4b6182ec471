// Selects evenly distributed elements. A grid fixed in space is laid over the elements, and in each occupied cell the
// element with the lowest hash of its id is selected. An arrow thus stays with its element as long as the element has
// the lowest hash in its cell. Voxel bodies keep the first selection, because voxels do not change neighbours.
#include "render/vectors/arrows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <glm/gtc/quaternion.hpp>

#include "render/vectors/vector_colors.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

constexpr std::uint64_t no_cell = std::numeric_limits<std::uint64_t>::max();

/// Hash of a number (finaliser of splitmix64, S. Vigna).
std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

std::uint64_t cell_of(const glm::vec4& place, float cell_m) {
  constexpr float limit = 1'000'000;
  if (!is_finite(glm::vec3(place))) return 0;
  const auto part = [&](float x) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(std::clamp(x / cell_m, -limit, limit))) +
                                      (1 << 20));
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

/// Returns the distance in the given direction from the centre of a slender body to its surface. The body is
/// approximated by an ellipsoid of revolution.
float reach_of_body(const glm::vec4& turn, float half_length, const glm::vec3& direction) {
  constexpr float slenderness = 0.25F;  // half width of a typical member, as a fraction of the half length
  const glm::vec3 heading = glm::quat(turn.w, turn.x, turn.y, turn.z) * glm::vec3(1, 0, 0);
  const float along = glm::dot(heading, direction), across = std::sqrt(std::max(0.0F, 1 - along * along)) / slenderness;
  return half_length / std::sqrt(along * along + across * across);
}

}  // namespace

/// Fills the hash table of occupied cells and returns the number of occupied cells. If more than `most` cells are
/// occupied, the function stops early and the table is incomplete.
std::size_t ArrowField::fill_cells(const ArrowSource& source, float cell_m, std::size_t most) {
  const std::size_t n = source.places.size(), slots = std::bit_ceil(2 * std::min(n, most + 1) + 1);
  cells_.assign(slots, no_cell);
  members_.resize(slots);
  std::size_t occupied = 0;
  for (std::size_t i = 0; i < n && occupied <= most; ++i) {
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

void ArrowField::choose(const ArrowSource& source, std::size_t limit, std::uint64_t parts_number, Choice& choice) {
  const std::size_t n = source.places.size();
  const bool kept = choice.parts_number == parts_number && choice.revision == source.revision && choice.elements == n &&
                    choice.limit == limit;
  if (kept && !source.is_sparse && (source.is_bound || n <= limit) && (!choice.chosen.empty() || n == 0)) return;
  const bool fresh = choice.parts_number != parts_number || choice.limit != limit || choice.chosen.empty();
  choice.parts_number = parts_number;
  choice.revision = source.revision;
  choice.elements = n;
  choice.limit = limit;
  choice.chosen.clear();
  for (std::size_t i = 0; i < n && choice.chosen.size() <= limit; ++i)
    if (!source.is_sparse || source.values[i] != glm::vec3(0)) choice.chosen.push_back(static_cast<std::uint32_t>(i));
  if (choice.chosen.size() <= limit) return;
  choice.chosen.clear();
  if (fresh) choice.level = -40;
  // Coarsen the cells until at most `limit` cells are occupied. Refine them only if fewer than a third of `limit` are
  // occupied; this hysteresis keeps the cell size from oscillating.
  const std::size_t far_too_many = 4 * limit;
  std::size_t occupied = fill_cells(source, cell_size(choice.level), far_too_many);
  while (occupied > limit && choice.level < 80)
    occupied = fill_cells(source, cell_size(choice.level += occupied > far_too_many ? 4 : 1), far_too_many);
  while (!fresh && occupied * 3 < limit && choice.level > -60) {
    const std::size_t finer = fill_cells(source, cell_size(choice.level - 1), limit);
    if (finer > limit) {
      (void)fill_cells(source, cell_size(choice.level), far_too_many);
      break;
    }
    --choice.level;
    occupied = finer;
  }
  for (std::size_t slot = 0; slot < cells_.size(); ++slot)
    if (cells_[slot] != no_cell && choice.chosen.size() < limit) choice.chosen.push_back(members_[slot]);
  std::sort(choice.chosen.begin(), choice.chosen.end());
}

/// Returns the length of an arrow as a fraction of the full length, before clamping. 0 means no arrow.
float ArrowField::share_of(float value, const ArrowScaling& law) const {
  const float part = value / std::max(reference_, 1e-20F);
  if (law.length == VectorLength::constant) return 1;
  if (law.length == VectorLength::logarithmic)
    return std::max(0.0F, 1 + std::log10(std::max(part, 1e-20F)) / std::max(law.decades, 1e-3F));
  return part;
}

/// Returns the length of an arrow for the value `reference_` [m].
float ArrowField::full_length(const ArrowScaling& law) const {
  return law.per_unit > 0 ? law.per_unit * reference_ : spacing_;
}

glm::vec3 ArrowField::color_of(const glm::vec3& value, float size, const ArrowScaling& law) const {
  if (law.color == VectorColor::direction) return direction_color(value / size);
  const ColorMap& map = speed_map();
  const float part = law.length == VectorLength::logarithmic ? share_of(size, law) : size / reference_;
  return map[static_cast<std::size_t>(std::min(part, 1.0F) * static_cast<float>(map.size() - 1))];
}

void ArrowField::set_scale(std::span<const ArrowSource> sources, const ArrowScaling& law, double time_s) {
  sizes_.clear();
  float size_sum = 0, volume = 0, largest = 0;
  for (std::size_t f = 0; f < sources.size(); ++f) {
    const ArrowSource& source = sources[f];
    glm::vec3 low(std::numeric_limits<float>::max()), high(std::numeric_limits<float>::lowest());
    for (const std::uint32_t i : choices_[f].chosen) {
      const glm::vec3 place(source.places[i]);
      if (!is_finite(place)) continue;
      low = glm::min(low, place);
      high = glm::max(high, place);
      size_sum += 2 * std::max(source.places[i].w, 0.0F);
      if (const float size = glm::length(source.values[i]); std::isfinite(size)) sizes_.push_back(size);
    }
    if (low.x <= high.x) {
      const glm::vec3 side = glm::max(high - low, glm::vec3(2 * std::abs(source.places[choices_[f].chosen.front()].w)));
      volume += side.x * side.y * side.z;
    }
  }
  for (const float size : sizes_) largest = std::max(largest, size);
  legend_.max_speed = largest;
  if (law.range > 0) reference_ = law.range;
  if (sizes_.empty() && scaled_ && reference_ > 0) return;  // the scale does not change until values exist again
  const auto n = static_cast<float>(std::max<std::size_t>(sizes_.size(), 1));
  const float wanted_spacing = law.reach * std::max(size_sum / n, std::cbrt(volume / n)),
              wanted = wanted_range(law, largest);
  const double passed = time_s - time_s_;
  const bool jump = !scaled_ || reference_ <= 0 || passed < 0 || passed > 2 || wanted > 1e3F * reference_;
  const float part = jump ? 1.0F : static_cast<float>(1 - std::exp(-passed / 0.4));
  reference_ += part * (wanted - reference_);
  spacing_ += part * (wanted_spacing - spacing_);
  time_s_ = time_s;
  scaled_ = true;
}

/// Returns the value whose arrow is to have full length: law.range if it is set, otherwise the 95th percentile of the
/// values. If this percentile is 0, it is computed again without zero values. `largest` is the largest value.
float ArrowField::wanted_range(const ArrowScaling& law, float largest) {
  if (law.range > 0 || sizes_.empty()) return law.range;
  const float most = percentile(sizes_, 0.95);
  if (most > 0 || !(largest > 0)) return most;
  std::erase(sizes_, 0.0F);
  return percentile(sizes_, 0.95);
}

void ArrowField::write_legend(std::span<const ArrowSource> sources, const ArrowScaling& law) {
  const bool of_size = law.length != VectorLength::constant;
  legend_.shown = true;
  legend_.length = law.length;
  legend_.color = std::ranges::any_of(sources, [](const ArrowSource& one) { return one.tint == nullptr; })
                      ? law.color
                      : VectorColor::system;
  legend_.range = reference_;
  legend_.decades = law.decades;
  legend_.speed = law.range > 0 ? law.range : round_to_1_2_5(reference_);
  const float at_clamp =
      law.length == VectorLength::logarithmic ? std::pow(10.0F, law.decades * (law.clamp - 1)) : law.clamp;
  legend_.clamp = law.clamp > 0 && of_size ? at_clamp * reference_ : 0;
  if (legend_.clamp > 0) legend_.speed = std::min(legend_.speed, legend_.clamp);
  const float share = share_of(legend_.speed, law);
  // The length is in metres. build() converts it to pixels.
  legend_.arrow_px = full_length(law) * (law.clamp > 0 ? std::min(share, law.clamp) : share);
}

void ArrowField::clear() {
  legend_ = {};
  arrows_.clear();
}

void ArrowField::add(const ArrowSource& source, std::uint32_t i, const ArrowScaling& law) {
  const glm::vec3 v = source.values[i];
  const float size = glm::length(v);
  // Skip elements that a cut plane hides and elements without a finite position.
  if (source.places[i].w < 0 || !is_finite(glm::vec3(source.places[i]))) return;
  if (!std::isfinite(size) || !(size > 0) || reference_ <= 0) return;
  if (law.length != VectorLength::logarithmic && !(size > 1e-4F * reference_)) return;
  float share = share_of(size, law);
  if (!(share > 0)) return;
  if (law.clamp > 0 && share > law.clamp && law.length != VectorLength::constant) {
    share = law.clamp;
    ++legend_.clipped;
  }
  const glm::vec3 tint = source.tint != nullptr ? *source.tint : color_of(v, size, law);
  // Clear the alpha bits, so that the float is finite.
  const float bits = std::bit_cast<float>(pack_color(tint) & 0x00FFFFFFU);
  glm::vec3 tail(source.places[i]);
  if (i < source.turns.size()) tail += v / size * reach_of_body(source.turns[i], source.places[i].w, v / size);
  arrows_.push_back({glm::vec4(tail, bits), glm::vec4(v / size * (full_length(law) * share), source.through)});
}

void ArrowField::build(std::span<const ArrowSource> sources, const ArrowScaling& law, std::uint64_t parts_number,
                       double time_s, float pixel_m) {
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
    choose(sources[f], share, parts_number, choices_[f]);
  }
  set_scale(sources, law, time_s);
  for (std::size_t f = 0; f < sources.size(); ++f)
    for (const std::uint32_t i : choices_[f].chosen) add(sources[f], i, law);
  write_legend(sources, law);
  legend_.arrow_px /= std::max(pixel_m, 1e-12F);
  legend_.arrows = arrows_.size();
  legend_.elements = total;
}

ArrowScaling arrow_scaling_of(const ViewParams& view) {
  ArrowScaling law;
  law.limit = static_cast<std::size_t>(std::max<std::int64_t>(view.vector_limit, 1));
  law.clamp = static_cast<float>(view.vector_clamp);
  law.decades = static_cast<float>(view.vector_decades);
  return law;
}

bool is_axial(std::string_view unit) { return unit == "1/s" || unit == "rad/s"; }

void add_second_heads(std::vector<Arrow>& arrows, const glm::vec3& eye, float pixel) {
  const std::size_t count = arrows.size();
  for (std::size_t i = 0; i < count; ++i) {
    const glm::vec3 tail(arrows[i].tail), shift(arrows[i].shift);
    const float size = glm::length(shift), px = pixel * glm::length(eye - tail);
    // The formula is the same as in shaders/arrow.vert.
    const float head = std::min(0.6F * size, std::clamp(0.28F * size, 7 * px, 12 * px));
    const float less = std::min(0.7F * head, 0.4F * size);
    arrows.push_back({arrows[i].tail, glm::vec4(shift * (1 - less / size), arrows[i].shift.w)});
  }
}

}  // namespace vw
