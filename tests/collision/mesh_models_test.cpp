// The models that come with the program are made here: VOXWAKE_UPDATE_MODELS=1 writes assets/models anew, otherwise each file must be what is made.
#include <cstdlib>

#include "sim/base/file.h"
#include "sim/collision/shape/shape_sources.h"
#include "tests/collision/mesh_files.h"
#include "tests/collision/mesh_test_support.h"

namespace {

using namespace vw;
using namespace vw::test;

constexpr int around = 48;

/// A round bowl that stands on y = 0: 0.5 m across, its wall 15 mm thick, 0.2 m high.
TriangleList bowl() {
  constexpr double outer = 0.25, wall = 0.015;
  const double rim = std::asin(-0.05 / outer);  // below the sphere's middle
  std::vector<Eigen::Vector2d> profile;
  constexpr int steps = 16;
  const auto arc = [&](double r, int i) {
    const double turn = -0.5 * pi + (rim + 0.5 * pi) * i / steps;
    return Eigen::Vector2d(i == 0 ? 0 : r * std::cos(turn), outer + r * std::sin(turn));
  };
  for (int i = 0; i <= steps; ++i) profile.push_back(arc(outer, i));
  for (int i = steps; i >= 0; --i) profile.push_back(arc(outer - wall, i));
  return turned_mesh(profile, around);
}

/// A funnel whose spout ends at y = 0: 0.5 m wide at y = 0.4, 40 mm across within the spout, its wall 10 mm thick.
TriangleList funnel() {
  constexpr double wall = 0.01, spout = 0.02, mouth = 0.25;
  std::vector<Eigen::Vector2d> profile{{spout, 0}, {spout + wall, 0}};
  const auto cone = [&](double more, int from, int to) {
    for (int i = from; i != to + (to > from ? 1 : -1); i += to > from ? 1 : -1)
      profile.emplace_back(spout + more + (mouth - spout) * i / 8.0, 0.15 + 0.25 * i / 8.0);
  };
  cone(wall, 0, 8);
  cone(0, 8, 0);
  profile.push_back(profile.front());
  return turned_mesh(profile, around);
}

std::string model_text(const TriangleList& made, const std::string& about) {
  const auto mesh = mesh_of(made);
  std::string text = "# " + about + " Made by tests/collision/mesh_models_test.cpp; metres, y up.\n";
  for (const Vec3& p : mesh->triangles().position) text += fmt::format("v {:.5f} {:.5f} {:.5f}\n", p.x(), p.y(), p.z());
  for (const auto& t : mesh->triangles().triangle) text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

void expect_model(const std::string& name, const std::string& text, const Vec3& size) {
  const std::string path = std::string(VOXWAKE_SOURCE_DIR) + "/assets/models/" + name;
  if (std::getenv("VOXWAKE_UPDATE_MODELS") != nullptr) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    ASSERT_TRUE(write_file_atomic(path, text));
  }
  const auto found = read_file(path, 1'000'000);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(*found, text) << "stale: run with VOXWAKE_UPDATE_MODELS=1";
  EXPECT_LT(text.size(), 200'000U);
  const auto model = load_mesh({path, 1});
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(model->note, "");  // closed, with nothing amiss
  EXPECT_LT((model->geometry->bounds().sizes() - size).norm(), 0.002);
}

TEST(MeshModels, TheBowlIsWhatIsMadeHereAndHollow) {
  expect_model("bowl.obj", model_text(bowl(), "A bowl."), {0.4899, 0.203, 0.4899});
  const auto mesh = mesh_of(bowl());
  EXPECT_GT(mesh->query({0, 0.1, 0}, 1).distance, 0.05);
  EXPECT_LT(mesh->query({0, 0.007, 0}, 1).distance, 0);
}

TEST(MeshModels, TheFunnelIsWhatIsMadeHereAndOpenBelow) {
  expect_model("funnel.obj", model_text(funnel(), "A funnel."), {0.52, 0.4, 0.52});
  const auto mesh = mesh_of(funnel());
  EXPECT_FALSE(mesh->sweep({0, 1, 0}, {0, -1, 0}, 0.019));
  EXPECT_TRUE(mesh->sweep({0, 1, 0}, {0, -1, 0}, 0.021));
  EXPECT_LT(mesh->query({0.025, 0.05, 0}, 1).distance, 0);
}

}  // namespace
