// List of pairs of neighbouring grains, with a margin (Verlet list). The list is valid until a grain has moved by more
// than the margin. A valid list contains every pair that can touch, so results do not depend on the time at which it
// was built.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/interaction/particles/grain_contact.h"
#include "sim/system/system.h"

namespace vw {

/// Memory of a contact, independent of the list of pairs. It belongs to the saved state and therefore consists of plain
/// numbers.
struct GrainContact {
  std::uint32_t a = 0, b = 0;  ///< Ids of the two grains.
  /// `sliding` is 1 for a sliding contact. `unused` is 1 for a pair that ProbeContact ignores, because the two
  /// overlapped initially. Otherwise, both are 0.
  std::uint32_t sliding = 0, unused = 0;
  std::array<double, 3> slip{}, impulse{}, velocity{};
  double work_j = 0, give_m = 0;
  template <class F>
  void each_number(F check) const {
    for (const auto* values : {&slip, &impulse, &velocity})
      for (const double x : *values) check(x);
    check(work_j), check(give_m);
  }
  template <class F>
  void each_member(F take) const {
    take("a", a), take("b", b), take("sliding", sliding), take("unused", unused);
    take("slip", slip), take("impulse", impulse), take("velocity", velocity);
    take("work", work_j), take("give", give_m);
  }
};
[[nodiscard]] GrainContact keep_contact(std::uint32_t a, std::uint32_t b, const GrainTouch& touch);
[[nodiscard]] GrainTouch recall_contact(const GrainContact& contact);

class GrainPairs {
 public:
  /// Returns whether the list still contains every pair that can touch. For the arguments, see build().
  [[nodiscard]] bool hold(const Elements& a, double age_a, const Elements& b, double age_b);
  /// Lists all pairs that may touch until hold() returns false. The partners j in `b` of each row i in `a` are in
  /// ascending order. `age_a` and `age_b` are the times since the last substeps of the two systems [s]. If `a` and `b`
  /// are the same object, each pair is listed once, with i < j. If there are more than most_pairs() pairs, returns
  /// false and leaves the list empty.
  [[nodiscard]] bool build(const Elements& a, double age_a, const Elements& b, double age_b);
  /// Returns the largest accepted number of pairs, which bounds memory and time. A dense packing of equal grains has
  /// about ten pairs per grain.
  [[nodiscard]] static std::uint64_t most_pairs(std::size_t grains);

  [[nodiscard]] std::size_t rows() const { return start_.empty() ? 0 : start_.size() - 1; }
  [[nodiscard]] std::size_t size() const { return partner_.size(); }
  [[nodiscard]] Range pairs_of(std::size_t i) const { return {start_[i], start_[i + 1]}; }
  [[nodiscard]] std::uint32_t partner(std::size_t pair) const { return partner_[pair]; }
  /// Returns the pairs in which row j of b is the partner, in ascending order.
  [[nodiscard]] std::span<const std::uint32_t> pairs_with(std::size_t j) const {
    return {with_.data() + with_start_[j], with_.data() + with_start_[j + 1]};
  }

  /// Copies the memory of all touching pairs to `out`, ordered by ids. `touch` has one entry per pair of the list.
  void pack(const std::vector<GrainTouch>& touch, std::vector<GrainContact>& out) const;
  /// Copies the memory from `contacts` to the listed pairs. Pairs that are not in `contacts` start without memory.
  void unpack(const std::vector<GrainContact>& contacts, std::vector<GrainTouch>& touch) const;

 private:
  /// State of one system when the list was built.
  struct Side {
    std::vector<Vec3> position;
    std::vector<double> radius;
    std::vector<std::uint32_t> id;
    void remember(const Elements& e, double age);
    [[nodiscard]] bool is_same(const Elements& e) const;
    [[nodiscard]] std::uint32_t identity(std::size_t i) const {
      return id.empty() ? static_cast<std::uint32_t>(i) : id[i];
    }
    /// Returns the row of a grain. Returns the number of rows if the grain no longer exists.
    [[nodiscard]] std::size_t row_of(std::uint32_t identity) const;
  };
  [[nodiscard]] bool is_near(const Side& side, const Elements& e, double age);
  /// Grains of similar size on one side, and a grid of their positions.
  struct SizeClass {
    std::vector<std::uint32_t> row;
    std::vector<Vec3> position;
    CellGrid grid;
  };
  static constexpr std::size_t most_classes = 8;
  struct RowPair {
    std::uint32_t a, b;
  };
  void sort_by_size(const Side& side, double widest, std::array<SizeClass, most_classes>& classes) const;
  [[nodiscard]] bool list_partners();
  [[nodiscard]] bool list_partners_by_size(double widest);
  void find_partners(std::size_t i, std::vector<std::uint32_t>& found) const;
  void find_larger(bool of_b, std::size_t i, double widest, std::vector<RowPair>& found) const;
  void sort_pairs();
  void list_reverse();

  bool within_ = false;
  double margin_m_ = 0;  ///< Distance that each grain may move before the list is rebuilt [m].
  Side a_, b_;
  CellGrid grid_;
  std::vector<std::uint32_t> start_, partner_;
  std::vector<std::uint32_t> with_start_, with_;
  // The members below are scratch memory.
  /// Size classes, from the widest to the narrowest. If a and b are the same system, only classes_a_ is used.
  std::array<SizeClass, most_classes> classes_a_, classes_b_;
  std::vector<std::vector<std::uint32_t>> chunk_partner_;
  std::vector<std::vector<RowPair>> chunk_pair_;
  std::vector<std::uint8_t> moved_;
};

}  // namespace vw
