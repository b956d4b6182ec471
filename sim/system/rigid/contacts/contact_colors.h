// Graph colouring of the contacts of a large island. Two pairs of bodies with the same colour have no body in common,
// so several threads may process the pairs of one colour at the same time.
#pragma once

#include <span>
#include <vector>

#include "sim/system/rigid/contacts/rigid_contact.h"

namespace vw {

class ContactColors {
 public:
  /// The contacts of one pair of bodies, as a range of positions in the order that sort() writes.
  using Pair = Range;

  /// Sorts the contact indices `order` of an island by colour. All pairs that contain the same body need different
  /// colours. If none of the first 63 colours is free, the pair goes into the last group, which is not coloured.
  void sort(std::span<const RigidContact> contacts, std::span<std::uint32_t> order, std::size_t bodies);

  [[nodiscard]] std::size_t count() const { return first_.size() - 1; }
  /// Returns the pairs of a colour, as ranges of positions in the order that sort() writes. The pairs of the last group
  /// must be processed one after the other, because that group is not coloured.
  [[nodiscard]] std::span<const Pair> pairs(std::size_t color) const {
    return std::span(pairs_).subspan(first_[color], first_[color + 1] - first_[color]);
  }
  /// Returns the number of chunks of all colours. Each chunk is processed by one thread. A chunk of a colour that
  /// several threads share holds up to `grain` pairs.
  [[nodiscard]] std::size_t chunks(std::size_t grain) const;
  [[nodiscard]] bool is_shared(std::size_t color) const { return color + 1 < count(); }

 private:
  std::vector<Pair> pairs_;
  std::vector<std::size_t> first_{0};
  std::vector<Pair> found_;              // Scratch.
  std::vector<std::uint8_t> color_;      // Scratch: colour of each pair in found_.
  std::vector<std::uint64_t> used_;      // Scratch: colours used by each body, one bit per colour.
  std::vector<std::uint32_t> unsorted_;  // Scratch.
  std::vector<std::size_t> next_;        // Scratch.
};

}  // namespace vw
