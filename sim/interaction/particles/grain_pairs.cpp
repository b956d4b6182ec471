// For each grain of one side, a cell grid of the other side is searched. If sizes differ much, there is one grid per
// size class. Each chunk of grains collects its pairs separately. The results are then joined in order.
#include "sim/interaction/particles/grain_pairs.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "sim/base/parallel/parallel.h"
#include "sim/interaction/particles/size_class.h"

namespace vw {
namespace {

constexpr std::size_t search_chunk = 1024;

struct Radii {
  double widest = 0, mean = 0, narrowest = std::numeric_limits<double>::infinity();
};
Radii radii_of(const std::vector<double>& radii) {
  Radii out;
  for (const double r : radii) {
    out.widest = std::max(out.widest, r);
    out.narrowest = std::min(out.narrowest, r);
    out.mean += r;
  }
  out.mean /= std::max(1.0, static_cast<double>(radii.size()));
  return out;
}

}  // namespace

void GrainPairs::Side::remember(const Elements& e, double age) {
  position.resize(e.size());
  parallel_for(e.size(), search_chunk, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) position[i] = e.position[i] + age * e.velocity[i];
  });
  radius.assign(e.radius.begin(), e.radius.end());
  id.assign(e.id.begin(), e.id.end());
}

bool GrainPairs::Side::is_same(const Elements& e) const { return position.size() == e.size() && id == e.id; }

std::size_t GrainPairs::Side::row_of(std::uint32_t identity) const {
  if (id.empty()) return std::min<std::size_t>(identity, position.size());
  const auto found = std::lower_bound(id.begin(), id.end(), identity);
  return found != id.end() && *found == identity ? static_cast<std::size_t>(found - id.begin()) : position.size();
}

bool GrainPairs::is_near(const Side& side, const Elements& e, double age) {
  moved_.assign(chunk_count(e.size(), search_chunk), 0);
  parallel_for(e.size(), search_chunk, [&](Range range, std::size_t chunk) {
    bool near = true;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const double room = margin_m_ - std::max(0.0, e.radius[i] - side.radius[i]);
      near = near && room >= 0 && (e.position[i] + age * e.velocity[i] - side.position[i]).squaredNorm() <= room * room;
    }
    moved_[chunk] = near ? 0 : 1;
  });
  return std::none_of(moved_.begin(), moved_.end(), [](std::uint8_t moved) { return moved != 0; });
}

bool GrainPairs::hold(const Elements& a, double age_a, const Elements& b, double age_b) {
  if (start_.empty() || within_ != (&a == &b) || !a_.is_same(a) || !is_near(a_, a, age_a)) return false;
  return within_ || (b_.is_same(b) && is_near(b_, b, age_b));
}

std::uint64_t GrainPairs::most_pairs(std::size_t grains) {
  // 64 pairs per grain need 6 kB of memory per grain. The limit is at least 2 million pairs, so that for example 2,000
  // grains at a single position are still accepted.
  return std::min<std::uint64_t>(std::max<std::uint64_t>(64 * std::uint64_t{grains}, 2000000),
                                 std::numeric_limits<std::uint32_t>::max());
}

bool GrainPairs::build(const Elements& a, double age_a, const Elements& b, double age_b) {
  within_ = &a == &b;
  a_.remember(a, age_a);
  if (!within_) b_.remember(b, age_b);
  const Side& other = within_ ? a_ : b_;
  const Radii of_a = radii_of(a_.radius), of_b = radii_of(other.radius);
  // The margin depends on the mean radius. If it depended on the largest radius,
  // one wide grain would give each of many small grains dozens of candidates.
  margin_m_ = 0.25 * std::max(of_a.mean, of_b.mean);
  const double widest_of_all = std::max(of_a.widest, of_b.widest);
  const bool alike = size_class_of(std::min(of_a.narrowest, of_b.narrowest), widest_of_all, most_classes) == 0;
  if (alike) grid_.build(other.position, of_a.widest + of_b.widest + 2 * margin_m_);
  if (!(alike ? list_partners() : list_partners_by_size(widest_of_all))) {
    start_.clear();
    partner_.clear();
    return false;
  }
  list_reverse();
  return true;
}

/// Appends the partners of grain i, in ascending order. Between grains of one system, only partners after i count.
void GrainPairs::find_partners(std::size_t i, std::vector<std::uint32_t>& found) const {
  const Side& other = within_ ? a_ : b_;
  const auto before = static_cast<std::ptrdiff_t>(found.size());
  grid_.near(a_.position[i], [&](std::uint32_t j) {
    if (within_ && j <= i) return;
    const double reach = a_.radius[i] + other.radius[j] + 2 * margin_m_;
    if ((a_.position[i] - other.position[j]).squaredNorm() <= reach * reach) found.push_back(j);
  });
  std::sort(found.begin() + before, found.end());
}

