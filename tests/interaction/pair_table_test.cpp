// The table of pairs must be consistent with the existing rules and systems. Every pair must have an entry, and every
// listed rule must exist.
#include "sim/interaction/pair_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "sim/world/registry.h"

namespace vw {
namespace {

std::vector<std::string> kinds() {
  std::vector<std::string> all{"collider", "field"};
  for (const SystemKind& kind : system_kinds()) all.emplace_back(kind.schema->kind);
  return all;
}
bool is_system(const std::string& kind) { return kind != "collider" && kind != "field"; }

TEST(PairTable, DecidesEveryPairOnceAndNoOther) {
  std::set<std::string> wanted;
  for (const std::string& a : kinds())
    for (const std::string& b : kinds()) {
      if (a > b || (!is_system(a) && !is_system(b))) continue;
      wanted.insert(a + " " + b);
      if (a == b) wanted.insert(a + " within");
    }
  std::set<std::string> found;
  for (const PairDecision& row : pair_table()) {
    const std::string name =
        row.within ? std::string(row.kind_a) + " within" : std::string(row.kind_a) + " " + std::string(row.kind_b);
    EXPECT_TRUE(found.insert(name).second) << name << " twice";
    EXPECT_EQ(decide_pair(row.kind_b, row.kind_a, row.within), &row);
  }
  EXPECT_EQ(found, wanted);
}

TEST(PairTable, NamesExactlyTheRulesThatThereAre) {
  std::set<std::string> named, there;
  for (const PairDecision& row : pair_table()) {
    EXPECT_EQ(row.answer == PairAnswer::rule, !row.rule.empty()) << row.kind_a << ", " << row.kind_b;
    for (const std::string_view rule : {row.rule, row.also}) {
      if (rule.empty()) continue;
      named.emplace(rule);
      const InteractionKind* kind = default_registry().interaction(rule);
      ASSERT_NE(kind, nullptr) << rule;
      EXPECT_EQ(kind->kind_a, row.kind_a) << rule;
      EXPECT_EQ(kind->kind_b, row.kind_b) << rule;
      EXPECT_TRUE(kind->within || !row.within) << rule;
      EXPECT_TRUE(rule == row.rule || !kind->unasked) << rule;
    }
  }
  for (const InteractionKind& kind : interaction_kinds()) there.emplace(kind.schema->kind);
  EXPECT_EQ(named, there);
}

TEST(PairTable, SaysWhyInOneSentence) {
  for (const PairDecision& row : pair_table()) {
    EXPECT_GT(row.because.size(), 15U) << row.kind_a << ", " << row.kind_b;
    EXPECT_EQ(row.because.back(), '.') << row.because;
    EXPECT_EQ(row.because.find(". "), std::string_view::npos) << row.because;
  }
}

}  // namespace
}  // namespace vw
