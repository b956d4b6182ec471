#include "sim/system/flock/steering/wander.h"

#include <array>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/field/noise/perlin.h"

namespace vw {
namespace {

constexpr std::size_t wander_grain = 1024, wander_block = 128;
constexpr std::uint64_t wander_seed = 0x77616e646572ULL;

/// The noise of each member is evaluated along a line. This constant is the offset of the line from the lattice lines
/// of the noise. With this offset, no line passes through lattice points, where the noise is zero. The offset is the
/// same for all members, so all vectors have the same amplitude.
constexpr float beside = 0.31830989F;

/// Root mean square of the noise along a line with the offset `beside`.
double line_rms() {
  constexpr int samples = 16384;
  double sum = 0;
  for (int k = 0; k < samples; ++k) {
    const double value = gradient_noise(k * 0.6180339887 + 1000, static_cast<double>(beside), wander_seed).value;
    sum += value * value;
  }
  return std::sqrt(sum / samples);
}

/// Writes the wander vectors of the rows in `range`. The rows must have the same species and fit into one block.
/// `phase` is the distance travelled along the lines through the noise, in lattice cells.
void wander_rows(const FlockRows& rows, double phase, Range range, Vec3f* out) {
  std::array<float, wander_block> along{}, across{}, value{};
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::uint32_t id = rows.elements.id[i], mixed = id * 2654435761U;
    along[i - range.begin] = static_cast<float>(mixed >> 8) * (1.0F / 16384);
    across[i - range.begin] = static_cast<float>(mixed & 255U) * 16.0F + beside + static_cast<float>((id >> 3) & 15U);
  }
  NoisePlaces<2> places;
  places.offset = {std::span(along).first(range.size()), std::span(across).first(range.size())};
  places.origin = {phase, 0.0};
  static const auto scale = static_cast<float>(1 / (std::sqrt(3.0) * line_rms()));
  for (std::uint64_t axis = 0; axis < 3; ++axis) {
    gradient_noise<2>(places, wander_seed + axis, {std::span(value).first(range.size()), {}});
    for (std::size_t i = range.begin; i < range.end; ++i)
      out[i][static_cast<Eigen::Index>(axis)] = scale * value[i - range.begin];
  }
}

}  // namespace

void wander(const FlockPlan& plan, const FlockRows& rows, double time, std::vector<Vec3f>& out) {
  out.resize(rows.size());
  parallel_for(rows.size(), wander_grain, [&](Range range, std::size_t) {
    for (std::size_t begin = range.begin; begin < range.end;) {
      const std::uint8_t species = rows.species[begin];
      std::size_t end = begin + 1;
      while (end < std::min(range.end, begin + wander_block) && rows.species[end] == species) ++end;
      wander_rows(rows, time * plan.species[species].wander_hz, {begin, end}, out.data());
      begin = end;
    }
  });
}

}  // namespace vw
