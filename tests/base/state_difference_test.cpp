// Differences between two states: the location, the kind of number, and elements matched by identity.
#include "sim/base/data/state_difference.h"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace vw {
namespace {

struct Bond {
  std::uint32_t a = 0, b = 0;
  std::array<double, 3> slip{};
  template <class F>
  void each_number(F check) const {
    for (const double x : slip) check(x);
  }
  template <class F>
  void each_member(F take) const {
    take("a", a), take("b", b), take("slip", slip);
  }
};

struct Opaque {
  std::uint32_t bits = 0;
  template <class F>
  void each_number(F) const {}
};

/// A world with one system and one rule.
struct Small {
  std::uint64_t step = 7;
  std::string system = "system.cube.";
  std::vector<Vec3> position{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  std::vector<Quat> orientation{3, Quat::Identity()};
  std::vector<std::uint32_t> id;
  std::vector<float> heat{1, 2, 3};
  std::vector<std::int16_t> phase{-1, 0, 1};
  std::vector<std::int64_t> total{0};
  std::vector<double> joint{0.5};
  std::vector<Bond> contacts{{1, 2, {0, 0, 0}}, {2, 3, {0, 0, 0}}};
  std::vector<Opaque> opaque{{1}};

  [[nodiscard]] StateBlock block() {
    StateBlock out;
    StateWriter writer(out);
    writer.scope("world.");
    writer("step", step);
    writer.scope(system);
    writer.rows(state_element);
    writer("position", position);
    writer("orientation", orientation);
    if (!id.empty()) writer("id", id);
    writer("heat", heat);
    writer("phase", phase);
    writer("total", total);
    writer.rows("joint");
    writer("joint_length", joint);
    writer.scope("interaction.contact:a:b.");
    writer.rows("contact");
    writer("contacts", contacts);
    writer("opaque", opaque);
    return out;
  }
};

std::vector<StateDifference> between(Small a, Small b) { return state_differences(a.block(), b.block()); }

StateDifference only(const std::vector<StateDifference>& found) {
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? StateDifference{} : found.front();
}

TEST(StateDifferences, EqualStatesHaveNone) { EXPECT_TRUE(between({}, {}).empty()); }

TEST(StateDifferences, NameTheElementTheComponentAndBothNumbers) {
  Small b;
  b.position[1].y() = 5.5;
  b.position[2].z() = 9.25;
  const StateDifference one = only(between({}, b));
  EXPECT_EQ(one.kind, StateDifference::Kind::value);
  EXPECT_EQ(one.part, "system");
  EXPECT_EQ(one.name, "cube");
  EXPECT_EQ(one.array, "position");
  EXPECT_EQ(one.component, "y");
  EXPECT_EQ(one.element, 1U) << "the largest of the two";
  EXPECT_EQ(one.rows_differing, 2U);
  EXPECT_EQ(one.rows_a, 3U);
  EXPECT_EQ(std::get<double>(one.a), 5);
  EXPECT_EQ(std::get<double>(one.b), 5.5);
  EXPECT_EQ(one.difference, 0.5);
  EXPECT_EQ(one.sentence("m"), "system \"cube\", element 1, position.y: 5 in A, 5.5 in B, difference B - A = 0.5 m");
}

TEST(StateDifferences, ReadEveryKindOfNumber) {
  Small b;
  b.heat[2] = 3.5F;
  EXPECT_EQ(std::get<double>(only(between({}, b)).b), 3.5);
  b = {};
  b.phase[0] = -3;
  EXPECT_EQ(std::get<std::int64_t>(only(between({}, b)).b), -3);
  EXPECT_EQ(only(between({}, b)).difference, -2);
  Small a;
  a.total[0] = std::numeric_limits<std::int64_t>::max();
  b = {};
  b.total[0] = std::numeric_limits<std::int64_t>::max() - 3;
  EXPECT_EQ(only(between(a, b)).difference, -3) << "integers are subtracted exactly";
  a.total[0] = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(only(between(a, b)).difference, std::ldexp(1.0, 64)) << "the difference exceeds the largest integer";
  b = {};
  b.step = 9;
  const StateDifference step = only(between({}, b));
  EXPECT_EQ(step.place(), "world, step") << "a single value has no row";
  EXPECT_EQ(std::get<std::uint64_t>(step.b), 9U);
  b = {};
  b.orientation[2].w() = 0.5;
  EXPECT_EQ(only(between({}, b)).component, "w");
  b = {};
  b.joint[0] = 1;
  const StateDifference joint = only(between({}, b));
  EXPECT_EQ(joint.place(), "system \"cube\", joint 0, joint_length");
  EXPECT_FALSE(joint.element) << "a joint is not an element";
}

TEST(StateDifferences, NameTheMembersOfStructs) {
  Small b;
  b.contacts[0].slip[2] = 0.125;
  b.contacts[1].slip[0] = -0.5;
  const StateDifference slip = only(between({}, b));
  EXPECT_EQ(slip.place(), "interaction \"contact:a:b\", contact 1, contacts.slip.x");
  EXPECT_EQ(slip.difference, -0.5);
  b.contacts[1].b = 8;  // the earliest member that differs is reported, even if its difference is small
  EXPECT_EQ(only(between({}, b)).component, "b");
  b = {};
  b.opaque[0].bits = 0x101;
  const StateDifference opaque = only(between({}, b));
  EXPECT_EQ(opaque.component, "1") << "the second byte of a struct without each_member()";
  EXPECT_EQ(std::get<std::uint64_t>(opaque.b), 1U);
}

TEST(StateDifferences, SeeTheSignOfZeroAndNumbersThatAreNotFinite) {
  Small a, b;
  a.joint[0] = 0.0, b.joint[0] = -0.0;
  const StateDifference zero = only(between(a, b));
  EXPECT_EQ(zero.difference, 0);
  EXPECT_EQ(to_text(zero.b), "-0");
  b = {};
  b.position[0].x() = std::numeric_limits<double>::quiet_NaN();
  b.position[2].x() = 1e9;
  EXPECT_EQ(only(between({}, b)).element, 0U) << "a number that is not finite differs most";
}

TEST(StateDifferences, MatchElementsByIdentity) {
  Small a, b;
  a.id = {3, 5, 9};
  b.id = {3, 9, 12};
  b.position = {a.position[0], a.position[2], {0, 0, 0}};
  b.heat = {1, 3, 0};
  b.phase = {-1, 1, 0};
  const StateDifference elements = only(between(a, b));
  EXPECT_EQ(elements.kind, StateDifference::Kind::elements);
  EXPECT_EQ(elements.only_in_a, 1U);
  EXPECT_EQ(elements.only_in_b, 1U);
  EXPECT_EQ(elements.element, 5U);
  b.position[1].x() += 1;
  const auto both = between(a, b);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[1].place(), "system \"cube\", element 9, position.x");
  EXPECT_EQ(both[1].difference, 1);
}

TEST(StateDifferences, MatchElementsOfArraysOfAnotherLength) {
  Small a, b;
  a.id = {3, 5, 9};
  b.id = {3, 9};
  b.position = {a.position[0], a.position[2] + Vec3(0, 0.5, 0)};
  b.orientation.resize(2), b.heat = {1, 3}, b.phase = {-1, 1};
  const auto found = between(a, b);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].sentence(),
            "system \"cube\": 3 elements in A, 2 elements in B; 1 only in A, 0 only in B, the first is element 5");
  EXPECT_EQ(found[1].element, 9U);
  EXPECT_EQ(found[1].difference, 0.5);
}

TEST(StateDifferences, NameArraysAndPartsThatOneStateLacks) {
  Small a, b;
  b.system = "system.ball.";
  const auto parts = between(a, b);
  ASSERT_EQ(parts.size(), 2U) << "one entry for each system, not one for each array";
  EXPECT_EQ(parts[0].sentence(), "system \"cube\": only in A");
  EXPECT_EQ(parts[1].sentence(), "system \"ball\": only in B");
  b = {};
  b.contacts.resize(1);
  EXPECT_EQ(only(between(a, b)).sentence(), "interaction \"contact:a:b\", contacts: 2 contacts in A, 1 contact in B");
}

TEST(StateDifferences, LeaveOutIgnoredArrays) {
  Small a, b;
  b.step = 8;
  static constexpr std::string_view ignored[] = {"world.step"};
  EXPECT_TRUE(state_differences(a.block(), b.block(), ignored).empty());
}

TEST(State, NamesOfRowsDoNotChangeTheHash) {
  Small small;
  StateHasher plain, described;
  plain.scope("system.cube.");
  plain("position", small.position);
  described.scope("system.cube.");
  described.rows(state_element);
  described("position", small.position);
  EXPECT_EQ(plain.digest(), described.digest());
}

}  // namespace
}  // namespace vw
