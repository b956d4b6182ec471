// Sorts members into cells and computes scalar sums. The vector kernel is in neighbours_lanes.cpp.
#include "sim/system/flock/steering/neighbours.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "sim/base/parallel/parallel.h"
#include "sim/system/flock/steering/neighbours_lanes.h"

namespace vw {
namespace {

constexpr std::size_t neighbour_grain = 4096, look_grain = 256;

}  // namespace

// ---- Cells ----

/// Computes the bounding box of all members with a finite position.
void Neighbours::find_origin(std::span<const Vec3> position) {
  boxes_.assign(chunk_count(position.size(), neighbour_grain), Eigen::AlignedBox3d());
  parallel_for(position.size(), neighbour_grain, [&](Range range, std::size_t chunk) {
    Eigen::AlignedBox3d box;
    for (std::size_t i = range.begin; i < range.end; ++i)
      if (position[i].allFinite()) box.extend(position[i]);
    boxes_[chunk] = box;
  });
  Eigen::AlignedBox3d all;
  for (const auto& box : boxes_) all.extend(box);
  origin_ = all.isEmpty() ? Vec3(Vec3::Zero()) : Vec3(0.5 * all.min() + 0.5 * all.max());
  size_ = all.isEmpty() ? Vec3(Vec3::Zero()) : Vec3(all.sizes());
}

MemberRecord Neighbours::record_of(const FlockColumns& members, std::size_t row) const {
  const Vec3f place = (members.position[row] - origin_).cast<float>(), heading = members.heading[row].cast<float>();
  const auto who = static_cast<std::uint32_t>(row) | static_cast<std::uint32_t>(members.species[row])
                                                         << MemberRecord::row_bits;
  return {
      place.x(), place.y(), place.z(), heading.x(), heading.y(), heading.z(), static_cast<float>(members.speed[row]),
      who};
}

/// Chooses the width and the number of cells. Cells are slightly wider than the reach of the most numerous species, so
/// that no neighbour is missed because of rounding errors. Species with a longer reach search more cells. The number of
/// cells is limited to a few times the number of members, independently of the distances between members.
void Neighbours::choose_cells(const FlockColumns& members, std::span<const Sight> sights) {
  members_of_.assign(sights.size(), 0);
  for (const std::uint8_t species : members.species) ++members_of_[species];
  const auto most_of =
      static_cast<std::size_t>(std::max_element(members_of_.begin(), members_of_.end()) - members_of_.begin());
  const float reach = sights[most_of].reach_m;
  cells_per_m_ = 1 / (1.00001 * static_cast<double>(reach));
  reach_cells_.clear();
  for (const Sight& sight : sights)
    reach_cells_.push_back(static_cast<std::uint32_t>(std::clamp(std::ceil(sight.reach_m / reach), 1.0F, 1e6F)));
  int total = 0;
  for (int a = 0; a < 3; ++a) {
    const double count = std::min(size_[a] * cells_per_m_ + 3, 1e6);
    bits_[a] = std::max(2, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(count))));
    total += bits_[a];
  }
  const int most = std::max(6, static_cast<int>(std::bit_width(2 * cell_.size())));
  while (total > most) {
    int* widest = std::max_element(bits_, bits_ + 3);
    --*widest;
    --total;
  }
  start_.assign((std::size_t{1} << total) + 1, 0);
}

void Neighbours::sort(const FlockColumns& members) {
  const std::size_t n = members.position.size();
  const auto along = [this](float place, int axis) {
    const double at = std::floor(static_cast<double>(place) * cells_per_m_);
    const auto whole = std::abs(at) < 1e15 ? static_cast<std::int64_t>(at) : std::int64_t{0};
    return static_cast<std::uint32_t>(whole & ((std::int64_t{1} << bits_[axis]) - 1));
  };
  parallel_for(n, neighbour_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Vec3f place = (members.position[i] - origin_).cast<float>();
      cell_[i] = (along(place.z(), 2) << bits_[1] | along(place.y(), 1)) << bits_[0] | along(place.x(), 0);
    }
  });
  for (std::size_t i = 0; i < n; ++i) ++start_[cell_[i] + 1];
  for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
  for (std::size_t i = 0; i < n; ++i) slot_[i] = start_[cell_[i]]++;
  // Counting has advanced each entry of start_ to the start of the next cell. The shift restores the starts.
  std::copy_backward(start_.begin(), start_.end() - 1, start_.end());
  start_.front() = 0;
  parallel_for(n, neighbour_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) record_[slot_[i]] = record_of(members, i);
  });
}

