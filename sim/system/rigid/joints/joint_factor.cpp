#include "sim/system/rigid/joints/joint_factor.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace vw {
namespace {

/// Smallest accepted magnitudes of the pivots of joints (least_negative) and of bodies (least_positive), as fractions
/// of the original diagonal entry. A smaller pivot of a joint is a rounding error, because the diagonal block of a
/// joint can only grow in magnitude during elimination.
constexpr double least_negative = 1e-2, least_positive = 1e-12;

/// Returns the inverse of a positive definite or nearly positive definite block. Pivots below `least` are replaced by
/// `least`.
Mat6 inverse_of(Mat6 a, const Vec6& least) {
  Mat6 back = Mat6::Identity();
  for (Eigen::Index j = 0; j < 6; ++j) {
    const double pivot = 1 / (a(j, j) > least[j] ? a(j, j) : least[j]);
    a.row(j) *= pivot, back.row(j) *= pivot;
    for (Eigen::Index i = 0; i < 6; ++i) {
      if (i == j) continue;
      const double factor = a(i, j);
      a.row(i).noalias() -= factor * a.row(j);
      back.row(i).noalias() -= factor * back.row(j);
    }
  }
  return back;
}

/// Decides which row may be eliminated next without causing a small pivot, provided that no constraint is redundant.
/// The row of a body may always be eliminated. When the row of a joint is eliminated, bodies that were eliminated
/// before act as free bodies and all other bodies as fixed bodies. Therefore at least one body of the joint must be
/// movable: it must belong to a connected piece of eliminated bodies that no eliminated joint connects to another body
/// or to the world.
class Order {
 public:
  Order(std::size_t count, std::size_t positive, std::span<const std::pair<std::size_t, std::size_t>> edges)
      : positive_(positive), piece_(positive), held_(positive, 0), gone_(count, 0), around_(count) {
    std::iota(piece_.begin(), piece_.end(), std::size_t{0});
    for (const auto& [a, b] : edges) around_[a].push_back(b), around_[b].push_back(a);
  }
  [[nodiscard]] bool may_go(std::size_t row) {
    if (row < positive_) return true;
    return std::any_of(around_[row].begin(), around_[row].end(),
                       [&](std::size_t body) { return gone_[body] != 0 && held_[lead(body)] == 0; });
  }
  void go(std::size_t row) {
    gone_[row] = 1;
    if (row < positive_) {
      for (const std::size_t joint : around_[row])
        if (gone_[joint] != 0 && has_both(joint)) join(joint), --held_[lead(row)];
    } else if (has_both(row)) {
      join(row);
    } else {
      for (const std::size_t body : around_[row]) held_[lead(body)] += gone_[body];
    }
  }

 private:
  std::size_t lead(std::size_t i) {
    while (piece_[i] != i) i = piece_[i] = piece_[piece_[i]];
    return i;
  }
  [[nodiscard]] bool has_both(std::size_t joint) const {
    const auto& bodies = around_[joint];
    return bodies.size() == 2 && gone_[bodies[0]] != 0 && gone_[bodies[1]] != 0;
  }
  void join(std::size_t joint) {
    const std::size_t a = lead(around_[joint][0]), b = lead(around_[joint][1]);
    if (a == b) return;
    held_[a] += held_[b];
    piece_[b] = a;
  }

  std::size_t positive_;
  std::vector<std::size_t> piece_;
  /// For each piece: number of eliminated joints that connect the piece to remaining bodies or to the world.
  std::vector<int> held_;
  std::vector<std::uint8_t> gone_;
  std::vector<std::vector<std::size_t>> around_;
};

}  // namespace

