// Fast clicks and keys must not be lost if frames are slow.
#include <gtest/gtest.h>

#include "app/window/input_queue.h"

#ifdef VOXWAKE_HAVE_WINDOW
#include <GLFW/glfw3.h>

#include "app/window/ui/viewport/input_feed.h"
#endif

namespace vw {
namespace {

using EventKind = InputEvent::Kind;

InputEvent move(double x) { return {EventKind::move, x, 0, 0, false}; }
InputEvent button(bool down, int code = 0) { return {EventKind::button, 0, 0, code, down}; }
InputEvent key(int code, bool down) { return {EventKind::key, 0, 0, code, down}; }

TEST(WindowInput, APressAndReleaseWithinOneFrameAreSeenInTwo) {
  InputQueue queue;
  queue.push(button(true));
  queue.push(button(false));
  const auto first = queue.take_frame();
  ASSERT_EQ(first.size(), 1U);
  EXPECT_TRUE(first[0].down);
  const auto second = queue.take_frame();
  ASSERT_EQ(second.size(), 1U);
  EXPECT_FALSE(second[0].down);
  EXPECT_TRUE(queue.empty());
}

TEST(WindowInput, ADoubleClickWithinOneFrameTakesFourFrames) {
  InputQueue queue;
  for (int i = 0; i < 2; ++i) {
    queue.push(button(true));
    queue.push(button(false));
  }
  int frames = 0;
  while (!queue.empty()) {
    EXPECT_EQ(queue.take_frame().size(), 1U);
    ++frames;
  }
  EXPECT_EQ(frames, 4);
}

TEST(WindowInput, AClickIsSeenWhereItHappened) {
  InputQueue queue;
  queue.push(move(10));
  queue.push(button(true));
  queue.push(move(90));
  queue.push(button(false));
  const auto first = queue.take_frame();
  // The first frame only moves the pointer, so that the item under it is hovered when the button is pressed.
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].x, 10);
  const auto second = queue.take_frame();
  ASSERT_EQ(second.size(), 1U);
  EXPECT_TRUE(second[0].down);
  const auto third = queue.take_frame();
  ASSERT_EQ(third.size(), 2U);
  EXPECT_EQ(third[0].x, 90);
  EXPECT_FALSE(third[1].down);
}

TEST(WindowInput, MovesInARowAreOne) {
  InputQueue queue;
  for (int i = 0; i < 1000; ++i) queue.push(move(i));
  const auto frame = queue.take_frame();
  ASSERT_EQ(frame.size(), 1U);
  EXPECT_EQ(frame[0].x, 999);
}

TEST(WindowInput, AKeyTappedWithinOneFrameIsDownForOneFrame) {
  InputQueue queue;
  queue.push(key(32, true));
  queue.push(key(32, false));
  EXPECT_EQ(queue.take_frame().size(), 1U);
  EXPECT_EQ(queue.take_frame().size(), 1U);
}

TEST(WindowInput, KeysOfAChordGoTogether) {
  InputQueue queue;
  queue.push(key(341, true));  // Ctrl
  queue.push(key(90, true));   // Z
  EXPECT_EQ(queue.take_frame().size(), 2U);
}

TEST(WindowInput, AChordWhoseFirstKeyIsLetGoFirstIsStillAChord) {
  InputQueue queue;
  queue.push(key(341, true));
  (void)queue.take_frame();
  for (const auto& event : {key(79, true), key(341, false), key(79, false)}) queue.push(event);
  const auto frame = queue.take_frame();
  ASSERT_EQ(frame.size(), 1U) << "the press must arrive alone, while Ctrl is still down";
  EXPECT_EQ(frame[0].code, 79);
  EXPECT_EQ(queue.take_frame().size(), 2U);
}

TEST(WindowInput, NothingIsLostAndOrderIsKept) {
  InputQueue queue;
  std::vector<int> pushed, taken;
  for (int i = 0; i < 200; ++i) {
    const InputEvent event = i % 3 == 0 ? key(i % 5, i % 2 == 0) : button(i % 2 == 0, i % 4);
    pushed.push_back(event.code + 1000 * static_cast<int>(event.kind));
    queue.push(event);
  }
  while (!queue.empty())
    for (const InputEvent& event : queue.take_frame())
      taken.push_back(event.code + 1000 * static_cast<int>(event.kind));
  EXPECT_EQ(taken, pushed);
}

#ifdef VOXWAKE_HAVE_WINDOW
TEST(WindowInput, AKeyIsNamedByItsLabelNotByItsPlaceOnAnAmericanKeyboard) {
  EXPECT_EQ(ui::key_with_label(GLFW_KEY_Y, "z"), GLFW_KEY_Z) << "German";
  EXPECT_EQ(ui::key_with_label(GLFW_KEY_SEMICOLON, "m"), GLFW_KEY_M) << "French";
  EXPECT_EQ(ui::key_with_label(GLFW_KEY_SLASH, "-"), GLFW_KEY_MINUS);
  EXPECT_EQ(ui::key_with_label(GLFW_KEY_MINUS, "+"), GLFW_KEY_EQUAL) << "Swedish";
  EXPECT_EQ(ui::key_with_label(GLFW_KEY_4, "'"), GLFW_KEY_4) << "the row of digits keeps its digits";
  EXPECT_EQ(ui::key_with_label(GLFW_KEY_Z, "\xD1\x8F"), GLFW_KEY_Z) << "a Cyrillic letter";
  EXPECT_EQ(ui::key_with_label(GLFW_KEY_KP_SUBTRACT, "-"), GLFW_KEY_KP_SUBTRACT);
  EXPECT_EQ(ui::key_with_label(GLFW_KEY_SPACE, " "), GLFW_KEY_SPACE);
  EXPECT_EQ(ui::key_with_label(GLFW_KEY_F12, nullptr), GLFW_KEY_F12);
}
#endif

}  // namespace
}  // namespace vw
