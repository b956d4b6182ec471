// A large island's contacts in an order that several threads can share: pairs of one colour have no body in common.
#pragma once

#include <span>
#include <vector>

#include "sim/system/rigid/rigid_contact.h"

namespace vw {

class ContactColors {
 public:
  /// Contacts of one pair of bodies, which stay together: a range of an order.
  using Pair = Range;

  /// Sorts an island's part of `order`, numbers of contacts, by colour. A body has as many colours as pairs: those beyond 63 have none.
  void sort(std::span<const RigidContact> contacts, std::span<std::uint32_t> order, std::size_t bodies);

  [[nodiscard]] std::size_t count() const { return first_.size() - 1; }
  /// Pairs of a colour, as ranges of what was sorted; those of the last one, which have no colour, go one after the other.
  [[nodiscard]] std::span<const Pair> pairs(std::size_t color) const {
    return std::span(pairs_).subspan(first_[color], first_[color + 1] - first_[color]);
  }
  /// Parts that the colours fall into where chunks of a shared one hold `grain` pairs.
  [[nodiscard]] std::size_t chunks(std::size_t grain) const;
  [[nodiscard]] bool is_shared(std::size_t color) const { return color + 1 < count(); }

 private:
  std::vector<Pair> pairs_;
  std::vector<std::size_t> first_{0};
  std::vector<Pair> found_;              // scratch
  std::vector<std::uint8_t> color_;      // scratch: of each pair found
  std::vector<std::uint64_t> used_;      // scratch: a body's colours, bit by bit
  std::vector<std::uint32_t> unsorted_;  // scratch
  std::vector<std::size_t> next_;        // scratch
};

}  // namespace vw
