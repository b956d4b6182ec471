// Uses the window's interface as a user does: finds texts on the screen, clicks on them, presses keys and types. No
// display is needed.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <GLFW/glfw3.h>

#include "tests/app/window/frames.h"

namespace vw::ui {

class WindowInput : public WindowFrames {
 protected:
  /// Draws frames until all queued input has been handled, and then `more` frames, so that its effects are visible.
  void frames(App& app, int more = 2) {
    for (int i = -more; i < 0 || !queue_.empty(); i += queue_.empty() ? 1 : 0) {
      feed_input(ImGui::GetIO(), queue_.take_frame());
      frame_of(app);
    }
  }
  void move_to(ImVec2 at) {
    queue_.push({InputEvent::Kind::move, static_cast<double>(at.x), static_cast<double>(at.y), 0, false});
  }
  void click(App& app, ImVec2 at, int button = 0, int times = 1) {
    move_to(at);
    for (int i = 0; i < times; ++i)
      for (const bool down : {true, false}) queue_.push({InputEvent::Kind::button, 0, 0, button, down});
    frames(app);
  }
  /// Clicks on a text that the last frame showed.
  void click(App& app, std::string_view text, int button = 0, int times = 1) {
    click(app, place_of(text), button, times);
  }
  /// Presses the left button at `from`, and moves the pointer to `to` while the button is held down.
  void hold_and_move(App& app, ImVec2 from, ImVec2 to) {
    move_to(from);
    queue_.push({InputEvent::Kind::button, 0, 0, 0, true});
    frames(app);
    move_to({(from.x + to.x) / 2, (from.y + to.y) / 2});
    frames(app);
    move_to(to);
    frames(app);
  }
  /// Calls hold_and_move(), and then releases the button at `to`.
  void drag_and_drop(App& app, ImVec2 from, ImVec2 to) {
    hold_and_move(app, from, to);
    queue_.push({InputEvent::Kind::button, 0, 0, 0, false});
    frames(app);
  }
  /// Drags from `from` to `to` with the given mouse button.
  void drag(App& app, ImVec2 from, ImVec2 to, int button) {
    move_to(from);
    queue_.push({InputEvent::Kind::button, 0, 0, button, true});
    frames(app);
    move_to({(from.x + to.x) / 2, (from.y + to.y) / 2});
    frames(app);
    move_to(to);
    frames(app);
    queue_.push({InputEvent::Kind::button, 0, 0, button, false});
    frames(app);
  }
  /// Turns the mouse wheel over a point. Positive `notches` turn it away from the user.
  void turn_wheel(App& app, ImVec2 at, double notches = 1) {
    move_to(at);
    queue_.push({InputEvent::Kind::wheel, 0, notches, 0, false});
    frames(app);
  }
  /// Presses and releases a key (GLFW key code) while the modifiers are held.
  void press(App& app, int key, std::vector<int> modifiers = {}) {
    for (const int one : modifiers) queue_.push({InputEvent::Kind::key, 0, 0, one, true});
    frames(app, 1);
    for (const bool down : {true, false}) queue_.push({InputEvent::Kind::key, 0, 0, key, down});
    frames(app, 1);
    for (const int one : modifiers) queue_.push({InputEvent::Kind::key, 0, 0, one, false});
    frames(app);
  }
  /// Presses a modifier key and holds it down, or releases it.
  void hold_key(App& app, int key, bool down) {
    queue_.push({InputEvent::Kind::key, 0, 0, key, down});
    frames(app);
  }
  void type(App& app, std::string_view text) {
    for (const char c : text) queue_.push({InputEvent::Kind::text, 0, 0, c, false});
    frames(app);
  }

  /// Returns the text of the newest message in the log. The text is empty if there is no message.
  [[nodiscard]] static std::string last_message(const App& app) {
    const auto messages = app.log.messages();
    return messages.empty() ? std::string() : messages.back().text;
  }
  /// Clicks on the title of a menu in the menu bar.
  void open_menu(App& app, std::string_view title) {
    const auto found = find(title);
    const auto upper = std::ranges::min_element(found, {}, &ImVec2::y);
    ASSERT_NE(upper, found.end()) << title << " is not on the screen:" << all_texts();
    click(app, *upper);
  }

