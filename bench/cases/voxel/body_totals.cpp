// Total force and torque on each of many bodies, summed over the particles of the body. A segmented reduction is
// compared with loops over the bodies.
#include <algorithm>

#include "bench/measure.h"
#include "sim/base/parallel/segmented_sum.h"
#include "sim/base/random.h"

namespace vw::bench {
namespace {

/// Particles sorted by body, with equal numbers per body. `list` holds the particle indices of each body for the loop
/// that uses index lists.
struct Crowd {
  std::vector<std::uint32_t> first;
  std::vector<Vec3> center, place, force;
  std::vector<std::vector<std::uint32_t>> list;

  Crowd(std::size_t bodies, std::size_t particles)
      : first(bodies + 1), center(bodies), place(particles), force(particles), list(bodies) {
    for (std::size_t b = 0; b <= bodies; ++b) first[b] = static_cast<std::uint32_t>(particles * b / bodies);
    for (std::size_t b = 0; b < bodies; ++b)
      for (std::uint32_t i = first[b]; i < first[b + 1]; ++i) list[b].push_back(i);
    for (std::size_t i = 0; i < particles; ++i)
      for (int k = 0; k < 3; ++k) {
        place[i][k] = random_uniform({1, 2}, i, static_cast<std::uint64_t>(k));
        force[i][k] = random_uniform({1, 3}, i, static_cast<std::uint64_t>(k)) - 0.5;
      }
  }
};

/// Reference: sums forces and torques body by body, with a list of particle indices for each body.
void sum_by_lists(const Crowd& crowd, std::vector<Wrench>& totals) {
  for (std::size_t b = 0; b < totals.size(); ++b) {
    Wrench sum;
    for (const std::uint32_t i : crowd.list[b]) {
      sum.force += crowd.force[i];
      sum.torque += (crowd.place[i] - crowd.center[b]).cross(crowd.force[i]);
    }
    totals[b] = sum;
  }
}

/// Sums without index lists: the particles of each body are a contiguous range of rows.
void sum_by_rows(const Crowd& crowd, std::vector<Wrench>& totals) {
  for (std::size_t b = 0; b < totals.size(); ++b) {
    Wrench sum;
    for (std::size_t i = crowd.first[b]; i < crowd.first[b + 1]; ++i) {
      sum.force += crowd.force[i];
      sum.torque += (crowd.place[i] - crowd.center[b]).cross(crowd.force[i]);
    }
    totals[b] = sum;
  }
}

Row measure_bodies(std::size_t bodies, std::size_t particles, std::int64_t milliseconds) {
  const Crowd crowd(bodies, particles);
  std::vector<Wrench> totals(bodies), plain(bodies);
  SegmentedSum sum;
  const auto amount = static_cast<double>(particles);
  const auto reduce = [&] {
    sum.run({crowd.first, crowd.center, crowd.place, crowd.force}, totals);
    return amount;
  };
  const auto lists = [&] {
    sum_by_lists(crowd, plain);
    return amount;
  };
  const auto rows = [&] {
    sum_by_rows(crowd, plain);
    return amount;
  };
  // Windows of the three variants alternate, so that all variants are measured under the same machine load.
  Windows reduced, listed, walked;
  reduce(), lists(), rows();
  const double window_s = 1e-3 * static_cast<double>(milliseconds) / 30;
  for (int i = 0; i < 10; ++i) {
    reduced.all.push_back(fill_window(window_s, reduce));
    listed.all.push_back(fill_window(window_s, lists));
    walked.all.push_back(fill_window(window_s, rows));
  }
  double off = 0;
  for (std::size_t b = 0; b < bodies; ++b)
    off = std::max({off, (totals[b].force - plain[b].force).norm(), (totals[b].torque - plain[b].torque).norm()});
  Row row;
  row.labels = {{"bodies", std::to_string(bodies)}};
  row.values = {
      {"particles_per_s", reduced.median_rate()},           {"best_particles_per_s", reduced.best_rate()},
      {"reference_particles_per_s", listed.median_rate()},  {"speedup_over_reference", median_ratio(reduced, listed)},
      {"speedup_over_rows", median_ratio(reduced, walked)}, {"difference", off}};
  return row;
}

}  // namespace

Result<Outcome> body_totals(const Arguments& arguments) {
  Outcome outcome;
  outcome.columns = {"particles_per_s", "reference_particles_per_s", "speedup_over_reference", "speedup_over_rows"};
  const auto particles = static_cast<std::size_t>(arguments.whole("particles"));
  for (const std::size_t bodies : {1U, 100U, 10000U})
    outcome.rows.push_back(
        measure_bodies(std::min<std::size_t>(bodies, particles), particles, arguments.whole("milliseconds")));
  outcome.rates = {{"particles_per_s", outcome.rows.back().value("particles_per_s")}};
  return outcome;
}

}  // namespace vw::bench
