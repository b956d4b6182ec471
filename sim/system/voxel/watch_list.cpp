// Counting sort into folded cells, then a search of the 27 cells around each row.
#include "sim/system/voxel/watch_list.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vw {
namespace {

/// Cost of a row in each stage, in units of the first stage's.
constexpr std::array<std::size_t, 3> row_cost{1, 1, 10};
constexpr std::size_t whole_cost = row_cost[0] + row_cost[1] + row_cost[2];
constexpr int cell_width = 16;  ///< log2 of a cell's width in units
constexpr std::size_t run = 8;  ///< number of rows copied at a time
constexpr double cell_units = 65536;
/// In units: bound on the rounding error of a distance between two grid points (in float) and of a displacement.
constexpr double rounding = 4;

/// Voxels with a higher index than `v` that a bond, or a chain of two bonds, joins to it.
class LaterJoined {
 public:
  LaterJoined(const LatticeTopology& topology, std::uint32_t v) {
    const std::array<std::uint32_t, face_count> near = neighbours(topology, v);
    for (const std::uint32_t u : near) {
      add(u, v);
      for (const std::uint32_t w : neighbours(topology, u)) add(w, v);
    }
  }
  [[nodiscard]] bool contains(std::uint32_t v) const {
    unsigned found = 0;
    for (std::size_t i = 0; i < count_; ++i) found |= voxel_[i] == v ? 1U : 0U;
    return found != 0;
  }

 private:
  /// Neighbour through each face, or the voxel itself if there is none. Without branches.
  static std::array<std::uint32_t, face_count> neighbours(const LatticeTopology& topology, std::uint32_t v) {
    std::array<std::uint32_t, face_count> out{};
    const auto self = static_cast<std::int32_t>(v);
    const Bond none{self, self};
    for (std::size_t face = 0; face < face_count; ++face) {
      const std::int32_t bond = topology.bond_at[v][face];
      const Bond& ends = bond < 0 ? none : topology.bonds[static_cast<std::size_t>(bond)];
      out[face] = static_cast<std::uint32_t>(face % 2 == 0 ? ends.a : ends.b);
    }
    return out;
  }
  void add(std::uint32_t voxel, std::uint32_t after) {
    voxel_[count_] = voxel;
    count_ += voxel > after ? 1 : 0;
  }
  std::array<std::uint32_t, face_count*(face_count + 1) + 1> voxel_;  ///< filled up to count_
  std::size_t count_ = 0;
};

/// Converts a position to grid units. Returns false if it is not finite or too large for an integer.
bool to_grid(const VoxelArrays& state, std::uint32_t v, const Vec3& origin, double units_per_m, GridPoint& out) {
  constexpr double most = 9e18;
  bool good = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const double units = (state.position[k][v] - origin[static_cast<Eigen::Index>(k)]) * units_per_m;
    good = good && std::abs(units) < most;
    out[k] = static_cast<std::uint32_t>(static_cast<std::int64_t>(std::abs(units) < most ? units : 0));
  }
  return good;
}

/// Shortest difference of two coordinates that wrap.
double way(std::uint32_t from, std::uint32_t to) { return static_cast<double>(static_cast<std::int32_t>(to - from)); }

/// Index of the cell of a point.
std::size_t place_of(const GridPoint& point, const std::array<std::uint32_t, 3>& bits) {
  std::size_t place = 0;
  for (std::size_t k = 3; k-- > 0;) place = place << bits[k] | (point[k] >> cell_width & ((1U << bits[k]) - 1));
  return place;
}

}  // namespace