  [[nodiscard]] static bool is_shown(std::string_view text) { return !find(text).empty(); }
  /// Returns the centre of a text in the last frame. If the text occurs several times, this is the occurrence that was
  /// drawn last, in front of the others.
  [[nodiscard]] static ImVec2 place_of(std::string_view text) {
    const auto found = find(text);
    EXPECT_FALSE(found.empty()) << "not on the screen: " << text << "\non the screen:" << all_texts();
    return found.empty() ? ImVec2{-1, -1} : found.back();
  }
  /// Returns the centre of a text in the scene tree, which is at the left, above the parameters of the selected node.
  [[nodiscard]] static ImVec2 row_of(const App& app, std::string_view text) {
    ImVec2 row{-1, 1e6F};
    for (const ImVec2 place : find(text))
      if (place.x < em(app.ui.layout.left_em) && place.y < row.y) row = place;
    EXPECT_GE(row.x, 0) << "not in the tree: " << text << "\non the screen:" << all_texts();
    return row;
  }
  /// Returns the centres of the texts to the right of a label in the left sidebar, from left to right.
  [[nodiscard]] static std::vector<ImVec2> texts_beside(const App& app, std::string_view label) {
    std::vector<ImVec2> places;
    ImVec2 at{-1, -1};
    for (const ImVec2 place : find(label))
      if (place.x < em(app.ui.layout.left_em) && place.y > at.y) at = place;
    for (const Run& run : runs()) {
      const ImVec2 middle{(run.low.x + run.high.x) / 2, (run.low.y + run.high.y) / 2};
      if (!run.text.empty() && std::abs(middle.y - at.y) < 0.4F * em(1) && middle.x > at.x + 1 &&
          middle.x < em(app.ui.layout.left_em))
        places.push_back(middle);
    }
    std::ranges::sort(places, {}, &ImVec2::x);
    return places;
  }

 private:
  /// A line of text in the frame, without spaces.
  struct Run {
    std::string text;
    ImVec2 low{0, 0}, high{0, 0};
    float next_x = 0, line_y = 0;
  };

  /// Reads the texts of the last frame from its vertices. Each glyph is a rectangle whose texture coordinates identify
  /// the letter.
  static std::vector<Run> runs() {
    std::map<std::pair<float, float>, std::pair<const ImFont*, const ImFontGlyph*>> glyphs;
    for (const ImFont* font : ImGui::GetIO().Fonts->Fonts)
      for (const ImFontGlyph& glyph : font->Glyphs)
        if (glyph.Visible != 0) glyphs[{glyph.U0, glyph.V0}] = {font, &glyph};
    std::vector<Run> all;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int list = 0; list < data->CmdListsCount; ++list) {
      const ImVector<ImDrawVert>& vertices = data->CmdLists[list]->VtxBuffer;
      for (int i = 0; i + 2 < vertices.Size; ++i) {
        const auto found = glyphs.find({vertices[i].uv.x, vertices[i].uv.y});
        if (found == glyphs.end() || vertices[i + 2].uv.x != found->second.second->U1) continue;
        add(all, *found->second.first, *found->second.second, vertices[i].pos, vertices[i + 2].pos);
        i += 3;
      }
      all.emplace_back();  // texts of different windows are never joined
    }
    return all;
  }

  static void add(std::vector<Run>& all, const ImFont& font, const ImFontGlyph& glyph, ImVec2 low, ImVec2 high) {
    const float pen = low.x - glyph.X0, line = low.y - glyph.Y0;
    const bool joins = !all.empty() && !all.back().text.empty() && std::abs(all.back().line_y - line) < 0.6F &&
                       pen > all.back().next_x - 2 && pen < all.back().next_x + 0.35F * font.FontSize;
    if (!joins) all.push_back({{}, low, high, 0, line});
    Run& run = all.back();
    run.text += utf8(glyph.Codepoint);
    run.low = {std::min(run.low.x, low.x), std::min(run.low.y, low.y)};
    run.high = {std::max(run.high.x, high.x), std::max(run.high.y, high.y)};
    run.next_x = pen + glyph.AdvanceX;
  }

  static std::string utf8(unsigned code) {
    if (code < 0x80) return {static_cast<char>(code)};
    if (code < 0x800) return {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
    return {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
            static_cast<char>(0x80 | (code & 0x3F))};
  }

  static std::vector<ImVec2> find(std::string_view text) {
    std::string wanted;
    for (const char c : text)
      if (c != ' ') wanted += c;
    std::vector<ImVec2> places;
    for (const Run& run : runs())
      if (run.text == wanted) places.push_back({(run.low.x + run.high.x) / 2, (run.low.y + run.high.y) / 2});
    return places;
  }

  static std::string all_texts() {
    std::string all;
    for (const Run& run : runs())
      if (!run.text.empty()) all += " [" + run.text + "]";
    return all;
  }

  InputQueue queue_;
};

}  // namespace vw::ui