/// Lists the partners of all grains. Returns false if there are too many pairs. In this case, the number of pairs that
/// each chunk has found depends on the threads, but the return value does not.
bool GrainPairs::list_partners() {
  const std::size_t n = a_.position.size(), chunks = chunk_count(n, search_chunk);
  const std::uint64_t most = most_pairs(n + (within_ ? 0 : b_.position.size()));
  start_.assign(n + 1, 0);
  if (chunk_partner_.size() < chunks) chunk_partner_.resize(chunks);
  std::atomic<std::uint64_t> total{0};
  parallel_for(n, search_chunk, [&](Range range, std::size_t chunk) {
    auto& found = chunk_partner_[chunk];
    found.clear();
    for (std::size_t i = range.begin; i < range.end && total.load(std::memory_order_relaxed) <= most; ++i) {
      const std::size_t before = found.size();
      find_partners(i, found);
      start_[i + 1] = static_cast<std::uint32_t>(found.size() - before);
      total.fetch_add(found.size() - before, std::memory_order_relaxed);
    }
  });
  if (total > most) {
    chunk_partner_.clear();
    return false;
  }
  for (std::size_t i = 0; i < n; ++i) start_[i + 1] += start_[i];
  partner_.resize(start_[n]);
  parallel_for(n, search_chunk, [&](Range range, std::size_t chunk) {
    std::copy(chunk_partner_[chunk].begin(), chunk_partner_[chunk].end(), partner_.begin() + start_[range.begin]);
  });
  return true;
}

// ---- Grains of very different sizes -------------------------------------------------------------------------------

void GrainPairs::sort_by_size(const Side& side, double widest, std::array<SizeClass, most_classes>& classes) const {
  for (SizeClass& one : classes) {
    one.row.clear();
    one.position.clear();
  }
  for (std::size_t i = 0; i < side.position.size(); ++i) {
    SizeClass& own = classes[size_class_of(side.radius[i], widest, most_classes)];
    own.row.push_back(static_cast<std::uint32_t>(i));
    own.position.push_back(side.position[i]);
  }
  double most = widest;
  for (SizeClass& one : classes) {
    one.grid.build(one.position, 2 * (most + margin_m_));
    most /= size_ratio;
  }
}

/// Finds the pairs of grain i with equal or larger grains of the other side. Grain i belongs to side b if `of_b`,
/// otherwise to a. The smaller grain of a pair searches for the larger grain, so that each grid can be as fine as
/// possible. If both belong to the same size class, the grain of side a searches or, within one system, the grain with
/// the lower row.
void GrainPairs::find_larger(bool of_b, std::size_t i, double widest, std::vector<RowPair>& found) const {
  const Side &self = of_b ? b_ : a_, &other = within_ || of_b ? a_ : b_;
  const auto& classes = within_ || of_b ? classes_a_ : classes_b_;
  const std::size_t own = size_class_of(self.radius[i], widest, most_classes), end = of_b ? own : own + 1;
  for (std::size_t c = 0; c < end; ++c)
    classes[c].grid.near(self.position[i], [&](std::uint32_t k) {
      const std::uint32_t j = classes[c].row[k], row = static_cast<std::uint32_t>(i);
      if (within_ && c == own && j <= i) return;
      const double reach = self.radius[i] + other.radius[j] + 2 * margin_m_;
      if ((self.position[i] - other.position[j]).squaredNorm() > reach * reach) return;
      const bool turn = of_b || (within_ && j < row);
      found.push_back(turn ? RowPair{j, row} : RowPair{row, j});
    });
}

bool GrainPairs::list_partners_by_size(double widest) {
  const std::size_t n = a_.position.size(), asking = n + (within_ ? 0 : b_.position.size()),
                    chunks = chunk_count(asking, search_chunk);
  sort_by_size(a_, widest, classes_a_);
  if (!within_) sort_by_size(b_, widest, classes_b_);
  const std::uint64_t most = most_pairs(asking);
  if (chunk_pair_.size() < chunks) chunk_pair_.resize(chunks);
  for (auto& pairs : chunk_pair_) pairs.clear();
  std::atomic<std::uint64_t> total{0};
  parallel_for(asking, search_chunk, [&](Range range, std::size_t chunk) {
    auto& found = chunk_pair_[chunk];
    for (std::size_t i = range.begin; i < range.end && total.load(std::memory_order_relaxed) <= most; ++i) {
      const std::size_t before = found.size();
      find_larger(i >= n, i < n ? i : i - n, widest, found);
      total.fetch_add(found.size() - before, std::memory_order_relaxed);
    }
  });
  if (total > most) {
    chunk_pair_.clear();
    return false;
  }
  sort_pairs();
  return true;
}

