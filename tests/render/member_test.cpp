// Members of flocks: shapes, bending, level of detail, interpolation between snapshots, picking, cut planes, selection,
// and members under water.
#include "member_set.h"

#include "render/scene/mesh_pick.h"
#include "render/software/software_renderer.h"
#include "render/vectors/vectors.h"
#include "tests/render/water/water_set.h"

namespace vw {
namespace {

const auto& all_looks() {
  static const auto looks = std::to_array<SpeciesLook>({fish_look(), bird_look(), dart_look(), ball_look()});
  return looks;
}

TEST(MemberShapes, ReachFromNoseToTailAndGetCoarserByDetail) {
  for (const SpeciesLook& look : all_looks()) {
    std::size_t before = look.mesh->triangle.size() + 1;
    EXPECT_LE(before, 200U);
    for (const auto& mesh : meshes_by_detail(look)) {
      float nose = -2, tail = 2;
      for (const Vec3f& p : mesh->position) nose = std::max(nose, p.x()), tail = std::min(tail, p.x());
      EXPECT_EQ(nose, 1);
      EXPECT_LE(tail, -0.95F);
      EXPECT_GE(tail, -1);
      EXPECT_LE(mesh->triangle.size(), before);
      before = mesh->triangle.size();
      ASSERT_EQ(mesh->normal.size(), mesh->position.size());
      for (const Vec3f& n : mesh->normal) EXPECT_NEAR(n.norm(), 1, 1e-5F);
    }
    EXPECT_EQ(fish_look().mesh, all_looks()[0].mesh) << "members of one shape must share a mesh";
  }
}

TEST(MemberShapes, AreClosedSoThatLightComesFromNoInside) {
  for (const SpeciesLook& look : all_looks())
    for (const auto& mesh : meshes_by_detail(look)) {
      Vec3f sum = Vec3f::Zero();
      float volume = 0;
      for (const auto& t : mesh->triangle) {
        const Vec3f &a = mesh->position[t[0]], &b = mesh->position[t[1]], &c = mesh->position[t[2]];
        sum += (b - a).cross(c - a);
        volume += a.dot(b.cross(c)) / 6;
      }
      EXPECT_LT(sum.norm(), 1e-4F);  // the area vectors of a closed surface add up to zero
      EXPECT_GT(volume, 0) << "its triangles face outwards";
    }
}

TEST(MemberMotion, ASwimmersTailSwingsFarAndItsHeadHardly) {
  float head = 0, tail = 0;
  for (int k = 0; k < 16; ++k) {
    const float beat = 0.3927F * static_cast<float>(k);
    head = std::max(head, std::abs(bent(MemberMotion::swim, beat, {0.9F, 0, 0}, {0, 0, 1}).place.z));
    tail = std::max(tail, std::abs(bent(MemberMotion::swim, beat, {-1, 0, 0}, {0, 0, 1}).place.z));
  }
  EXPECT_LT(head, 0.03F);
  EXPECT_GT(tail, 0.12F);
  const glm::vec3 still{0.3F, 0.2F, 0.1F};
  EXPECT_EQ(bent(MemberMotion::none, 1, still, {0, 1, 0}).place, still);
}

TEST(MemberMotion, TheWaveOfASwimmerRunsTowardsItsTail) {
  // The point at which the bent body crosses the straight axis moves backwards as the phase increases.
  const auto crossing = [](float beat) {
    for (float x = 0.2F; x > -1; x -= 0.01F)
      if (bent(MemberMotion::swim, beat, {x, 0, 0}, {0, 0, 1}).place.z *
              bent(MemberMotion::swim, beat, {x - 0.01F, 0, 0}, {0, 0, 1}).place.z <=
          0)
        return x;
    return -1.0F;
  };
  EXPECT_LT(crossing(0.6F), crossing(0.2F) - 0.05F);
}

TEST(MemberMotion, WingsTurnAboutTheShouldersWithoutGettingLonger) {
  float low = 0, high = 0;
  for (int k = 0; k < 16; ++k) {
    const float beat = 0.3927F * static_cast<float>(k);
    const glm::vec3 shoulder = bent(MemberMotion::flap, beat, {0, 0, 0.08F}, {0, 1, 0}).place;
    const glm::vec3 tip = bent(MemberMotion::flap, beat, {0, 0, 1.4F}, {0, 1, 0}).place,
                    other = bent(MemberMotion::flap, beat, {0, 0, -1.4F}, {0, 1, 0}).place;
    EXPECT_NEAR(glm::length(tip - shoulder), 1.32F, 1e-4F);
    EXPECT_NEAR(other.y, tip.y, 1e-6F);
    EXPECT_NEAR(other.z, -tip.z, 1e-6F);
    low = std::min(low, tip.y), high = std::max(high, tip.y);
  }
  EXPECT_LT(low, -0.5F);
  EXPECT_GT(high, 0.7F);
}

TEST(MemberMotion, NormalsStayAcrossTheBentSurface) {
  // The normal of a bent plane must be perpendicular to two tangents, which are computed by finite differences.
  for (const MemberMotion motion : {MemberMotion::swim, MemberMotion::flap})
    for (const glm::vec3& at : {glm::vec3(-0.6F, 0, 0.5F), glm::vec3(0.1F, 0, -0.7F)}) {
      const bool swims = motion == MemberMotion::swim;
      const glm::vec3 n = swims ? glm::vec3(0, 0, 1) : glm::vec3(0, 1, 0), u{1e-3F, 0, 0},
                      v = swims ? glm::vec3(0, 1e-3F, 0) : glm::vec3(0, 0, 1e-3F);
      const BentPoint point = bent(motion, 0.8F, at, n);
      EXPECT_NEAR(glm::dot(point.normal, glm::normalize(bent(motion, 0.8F, at + u, n).place - point.place)), 0, 2e-3F);
      // The computed normal of a wing neglects its twist along the span: the phase lags by 0.75 rad per half length.
      // Wings thus have a larger tolerance.
      EXPECT_NEAR(glm::dot(point.normal, glm::normalize(bent(motion, 0.8F, at + v, n).place - point.place)), 0,
                  swims ? 2e-3F : 0.4F);
    }
}

/// Returns the number of members at each level of detail.
std::array<std::size_t, 4> details_of(const MemberDrawList& order) {
  std::array<std::size_t, 4> out{};
  for (const MemberGroup& group : order.groups()) out[static_cast<std::size_t>(group.detail)] += group.count;
  return out;
}

TEST(MemberDrawList, DrawsEachThatIsInThePictureOnceTheNearestInMostDetail) {
  std::vector<Figure> figures{placed(school(4000, fish_look(), bird_look(), 0.04F, 1, {0, 0, 0}))};
  Camera camera;
  camera.eye = {0, 0, 3};
  camera.target = {0, 0, 0};
  MemberDrawList order;
  order.for_eye(figures, 1, camera, 640, 360, false);
  std::vector<int> times(4000, 0);
  std::array<float, 4> nearest{9, 9, 9, 9}, farthest{};
  for (const MemberGroup& group : order.groups())
    for (std::size_t k = group.first; k < group.first + group.count; ++k) {
      const std::uint32_t row = order.rows()[k];
      ++times[row];
      const float depth = 3 - figures[0].places[row].z;
      const auto detail = static_cast<std::size_t>(group.detail);
      nearest[detail] = std::min(nearest[detail], depth), farthest[detail] = std::max(farthest[detail], depth);
      EXPECT_EQ(group.mesh,
                meshes_by_detail(row % 3 == 0 ? bird_look() : fish_look())[std::min<std::size_t>(detail, 2)]);
    }
  const auto twice = std::ranges::count_if(times, [](int n) { return n > 1; });
  EXPECT_EQ(twice, 0);
  for (std::size_t i = 0; i < times.size(); ++i) {
    // If `is_in` is true, the centre is in the image, and the member must be drawn. If `is_out` is true, the centre is
    // outside by more than a body length, and the member must not be drawn. The vertical angle of view is 40 degrees,
    // the aspect ratio 16:9.
    const glm::vec3 p(figures[0].places[i]);
    const float y = std::abs(p.y) / (3 - p.z), x = std::abs(p.x) / (3 - p.z), tan_y = 0.364F, tan_x = tan_y * 16 / 9;
    const bool is_in = x < tan_x && y<tan_y, is_out = x> tan_x + 0.05F || y > tan_y + 0.05F;
    EXPECT_TRUE(times[i] == 1 || !is_in) << i;
    EXPECT_TRUE(times[i] == 0 || !is_out) << i;
  }
  EXPECT_LT(nearest[1], nearest[2]) << "members of higher detail must be nearer";
  EXPECT_LT(farthest[1], farthest[2]);
}

TEST(MemberDrawList, OfACrowdOnlyTheNearestHaveManyTriangles) {
  std::vector<Figure> figures{placed(school(50'000, fish_look(), bird_look(), 0.05F, 1, {0, 0, 0}))};
  Camera camera;
  camera.eye = {0, 0, 4};
  camera.target = {0, 0, 0};
  MemberDrawList rich, reduce_triangles;
  rich.for_eye(figures, 1, camera, 1280, 720, false);
  reduce_triangles.for_eye(figures, 1, camera, 1280, 720, true);
  EXPECT_EQ(rich.rows().size(), reduce_triangles.rows().size());
  const auto many = details_of(rich), few = details_of(reduce_triangles);
  EXPECT_LE(many[0], 3000U);
  EXPECT_LE(few[0], 375U);
  EXPECT_LE(few[0] + few[1], 1500U);
  EXPECT_LE(few[0] + few[1] + few[2], 7500U);
  EXPECT_GT(few[0] + few[1] + few[2], 5000U) << "the allowed triangles must be used";
}

TEST(MemberDrawList, AMoteIsAsLargeOnThePictureAsTheBodyThatItStandsFor) {
  for (const SpeciesLook& look : all_looks()) {
    double sum_mesh = 0, sum_mote = 0;
    for (int k = 0; k < 24; ++k) {
      SystemSnapshot one = lone_member(look, 1, {0, 0, 0});
      one.use_look<MemberLook>().species[0].motion = MemberMotion::none;
      one.orientation[0] =
          Quatf(Eigen::AngleAxisf(0.9F * static_cast<float>(k), Vec3f(0.6F, 0.64F, 0.48F).normalized()));
      std::vector<Figure> figures{placed(one)};
      MemberDrawList order;
      const auto area = [&](float texels_per_m) {
        order.for_sun(figures, 1, texels_per_m);
        MemberSurface surface;
        order.expand_for_sun(figures, {0, 0, 1}, surface);
        double out = 0;  // the triangles of one side hardly overlap in the projection
        for (const auto& t : surface.triangle) {
          const glm::vec3 n =
              glm::cross(surface.place[t[1]] - surface.place[t[0]], surface.place[t[2]] - surface.place[t[0]]);
          out += 0.5 * std::max(static_cast<double>(n.z), 0.0);
        }
        return out;
      };
      sum_mesh += area(1000);
      sum_mote += area(0.1F);
    }
    // A mote (MemberDetail::mote, the simplest shape, for distant members) has the outline of an ellipsoid, without
    // wings and fins. This shape requires the large tolerance.
    EXPECT_NEAR(sum_mote / sum_mesh, 1, 0.3);
  }
}

TEST(MemberFigures, AreBetweenTheirTwoMomentsAndDoNotJumpAtBirthAndDeath) {
  SystemSnapshot before = school(5, fish_look(), fish_look(), 0.1F, 1, {0, 0, 0}), after = before;
  for (Vec3f& p : after.position) p.x() += 1;
  before.use_look<MemberLook>().beat[2] = 6.2F,
  after.use_look<MemberLook>().beat[2] = 0.1F;  // the phase passes a full period (2 pi) and restarts from 0
  after.orientation[2] = before.orientation[2] * Quatf(Eigen::AngleAxisf(0.4F, Vec3f::UnitY()));
  const auto erase_first = [](SystemSnapshot& s) {
    s.position.erase(s.position.begin()), s.velocity.erase(s.velocity.begin()),
        s.orientation.erase(s.orientation.begin());
    s.size.erase(s.size.begin()), s.id.erase(s.id.begin()), s.material.erase(s.material.begin());
    std::vector<float>& beat = s.use_look<MemberLook>().beat;
    beat.erase(beat.begin());
  };
  erase_first(after);    // the first element is removed
  after.id.back() = 99;  // a new element has the row of the last element
  after.revision = before.revision + 1;
  Figure figure;
  place_figure(&before, after, 0.5F, figure);
  ASSERT_EQ(figure.shape, FigureShape::members);
  for (std::size_t i = 0; i + 1 < 4; ++i) EXPECT_NEAR(figure.places[i].x, before.position[i + 1].x() + 0.5F, 1e-6F);
  EXPECT_NEAR(figure.places[3].x, after.position[3].x(), 1e-6F) << "a new element must not be interpolated";
  EXPECT_NEAR(std::remainder(figure.beat[1], 6.2831853F), 0.5F * (0.1F + 6.2F - 6.2831853F), 1e-4F);
  const glm::vec3 nose = turned(figure.turns[1], {1, 0, 0});
  const Vec3f half_way = before.orientation[2] * Quatf(Eigen::AngleAxisf(0.2F, Vec3f::UnitY())) * Vec3f::UnitX();
  EXPECT_LT(glm::length(nose - to_glm(half_way)), 1e-4F);
}

TEST(MemberPick, FindsTheMemberThatIsSeenThereAndTheNearerOfTwo) {
  Snapshot s;
  s.systems.push_back(lone_member(fish_look(), 0.1F, {0, 0, 0}));
  SystemSnapshot& fish = s.systems[0];
  fish.position.emplace_back(0, 0, -0.5F);
  fish.velocity.push_back(fish.velocity[0]), fish.orientation.push_back(fish.orientation[0]), fish.size.push_back(0.1F),
      fish.id.push_back(8);
  fish.material.push_back(0), fish.use_look<MemberLook>().beat.push_back(0);
  MeshTrees trees;
  const auto there = [&](float x, float y) { return pick_element(s, {{x, y, 1}, {0, 0, -1}}, trees); };
  ASSERT_TRUE(there(0, 0).has_value());
  EXPECT_EQ(there(0, 0)->system, "school");
  EXPECT_EQ(there(0, 0)->element, 0);
  EXPECT_NEAR(there(0, 0)->distance, 1, 0.03F);
  EXPECT_TRUE(there(-0.096F, 0.028F).has_value()) << "a ray through a lobe of the tail must hit";
  EXPECT_FALSE(there(-0.096F, 0).has_value()) << "a ray between the lobes must miss";
  EXPECT_FALSE(there(0.05F, 0.08F).has_value());
}

using MemberPictures = RenderTest;

/// Number of pixels that differ between two images, and the sum of the differences.
struct Ink {
  int pixels = 0;
  double sum = 0;
};
Ink ink(const Image& a, const Image& b) {
  Ink out;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    int most = 0;
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(a.rgba[i + k] - b.rgba[i + k]));
    out.pixels += most > 8 ? 1 : 0;
    out.sum += most;
  }
  return out;
}

TEST_F(MemberPictures, ShowASelectedMemberInTheColourOfWhatIsSelectedAndNoneBeyondTheCut) {
  Snapshot s;
  s.systems.push_back(lone_member(fish_look(), 0.3F, {0, 0, 0}));
  s.systems[0].palette = {Vec3f(0.1F, 0.2F, 0.7F)};
  const auto plain = renderer_->draw_image({nullptr, &s, 1}, straight_on(), {}, {}, 320, 240, LegendOverlay::none);
  const auto marked =
      renderer_->draw_image({nullptr, &s, 1}, straight_on(), {}, {"school", 0}, 320, 240, LegendOverlay::none);
  ASSERT_TRUE(plain && marked);
  EXPECT_GT(at(*plain, 160, 120).b, at(*plain, 160, 120).r + 40);
  EXPECT_GT(at(*marked, 160, 120).r, at(*marked, 160, 120).b + 40);
  ViewParams view;
  view.cut = Cut::z;
  view.cut_at_m = -0.1;
  Snapshot bare = s;
  bare.systems.clear();
  EXPECT_EQ(ink(shot(s, straight_on(), view), shot(bare, straight_on(), view)).pixels, 0);
  view.cut_at_m = 0.1;
  EXPECT_GT(ink(shot(s, straight_on(), view), shot(bare, straight_on(), view)).pixels, 2000);
}

TEST_F(MemberPictures, LookAtOneFromDarkEyesInEveryQuality) {
  Snapshot s;
  s.systems.push_back(lone_member(fish_look(), 0.3F, {0, 0, 0}));
  s.systems[0].palette = {Vec3f(0.3F, 0.5F, 0.8F)};
  const Vec3f eye = eye_of(fish_look());
  // Half length of the body [px]. The field of view is 40 degrees vertically in an image of 16:9, and the image is 4:3.
  const float px = 0.3F * 240 / (2 * std::tan(0.349066F) * 4 / 3);
  const int x = 160 + static_cast<int>(std::lround(px * eye.x())),
            y = 120 - static_cast<int>(std::lround(px * eye.y()));
  const auto light = [](const glm::ivec3& c) { return c.r + c.g + c.b; };
  for (const Quality quality : {Quality::low, Quality::automatic, Quality::medium}) {
    ViewParams view;
    view.quality = quality;
    const Image image = shot(s, straight_on(), view);
    EXPECT_LT(light(at(image, x, y)), 180) << static_cast<int>(quality);
    EXPECT_GT(light(at(image, x - 30, y)), 300) << static_cast<int>(quality);
  }
}

TEST_F(MemberPictures, FadeIntoTheDistanceWithoutAStepFromOneDetailToTheNext) {
  for (const SpeciesLook& look : {fish_look(), bird_look()}) {
    // The three equal members lie differently on the pixel grid, so their mean has a smaller sampling error than one
    // member.
    Snapshot s;
    for (const Vec3f& place : {Vec3f(-0.41F, 0.13F, 0), Vec3f(0, 0, 0), Vec3f(0.37F, -0.17F, 0)}) {
      s.systems.push_back(lone_member(look, 0.1F, place));
      s.systems.back().orientation[0] = Quatf(Eigen::AngleAxisf(0.5F, Vec3f(0.5F, 1, 0).normalized()));
    }
    Snapshot none = s;
    for (SystemSnapshot& system : none.systems) system.position[0] = {0, 0, 100};  // behind the camera
    double before = 0;
    Camera camera;
    for (double distance = 2; distance < 30; distance *= 1.06) {
      camera.eye = {0, 0, static_cast<float>(distance)};
      camera.target = {0, 0, 0};
      const double share =
          ink(shot(s, camera, {}, 640, 480), shot(none, camera, {}, 640, 480)).sum * distance * distance;
      // The sum of differences must be proportional to 1 / distance^2, up to sampling errors if bodies cover only a few
      // pixels.
      EXPECT_NEAR(share / (before > 0 ? before : share), 1, 0.35) << "at " << distance << " m";
      before = share;
    }
  }
}

TEST_F(MemberPictures, ShowWhatSwimsUnderWaterThroughItsSurface) {
  Snapshot wet;
  wet.epoch = 1;
  wet.colliders = {ground()};
  wet.systems.push_back(water_block({0.6F, 0.24F, 0.6F}, 0.02F));
  Camera camera;
  camera.eye = {0, 0.9F, 0.7F};
  camera.target = {0, 0.15F, 0};
  ViewParams view;
  view.fluid_style = FluidStyle::surface;
  view.fluid_clarity_m = 1;
  Snapshot with = wet;
  with.systems.push_back(lone_member(fish_look(), 0.12F, {0, 0.12F, 0}));
  const Ink found = ink(shot(with, camera, view), shot(wet, camera, view));
  EXPECT_GT(found.pixels, 60) << "the fish must be visible";
  SoftwareRenderer software;
  const auto a = software.draw_image({nullptr, &with, 1}, camera, view, {}, 320, 240, LegendOverlay::none),
             b = software.draw_image({nullptr, &wet, 1}, camera, view, {}, 320, 240, LegendOverlay::none);
  ASSERT_TRUE(a && b);
  EXPECT_NEAR(ink(*a, *b).pixels, found.pixels, 0.5 * found.pixels);
}

}  // namespace
}  // namespace vw