double WatchList::left(std::span<const std::uint32_t> surface, const VoxelArrays& state,
                       std::span<const double> half_edge) {
  // Any common translation is valid; the mean over some voxels is close to the best one.
  const std::size_t stride = surface.size() / 64 + 1;
  std::array<double, 3> shift{};
  double asked = 0;
  GridPoint now;
  bool good = true;
  for (std::size_t i = 0; i < surface.size(); i += stride, ++asked) {
    good = to_grid(state, surface[i], origin, units_per_m, now) && good;
    for (std::size_t k = 0; k < 3; ++k) shift[k] += way(position[i][k], now[k]);
  }
  for (double& s : shift) s /= std::max(1.0, asked);
  double farthest = 0;
  widest_now = 0;
  for (std::size_t i = 0; i < surface.size(); ++i) {
    good = to_grid(state, surface[i], origin, units_per_m, now) && good;
    double squared = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double d = way(position[i][k], now[k]) - shift[k];
      squared += d * d;
    }
    farthest = std::max(farthest, squared);
    widest_now = std::max(widest_now, half_edge[surface[i]]);
  }
  if (!good) return -1;
  return margin - (std::sqrt(farthest) + rounding) / units_per_m - std::max(0.0, widest_now - widest);
}

void WatchListMaker::capture(std::span<const std::uint32_t> surface, const VoxelArrays& state,
                             std::span<const double> half_edge, double margin_m) {
  list_.pairs.clear();
  list_.position.resize(surface.size());
  list_.origin = surface.empty() ? Vec3(Vec3::Zero()) : state.position_of(surface.front());
  list_.margin = margin_m;
  list_.widest = 0;
  for (const std::uint32_t v : surface) list_.widest = std::max(list_.widest, half_edge[v]);
  list_.widest_now = list_.widest;
  // A cell is as wide as the reach of two voxels.
  list_.units_per_m = (cell_units - rounding) / (2 * (list_.widest + margin_m));
  std::array<double, 3> low{}, high{};
  bool good = true;
  for (std::size_t i = 0; i < surface.size(); ++i) {
    good = to_grid(state, surface[i], list_.origin, list_.units_per_m, list_.position[i]) && good;
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = way(0, list_.position[i][k]);
      low[k] = std::min(low[k], x), high[k] = std::max(high[k], x);
    }
  }
  for (std::size_t k = 0; k < 3; ++k) high[k] -= low[k];
  lay_grid(high);
  examined_ = 0;
  row_ = 0;
  // An exploded body gets no pairs; the health check reports it.
  stage_ = surface.empty() || !good ? Stage::done : Stage::counting;
}

/// Chooses as many cells as there are rows or up to twice that, along the longest axes.
void WatchListMaker::lay_grid(const std::array<double, 3>& extent) {
  grid_.bits = {};
  std::array<double, 3> cells{};
  // Cell numbers have 16 bits.
  for (std::size_t k = 0; k < 3; ++k) cells[k] = std::min(extent[k] / cell_units + 1, cell_units);
  for (std::size_t all = 1; all < list_.position.size(); all *= 2) {
    const auto longest = static_cast<std::size_t>(std::max_element(cells.begin(), cells.end()) - cells.begin());
    if (!(cells[longest] > 1)) break;
    cells[longest] /= 2;
    ++grid_.bits[longest];
  }
  grid_.start.assign((std::size_t{1} << (grid_.bits[0] + grid_.bits[1] + grid_.bits[2])) + 2, 0);
  grid_.order.resize(list_.position.size() + run);
}

double WatchListMaker::done() const {
  const std::size_t rows = list_.position.size();
  if (stage_ == Stage::done || rows == 0) return 1;
  std::size_t before = 0;
  for (std::size_t s = 0; s < static_cast<std::size_t>(stage_); ++s) before += row_cost[s];
  const double here =
      static_cast<double>(row_ * row_cost[static_cast<std::size_t>(stage_)]) / static_cast<double>(rows);
  return (static_cast<double>(before) + here) / static_cast<double>(whole_cost);
}

