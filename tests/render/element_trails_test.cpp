// Trails of elements: their points, duration and images, and which elements have a trail.
#include "render/vectors/element_trails.h"
#include "member_set.h"
#include "render/software/software_renderer.h"

namespace vw {
namespace {

/// Returns elements on circles of radius 1 m about the y axis, with a period of 2 pi seconds. The height of each
/// element is 0.1 m times its id.
Snapshot circling(double time_s, std::vector<std::uint32_t> ids, std::uint64_t epoch = 1) {
  Snapshot out;
  out.epoch = epoch;
  out.time_s = time_s;
  SystemSnapshot s;
  s.name = "school";
  for (const std::uint32_t id : ids) {
    const auto turn = static_cast<float>(time_s) + 0.5F * static_cast<float>(id);
    s.position.emplace_back(std::cos(turn), 0.1F * static_cast<float>(id), std::sin(turn));
    s.velocity.emplace_back(-std::sin(turn), 0, std::cos(turn));
    s.size.push_back(0.01F);
    s.material.push_back(0);
  }
  s.id = std::move(ids);
  s.palette = {Vec3f(0.5F, 0.5F, 0.5F)};
  out.systems.push_back(std::move(s));
  return out;
}

std::vector<std::uint32_t> numbers(std::uint32_t first, std::uint32_t end) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = first; i < end; ++i) out.push_back(i);
  return out;
}

ViewParams with_trails(double seconds, std::int64_t limit = 300) {
  ViewParams view;
  view.trails = true;
  view.trail_s = seconds;
  view.trail_limit = limit;
  return view;
}

