// Memory of a film, divided into pages of equal size. A frame takes as many pages as it needs. Pages of removed frames
// are reused, so a film of constant size allocates no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace vw {

class FilmPages {
 public:
  static constexpr std::uint64_t page_bytes = 1024;
  /// Location of data that were written.
  struct Place {
    std::uint32_t first = 0;  ///< number of the first page; the other pages are linked to it
    std::uint64_t size = 0;   ///< [bytes]
  };

  /// The first write() reserves address space for `limit_bytes`. The operating system provides memory for a page only
  /// when the page is first used.
  explicit FilmPages(std::uint64_t limit_bytes) : page_count_(static_cast<std::uint32_t>(limit_bytes / page_bytes)) {}

  /// Returns whether write() has enough free pages.
  [[nodiscard]] bool has_room(std::uint64_t bytes) const { return pages_for(bytes) <= page_count_ - used_pages_; }
  /// Writes data to free pages. has_room() must be true for their size.
  [[nodiscard]] Place write(std::span<const std::byte> bytes);
  void read(const Place& place, std::vector<std::byte>& out) const;
  void free(const Place& place);
  [[nodiscard]] std::uint64_t used_bytes() const { return std::uint64_t{used_pages_} * page_bytes; }
  [[nodiscard]] std::uint64_t limit_bytes() const { return std::uint64_t{page_count_} * page_bytes; }
  /// Returns the number of bytes of the pages that are needed for `bytes`.
  [[nodiscard]] static std::uint64_t bytes_in_pages(std::uint64_t bytes) { return pages_for(bytes) * page_bytes; }

 private:
  static constexpr std::uint32_t no_page = 0xffffffff;
  [[nodiscard]] static std::uint64_t pages_for(std::uint64_t bytes) { return (bytes + page_bytes - 1) / page_bytes; }
  [[nodiscard]] std::uint32_t take_page();
  [[nodiscard]] std::byte* at(std::uint32_t page) const { return memory_.get() + page * page_bytes; }

  std::uint32_t page_count_ = 0, used_pages_ = 0;
  std::uint32_t fresh_ = 0;       ///< first page that has never been used; all later pages have not been used either
  std::uint32_t free_ = no_page;  ///< first page of the list of freed pages
  std::unique_ptr<std::byte[]> memory_;
  std::unique_ptr<std::uint32_t[]> next_;  ///< next page of the same frame, or of the list of freed pages
};

}  // namespace vw
