#include "app/window/ui/widgets/further_letters.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <utility>

#include "render/labels/text_font.h"

namespace vw::ui {
namespace {

/// Whether a text contains a byte of a letter beyond Latin 1. This test excludes nearly all texts quickly. The cells of
/// a lattice are a long text in ASCII, of which eight bytes at a time are skipped.
bool has_further_letters(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::uint64_t word = 0;
  for (; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    if ((word & high_bits) != 0) break;
  }
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) > 0xC3; });
}

std::vector<ImWchar> ranges_of(std::vector<char32_t> letters) {
  std::ranges::sort(letters);
  std::vector<ImWchar> ranges;
  for (const char32_t letter : letters) {
    if (!ranges.empty() && letter == char32_t{ranges.back()} + 1)
      ranges.back() = static_cast<ImWchar>(letter);
    else
      ranges.insert(ranges.end(), 2, static_cast<ImWchar>(letter));
  }
  ranges.push_back(0);
  return ranges;
}

}  // namespace

void FurtherLetters::need(std::string_view text) {
  if (!has_further_letters(text)) return;
  for (const char32_t letter : code_points(text)) need(letter);
}

void FurtherLetters::need(char32_t letter) {
  const bool is_drawable = letter <= 0xFFFF && letter != U'\xFFFD' && !is_basic_letter(letter);
  if (is_drawable && noted_.size() < limit && noted_.insert(letter).second) wanted_.push_back(letter);
}

bool FurtherLetters::update() {
  bool has_grown = false;
  if (search_.valid() && search_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    for (LetterFont& found : search_.get()) {
      const auto known = std::ranges::find(fonts_, found.path, &LetterFont::path);
      if (known == fonts_.end())
        fonts_.push_back(std::move(found));
      else
        known->letters.insert(known->letters.end(), found.letters.begin(), found.letters.end());
      has_grown = true;
    }
    if (has_grown) added_.clear();
    for (const LetterFont& font : fonts_)
      if (has_grown) added_.push_back({font.bytes, ranges_of(font.letters), font.height_per_em});
  }
  if (!search_.valid() && !wanted_.empty())
    search_ =
        std::async(std::launch::async, [letters = std::exchange(wanted_, {})] { return find_letter_fonts(letters); });
  return has_grown;
}

}  // namespace vw::ui
