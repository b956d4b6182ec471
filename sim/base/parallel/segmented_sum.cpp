#include "sim/base/parallel/segmented_sum.h"

#include <algorithm>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

/// Number of particles in one section of the array. One section takes some tens of microseconds.
constexpr std::size_t sum_grain = 8192;

using Lanes = Eigen::Array<double, 4, 1>;
struct Lanes3 {
  Lanes x = Lanes::Zero(), y = Lanes::Zero(), z = Lanes::Zero();
};

Lanes3 load(const Vec3* row) {
  return {{row[0].x(), row[1].x(), row[2].x(), row[3].x()},
          {row[0].y(), row[1].y(), row[2].y(), row[3].y()},
          {row[0].z(), row[1].z(), row[2].z(), row[3].z()}};
}

Vec3 fold(const Lanes3& sum) {
  const auto one = [](const Lanes& v) { return (v[0] + v[1]) + (v[2] + v[3]); };
  return {one(sum.x), one(sum.y), one(sum.z)};
}

/// From this number of particles on, four particles are summed at a time. Fewer particles are summed one by one.
constexpr std::size_t few_particles = 40;

/// Sums four particles at a time, which shortens the chains of dependent additions by a factor of four. The number of
/// particles must be a multiple of four.
[[gnu::noinline]] Wrench wrench_of_many(const SortedParticles& all, std::size_t begin, std::size_t end,
                                        const Vec3& center) {
  Lanes3 force, torque;
  for (std::size_t i = begin; i < end; i += 4) {
    const Lanes3 f = load(&all.force[i]), at = load(&all.place[i]);
    const Lanes x = at.x - center.x(), y = at.y - center.y(), z = at.z - center.z();
    force.x += f.x, force.y += f.y, force.z += f.z;
    torque.x += y * f.z - z * f.y, torque.y += z * f.x - x * f.z, torque.z += x * f.y - y * f.x;
  }
  return {fold(force), fold(torque)};
}

inline Wrench wrench_of(const SortedParticles& all, std::size_t begin, std::size_t end, const Vec3& center) {
  Wrench total;
  if (end - begin >= few_particles) {
    const std::size_t whole = end - (end - begin) % 4;
    total = wrench_of_many(all, begin, whole, center);
    begin = whole;
  }
  for (std::size_t i = begin; i < end; ++i) {
    total.force += all.force[i];
    total.torque += (all.place[i] - center).cross(all.force[i]);
  }
  return total;
}

}  // namespace

void SegmentedSum::run(const SortedParticles& particles, std::span<Wrench> totals) {
  const std::span<const std::uint32_t> first = particles.first;
  const std::size_t bodies = totals.size(), count = bodies == 0 ? 0 : first[bodies],
                    parts = chunk_count(count, sum_grain);
  begun_.assign(parts, {bodies, {}});
  parallel_for(count, sum_grain, [&](Range range, std::size_t part) {
    auto body = static_cast<std::size_t>(std::lower_bound(first.begin(), first.end(), range.begin) - first.begin());
    if (first[body] > range.begin) {
      const std::size_t end = std::min<std::size_t>(first[body], range.end);
      begun_[part] = {body - 1, wrench_of(particles, range.begin, end, particles.center[body - 1])};
    }
    for (; body < bodies && first[body] < range.end; ++body)
      totals[body] =
          wrench_of(particles, first[body], std::min<std::size_t>(first[body + 1], range.end), particles.center[body]);
  });
  for (std::size_t body = bodies; body > 0 && first[body - 1] == count; --body) totals[body - 1] = {};
  for (const Piece& piece : begun_)
    if (piece.body < bodies) totals[piece.body] += piece.sum;
}

}  // namespace vw
