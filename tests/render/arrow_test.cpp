// The velocity overlay's choice of elements and lengths of arrows; no GL.
#include <gtest/gtest.h>

#include <set>

#include "render/arrows.h"
#include "stage_set.h"

namespace vw {
namespace {

std::vector<Figure> placed(const SystemSnapshot& system) {
  std::vector<Figure> figures(1);
  place_figure(nullptr, system, 1, figures[0]);
  return figures;
}

ViewParams with_arrows(VectorLength length, std::int64_t limit = 3000) {
  ViewParams view;
  view.vectors = true;
  view.vector_length = length;
  view.vector_limit = limit;
  return view;
}

float length_of(const Arrow& arrow) { return glm::length(glm::vec3(arrow.shift)); }

/// Two spheres, one a hundred times as fast as the other.
SystemSnapshot fast_and_slow() {
  SystemSnapshot s = sphere_cloud(2, 0.1F, 0.01F, Vec3f::Zero());
  for (std::size_t i = 0; i < s.velocity.size(); ++i) s.velocity[i] = Vec3f(i == 0 ? 0.01F : 1.0F, 0, 0);
  return s;
}

TEST(RenderArrows, StayWithTheirElementsWhileTheseMoveLittle) {
  SystemSnapshot s = sphere_cloud(20, 0.2F, 0.003F, Vec3f::Zero());
  ArrowField field;
  std::multiset<std::pair<float, float>> before;
  double kept = 0, drawn = 0;
  const ViewParams view = with_arrows(VectorLength::linear, 500);
  for (int frame = 0; frame < 30; ++frame) {
    field.build(placed(s), 1, view, 1, frame / 60.0, 0.001F);
    std::multiset<std::pair<float, float>> now;
    for (const Arrow& a : field.arrows()) now.emplace(a.tail.y, a.tail.z);  // motion is along x: y and z name the element
    for (const auto& tail : now) kept += before.contains(tail) ? 1 : 0;
    drawn += frame > 0 ? static_cast<double>(now.size()) : 0;
    before = std::move(now);
    for (Vec3f& p : s.position) p.x() += 0.0005F;
  }
  // Cells are some 0.05 m wide: a step of 0.5 mm takes one element in a hundred over a border, and each may change two cells' choices.
  EXPECT_GT(kept, 0.97 * drawn);
}

TEST(RenderArrows, CoverSparsePartsAsWellAsDenseOnes) {
  SystemSnapshot s = sphere_cloud(18, 0.05F, 0.001F, Vec3f(-0.5F, 0, 0));
  const SystemSnapshot sparse = sphere_cloud(5, 0.4F, 0.001F, Vec3f(0.5F, 0, 0));
  for (std::size_t i = 0; i < sparse.position.size(); ++i) {
    s.position.push_back(sparse.position[i]);
    s.velocity.push_back(sparse.velocity[i]);
    s.size.push_back(sparse.size[i]);
    s.id.push_back(static_cast<std::uint32_t>(s.id.size()));
    s.material.push_back(0);
  }
  ArrowField field;
  field.build(placed(s), 1, with_arrows(VectorLength::linear, 300), 1, 0, 0.001F);
  std::size_t on_the_right = 0;
  for (const Arrow& a : field.arrows()) on_the_right += a.tail.x > 0 ? 1 : 0;
  EXPECT_LE(field.arrows().size(), 300U);
  // Fewer than 3 % of the elements, but nearly each alone in its cell.
  EXPECT_GT(on_the_right, sparse.position.size() * 8 / 10);
}

TEST(RenderArrows, LinearLengthsFollowTheSpeed) {
  ArrowField field;
  field.build(placed(fast_and_slow()), 1, with_arrows(VectorLength::linear), 1, 0, 0.001F);
  ASSERT_EQ(field.arrows().size(), 8U);
  EXPECT_NEAR(length_of(field.arrows()[1]), 100 * length_of(field.arrows()[0]), 1e-4F * length_of(field.arrows()[1]));
}

TEST(RenderArrows, ConstantLengthsAreAllTheSame) {
  ArrowField field;
  field.build(placed(fast_and_slow()), 1, with_arrows(VectorLength::constant), 1, 0, 0.001F);
  ASSERT_EQ(field.arrows().size(), 8U);
  EXPECT_NEAR(length_of(field.arrows()[0]), length_of(field.arrows()[1]), 1e-5F * length_of(field.arrows()[1]));
}

TEST(RenderArrows, LogarithmicLengthsShowTwoDecades) {
  ArrowField field;
  field.build(placed(fast_and_slow()), 1, with_arrows(VectorLength::logarithmic), 1, 0, 0.001F);
  ASSERT_EQ(field.arrows().size(), 8U);
  // log(1 + 99 / 100) / log(100): a hundredth of the speed still has a seventh of the length.
  EXPECT_NEAR(length_of(field.arrows()[0]) / length_of(field.arrows()[1]), std::log(1.99F) / std::log(100.0F), 1e-4F);
}

TEST(RenderArrows, NotANumberHasNoArrow) {
  SystemSnapshot s = fast_and_slow();
  s.velocity[3] = Vec3f::Constant(std::nanf(""));
  ArrowField field;
  field.build(placed(s), 1, with_arrows(VectorLength::linear), 1, 0, 0.001F);
  EXPECT_EQ(field.arrows().size(), 7U);
}

}  // namespace
}  // namespace vw