/// Returns the ids of the elements that have trails, computed from the heights (see circling()).
std::vector<int> whose(const ElementTrails& trails) {
  std::vector<int> out;
  std::size_t first = 0;
  for (const std::size_t end : trails.ends())
    out.push_back(static_cast<int>(std::lround(10 * trails.points()[first].place.y))), first = end;
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void build(ElementTrails& trails, const Snapshot& snapshot, const ViewParams& view, double time_s) {
  std::vector<Figure> figures(snapshot.systems.size());
  for (std::size_t f = 0; f < figures.size(); ++f) place_figure(nullptr, snapshot.systems[f], 1, figures[f]);
  trails.build({snapshot, figures, view, time_s, {0, 0, 5}, 1e-6F});
}

TEST(ElementTrails, LieWhereTheElementsHaveBeenAndFadeTowardsTheOldEnd) {
  ElementTrails trails;
  const ViewParams view = with_trails(2);
  Snapshot last;
  for (int k = 0; k <= 300; ++k) trails.note(last = circling(k / 60.0, {0, 1, 2}), view);
  build(trails, last, view, last.time_s);
  ASSERT_EQ(trails.ends().size(), 3U);
  std::size_t first = 0;
  for (const std::size_t end : trails.ends()) {
    const auto way = trails.points().subspan(first, end - first);
    first = end;
    for (const LinePoint& p : way) EXPECT_NEAR(std::hypot(p.place.x, p.place.z), 1, 1e-5F);
    const float turned = std::acos(std::clamp(glm::dot(glm::vec2(way.front().place.x, way.front().place.z),
                                                       glm::vec2(way.back().place.x, way.back().place.z)),
                                              -1.0F, 1.0F));
    EXPECT_NEAR(turned, 2, 0.06F) << "the path of two seconds, up to a sampling interval";
    EXPECT_EQ(way.front().opacity, 0);
    EXPECT_EQ(way.back().opacity, 1);
    EXPECT_GT(way.back().half_px, way.front().half_px);
    for (std::size_t i = 1; i < way.size(); ++i) EXPECT_GE(way[i].opacity, way[i - 1].opacity);
    EXPECT_LT(glm::length(way.back().place - glm::vec3(std::cos(5 + 5 * way.back().place.y), way.back().place.y,
                                                       std::sin(5 + 5 * way.back().place.y))),
              1e-4F);
  }
  EXPECT_EQ(trails.legend().title, "trails: speed");
}

TEST(ElementTrails, EndWhereTheElementIsBetweenTwoMoments) {
  ElementTrails trails;
  const ViewParams view = with_trails(2);
  const Snapshot before = circling(1, {0}), after = circling(1.1, {0});
  for (const double t : {0.8, 0.9}) trails.note(circling(t, {0}), view);
  trails.note(before, view);
  trails.note(after, view);
  std::vector<Figure> figures(1);
  place_figure(&before.systems[0], after.systems[0], 0.25F, figures[0]);
  trails.build({after, figures, view, 1.025, {0, 0, 5}, 1e-6F});
  ASSERT_EQ(trails.ends().size(), 1U);
  EXPECT_EQ(trails.points().back().place, glm::vec3(figures[0].places[0])) << "ends at the interpolated position";
  EXPECT_EQ(trails.points().size(), 4U);
}

TEST(ElementTrails, StayWithTheirElementsWhileOthersAreBornAndDie) {
  ElementTrails trails;
  const ViewParams view = with_trails(1, 10);
  Snapshot last;
  for (int k = 0; k < 30; ++k) trails.note(last = circling(k / 60.0, numbers(0, 100)), view);
  build(trails, last, view, last.time_s);
  const std::vector<int> chosen = whose(trails);
  ASSERT_EQ(chosen.size(), 10U);
  EXPECT_GT(chosen.back(), 50) << "the selection must be even, not the first elements";
  // Half of the elements are removed. Only one of them has a trail. The same number of other elements is added.
  std::vector<std::uint32_t> ids;
  for (std::uint32_t i = 0; i < 100; ++i)
    if (i % 2 == 0 ||
        (std::ranges::find(chosen, static_cast<int>(i)) != chosen.end() && static_cast<int>(i) != chosen[0]))
      ids.push_back(i);
  std::erase(ids, static_cast<std::uint32_t>(chosen[0]));
  for (std::uint32_t i = 200; i < 250; ++i) ids.push_back(i);
  for (int k = 30; k < 150; ++k) trails.note(last = circling(k / 60.0, ids), view);
  build(trails, last, view, last.time_s);
  const std::vector<int> now = whose(trails);
  EXPECT_EQ(now.size(), 10U) << "another element must get the free trail";
  for (std::size_t i = 1; i < chosen.size(); ++i) EXPECT_NE(std::ranges::find(now, chosen[i]), now.end()) << chosen[i];
}

TEST(ElementTrails, AreSharedOutAmongSystemsHoweverManyElementsTheseHave) {
  ElementTrails trails;
  const ViewParams view = with_trails(1, 20);
  Snapshot last;
  for (int k = 0; k < 10; ++k) {
    last = circling(k / 60.0, numbers(1000, 6000));
    last.systems.push_back(circling(k / 60.0, numbers(0, 50)).systems[0]);
    last.systems[1].name = "hawks";
    trails.note(last, view);
  }
  build(trails, last, view, last.time_s);
  const std::vector<int> chosen = whose(trails);
  EXPECT_EQ(chosen.size(), 20U);
  // The selection is pseudo-random, so the systems get only about equal numbers of trails.
  EXPECT_NEAR(static_cast<double>(std::ranges::count_if(chosen, [](int id) { return id < 50; })), 10, 5);
}

TEST(ElementTrails, OfWhatIsGoneFadeAway) {
  ElementTrails trails;
  const ViewParams view = with_trails(1);
  Snapshot last;
  for (int k = 0; k <= 60; ++k) trails.note(last = circling(k / 60.0, {0, 1}), view);
  for (int k = 61; k <= 90; ++k) trails.note(last = circling(k / 60.0, {1}), view);
  build(trails, last, view, last.time_s);
  EXPECT_EQ(whose(trails), (std::vector<int>{0, 1})) << "the trail of the removed element must remain for a while";
  for (int k = 91; k <= 150; ++k) trails.note(last = circling(k / 60.0, {1}), view);
  build(trails, last, view, last.time_s);
  EXPECT_EQ(whose(trails), (std::vector<int>{1}));
}

TEST(ElementTrails, AreOfTheSystemsAndElementsThatAreNamed) {
  const auto named = [](const TextList& names) {
    ElementTrails trails;
    ViewParams view = with_trails(1);
    view.trail_systems = names;
    Snapshot last;
    for (int k = 0; k < 10; ++k) {
      last = circling(k / 60.0, {0, 1, 2});
      last.systems.push_back(circling(k / 60.0, {5, 6}).systems[0]);
      last.systems[1].name = "hawks";
      trails.note(last, view);
    }
    build(trails, last, view, last.time_s);
    return whose(trails);
  };
  EXPECT_EQ(named({}), (std::vector<int>{0, 1, 2, 5, 6}));
  EXPECT_EQ(named({"hawks"}), (std::vector<int>{5, 6}));
  EXPECT_EQ(named({"school.2", "hawks"}), (std::vector<int>{2, 5, 6}));
  EXPECT_EQ(named({"nobody"}), std::vector<int>{});
}

TEST(ElementTrails, DrawNoLineAcrossAPeriodicBox) {
  ElementTrails trails;
  const ViewParams view = with_trails(10);
  Snapshot last;
  for (int k = 0; k < 200; ++k) {
    last = circling(k / 60.0, {0});
    last.systems[0].period = Vec3f(1, 0, 0);
    const auto way = 0.01F * static_cast<float>(k);
    last.systems[0].position[0] = Vec3f(way - std::floor(way + 0.5F), 0, 0);  // in [-0.5, 0.5)
    trails.note(last, view);
  }
  build(trails, last, view, last.time_s);
  EXPECT_EQ(trails.ends().size(), 3U) << "the element has crossed the boundary twice";
  std::size_t first = 0;
  for (const std::size_t end : trails.ends()) {
    for (std::size_t i = first + 1; i < end; ++i)
      EXPECT_LT(glm::length(trails.points()[i].place - trails.points()[i - 1].place), 0.1F);
    first = end;
  }
}

TEST(ElementTrails, KeepABoundedNumberOfPointsHoweverLongTheRun) {
  ElementTrails trails;
  const ViewParams view = with_trails(5, 20);
  Snapshot last;
  std::size_t most = 0;
  for (int k = 0; k < 20'000; ++k) {
    // In each step, one element is added and one is removed.
    trails.note(last = circling(k / 1000.0, numbers(static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k) + 30)),
                view);
    if (k % 1000 == 999) build(trails, last, view, last.time_s), most = std::max(most, trails.points().size());
    EXPECT_LE(trails.count(), 40U);
  }
  EXPECT_GT(most, 0U);
  EXPECT_LT(most, 40U * 130U);
}

