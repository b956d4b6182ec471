// A counting sort distributes the surface voxels over the cells of a folded grid. A folded grid wraps around at its
// ends. Pairs are found by a search of the 27 cells around each voxel. A row is the index of a surface voxel in the
// list of surface voxels.
#include "sim/system/voxel/contact/watch_list.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vw {
namespace {

/// Work per surface voxel in the stages counting, sorting and pairing. The unit is the work of counting.
constexpr std::array<std::size_t, 3> row_cost{1, 1, 10};
constexpr std::size_t whole_cost = row_cost[0] + row_cost[1] + row_cost[2];
constexpr int cell_width = 16;           ///< log2 of the width of a cell in grid units
constexpr std::size_t rows_at_once = 8;  ///< number of rows copied at a time
constexpr double cell_units = 65536;
/// Upper bound, in grid units, of the rounding error of a displacement and of a distance computed in float.
constexpr double rounding = 4;

/// Voxels with a higher index than `v` that a bond, or a chain of two bonds, joins to `v`.
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
  /// Returns the bonded neighbour through each face, or `v` if there is none. The loop compiles to code without
  /// branches.
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
  std::array<std::uint32_t, face_count*(face_count + 1) + 1> voxel_;  ///< the first count_ entries are valid
  std::size_t count_ = 0;
};

/// Converts the position of voxel v to grid units. Returns false if the position is not finite or too large for an
/// integer.
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

/// Returns the difference of smallest magnitude between two coordinates that wrap modulo 2^32.
double wrapped_difference(std::uint32_t from, std::uint32_t to) {
  return static_cast<double>(static_cast<std::int32_t>(to - from));
}

/// Returns the index of the folded grid's cell that contains a point.
std::size_t place_of(const GridPoint& point, const std::array<std::uint32_t, 3>& bits) {
  std::size_t place = 0;
  for (std::size_t k = 3; k-- > 0;) place = place << bits[k] | (point[k] >> cell_width & ((1U << bits[k]) - 1));
  return place;
}

}  // namespace

double WatchList::left(std::span<const std::uint32_t> surface, const VoxelArrays& state,
                       std::span<const double> half_edge) {
  // A common translation of all voxels does not invalidate the list. The translation is estimated by the mean
  // displacement of at most 64 voxels, and is then subtracted.
  const std::size_t stride = surface.size() / 64 + 1;
  std::array<double, 3> shift{};
  double asked = 0;
  GridPoint now;
  bool good = true;
  for (std::size_t i = 0; i < surface.size(); i += stride, ++asked) {
    good = to_grid(state, surface[i], origin, units_per_m, now) && good;
    for (std::size_t k = 0; k < 3; ++k) shift[k] += wrapped_difference(position[i][k], now[k]);
  }
  for (double& s : shift) s /= std::max(1.0, asked);
  double farthest = 0;
  widest_now = 0;
  for (std::size_t i = 0; i < surface.size(); ++i) {
    good = to_grid(state, surface[i], origin, units_per_m, now) && good;
    double squared = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double d = wrapped_difference(position[i][k], now[k]) - shift[k];
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
  // A cell is as wide as the largest distance at which two voxels may touch after both have moved by the margin.
  list_.units_per_m = (cell_units - rounding) / (2 * (list_.widest + margin_m));
  std::array<double, 3> low{}, high{};
  bool good = true;
  for (std::size_t i = 0; i < surface.size(); ++i) {
    good = to_grid(state, surface[i], list_.origin, list_.units_per_m, list_.position[i]) && good;
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = wrapped_difference(0, list_.position[i][k]);
      low[k] = std::min(low[k], x), high[k] = std::max(high[k], x);
    }
  }
  for (std::size_t k = 0; k < 3; ++k) high[k] -= low[k];
  lay_grid(high);
  examined_ = 0;
  row_ = 0;
  // If a position is not finite or too large, the list is empty. The health check reports such a body.
  stage_ = surface.empty() || !good ? Stage::done : Stage::counting;
}

/// Chooses the number of cells along each axis. The grid starts with one cell. The number of cells is doubled along the
/// axis on which the body's extent is the largest multiple of the grid's length. This is repeated until there are
/// between one and two cells per row, or until the grid covers the whole extent.
void WatchListMaker::lay_grid(const std::array<double, 3>& extent) {
  grid_.bits = {};
  std::array<double, 3> cells{};
  // The index of a cell along an axis has at most 16 bits.
  for (std::size_t k = 0; k < 3; ++k) cells[k] = std::min(extent[k] / cell_units + 1, cell_units);
  for (std::size_t all = 1; all < list_.position.size(); all *= 2) {
    const auto longest = static_cast<std::size_t>(std::max_element(cells.begin(), cells.end()) - cells.begin());
    if (!(cells[longest] > 1)) break;
    cells[longest] /= 2;
    ++grid_.bits[longest];
  }
  grid_.start.assign((std::size_t{1} << (grid_.bits[0] + grid_.bits[1] + grid_.bits[2])) + 2, 0);
  grid_.order.resize(list_.position.size() + rows_at_once);
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
      // The rows of cell c are counted in start[c + 2]. After the prefix sum, start[c + 1] is the beginning of cell c.
      // After sorting, start[c + 1] is the end of cell c.
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

/// Writes the rows in the 27 cells around the point `here` to near_ and returns the number of rows. Each cell is
/// visited only once, even if the grid is less than three cells wide.
std::size_t WatchListMaker::find_near(const GridPoint& here) {
  constexpr std::uint32_t one = 1U << cell_width;
  std::size_t count = 0;
  const auto take = [&](std::size_t begin, std::size_t end) {
    const std::size_t last = grid_.start[end];
    std::size_t at = grid_.start[begin];
    if (near_.size() < count + (last - at) + 2 * rows_at_once)
      near_.resize(2 * (count + (last - at) + 2 * rows_at_once));
    std::uint32_t* out = near_.data() + count;
    count += last - at;
    do {  // copies `rows_at_once` rows at a time, and overwrites surplus rows later
      std::memcpy(out, grid_.order.data() + at, rows_at_once * sizeof(std::uint32_t));
      at += rows_at_once, out += rows_at_once;
    } while (at < last);
  };
  const auto width = [&](std::size_t axis) { return std::min(1U << grid_.bits[axis], 3U); };
  const std::size_t line_cells = std::size_t{1} << grid_.bits[0], cells = width(0);
  for (std::uint32_t z = 0; z < width(2); ++z)
    for (std::uint32_t y = 0; y < width(1); ++y) {
      const std::size_t from = place_of({here[0] - one, here[1] + (y - 1) * one, here[2] + (z - 1) * one}, grid_.bits);
      // The cells along an axis may wrap around at the end of the folded grid, so they are read in up to two ranges.
      const std::size_t line = from / line_cells * line_cells, straight = std::min(cells, line + line_cells - from);
      take(from, from + straight);
      if (straight < cells) take(line, line + cells - straight);
    }
  return count;
}

/// Adds the pairs of the surface voxel `row` and nearby surface voxels with higher rows. Candidates are selected
/// without branches, because the processor could not predict such branches well.
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
