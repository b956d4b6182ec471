// Formulas: their results, and safety against arbitrary user input.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/plot/formula.h"

namespace vw {
namespace {

const std::vector<std::string> names{"t", "e", "", "height"};

double value_of(const std::string& text, std::vector<double> values = {2, 0.5, 7, 3}) {
  auto formula = Formula::compile(text, names);
  EXPECT_TRUE(formula) << formula.error().message();
  return formula ? (*formula)(values) : 1e99;
}

std::string mistake_in(const std::string& text) {
  const auto formula = Formula::compile(text, names);
  return formula ? "accepted" : formula.error().message();
}

TEST(Formula, ComputesWhatItSays) {
  EXPECT_DOUBLE_EQ(value_of("1 + 2*3"), 7);
  EXPECT_DOUBLE_EQ(value_of("height*e^(2*t)"), 3 * std::pow(0.5, 4));
  EXPECT_DOUBLE_EQ(value_of("-t^2"), -4) << "a power binds before a sign";
  EXPECT_DOUBLE_EQ(value_of("2^3^2"), 512) << "powers from the right";
  EXPECT_DOUBLE_EQ(value_of("t >= 2 && e < 1 ? sqrt(height*3) : 0"), 3);
  EXPECT_DOUBLE_EQ(value_of("max(1, min(t, 5)) + floor(2.7) + ceil(0.2) + round(0.6) + sign(-3)"), 2 + 2 + 1 + 1 - 1);
  EXPECT_DOUBLE_EQ(value_of("mod(7.5, 2) + abs(-1) + exp(0) + ln(1) + log10(100)"), 1.5 + 1 + 1 + 0 + 2);
  EXPECT_NEAR(
      value_of(
          "sin(1)^2 + cos(1)^2 + tan(0) + atan2(0, 1) + sinh(0) + cosh(0) + tanh(0) + asin(0) + acos(1) + atan(0)"),
      2, 1e-15);
  EXPECT_DOUBLE_EQ(value_of("1e-3*1E3"), 1);
}

TEST(Formula, PowersHaveTheUsualPrecedence) {
  EXPECT_DOUBLE_EQ(value_of("-2^2"), -4) << "a power binds before a sign";
  EXPECT_DOUBLE_EQ(value_of("(-2)^2"), 4);
  EXPECT_DOUBLE_EQ(value_of("2^3^2"), 512) << "powers from the right";
  EXPECT_DOUBLE_EQ(value_of("(2^3)^2"), 64);
  EXPECT_DOUBLE_EQ(value_of("2*t^3"), 16);
  EXPECT_DOUBLE_EQ(value_of("t^3*2"), 16);
  EXPECT_DOUBLE_EQ(value_of("12/t^2"), 3);
  EXPECT_DOUBLE_EQ(value_of("1 - height^2 + 1"), -7);
  EXPECT_DOUBLE_EQ(value_of("2^-t^2"), 0.0625);
  EXPECT_DOUBLE_EQ(value_of("-t^-2"), -0.25);
  EXPECT_DOUBLE_EQ(value_of("2^-3*4"), 0.5);
  EXPECT_DOUBLE_EQ(value_of("2 ^ +3"), 8);
  EXPECT_DOUBLE_EQ(value_of("cos(0)^2 + 2^(1 + 1)"), 5);
  EXPECT_DOUBLE_EQ(value_of("max(t^height, height^t)"), 9);
  EXPECT_DOUBLE_EQ(value_of("t^2 > 3 ? t^3 : t^4"), 8);
  EXPECT_DOUBLE_EQ(value_of("t^2 < 3 ? t^3 : t^4"), 16);
}

TEST(Formula, PowersHaveTheBitsOfOurOwnFunction) {
  EXPECT_EQ(value_of("0^0"), 1);
  EXPECT_EQ(value_of("t^0"), 1);
  EXPECT_EQ(value_of("t^1"), 2);
  EXPECT_DOUBLE_EQ(value_of("t^5"), 32);
  EXPECT_DOUBLE_EQ(value_of("10^-2"), 0.01);
  EXPECT_DOUBLE_EQ(value_of("4^0.5"), 2);
  EXPECT_DOUBLE_EQ(value_of("4^-1.5"), 0.125);
  EXPECT_DOUBLE_EQ(value_of("(-2)^3"), -8);
  EXPECT_DOUBLE_EQ(value_of("(-2)^-3"), -0.125);
  EXPECT_TRUE(std::isnan(value_of("(-8)^(1/3)")));
  EXPECT_TRUE(std::isinf(value_of("0^-1")));
  for (const double x : {0.1, 0.7, 1.3, 3.14159, 1e10})
    for (const double y : {-2.5, -1.0, 0.3, 1.7, 5.0, 20.0}) {
      const std::vector<double> values{x, y, 0, 0};
      EXPECT_EQ(value_of("t^e", values), elementary::pow(x, y)) << x << " ^ " << y;
    }
  EXPECT_EQ(value_of("1.1^0.9"), elementary::pow(1.1, 0.9)) << "a constant";
  EXPECT_EQ(value_of("t^2", {0.3, 0, 0, 0}), 0.3 * 0.3);
  EXPECT_EQ(value_of("(t + 0)^3", {0.3, 0, 0, 0}), 0.3 * 0.3 * 0.3);
  EXPECT_EQ(value_of("t^4", {0.3, 0, 0, 0}), 0.3 * 0.3 * 0.3 * 0.3);
}

/// The parser must not combine constants, because the result would depend on its version and on the processor.
TEST(Formula, OperatorsAreAppliedInTheOrderOfTheText) {
  EXPECT_EQ(value_of("t*0.1/0.3", {3, 0, 0, 0}), 3.0 * 0.1 / 0.3);
  EXPECT_EQ(value_of("3*(0.1*t + 0.7)", {0.9, 0, 0, 0}), 3 * (0.1 * 0.9 + 0.7));
  EXPECT_EQ(value_of("0.5 && 1"), 1) << "each number other than 0 is true";
  EXPECT_EQ(value_of("0 || 1e300"), 1);
  EXPECT_EQ(value_of("0 || 0"), 0);
}

TEST(Formula, HasNoValueInsteadOfAnErrorWhereThereIsNone) {
  EXPECT_TRUE(std::isnan(value_of("ln(-t)")));
  EXPECT_TRUE(std::isnan(value_of("sqrt(-1)")));
  EXPECT_FALSE(std::isfinite(value_of("1/0")));
  EXPECT_FALSE(std::isfinite(value_of("10^10^10")));
  EXPECT_DOUBLE_EQ(value_of("t < 3 ? 1 : ln(-1)"), 1);
}

TEST(Formula, ValuesMayChangeBetweenCallsAndGoOnBeyondTheNames) {
  auto formula = Formula::compile("t + height", names);
  ASSERT_TRUE(formula);
  EXPECT_DOUBLE_EQ((*formula)(std::vector<double>{1, 0, 0, 2, 100}), 3);
  EXPECT_DOUBLE_EQ((*formula)(std::vector<double>{5, 0, 0, 2, 100}), 7);
}

TEST(Formula, MistakesAreOneSentenceThatHelps) {
  EXPECT_EQ(mistake_in("heigth*2"),
            "\"heigth*2\": must use known names only; \"heigth\" is unknown (did you mean \"height\"?)");
  EXPECT_EQ(mistake_in("cosi(t)"),
            "\"cosi(t)\": must use known names only; \"cosi\" is unknown (did you mean \"cos\"?)");
  EXPECT_EQ(mistake_in("2 +"), "\"2 +\": must be a complete formula; its end is missing");
  EXPECT_EQ(mistake_in("t = 3"), "\"t = 3\": must not contain an assignment; use == to compare");
  EXPECT_EQ(mistake_in("  "), "\"  \": must be a formula such as h * e^2");
  EXPECT_EQ(mistake_in("1, 2"), "\"1, 2\": must give a single value");
  EXPECT_NE(mistake_in("2 * (3"), "accepted");
  EXPECT_NE(mistake_in("2 3"), "accepted");
}

TEST(Formula, HostileTextsAreRefused) {
  const std::vector<std::string> hostile{
      "",
      "\"text\"",
      "t; t",
      "t\n+1",
      "t := 3",
      "e == = 2",
      "e+=1",
      std::string(100000, '('),
      std::string(400, '(') + "1" + std::string(400, ')'),
      std::string(100000, '1'),
      std::string("1\0+1", 4),
      "\xff\xfe",
      "system(1)",
      "sin",
      "sin()",
      "sin(1,2)",
      "min(1)",
      "min(1,2,3)",
      "1 ? 2",
      "? : ?",
      "()",
      ")",
      "1..2",
      "1e",
      "0x",
      "^2",
      "t t",
      "&&",
      "_pi",
      "if(1,2,3)",
      "t ? 1 : (2",
      ",",
      "sum(1,2)",
      "2 ^",
      "2 ^^ 3",
      "2 ^ * 3",
      "2 $ 3",
      "2 ^ ? 3 : 4",
      "1 ? 2 ^ : 3",
      "1, 2 ^\t? 3 : 4",
  };
  for (const std::string& text : hostile) {
    const std::string sentence = mistake_in(text);
    EXPECT_NE(sentence, "accepted") << text.substr(0, 40);
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << text.substr(0, 40);
    EXPECT_LT(sentence.size(), 300U) << text.substr(0, 40);
  }
}

/// Any text must be evaluated or rejected, without a crash, an exception or an endless loop.
TEST(Formula, RandomCharactersAreComputedOrRefused) {
  const std::string pieces[] = {"t", "e", "height", "1",  "2.5", "(", ")", "+",   "-",   "*", "/", "^", "?",
                                ":", "<", "==",     "&&", "||",  "!", ",", "sin", "min", " ", "=", "."};
  std::uint64_t state = 12345;
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int k = 0; k < 1 + i % 12; ++k) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      text += pieces[(state >> 33) % std::size(pieces)];
    }
    auto formula = Formula::compile(text, names);
    if (!formula) continue;
    ++accepted;
    (void)(*formula)(std::vector<double>{1, 2, 3, 4});
  }
  EXPECT_GT(accepted, 200) << "too few valid texts: the test would check only rejections";
}

TEST(Formula, NamesAreWordsThatNoFunctionHas) {
  for (const char* good : {"t0", "_x", "mu_static", "E"}) EXPECT_TRUE(is_formula_name(good)) << good;
  for (const char* bad : {"", "0t", "a-b", "sin", "a b", "x.y"}) EXPECT_FALSE(is_formula_name(bad)) << bad;
}

}  // namespace
}  // namespace vw