void Neighbours::make_columns() {
  const std::size_t n = record_.size();
  for (auto* column : {&x_, &y_, &z_, &mx_, &my_, &mz_}) column->resize(n + SightJob::padding, 0);
  kind_.resize(n + SightJob::padding, 0);
  parallel_for(n, neighbour_grain, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const MemberRecord& one = record_[k];
      x_[k] = one.x, y_[k] = one.y, z_[k] = one.z;
      mx_[k] = one.speed * one.hx, my_[k] = one.speed * one.hy, mz_[k] = one.speed * one.hz;
      kind_[k] = 1U << one.species();
    }
  });
}

void Neighbours::look(const FlockColumns& members, std::span<const Sight> sights) {
  const std::size_t n = members.position.size();
  seen_.resize(n);
  cell_.resize(n);
  slot_.resize(n);
  record_.resize(n);
  if (n == 0) return;
  find_origin(members.position);
  choose_cells(members, sights);
  sort(members);
  make_columns();
  const SightJob job{x_.data(),      y_.data(), z_.data(), mx_.data(), my_.data(),   mz_.data(),  kind_.data(),
                     record_.data(), start_,    bits_,     sights,     reach_cells_, seen_.data()};
  parallel_for(n, look_grain, [&](Range range, std::size_t) { look_in_lanes(job, range); });
}

// ---- Scalar sums ----

void add_seen(const Sight& sight, const MemberRecord& self, const MemberRecord& other, Seen& seen) {
  const Vec3f offset(other.x - self.x, other.y - self.y, other.z - self.z);
  const float r = std::sqrt(offset.x() * offset.x() + (offset.y() * offset.y() + offset.z() * offset.z()));
  const std::uint32_t bit = 1U << other.species();
  seen.nearest_m = std::min(seen.nearest_m, r);
  if (r == 0) seen.same_place += 1;
  if ((sight.apart_bits & bit) != 0 && r > 0 && r < sight.spacing_m)
    seen.push -= offset * (1 / r - 1 / sight.spacing_m);
  if ((sight.flock_bits & bit) == 0) return;
  ++seen.count;
  seen.offset += offset;
  seen.motion += other.motion() - self.motion();
}

void add_nearest(const Sight& sight, const MemberRecord& self, const MemberRecord* records,
                 std::span<Candidate> candidates, Seen& seen) {
  const auto nearer = [records](const Candidate& a, const Candidate& b) {
    return a.squared != b.squared ? a.squared < b.squared : records[a.at].row() < records[b.at].row();
  };
  const std::size_t count = std::min<std::size_t>(sight.nearest, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count), candidates.end(),
                    nearer);
  for (const Candidate& one : candidates.first(count)) add_seen(sight, self, records[one.at], seen);
}

void Neighbours::look_plainly(const FlockColumns& members, std::span<const Sight> sights) {
  const std::size_t n = members.position.size();
  seen_.assign(n, Seen{});
  find_origin(members.position);
  record_.resize(n);
  slot_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    record_[i] = record_of(members, i);
    slot_[i] = static_cast<std::uint32_t>(i);
  }
  std::vector<Candidate> found;
  for (std::size_t i = 0; i < n; ++i) {
    const MemberRecord& self = record_[i];
    const Sight& sight = sights[self.species()];
    seen_[i].nearest_m = std::numeric_limits<float>::infinity();
    found.clear();
    for (std::size_t j = 0; j < n; ++j) {
      const Vec3f offset = record_[j].place() - self.place();
      if (j == i || ((sight.flock_bits | sight.apart_bits) & 1U << record_[j].species()) == 0 ||
          !sees(sight, self.heading(), offset))
        continue;
      found.push_back({offset.x() * offset.x() + (offset.y() * offset.y() + offset.z() * offset.z()),
                       static_cast<std::uint32_t>(j)});
    }
    if (sight.nearest > 0) {
      add_nearest(sight, self, record_.data(), found, seen_[i]);
      continue;
    }
    for (const Candidate& one : found) add_seen(sight, self, record_[one.at], seen_[i]);
  }
}

}  // namespace vw
