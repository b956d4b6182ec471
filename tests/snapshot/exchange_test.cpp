// The exchange of snapshots between two threads, and the declarations of the view parameters.
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "sim/snapshot/exchange.h"
#include "sim/snapshot/view.h"

namespace vw {
namespace {

/// A value that reveals a torn read. Every entry of `rows` equals `number`.
struct Payload {
  std::uint64_t number = 0;
  std::vector<std::uint64_t> rows = std::vector<std::uint64_t>(256, 0);
  void fill(std::uint64_t n) {
    number = n;
    for (auto& row : rows) row = n;
  }
  [[nodiscard]] bool whole() const {
    for (const auto row : rows)
      if (row != number) return false;
    return true;
  }
};

TEST(Exchange, GivesTheNewestAndKeepsTheOneBefore) {
  Exchange<int> exchange;
  EXPECT_FALSE(exchange.acquire());
  for (int i = 1; i <= 5; ++i) {
    exchange.back() = i;
    exchange.publish();
  }
  EXPECT_TRUE(exchange.acquire());
  EXPECT_EQ(exchange.newest(), 5);
  EXPECT_FALSE(exchange.acquire());
  exchange.back() = 6;
  exchange.publish();
  EXPECT_TRUE(exchange.acquire());
  EXPECT_EQ(exchange.newest(), 6);
  EXPECT_EQ(exchange.previous(), 5);
}

TEST(Exchange, NeverTearsAValueBetweenTwoThreads) {
  Exchange<Payload> exchange;
  constexpr std::uint64_t last = 50000;
  std::thread writer([&] {
    for (std::uint64_t n = 1; n <= last; ++n) {
      exchange.back().fill(n);
      exchange.publish();
    }
  });
  std::uint64_t seen = 0, taken = 0;
  while (seen < last) {
    if (!exchange.acquire()) {
      std::this_thread::yield();
      continue;
    }
    ++taken;
    ASSERT_TRUE(exchange.newest().whole());
    ASSERT_TRUE(exchange.previous().whole());
    ASSERT_GT(exchange.newest().number, seen) << "went back in time";
    ASSERT_EQ(exchange.previous().number, seen) << "the value before was overwritten";
    seen = exchange.newest().number;
  }
  writer.join();
  EXPECT_GT(taken, 0U);
}

TEST(View, DefaultsAreDeclaredOnceAndPassTheirOwnChecks) {
  const ViewParams defaults = view_params().defaults();
  const ViewParams plain;
  EXPECT_EQ(defaults.eye, plain.eye);
  EXPECT_EQ(defaults.target, plain.target);
  EXPECT_EQ(defaults.fov_deg, plain.fov_deg);
  EXPECT_EQ(defaults.vector_seconds, plain.vector_seconds);
  EXPECT_EQ(defaults.vector_limit, plain.vector_limit);
  EXPECT_EQ(defaults.range_max, plain.range_max);
  EXPECT_EQ(defaults.quality, plain.quality);
  EXPECT_EQ(defaults.color_by, "material");
  for (const ParamSpec& spec : view_schema().params) {
    EXPECT_TRUE(check_value(spec, spec.default_value)) << spec.name;
    EXPECT_FALSE(spec.doc.empty()) << spec.name;
    EXPECT_EQ(spec.live, Live::yes) << spec.name;
  }
}

}  // namespace
}  // namespace vw
