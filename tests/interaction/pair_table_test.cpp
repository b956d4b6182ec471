// Every pair of kinds must either be joined by rules or be listed as a pair without a rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
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

std::string name_of_pair(std::string_view a, std::string_view b, Sides sides) {
  return std::string(a) + (sides == Sides::one_system ? " within" : " " + std::string(b));
}

TEST(PairTable, DecidesEveryPairOnceAndNoOther) {
  std::set<std::string> wanted, found;
  for (const std::string& a : kinds())
    for (const std::string& b : kinds()) {
      if (a > b || (!is_system(a) && !is_system(b))) continue;
      wanted.insert(a + " " + b);
      if (a == b) wanted.insert(a + " within");
    }
  for (const PairWithoutRule& row : pairs_without_rule()) {
    const std::string name = name_of_pair(row.kind_a, row.kind_b, row.sides);
    EXPECT_TRUE(found.insert(name).second) << name << " twice";
    EXPECT_NE(row.answer, PairAnswer::rule) << name;
    const auto decision = decide_pair(row.kind_b, row.kind_a, row.sides);
    ASSERT_TRUE(decision) << name;
    EXPECT_TRUE(decision->rules.empty()) << name << " also has a rule";
    EXPECT_EQ(decision->answer, row.answer) << name;
    EXPECT_EQ(decision->because, row.because) << name;
  }
  for (const InteractionKind& rule : interaction_kinds())
    for (const Sides sides : {Sides::two_systems, Sides::one_system}) {
      if (!rule.joins(sides)) continue;
      found.insert(name_of_pair(rule.kind_a, rule.kind_b, sides));
      const auto decision = decide_pair(rule.kind_b, rule.kind_a, sides);
      ASSERT_TRUE(decision) << rule.schema->kind;
      EXPECT_EQ(decision->answer, PairAnswer::rule) << rule.schema->kind;
      EXPECT_EQ(std::ranges::count(decision->rules, &rule), 1) << rule.schema->kind;
    }
  EXPECT_EQ(found, wanted);
  EXPECT_FALSE(decide_pair("collider", "field", Sides::two_systems));
}

TEST(PairTable, RulesAreInTheOrderOfTheirNamesAndKindsToo) {
  std::string before;
  for (const InteractionKind& rule : interaction_kinds()) {
    EXPECT_LT(before, rule.schema->kind);
    EXPECT_LE(rule.kind_a, rule.kind_b) << rule.schema->kind;
    EXPECT_TRUE(rule.kind_a == rule.kind_b || !rule.joins(Sides::one_system)) << rule.schema->kind;
    before = rule.schema->kind;
  }
}

TEST(PairTable, APairHasAPlaceForSeveralRules) {
  const auto decision = decide_pair("voxel_body", "rigid", Sides::two_systems);
  ASSERT_TRUE(decision);
  ASSERT_EQ(decision->rules.size(), 2U);
  EXPECT_EQ(decision->rules[0]->schema->kind, "rigid_voxel_body");
  EXPECT_EQ(decision->rules[1]->schema->kind, "weld");
  EXPECT_EQ(decision->because, "Rigid bodies collide with voxels, with friction. A weld joins voxels to a rigid body.");
}

TEST(PairTable, SaysWhyInOneSentence) {
  std::vector<std::string_view> sentences;
  for (const PairWithoutRule& row : pairs_without_rule()) sentences.push_back(row.because);
  for (const InteractionKind& rule : interaction_kinds()) {
    sentences.push_back(rule.effect);
    if (rule.joins(Sides::one_system)) sentences.push_back(rule.effect_within);
  }
  for (const std::string_view sentence : sentences) {
    ASSERT_GT(sentence.size(), 15U) << sentence;
    EXPECT_EQ(sentence.back(), '.') << sentence;
    EXPECT_EQ(sentence.find(". "), std::string_view::npos) << sentence;
  }
}

}  // namespace
}  // namespace vw
