// How packaged scenes open: the subject must be in the middle of the picture, neither small nor cut off.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "render/framing.h"
#include "render/offscreen_painter.h"
#include "sim/api/open_scene.h"
#include "sim/api/run.h"
#include "sim/scene/scene.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

constexpr float usual_picture_aspect = 16.0F / 9;

/// Returns the scenes that are exempt from the rule of framing (the subject is in the middle of the picture and fills
/// about two thirds of it), each with the reason.
const std::map<std::string, std::string>& other_framing() {
  static const std::map<std::string, std::string> all{
      {"bent-strips", "the plate that presses on the strips belongs in the picture"},
      {"bodies-dam-break", "the picture shows the whole way of the water and its spray"},
      {"embers", "the picture shows the whole path of the embers"},
      {"filling-tank", "the tank is empty at the start"},
      {"gusty-tower", "the tower belongs in the picture, and the birds fly about it"},
      {"honey", "there is no honey at the start"},
      {"lab-bounce", "the picture shows the whole height of the fall"},
      {"lab-collision", "the picture shows the whole path of the balls"},
      {"lab-corner", "the picture shows the corner into which the particles fall"},
      {"lab-cradle", "the strings and the swing of the balls belong in the picture"},
      {"lab-dam-break", "the picture shows the whole way of the water"},
      {"lab-friction", "the picture shows the whole path of the particles"},
      {"lab-gyroscope", "the picture shows the circle that the axis describes"},
      {"lab-impact", "the picture shows the whole path of the particles"},
      {"lab-incline", "the picture shows the whole slope"},
      {"lab-noise", "the scene has only fields"},
      {"lab-period", "the scene has only fields"},
      {"lab-repulsion", "the picture shows the whole height of the fall"},
      {"lab-rolling", "the picture shows the whole slope"},
      {"lab-silo", "there are no balls at the start"},
      {"lab-slide", "the picture shows the whole slope"},
      {"lab-spectrum", "the scene has only fields"},
      {"lab-sphere", "the picture shows the sphere down which the particles slide"},
      {"lab-spring", "the picture shows the whole swing"},
      {"lab-stokes", "the picture shows the whole height of the fall"},
      {"lab-thin-wall", "the picture shows the walls that the particles meet"},
      {"lab-throw", "the picture shows the whole path"},
      {"lab-turbulence", "the scene has only fields"},
      {"lab-wind", "the picture shows the whole path of the particles"},
      {"obstacle-course", "the picture shows the whole course"},
      {"sand-heap", "there is no sand at the start"},
      {"shark", "the shark and the rocks belong in the picture"},
      {"whirlwind", "there is no dust at the start"},
      {"wind-tunnel", "there is no smoke at the start, and the sphere stands in the middle of its path"}};
  return all;
}

std::optional<PictureArea> first_area(const std::string& path) {
  api::Run run = test::checked(api::Run::create(test::checked(api::open_scene(path))));
  const ViewParams view = scene_view(run.scene());
  run.subscribe({.air = view});
  Snapshot snapshot;
  run.snapshot(snapshot);
  SubjectPoints points;
  subject_points(snapshot, points);
  return area_in_picture(points, view_camera(view, snapshot, usual_picture_aspect), usual_picture_aspect);
}

TEST(Framing, PackagedScenesOpenWithTheirSubjectInTheMiddle) {
  const bool prints = std::getenv("VOXWAKE_PRINT_FRAMING") != nullptr;
  for (const PackagedScene& scene : packaged_scenes()) {
    const auto area = first_area(scene.path);
    const float share = area ? area->longest_share() : 0;
    const glm::vec2 center = area ? 0.5F * area->center() : glm::vec2(0);  // as a fraction of the size of the picture
    if (prints)
      std::printf("%-24s %5.2f  %+5.2f %+5.2f\n", scene.name.c_str(), static_cast<double>(share),
                  static_cast<double>(center.x), static_cast<double>(center.y));
    const bool is_framed = share >= 0.5F && share <= 0.8F && std::abs(center.x) <= 0.1F && std::abs(center.y) <= 0.1F;
    const auto exception = other_framing().find(scene.name);
    if (exception == other_framing().end())
      EXPECT_TRUE(is_framed) << scene.name << ": the subject fills " << share << " of the picture, its centre is at ("
                             << center.x << ", " << center.y << ") from the middle";
    else
      EXPECT_FALSE(is_framed) << scene.name
                              << " is framed as other scenes and need not be in the list: " << exception->second;
  }
}

}  // namespace
}  // namespace vw
