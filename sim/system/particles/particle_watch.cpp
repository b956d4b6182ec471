// The maxima are computed over fixed parts of the rows, so that the result does not depend on the number of threads.
#include "sim/system/particles/particle_watch.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t watch_grain = 4096;

}  // namespace

ParticleWatch::Part ParticleWatch::look_at(const Elements& elements, Range range) {
  Part part;
  double fastest_squared = 0, sum = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const double speed_squared = elements.velocity[i].squaredNorm();
    const double distance_squared = elements.position[i].squaredNorm();
    part.farthest_squared = std::max(part.farthest_squared, distance_squared);
    fastest_squared = std::max(fastest_squared, speed_squared);
    sum += distance_squared + speed_squared;
  }
  // A maximum may skip a NaN; a sum propagates it.
  part.sane = fastest_squared <= absurd_mps * absurd_mps && std::isfinite(sum);
  return part;
}

void ParticleWatch::reserve(std::size_t capacity) {
  parts_.reserve(chunk_count(std::min(capacity, std::size_t{1} << 20), watch_grain));
}

void ParticleWatch::look(const Elements& elements) {
  parts_.resize(chunk_count(elements.size(), watch_grain));
  parallel_for(elements.size(), watch_grain,
               [&](Range range, std::size_t chunk) { parts_[chunk] = look_at(elements, range); });
  all_ = {};
  for (const Part& part : parts_) {
    all_.farthest_squared = std::max(all_.farthest_squared, part.farthest_squared);
    all_.sane = all_.sane && part.sane;
  }
  looked_ = true;
}

double ParticleWatch::farthest() const {
  if (!looked_ || !all_.sane) return std::numeric_limits<double>::infinity();
  return std::sqrt(all_.farthest_squared) * (1 + 1e-12);  // The factor allows for the rounding of the root.
}

}  // namespace vw