TEST(ElementTrails, StartAgainAfterAResetAndForgetWhatWasUndone) {
  ElementTrails trails;
  const ViewParams view = with_trails(10);
  for (int k = 0; k <= 100; ++k) trails.note(circling(k / 10.0, {0}), view);
  const Snapshot back = circling(5.0, {0});
  trails.note(back, view);
  build(trails, back, view, back.time_s);
  ASSERT_EQ(trails.ends().size(), 1U);
  for (const LinePoint& p : trails.points()) EXPECT_LE(p.opacity, 1);
  EXPECT_LT(trails.points().size(), 60U);
  const Snapshot reset = circling(0, {0}, 2);
  trails.note(reset, view);
  build(trails, reset, view, 0);
  EXPECT_TRUE(trails.ends().empty());
  ViewParams off = view;
  off.trails = false;
  trails.note(circling(0.1, {0}, 2), off);
  EXPECT_EQ(trails.count(), 0U);
}

using TrailPictures = RenderTest;

TEST_F(TrailPictures, ShowTheWayOfAnElementInBothRenderers) {
  const ViewParams view = with_trails(3);
  ViewParams without;
  Camera camera;
  camera.eye = {0, 2, 3};
  camera.target = {0, 0, 0};
  SoftwareRenderer software;
  Snapshot last;
  for (int k = 0; k <= 120; ++k) {
    last = circling(k / 60.0, {0});
    renderer_->note(last, view);
    software.note(last, view);
  }
  const auto differs = [](const Image& a, const Image& b) {
    int out = 0;
    for (std::size_t i = 0; i < a.rgba.size(); i += 4)
      out += std::abs(a.rgba[i] - b.rgba[i]) + std::abs(a.rgba[i + 1] - b.rgba[i + 1]) > 16 ? 1 : 0;
    return out;
  };
  const auto gl = renderer_->draw_image({nullptr, &last, 1}, camera, view, {}, 640, 360, LegendOverlay::none),
             plain = software.draw_image({nullptr, &last, 1}, camera, view, {}, 640, 360, LegendOverlay::none);
  const auto gl_bare = renderer_->draw_image({nullptr, &last, 1}, camera, without, {}, 640, 360, LegendOverlay::none),
             plain_bare = software.draw_image({nullptr, &last, 1}, camera, without, {}, 640, 360, LegendOverlay::none);
  ASSERT_TRUE(gl && plain && gl_bare && plain_bare);
  const int found = differs(*gl, *gl_bare);
  // The trail is an arc of two radians with a radius of about 150 pixels and a width of two pixels.
  EXPECT_GT(found, 300);
  EXPECT_NEAR(differs(*plain, *plain_bare), found, 0.25 * found);
  EXPECT_LT(differs(*gl, *plain), found / 2);
}

}  // namespace
}  // namespace vw
