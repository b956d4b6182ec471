#include "sim/system/rigid/joint_factor.h"

#include <algorithm>
#include <set>

namespace vw {
namespace {

/// Pivots below these shares of what stood on the diagonal at first are rounding. A negative block only grows by elimination.
constexpr double least_negative = 1e-2, least_positive = 1e-12;

/// Of a positive definite block, whose pivots are at least `least`.
Mat6 inverse_of(const Mat6& a, const Vec6& least) {
  Mat6 lower = Mat6::Identity();
  Vec6 pivot;
  for (Eigen::Index j = 0; j < 6; ++j) {
    double d = a(j, j);
    for (Eigen::Index k = 0; k < j; ++k) d -= lower(j, k) * lower(j, k) * pivot[k];
    pivot[j] = d > least[j] ? d : least[j];
    for (Eigen::Index i = j + 1; i < 6; ++i) {
      double s = a(i, j);
      for (Eigen::Index k = 0; k < j; ++k) s -= lower(i, k) * lower(j, k) * pivot[k];
      lower(i, j) = s / pivot[j];
    }
  }
  Mat6 back = Mat6::Identity();  // of lower
  for (Eigen::Index j = 0; j < 6; ++j)
    for (Eigen::Index i = j + 1; i < 6; ++i) {
      double s = 0;
      for (Eigen::Index k = j; k < i; ++k) s -= lower(i, k) * back(k, j);
      back(i, j) = s;
    }
  return back.transpose() * pivot.cwiseInverse().asDiagonal() * back;
}

}  // namespace

void BlockFactor::analyze(std::size_t count, std::size_t positive, std::span<const std::pair<std::size_t, std::size_t>> edges) {
  positive_ = positive;
  std::vector<std::set<std::size_t>> around(count);  // who is left, as elimination joins them
  for (const auto& [a, b] : edges) around[a].insert(b), around[b].insert(a);
  std::vector<std::uint8_t> ready(count, 0);
  for (std::size_t i = 0; i < count; ++i) ready[i] = i < positive || around[i].empty() ? 1 : 0;
  std::set<std::pair<std::size_t, std::size_t>> queue;  // by the number of neighbours
  for (std::size_t i = 0; i < count; ++i)
    if (ready[i] != 0) queue.insert({around[i].size(), i});

  order_.clear();
  position_.assign(count, 0);
  std::vector<std::vector<std::size_t>> later(count);
  while (!queue.empty()) {
    const std::size_t row = queue.begin()->second;
    queue.erase(queue.begin());
    position_[row] = order_.size();
    order_.push_back(row);
    later[row].assign(around[row].begin(), around[row].end());
    for (const std::size_t one : later[row]) queue.erase({around[one].size(), one});
    for (const std::size_t one : later[row]) {
      around[one].erase(row);
      for (const std::size_t other : later[row])
        if (other != one) around[one].insert(other);
      ready[one] = 1;
    }
    for (const std::size_t one : later[row]) queue.insert({around[one].size(), one});
  }

  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> place(count);  // of each column: row and block
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
    edges_.emplace_back(block_of(row, column), position_[a] == column);
    set_by_edge[edges_.back().first] = 1;
  }
  fill_.clear();
  for (std::size_t i = 0; i < blocks; ++i)
    if (set_by_edge[i] == 0) fill_.push_back(i);
  diagonal_.assign(count, Mat6::Identity());
  inverse_.assign(count, Mat6::Identity());
  blocks_.assign(blocks, Mat6::Zero());
  turned_.assign(count, Vec6::Zero());
}

void BlockFactor::set_edge(std::size_t edge, const Mat6& block) {
  const auto& [place, transposed] = edges_[edge];
  if (transposed)
    blocks_[place] = block.transpose();
  else
    blocks_[place] = block;
}

void BlockFactor::factorize() {
  for (const std::size_t i : fill_) blocks_[i].setZero();
  for (std::size_t k = 0; k < columns_.size(); ++k) turned_[k] = diagonal_[k].diagonal().cwiseAbs();
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const bool is_positive = order_[k] < positive_;
    const double sign = is_positive ? 1 : -1;
    inverse_[k] = sign * inverse_of(sign * diagonal_[k], (is_positive ? least_positive : least_negative) * turned_[k]);
    const std::vector<Entry>& entries = columns_[k].entries;
    std::size_t next = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      // What is left of this column's block is scaled by the pivot; later entries are not yet.
      const Mat6 scaled = blocks_[entries[i].block] * inverse_[k];
      diagonal_[entries[i].row].noalias() -= scaled * blocks_[entries[i].block].transpose();
      for (std::size_t j = i + 1; j < entries.size(); ++j) blocks_[columns_[k].updates[next++]].noalias() -= blocks_[entries[j].block] * scaled.transpose();
      blocks_[entries[i].block] = scaled;
    }
  }
}

void BlockFactor::solve(std::span<Vec6> x) const {
  const std::size_t n = columns_.size();
  for (std::size_t k = 0; k < n; ++k) turned_[k] = x[order_[k]];
  for (std::size_t k = 0; k < n; ++k)
    for (const Entry& entry : columns_[k].entries) turned_[entry.row].noalias() -= blocks_[entry.block] * turned_[k];
  for (std::size_t k = n; k-- > 0;) {
    Vec6 own = inverse_[k] * turned_[k];
    for (const Entry& entry : columns_[k].entries) own.noalias() -= blocks_[entry.block].transpose() * turned_[entry.row];
    turned_[k] = own;
  }
  for (std::size_t k = 0; k < n; ++k) x[order_[k]] = turned_[k];
}

}  // namespace vw