void BlockFactor::analyze(std::size_t count, std::size_t positive,
                          std::span<const std::pair<std::size_t, std::size_t>> edges) {
  positive_ = positive;
  std::vector<std::set<std::size_t>> around(count);  // Remaining neighbours of each row, including fill-in.
  for (const auto& [a, b] : edges) around[a].insert(b), around[b].insert(a);
  Order order(count, positive, edges);
  std::set<std::pair<std::size_t, std::size_t>> queue;  // Pairs (number of neighbours, row).
  for (std::size_t i = 0; i < count; ++i) queue.insert({around[i].size(), i});

  order_.clear();
  position_.assign(count, 0);
  std::vector<std::vector<std::size_t>> later(count);
  while (!queue.empty()) {
    auto best = queue.begin();
    while (best != queue.end() && !order.may_go(best->second)) ++best;
    const std::size_t row = (best != queue.end() ? best : queue.begin())->second;
    queue.erase({around[row].size(), row});
    order.go(row);
    position_[row] = order_.size();
    order_.push_back(row);
    later[row].assign(around[row].begin(), around[row].end());
    for (const std::size_t one : later[row]) {
      queue.erase({around[one].size(), one});
      around[one].erase(row);
      for (const std::size_t other : later[row])
        if (other != one) around[one].insert(other);
      queue.insert({around[one].size(), one});
    }
  }

  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> place(count);  // For each column: row and block.
  std::size_t blocks = 0;
  columns_.assign(count, {});
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<Entry>& entries = columns_[k].entries;
    for (const std::size_t row : later[order_[k]]) entries.push_back({position_[row], 0});
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.row < b.row; });
    for (Entry& entry : entries) entry.block = blocks++, place[k].push_back({entry.row, entry.block});
  }
  const auto block_of = [&](std::size_t row, std::size_t column) {
    const auto& all = place[column];
    return std::lower_bound(all.begin(), all.end(), std::pair<std::size_t, std::size_t>{row, 0})->second;
  };
  for (Column& column : columns_)
    for (std::size_t i = 0; i < column.entries.size(); ++i)
      for (std::size_t j = i + 1; j < column.entries.size(); ++j)
        column.updates.push_back(block_of(column.entries[j].row, column.entries[i].row));
  std::vector<std::uint8_t> set_by_edge(blocks, 0);
  edges_.clear();
  for (const auto& [a, b] : edges) {
    const std::size_t row = std::max(position_[a], position_[b]), column = std::min(position_[a], position_[b]);
    edges_.emplace_back(block_of(row, column), position_[a] == row);
    set_by_edge[edges_.back().first] = 1;
  }
  fill_.clear();
  for (std::size_t i = 0; i < blocks; ++i)
    if (set_by_edge[i] == 0) fill_.push_back(i);
  diagonal_.assign(count, Mat6::Identity());
  inverse_.assign(count, Mat6::Identity());
  below_.assign(blocks, Mat6::Zero());
  beside_.assign(blocks, Mat6::Zero());
  turned_.assign(count, Vec6::Zero());
}

void BlockFactor::set_edge(std::size_t edge, const Mat6& block, const Mat6& across) {
  const auto& [place, is_below] = edges_[edge];
  below_[place] = is_below ? block : across;
  beside_[place] = is_below ? across : block;
}

void BlockFactor::factorize() {
  for (const std::size_t i : fill_) below_[i].setZero(), beside_[i].setZero();
  for (std::size_t k = 0; k < columns_.size(); ++k) turned_[k] = diagonal_[k].diagonal().cwiseAbs();
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const bool is_positive = order_[k] < positive_;
    const double sign = is_positive ? 1 : -1;
    inverse_[k] = sign * inverse_of(sign * diagonal_[k], (is_positive ? least_positive : least_negative) * turned_[k]);
    const std::vector<Entry>& entries = columns_[k].entries;
    for (const Entry& entry : entries) below_[entry.block] = (below_[entry.block] * inverse_[k]).eval();
    const std::size_t* next = columns_[k].updates.data();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      diagonal_[entries[i].row].noalias() -= below_[entries[i].block] * beside_[entries[i].block];
      for (std::size_t j = i + 1; j < entries.size(); ++j, ++next) {
        below_[*next].noalias() -= below_[entries[j].block] * beside_[entries[i].block];
        beside_[*next].noalias() -= below_[entries[i].block] * beside_[entries[j].block];
      }
    }
  }
}

void BlockFactor::solve(std::span<Vec6> x) {
  const std::size_t n = columns_.size();
  for (std::size_t k = 0; k < n; ++k) turned_[k] = x[order_[k]];
  for (std::size_t k = 0; k < n; ++k)
    for (const Entry& entry : columns_[k].entries) turned_[entry.row].noalias() -= below_[entry.block] * turned_[k];
  for (std::size_t k = n; k-- > 0;) {
    Vec6 own = turned_[k];
    for (const Entry& entry : columns_[k].entries) own.noalias() -= beside_[entry.block] * turned_[entry.row];
    turned_[k].noalias() = inverse_[k] * own;
  }
  for (std::size_t k = 0; k < n; ++k) x[order_[k]] = turned_[k];
}

}  // namespace vw