void WatchListMaker::go_on(double share, std::span<const std::uint32_t> surface, const LatticeTopology& topology) {
  const std::size_t rows = list_.position.size();
  auto cost = static_cast<std::size_t>(std::ceil(share * static_cast<double>(rows * whole_cost)));
  while (stage_ != Stage::done && cost > 0) {
    const std::size_t each = row_cost[static_cast<std::size_t>(stage_)],
                      end = std::min(rows, row_ + (cost + each - 1) / each);
    cost -= std::min(cost, (end - row_) * each);
    for (; row_ < end; ++row_) {
      // Counted two cells ahead: after the summation start[c + 1] is the begin of cell c, and after the sorting its
      // end.
      if (stage_ == Stage::counting) ++grid_.start[place_of(list_.position[row_], grid_.bits) + 2];
      if (stage_ == Stage::sorting)
        grid_.order[grid_.start[place_of(list_.position[row_], grid_.bits) + 1]++] = static_cast<std::uint32_t>(row_);
      if (stage_ == Stage::pairing) add_pairs(static_cast<std::uint32_t>(row_), surface, topology);
    }
    if (row_ < rows) break;
    if (stage_ == Stage::counting)
      for (std::size_t c = 1; c < grid_.start.size(); ++c) grid_.start[c] += grid_.start[c - 1];
    row_ = 0;
    stage_ = static_cast<Stage>(static_cast<int>(stage_) + 1);
  }
}

/// Collects the rows in the 27 cells around a point in near_ and returns their number. No cell is visited twice, even
/// if the grid is less than three cells wide.
std::size_t WatchListMaker::find_near(const GridPoint& here) {
  constexpr std::uint32_t one = 1U << cell_width;
  std::size_t count = 0;
  const auto take = [&](std::size_t begin, std::size_t end) {
    const std::size_t last = grid_.start[end];
    std::size_t at = grid_.start[begin];
    if (near_.size() < count + (last - at) + 2 * run) near_.resize(2 * (count + (last - at) + 2 * run));
    std::uint32_t* out = near_.data() + count;
    count += last - at;
    do {  // copies whole runs instead of testing the length
      std::memcpy(out, grid_.order.data() + at, run * sizeof(std::uint32_t));
      at += run, out += run;
    } while (at < last);
  };
  const auto width = [&](std::size_t axis) { return std::min(1U << grid_.bits[axis], 3U); };
  const std::size_t line_cells = std::size_t{1} << grid_.bits[0], cells = width(0);
  for (std::uint32_t z = 0; z < width(2); ++z)
    for (std::uint32_t y = 0; y < width(1); ++y) {
      const std::size_t from = place_of({here[0] - one, here[1] + (y - 1) * one, here[2] + (z - 1) * one}, grid_.bits);
      // Up to the end of the folded line.
      const std::size_t line = from / line_cells * line_cells, straight = std::min(cells, line + line_cells - from);
      take(from, from + straight);
      if (straight < cells) take(line, line + cells - straight);
    }
  return count;
}

/// Adds the pairs of a row with later rows. Candidates are selected without branches, which would be unpredictable.
void WatchListMaker::add_pairs(std::uint32_t row, std::span<const std::uint32_t> surface,
                               const LatticeTopology& topology) {
  constexpr float reach = cell_units;
  const GridPoint here = list_.position[row];
  const std::size_t count = find_near(here);
  std::uint32_t* const near = near_.data();
  std::size_t later = 0, found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t other = near[i];
    near[later] = other;
    later += other > row ? 1 : 0;
  }
  for (std::size_t i = 0; i < later; ++i) {
    const std::uint32_t other = near[i];
    const GridPoint& there = list_.position[other];
    float squared = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto d = static_cast<float>(static_cast<std::int32_t>(there[k] - here[k]));
      squared += d * d;
    }
    near[found] = other;
    found += squared < reach * reach ? 1 : 0;
  }
  examined_ += later;
  if (found == 0) return;
  const LaterJoined joined(topology, surface[row]);
  const auto kept =
      std::remove_if(near, near + found, [&](std::uint32_t other) { return joined.contains(surface[other]); });
  std::sort(near, kept);
  for (const std::uint32_t* other = near; other != kept; ++other)
    list_.pairs.emplace_back(surface[row], surface[*other]);
}

}  // namespace vw