/// Sorts the pairs of all chunks by the row of a. The partners of each row are in ascending order.
void GrainPairs::sort_pairs() {
  const std::size_t n = a_.position.size();
  start_.assign(n + 1, 0);
  for (const auto& pairs : chunk_pair_)
    for (const RowPair& pair : pairs) ++start_[pair.a + 1];
  for (std::size_t i = 0; i < n; ++i) start_[i + 1] += start_[i];
  partner_.resize(start_[n]);
  // Entries are written backwards from the end of each row. Afterwards, start_[i + 1] is the index of the first entry
  // of row i.
  for (const auto& pairs : chunk_pair_)
    for (const RowPair& pair : pairs) partner_[--start_[pair.a + 1]] = pair.b;
  const auto end = static_cast<std::uint32_t>(partner_.size());
  for (std::size_t i = 0; i < n; ++i) start_[i] = start_[i + 1];
  start_[n] = end;
  parallel_for(n, search_chunk, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i)
      std::sort(partner_.begin() + start_[i], partner_.begin() + start_[i + 1]);
  });
}

void GrainPairs::list_reverse() {
  const std::size_t n = within_ ? a_.position.size() : b_.position.size();
  with_start_.assign(n + 1, 0);
  for (const std::uint32_t j : partner_) ++with_start_[j + 1];
  for (std::size_t j = 0; j < n; ++j) with_start_[j + 1] += with_start_[j];
  with_.resize(partner_.size());
  // Entries are written backwards from the end of each row, so the pairs of a row are in ascending order. Afterwards,
  // with_start_[j + 1] is the index of the first entry of row j.
  for (std::size_t p = partner_.size(); p-- > 0;) with_[--with_start_[partner_[p] + 1]] = static_cast<std::uint32_t>(p);
  for (std::size_t j = 0; j < n; ++j) with_start_[j] = with_start_[j + 1];
  with_start_[n] = static_cast<std::uint32_t>(partner_.size());
}

GrainContact keep_contact(std::uint32_t a, std::uint32_t b, const GrainTouch& touch) {
  const auto numbers = [](const Vec3& v) { return std::array<double, 3>{v.x(), v.y(), v.z()}; };
  return {a,
          b,
          touch.sliding ? 1U : 0U,
          0,
          numbers(touch.slip),
          numbers(touch.impulse),
          numbers(touch.velocity),
          touch.work_j,
          touch.give_m};
}

GrainTouch recall_contact(const GrainContact& c) {
  const auto vector = [](const std::array<double, 3>& v) { return Vec3(v[0], v[1], v[2]); };
  return {vector(c.slip), vector(c.impulse), vector(c.velocity), c.work_j, c.give_m, true, c.sliding != 0};
}

void GrainPairs::pack(const std::vector<GrainTouch>& touch, std::vector<GrainContact>& out) const {
  out.clear();
  if (touch.size() != size()) return;
  const Side& other = within_ ? a_ : b_;
  for (std::size_t i = 0; i < rows(); ++i)
    for (std::uint32_t p = start_[i]; p < start_[i + 1]; ++p) {
      const GrainTouch& t = touch[p];
      if (!t.touching) continue;
      out.push_back(keep_contact(a_.identity(i), other.identity(partner_[p]), t));
    }
}

void GrainPairs::unpack(const std::vector<GrainContact>& contacts, std::vector<GrainTouch>& touch) const {
  touch.assign(size(), GrainTouch{});
  const Side& other = within_ ? a_ : b_;
  for (const GrainContact& c : contacts) {
    const std::size_t i = a_.row_of(c.a), j = other.row_of(c.b);
    if (i >= rows() || j >= other.position.size()) continue;
    const auto first = partner_.begin() + start_[i], last = partner_.begin() + start_[i + 1];
    const auto found = std::lower_bound(first, last, static_cast<std::uint32_t>(j));
    if (found == last || *found != j) continue;
    touch[static_cast<std::size_t>(found - partner_.begin())] = recall_contact(c);
  }
}

}  // namespace vw
