// Two methods that make software OpenGL fast on the simple quality tiers: results are reused between frames, and hidden
// objects are omitted. The picture must not change visibly.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "render/gl/gl_object.h"
#include "render/scene/visible_balls.h"
#include "stage_set.h"

namespace vw {
namespace {

using RenderKept = RenderTest;

constexpr int kept_width = 320, kept_height = 240;

/// Framebuffer of the same format as the window's framebuffer.
class KeptCanvas {
 public:
  KeptCanvas() : color_(make_texture(GL_TEXTURE_2D)), depth_(make_texture(GL_TEXTURE_2D)), target_(make_framebuffer()) {
    glTextureStorage2D(color_.id(), 1, GL_RGBA8, kept_width, kept_height);
    glTextureStorage2D(depth_.id(), 1, GL_DEPTH_COMPONENT32F, kept_width, kept_height);
    glNamedFramebufferTexture(target_.id(), GL_COLOR_ATTACHMENT0, color_.id(), 0);
    glNamedFramebufferTexture(target_.id(), GL_DEPTH_ATTACHMENT, depth_.id(), 0);
  }
  [[nodiscard]] Image draw(Renderer& renderer, const Snapshot& s, const Camera& camera) const {
    ViewParams view;
    view.quality = Quality::low;
    renderer.draw({nullptr, &s, 1}, camera, view, {}, kept_width, kept_height, target_.id(), LegendOverlay::none);
    Image out{kept_width, kept_height, std::vector<std::uint8_t>(4U * kept_width * kept_height)};
    glBindFramebuffer(GL_FRAMEBUFFER, target_.id());
    glReadPixels(0, 0, kept_width, kept_height, GL_RGBA, GL_UNSIGNED_BYTE, out.rgba.data());
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return out;
  }

 private:
  GlTexture color_, depth_;
  GlFramebuffer target_;
};

/// Returns the fraction of the pixels in which two images differ by more than `steps` sRGB steps (of 255).
double apart(const Image& a, const Image& b, int steps) {
  int count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    int most = 0;
    for (std::size_t k = i; k < i + 3; ++k) most = std::max(most, std::abs(a.rgba[k] - b.rgba[k]));
    count += most > steps ? 1 : 0;
  }
  return count / static_cast<double>(kept_width * kept_height);
}

Snapshot tank_of_side(int side, float shift = 0) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  ColliderSnapshot wall =
      obstacle("back", ColliderSnapshot::Kind::plane, Vec3f(0, 0, -0.1F),
               Quatf(Eigen::AngleAxisf(1.5707963F, Vec3f::UnitX())), Vec3f::Ones(), {0.5F, 0.6F, 0.7F});
  wall.opacity = 0.15F;
  s.colliders.push_back(wall);
  s.systems.push_back(sphere_cloud(side, 0.06F, 0.004F, Vec3f(shift, 0.07F, 0)));
  return s;
}

Camera before_tank(const Snapshot& s) {
  Camera camera;
  camera.frame(scene_bounds(s), static_cast<float>(kept_width) / kept_height);
  return camera;
}

TEST_F(RenderKept, ObjectsAtRestAreKeptAndLookTheSame) {
  const Snapshot first = tank_of_side(12), later = tank_of_side(12, 0.03F);
  const Camera camera = before_tank(first);
  Camera elsewhere = camera;
  elsewhere.orbit(0.3F, 0);
  const KeptCanvas canvas;
  const Image anew = canvas.draw(*renderer_, first, camera);
  (void)canvas.draw(*renderer_, first, camera);
  const Image kept = canvas.draw(*renderer_, first, camera), moved = canvas.draw(*renderer_, later, camera);
  (void)canvas.draw(*renderer_, later, elsewhere);
  const Image moved_anew = canvas.draw(*renderer_, later, camera);
  EXPECT_GT(apart(moved, kept, 20), 0.02) << "the balls have moved";
  // Two differences are allowed: the ground's colour is interpolated from other vertices, and its shadow also covers
  // the reflection of the wall.
  EXPECT_LT(apart(anew, kept, 8), 0.001);
  EXPECT_LT(apart(moved_anew, moved, 8), 0.001);
  const Image last = canvas.draw(*renderer_, later, elsewhere);
  EXPECT_GT(apart(last, moved, 20), 0.02) << "the picture must change with the camera";
}

