#include "sim/history/film_pages.h"

#include <algorithm>
#include <cstring>

namespace vw {

std::uint32_t FilmPages::take_page() {
  ++used_pages_;
  if (free_ == no_page) return fresh_++;
  const std::uint32_t page = free_;
  free_ = next_[page];
  return page;
}

FilmPages::Place FilmPages::write(std::span<const std::byte> bytes) {
  if (memory_ == nullptr) {
    memory_ = std::make_unique_for_overwrite<std::byte[]>(page_count_ * page_bytes);
    next_ = std::make_unique_for_overwrite<std::uint32_t[]>(page_count_);
  }
  Place place{no_page, bytes.size()};
  std::uint32_t last = no_page;
  while (!bytes.empty()) {
    const std::uint32_t page = take_page();
    (last == no_page ? place.first : next_[last]) = page;
    const std::size_t size = std::min<std::size_t>(bytes.size(), page_bytes);
    std::memcpy(at(page), bytes.data(), size);
    bytes = bytes.subspan(size);
    last = page;
  }
  return place;
}

void FilmPages::read(const Place& place, std::vector<std::byte>& out) const {
  out.resize(place.size);
  std::uint32_t page = place.first;
  for (std::uint64_t done = 0; done < place.size; done += page_bytes) {
    std::memcpy(out.data() + done, at(page), std::min(place.size - done, page_bytes));
    page = next_[page];
  }
}

void FilmPages::free(const Place& place) {
  std::uint32_t page = place.first;
  for (std::uint64_t left = pages_for(place.size); left > 0; --left) {
    const std::uint32_t next = next_[page];
    next_[page] = free_;
    free_ = page;
    page = next;
    --used_pages_;
  }
}

}  // namespace vw
