// Text is shortened between characters of UTF-8.
#include "sim/base/text.h"

#include <gtest/gtest.h>

#include "sim/base/error.h"

namespace vw {
namespace {

TEST(Text, IsShortenedBetweenCharacters) {
  const std::string text = "a\u00fc\u20acb";  // characters of 1, 2, 3 and 1 bytes
  EXPECT_EQ(beginning_of(text, 7), text);
  EXPECT_EQ(beginning_of(text, 6), "a\u00fc\u20ac");
  EXPECT_EQ(beginning_of(text, 5), "a\u00fc");
  EXPECT_EQ(beginning_of(text, 2), "a");
  EXPECT_EQ(beginning_of(text, 0), "");
  EXPECT_EQ(end_of(text, 7), text);
  EXPECT_EQ(end_of(text, 6), "\u00fc\u20acb");
  EXPECT_EQ(end_of(text, 3), "b");
  EXPECT_EQ(end_of(text, 0), "");
}

TEST(Text, MessagesQuoteWholeCharacters) {
  Error error;
  error.key = "name";
  for (int i = 0; i < 150; ++i) error.found += "\u00fc";
  error.found.insert(0, "x");  // the longest quote ends within a character
  const std::string message = error.message();
  EXPECT_EQ(message.substr(message.size() - 5), "\u00fc...");
}

}  // namespace
}  // namespace vw
