// Letters beyond Latin 1 that names of files and texts of the user contain, and fonts that have them. The fonts of the
// interface contain few letters, so that the first frame is fast. Letters that a text needs are added when a worker
// thread has found a font of the system that has them. Until then, and if no font has them, the interface shows
// question marks. Use only on the drawing thread.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "app/window/ui/widgets/theme.h"
#include "render/labels/letter_fonts.h"
#include "sim/snapshot/timeline.h"

namespace vw::ui {

class FurtherLetters {
 public:
  /// Records the letters of a text (UTF-8). Letters that were recorded before are ignored, and so are letters beyond
  /// U+FFFF, which Dear ImGui does not draw.
  void need(std::string_view text);
  void need(char32_t letter);
  /// Fetches the outcome of a finished search. If no search is in progress, starts a search for the letters that were
  /// recorded since the last search. Returns true if added() has changed. Call this once per frame.
  [[nodiscard]] bool update();
  /// Letters that were found. The result is valid until update() returns true.
  [[nodiscard]] std::span<const AddedLetters> added() const { return added_; }
  /// Whether a search is in progress or about to begin.
  [[nodiscard]] bool is_searching() const { return search_.valid() || !wanted_.empty(); }

  /// Versions of the texts that update_letters() has read.
  struct Read {
    const void* document = nullptr;
    std::uint64_t document_revision = 0, log_revision = 0, listings = 0;
    std::shared_ptr<const Timeline> timeline;
    bool recent = false;
  } read;

 private:
  static constexpr std::size_t limit = 4000;  ///< largest number of letters; each takes space in the fonts' texture
  std::unordered_set<char32_t> noted_;
  std::vector<char32_t> wanted_;
  std::future<std::vector<LetterFont>> search_;
  std::vector<LetterFont> fonts_;
  std::vector<AddedLetters> added_;
};

}  // namespace vw::ui