TEST_F(RenderKept, ManySmallBallsAreDrawnAsPointsAndLookAsFewDo) {
  Snapshot whole = tank_of_side(12), parts = whole;
  SystemSnapshot& cloud = parts.systems[0];
  SystemSnapshot rest = cloud;
  rest.name = "rest";
  const std::size_t half = cloud.position.size() / 2;
  const auto cut = [half](auto& column, bool first) {
    first ? column.resize(half)
          : static_cast<void>(column.erase(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(half)));
  };
  for (SystemSnapshot* system : {&cloud, &rest}) {
    const bool first = system == &cloud;
    cut(system->position, first), cut(system->velocity, first), cut(system->size, first), cut(system->id, first),
        cut(system->material, first);
  }
  parts.systems.push_back(rest);
  const Camera camera = before_tank(whole);
  const KeptCanvas canvas;
  const Image as_points = canvas.draw(*renderer_, whole, camera), as_quads = canvas.draw(*renderer_, parts, camera);
  // The rims may differ: a point is circular, whereas the image of a ball away from the image centre is elongated.
  EXPECT_LT(apart(as_points, as_quads, 40), 0.03);
}

/// Returns the distance from the ray's origin to the centre of the ball if the ray intersects the ball, otherwise
/// infinity.
float distance_to_ball(const Ray& ray, const glm::vec4& ball) {
  const glm::vec3 away = glm::vec3(ball) - ray.origin;
  const float along = glm::dot(away, ray.direction), off = glm::dot(away, away) - along * along;
  return along > 0 && off < ball.w * ball.w ? glm::length(away) : std::numeric_limits<float>::infinity();
}

TEST(VisibleBalls, LeaveOutOnlyWhatNearerOnesHide) {
  constexpr int side = 14, across = 120, down = 90;
  Figure figure;
  for (int i = 0; i < side * side * side; ++i)
    figure.places.emplace_back(0.1F * static_cast<float>(i % side), 0.1F * static_cast<float>(i / side % side),
                               0.1F * static_cast<float>(i / side / side), 0.05F);
  figure.places.emplace_back(0.7F, 0.7F, 9.0F, 0.05F);  // behind the eye
  Camera camera;
  camera.eye = {2.2F, 1.9F, 3.4F};
  camera.target = {0.7F, 0.6F, 0.7F};
  VisibleBalls balls;
  balls.find(figure, camera, across, down);
  const std::vector<std::uint32_t>& rows = balls.rows();
  EXPECT_LT(rows.size(), figure.places.size() / 2);
  const auto distance = [&](std::uint32_t row) { return glm::length(glm::vec3(figure.places[row]) - camera.eye); };
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return distance(a) < distance(b) - 1e-5F; }));
  std::vector<char> kept(figure.places.size(), 0);
  for (const std::uint32_t row : rows) kept[row] = 1;
  int seen = 0;
  for (int y = 0; y < down; ++y)
    for (int x = 0; x < across; ++x) {
      const Ray ray = camera.ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, across, down);
      std::array<float, 2> nearest{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
      for (std::size_t i = 0; i < figure.places.size(); ++i) {
        float& of_kind = nearest[kept[i] != 0 ? 1 : 0];
        of_kind = std::min(of_kind, distance_to_ball(ray, figure.places[i]));
      }
      EXPECT_TRUE(nearest[1] <= nearest[0] + 1e-4F || std::isinf(nearest[0])) << x << " " << y;
      seen += std::isinf(nearest[1]) ? 0 : 1;
    }
  EXPECT_GT(seen, 1500);
  EXPECT_EQ(kept.back(), 0);
}

}  // namespace
}  // namespace vw
